"""The button of the library that chooses which works are listed, and in which order."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from desktop.domain.projects import COMMON, EVERYTHING, Wall
from desktop.ui.library.library_actions import LibraryListing
from desktop.ui.library.table_model import Column, WorkFilter, WorkTableModel
from desktop.ui.widgets.buttons import Button, clear_menu


class FilterButton(Button):
    wall_wanted = Signal(object)  # Wall of a project
    filter_wanted = Signal(object)  # WorkFilter
    sort_wanted = Signal(object, object)  # Column; whether it descends, None: as it is usual

    def __init__(self, model: WorkTableModel) -> None:
        super().__init__("choice")
        self._model = model
        self._listing = LibraryListing()
        self._tags: Sequence[str] = ()
        menu = QMenu(self)
        menu.aboutToShow.connect(lambda: self._fill(menu))
        self.setMenu(menu)

    def set_choices(self, listing: LibraryListing, tags: Iterable[str]) -> None:
        self._listing, self._tags = listing, tuple(tags)

    def walls(self) -> Mapping[Wall, str]:
        """Return the walls that can be chosen, with their names."""
        if not self._listing.projects:
            return {}
        common = {EVERYTHING: self.tr("All projects"), COMMON: self.tr("No project")}
        return common | {Wall(project.id): project.name for project in self._listing.projects}

    def _fill(self, menu: QMenu) -> None:
        clear_menu(menu)
        self._add_orders(menu.addMenu(self.tr("Sort by")))
        menu.addSeparator()
        for wall, name in self.walls().items():
            choose = partial(self.wall_wanted.emit, wall)
            self._add_choice(menu, name, choose, is_chosen=wall == self._listing.wall)
        menu.addSeparator()
        everything = WorkFilter()
        self._add_filter(menu, self.tr("All sources"), everything)
        menu.addSeparator()
        self._add_filter(menu, self.tr("Unread"), WorkFilter(is_read=False))
        self._add_filter(menu, self.tr("Read"), WorkFilter(is_read=True))
        menu.addSeparator()
        for kind, name in self._model.kinds().items():
            self._add_filter(menu, name, WorkFilter(kind=kind))
        menu.addSeparator()
        for name in self._tags:
            self._add_filter(menu, f"# {name}", WorkFilter(tag=name))

    def _add_filter(self, menu: QMenu, label: str, wanted: WorkFilter) -> None:
        """Add a choice of one field; chosen again, it is given up."""
        shown, everything = self._model.filter, WorkFilter()
        fields = {
            name: value
            for name in ("tag", "kind", "is_read")
            if (value := getattr(wanted, name)) != getattr(everything, name)
        }
        is_chosen = wanted == shown if wanted == everything else shown == replace(shown, **fields)
        back = {name: getattr(everything, name) for name in fields}
        following = replace(shown, **(back if is_chosen else fields)) if fields else everything
        self._add_choice(
            menu, label, partial(self.filter_wanted.emit, following), is_chosen=is_chosen
        )

    def _add_choice(
        self, menu: QMenu, label: str, choose: Callable[[], object], *, is_chosen: bool
    ) -> None:
        action = menu.addAction(label.replace("&", "&&"), choose)
        action.setCheckable(True)
        action.setChecked(is_chosen)

    def _add_orders(self, menu: QMenu) -> None:
        for order, name in zip(Column, self._model.words.columns(), strict=True):
            choose = partial(self.sort_wanted.emit, order, None)
            self._add_choice(menu, name, choose, is_chosen=order == self._model.order)
        menu.addSeparator()
        shown, is_descending = Column(self._model.order), self._model.is_descending
        for name, is_down in ((self.tr("Ascending"), False), (self.tr("Descending"), True)):
            choose = partial(self.sort_wanted.emit, shown, is_down)
            self._add_choice(menu, name, choose, is_chosen=is_down == is_descending)

    def show_filter(self) -> None:
        shown = self._model.filter
        read = {True: self.tr("Read"), False: self.tr("Unread"), None: ""}
        parts = (
            "" if self._listing.wall == EVERYTHING else self.walls().get(self._listing.wall, ""),
            read[shown.is_read],
            self._model.words.kind(shown.kind),
            f"# {shown.tag}" if shown.tag else "",
        )
        words = " · ".join(filter(None, parts)) or self.tr("All sources")
        self.setText(words.replace("&", "&&"))
