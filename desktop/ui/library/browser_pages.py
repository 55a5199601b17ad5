"""The notices of pages that a browser delivers to the library."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.domain.ids import SourceId
from desktop.research.library import AddOutcome, ImportedPage
from desktop.ui.services import Worker
from desktop.ui.widgets.bars import MessageBar

if TYPE_CHECKING:
    from desktop.sessions.services import Services


class BrowserPages(QObject):
    """Keeps the port for browsers open while it is wanted."""

    def __init__(
        self, worker: Worker, strip: MessageBar, added: Callable[[], None], parent: QObject
    ) -> None:
        """`added`: shows the library anew."""
        super().__init__(parent)
        self._worker, self._strip, self._added = worker, strip, added
        self._is_wanted = False

    def follow(self, *, is_wanted: bool) -> None:
        if is_wanted == self._is_wanted:
            return
        self._is_wanted = is_wanted
        if is_wanted:
            self._worker.do_each(
                lambda services: services.browser.pages(
                    lambda: services.assistant.project, lambda: self._is_wanted
                ),
                self._show,
            )
        else:
            self._worker.do(lambda services: services.browser.close())

    def _show(self, page: ImportedPage) -> None:
        self._added()
        source, is_new = page.source, page.outcome is AddOutcome.ADDED
        added = self.tr("Added from the browser: {title}")
        words = added if is_new else self.tr("Updated from the browser: {title}")
        self._strip.show_message(
            f"browser {source.id}",
            words.format(title=source.title),
            undo=partial(self._remove, source.id) if is_new else None,
        )

    def _remove(self, source_id: SourceId) -> None:
        def remove(services: "Services") -> None:
            services.sources.remove([source_id])

        self._worker.do(remove, lambda _: self._added())
