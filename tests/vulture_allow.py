"""Names that look unused to vulture, because only a library or the interpreter calls them.

Unused code is deleted instead of being listed here.
"""


class Anything:
    def __getattr__(self, name: str) -> str:
        return name


it = Anything()

CALLED_BY_QT = (
    it.changeEvent,
    it.insertFromMimeData,
    it.clone,
    it.closeEvent,
    it.switched,
    it.columnCount,
    it.contextMenuEvent,
    it.createEditor,
    it.createMimeDataFromSelection,
    it.expandingDirections,
    it.fetchMore,
    it.hasHeightForWidth,
    it.headerData,
    it.itemAt,
    it.loadResource,
    it.mouseDoubleClickEvent,
    it.mouseMoveEvent,
    it.mouseReleaseEvent,
    it.nativeEventFilter,
    it.paintCell,
    it.scrollContentsBy,
    it.setEditorData,
    it.setModelData,
    it.textFromValue,
    it.updateEditorGeometry,
    it.validate,
    it.valueFromText,
    it.viewportSizeHint,
)

CALLED_BY_LOGGING = (it.exc_text, it.formatException, it.handleError)

CALLED_BY_HTTP_SERVER = (
    it.allow_reuse_address,
    it.close_connection,
    it.daemon_threads,
    it.disable_nagle_algorithm,
    it.do_GET,
    it.do_OPTIONS,
    it.do_POST,
    it.error_message_format,
    it.handle_error,
    it.log_message,
    it.process_request,
    it.process_request_thread,
    it.protocol_version,
    it.server_version,
    it.sys_version,
)

CALLED_BY_HTML_PARSER = (it.handle_data, it.handle_startendtag)

CALLED_BY_PYTHON = (it.__init_subclass__, it.create_module, it.exec_module)

CALLED_BY_MARKDOWN_IT = (it.validateLink,)

# Names of arguments that the keyring's interface prescribes.
CALLED_BY_KEYRING = (it.service,)

# Until the window synchronises by itself.
WAITED_FOR_BY_THE_WINDOW = (it.wait_for_news, it.pause, it.go_on)
assert WAITED_FOR_BY_THE_WINDOW

# The template of the stylesheet names it.
READ_BY_THE_STYLESHEET = (it.accent_hover,)

READ_BY_SQLITE = (it.isolation_level, it.text_factory)

READ_BY_LLAMA = (
    it.api_keys,
    it.cache_ram_mib,
    it.model_alias,
    it.n_batch,
    it.n_ctx,
    it.n_ubatch,
    it.ui,
)

READ_BY_OPENAI = (it.organization,)

# Named in quotes alone, because the SDK is imported late.
READ_BY_MYPY = (
    it.CacheControlEphemeralParam,
    it.DataclassInstance,
    it.MessageParam,
    it.OutputConfigParam,
    it.Send,
    it.Stream,
    it.TextBlockParam,
    it.ToolChoiceNoneParam,
)

# Names of settings, arguments and events, read by their values and fields.
SPELLED = (
    it.DEEP,
    it.RESEARCH,
    it.arxiv_address,
    it.crossref_address,
    it.dergipark_address,
    it.europe_pmc_address,
    it.openalex_address,
    it.searxng_address,
    it.semantic_scholar_address,
    it.tier,
    it.tools,
    it.trdizin_address,
    it.uses_arxiv,
    it.uses_crossref,
    it.uses_dergipark,
    it.uses_europe_pmc,
    it.uses_openalex,
    it.uses_semantic_scholar,
    it.uses_trdizin,
    it.web_tools,
)

SET_ON_OBJECTS_OF_LIBRARIES = (it.italic, it.strike, it.svg2)

READ_BY_TESTS = (it.own_words,)

USED_BY_BENCHMARKS = (it.DisplayMissingError, it.process_id)

# Reasons that traces of earlier versions name.
NAMED_IN_TRACES = (it.CAUSES, it.CHOICE)

READ_BY_LUPDATE = (it.KEY_NAMES, it.LABELS_WITHOUT_WORDS)

# Sections of a compact, asked for one after another.
SECTIONS = (it.TOPICS, it.ESTABLISHED, it.OPEN, it.TECHNICAL)

# Tables of a schema step whose stores follow.
CREATED = (it.projects, it.prompts, it.tags)

# Pages of the settings that no code opens by name.
LISTED = (it.PRIVACY,)

assert [CALLED_BY_HTTP_SERVER, CALLED_BY_HTML_PARSER, CALLED_BY_KEYRING, SPELLED, READ_BY_TESTS]
assert [CALLED_BY_PYTHON, READ_BY_LUPDATE, READ_BY_THE_STYLESHEET, LISTED, SECTIONS]
assert [CREATED, SET_ON_OBJECTS_OF_LIBRARIES, NAMED_IN_TRACES, USED_BY_BENCHMARKS]
assert [CALLED_BY_QT, CALLED_BY_LOGGING, READ_BY_SQLITE, READ_BY_LLAMA, READ_BY_MYPY]
CALLED_BY_HTMLPARSER = (it.handle_starttag, it.handle_endtag)
assert [READ_BY_OPENAI, CALLED_BY_MARKDOWN_IT, CALLED_BY_HTMLPARSER]

# Until the carriers and the window of the devices read them.
READ_BY_SYNCHRONISATION = (
    it.HERE,
    it.DeviceState,
    it.last_seen,
    it.received,
    it.is_newer,
    it.start,
    it.stop,
    it.unsent,
    it.mark_sent,
    it.resolve,
    it.digest,
    it.snapshot,
    it.packs_with_deleted,
    it.without_deleted,
    it.mark_rewritten,
    it.Journal,
    it.LOCAL_TABLES,
    it.LOCAL_COLUMNS,
)
assert READ_BY_SYNCHRONISATION
