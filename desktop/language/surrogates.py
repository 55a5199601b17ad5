"""Makes sure that a text can be written down at all."""


def whole_letters(text: str) -> str:
    """The text with halves of letters joined, or replaced where the other half is missing.

    Escapes in JSON, bytes on a command line and answers cut into pieces can leave halves (lone
    surrogates) behind, which no file and no request takes.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
