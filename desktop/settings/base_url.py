"""The one form in which the address of a server is kept."""

from urllib.parse import urlsplit


def clean_base_url(text: str) -> str:
    """The address without a final slash or /v1; ValueError for what is no http address.

    One with a user name or password in it is refused too: the settings file holds no secrets.
    """
    url = text.strip().rstrip("/").removesuffix("/v1").rstrip("/")
    parts = urlsplit(url)
    # Reading the port checks it.
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("not an http address")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("more than an address")
    return url
