"""`python -m desktop`, and the entry of every build."""

import sys
from collections.abc import Sequence

_BROKEN_OFF = 1


def main(argv: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if argv is None else argv
    if arguments == ["--serve-gguf"]:
        # A frozen build starts itself as the child that serves a model file.
        from desktop.llm.embedded_child import main as serve  # noqa: PLC0415 - nothing else is needed

        serve()
        return 0
    if arguments == ["--embed"]:
        # The child that turns texts into vectors for the window.
        from desktop.recall.embedding_worker import main as embed  # noqa: PLC0415 - as above

        embed()
        return 0
    if arguments[:1] in (["--read-documents"], ["--read-pages"]):
        # The child that opens documents and pictures, within so much memory. For pages somebody
        # is waiting.
        from desktop.app.file_worker import main as read  # noqa: PLC0415 - as above

        read(int(arguments[1]), is_urgent=arguments[0] == "--read-pages")
        return 0
    if arguments[:1] == ["--read-imports"]:
        # The child that reads files to import, within so much memory.
        from desktop.sessions.importing.import_process import main as parse  # noqa: PLC0415 - as above

        parse(int(arguments[1]))
        return 0
    try:
        from desktop.app.run import run  # noqa: PLC0415 - a spawned child imports this file too

        return run(arguments)
    except KeyboardInterrupt:
        return _BROKEN_OFF  # it happened during an import: nothing has begun


if __name__ == "__main__":
    sys.exit(main())
