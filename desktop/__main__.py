"""`python -m desktop`, and the entry of every build."""

import sys
from collections.abc import Sequence

_BROKEN_OFF = 1


def main(argv: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if argv is None else argv
    if _is_child(arguments):
        return 0
    try:
        from desktop.app.run import run  # noqa: PLC0415 - a spawned child imports this file too

        return run(arguments)
    except KeyboardInterrupt:
        return _BROKEN_OFF  # it happened during an import: nothing has begun


def _is_child(arguments: Sequence[str]) -> bool:
    """Serve as a child of the program, and return True once that has ended.

    A frozen build has no other Python. What follows some flags is the memory it may have.
    """
    match arguments:
        case ["--serve-gguf"]:  # a model file
            from desktop.llm.embedded_child import main as serve  # noqa: PLC0415 - nothing else is needed

            serve()
        case ["--embed"]:  # turns texts into vectors for the window
            from desktop.recall.embedding_client import main as embed  # noqa: PLC0415 - as above

            embed()
        case ["--read-documents" | "--read-pages" as flag, megabytes, *_]:
            # Opens documents and pictures; for pages somebody is waiting.
            from desktop.app.file_worker import main as read  # noqa: PLC0415 - as above

            read(int(megabytes), is_urgent=flag == "--read-pages")
        case ["--read-imports", megabytes, *_]:  # reads files to import
            from desktop.sessions.importing.import_process import main as parse  # noqa: PLC0415 - as above

            parse(int(megabytes))
        case ["--ask-tools", megabytes, *_]:  # speaks with a server of tools
            from desktop.mcp.client_process import main as ask  # noqa: PLC0415 - as above

            ask(int(megabytes))
        case _:
            return False
    return True


if __name__ == "__main__":
    sys.exit(main())
