"""What can fail on the web, at a search engine, or with an endpoint's own web tools.

As in `desktop.domain.errors`: no text, a key and its values.
"""

from desktop.domain.errors import AppError


class WebError(AppError):
    """Something on the web could not be fetched."""


class WebOffError(WebError):
    """The user has not turned the web on."""


class WebStoppedError(WebError):
    """The caller asked to stop."""


class AddressRefusedError(WebError):
    """`address`: it is not the address of a web page."""


class AddressPrivateError(WebError):
    """`host`: it resolves to this computer or its own network."""


class HostShutOutError(WebError):
    """`host`: blocked by the user's own settings."""


class RobotsRefuseError(WebError):
    """`host`: its robots.txt does not allow programs to read the page."""


class SiteUnreachableError(WebError):
    """`host`."""


class SiteUntrustedError(WebError):
    """`host`: its certificate is not valid."""


class SiteRefusedError(WebError):
    """`host`, `status`: an HTTP status that refuses the request."""


class SiteBusyError(WebError):
    """`host`, `seconds`: how long to wait, 0 if unknown."""


class PageGoneError(WebError):
    """`host`: there is no such page."""


class PageTooLargeError(WebError):
    """`host`, `limit`: in megabytes."""


class PageTooSlowError(WebError):
    """`host`, `seconds`: the time limit."""


class PageKindError(WebError):
    """`host`, `kind`: a content type that is not supported."""


class PageEmptyError(WebError):
    """`host`: the page has no text of its own."""


class RedirectedTooOftenError(WebError):
    """`host`."""


class SearchBlockedError(WebError):
    """`engines`: none gave results, or said that there are none."""


class SearchUnreachableError(WebError):
    """`engines`: none of them could be reached."""


class SearchBusyError(WebError):
    """`engines`: they limit the rate of requests."""


class SearxngMissingError(WebError):
    """SearXNG is chosen, and its address is not set."""


class SearxngAnswerError(WebError):
    """`host`: its answer is not the JSON of a SearXNG."""


class EndpointWebError(WebError):
    """`where` and `code`: the error that an endpoint reports for its own tools."""
