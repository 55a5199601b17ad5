"""What can fail on the web, at a search engine, or with an endpoint's own tools for it.

As in `desktop.domain.errors`: no words, a key and its values.
"""

from desktop.domain.errors import AppError


class WebError(AppError):
    """Something on the web could not be had."""


class WebOffError(WebError):
    key = "web_off"


class WebStoppedError(WebError):
    """Somebody asked for it to stop."""

    key = "web_stopped"


class AddressRefusedError(WebError):
    """`address`: what is none of a web page."""

    key = "address_refused"


class AddressPrivateError(WebError):
    """`host`: leads into this computer or its own network."""

    key = "address_private"


class HostShutOutError(WebError):
    """`host`: by the user's own settings."""

    key = "host_shut_out"


class RobotsRefuseError(WebError):
    """`host`: its robots.txt does not let programs read the page."""

    key = "robots_refuse"


class SiteUnreachableError(WebError):
    """`host`."""

    key = "site_unreachable"


class SiteUntrustedError(WebError):
    """`host`: its certificate does not hold."""

    key = "site_untrusted"


class SiteRefusedError(WebError):
    """`host`, `status`: an HTTP status that says no."""

    key = "site_refused"


class SiteBusyError(WebError):
    """`host`, `seconds`: how long to leave it alone, 0 where nobody said."""

    key = "site_busy"


class PageGoneError(WebError):
    """`host`: there is no such page."""

    key = "page_gone"


class PageTooLargeError(WebError):
    """`host`, `limit`: in megabytes."""

    key = "page_too_large"


class PageTooSlowError(WebError):
    """`host`, `seconds`: how long was waited."""

    key = "page_too_slow"


class PageKindError(WebError):
    """`host`, `kind`: a content type that nothing here reads."""

    key = "page_kind"


class PageEmptyError(WebError):
    """`host`: the page has no text of its own."""

    key = "page_empty"


class RedirectedTooOftenError(WebError):
    """`host`."""

    key = "redirected_too_often"


class SearchBlockedError(WebError):
    """`engines`: none of them gave results, and no engine says whether there are none."""

    key = "search_blocked"


class SearchUnreachableError(WebError):
    """`engines`: none of them could be reached."""

    key = "search_unreachable"


class SearchBusyError(WebError):
    """`engines`: they want fewer questions."""

    key = "search_busy"


class SearxngMissingError(WebError):
    """It is chosen, and nobody said where it is."""

    key = "searxng_missing"


class SearxngAnswerError(WebError):
    """`host`: what it answers is not what a SearXNG answers that gives JSON."""

    key = "searxng_answer"


class EndpointWebError(WebError):
    """`where` and `code`: what an endpoint says of tools of its own that did not work."""

    key = "endpoint_web"
