"""Makes sure that a text can be encoded as UTF-8."""


def whole_letters(text: str) -> str:
    """Return the text with surrogate pairs joined, and lone surrogates replaced.

    Escapes in JSON, bytes on a command line and answers cut into pieces can leave lone surrogates
    behind, which no file and no request accepts.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
