"""Names that look unused to vulture, because only a library or the interpreter calls them.

Unused code is deleted instead of being listed here.
"""


class Anything:
    def __getattr__(self, name: str) -> str:
        return name


it = Anything()

CALLED_BY_QT = (
    it.insertFromMimeData,
    it.clone,
    it.closeEvent,
    it.switched,
    it.columnCount,
    it.contextMenuEvent,
    it.createMimeDataFromSelection,
    it.expandingDirections,
    it.fetchMore,
    it.headerData,
    it.loadResource,
    it.mouseDoubleClickEvent,
    it.nativeEventFilter,
    it.scrollContentsBy,
    it.updateEditorGeometry,
    it.viewportSizeHint,
)

CALLED_BY_LOGGING = (it.exc_text, it.formatException, it.handleError)

CALLED_BY_HTTP_SERVER = (
    it.allow_reuse_address,
    it.close_connection,
    it.daemon_threads,
    it.do_OPTIONS,
    it.do_POST,
    it.error_message_format,
    it.handle_error,
    it.log_message,
    it.server_version,
    it.sys_version,
)

CALLED_BY_HTML_PARSER = (it.handle_data, it.handle_starttag, it.handle_endtag)

CALLED_BY_PYTHON = (it.__init_subclass__, it.create_module, it.exec_module)

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
READ_BY_MYPY = (it.CacheControlEphemeralParam, it.MessageParam)

# Names of settings, arguments and events, read by their values and fields.
SPELLED = (
    it.arxiv_address,
    it.crossref_address,
    it.dergipark_address,
    it.europe_pmc_address,
    it.openalex_address,
    it.searxng_address,
    it.semantic_scholar_address,
    it.trdizin_address,
    it.uses_arxiv,
    it.uses_crossref,
    it.uses_dergipark,
    it.uses_europe_pmc,
    it.uses_openalex,
    it.uses_semantic_scholar,
    it.uses_trdizin,
)

SET_ON_OBJECTS_OF_LIBRARIES = (it.italic, it.strike, it.svg2)

USED_BY_BENCHMARKS = (it.process_id,)

# Reasons that traces of earlier versions name.
NAMED_IN_TRACES = (it.CAUSES, it.CHOICE)

READ_BY_LUPDATE = (it.KEY_NAMES, it.LABELS_WITHOUT_WORDS)

# Sections of a compact, asked for one after another.
SECTIONS = (it.TECHNICAL,)

# A test asks that every table travels between devices, or is listed with the reason.
READ_BY_TESTS = (it.LOCAL_TABLES,)

assert [
    CALLED_BY_QT,
    CALLED_BY_LOGGING,
    CALLED_BY_HTTP_SERVER,
    CALLED_BY_HTML_PARSER,
    CALLED_BY_PYTHON,
    READ_BY_THE_STYLESHEET,
    READ_BY_SQLITE,
    READ_BY_LLAMA,
    READ_BY_OPENAI,
    READ_BY_MYPY,
    SPELLED,
    SET_ON_OBJECTS_OF_LIBRARIES,
    USED_BY_BENCHMARKS,
    NAMED_IN_TRACES,
    READ_BY_LUPDATE,
    SECTIONS,
    READ_BY_TESTS,
]
