"""What can fail on the web, at a search engine, or with an endpoint's own tools for it.

As in `desktop.domain.errors`: no words, a key and its values.
"""

from desktop.domain.errors import AppError


class WebError(AppError):
    """Something on the web could not be had."""


class WebOffError(WebError):
    """The user has not turned the web on."""


class WebStoppedError(WebError):
    """Somebody asked for it to stop."""


class AddressRefusedError(WebError):
    """`address`: what is none of a web page."""


class AddressPrivateError(WebError):
    """`host`: leads into this computer or its own network."""


class HostShutOutError(WebError):
    """`host`: by the user's own settings."""


class RobotsRefuseError(WebError):
    """`host`: its robots.txt does not let programs read the page."""


class SiteUnreachableError(WebError):
    """`host`."""


class SiteUntrustedError(WebError):
    """`host`: its certificate does not hold."""


class SiteRefusedError(WebError):
    """`host`, `status`: an HTTP status that says no."""


class SiteBusyError(WebError):
    """`host`, `seconds`: how long to leave it alone, 0 where nobody said."""


class PageGoneError(WebError):
    """`host`: there is no such page."""


class PageTooLargeError(WebError):
    """`host`, `limit`: in megabytes."""


class PageTooSlowError(WebError):
    """`host`, `seconds`: how long was waited."""


class PageKindError(WebError):
    """`host`, `kind`: a content type that nothing here reads."""


class PageEmptyError(WebError):
    """`host`: the page has no text of its own."""


class RedirectedTooOftenError(WebError):
    """`host`."""


class SearchBlockedError(WebError):
    """`engines`: none of them gave results, and no engine says whether there are none."""


class SearchUnreachableError(WebError):
    """`engines`: none of them could be reached."""


class SearchBusyError(WebError):
    """`engines`: they want fewer questions."""


class SearxngMissingError(WebError):
    """It is chosen, and nobody said where it is."""


class SearxngAnswerError(WebError):
    """`host`: what it answers is not what a SearXNG answers that gives JSON."""


class EndpointWebError(WebError):
    """`where` and `code`: what an endpoint says of tools of its own that did not work."""
