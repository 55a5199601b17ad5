"""The list of facts: its orders, the labels of facts, the model, the delegate and the view."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal

from desktop.domain.facts import Fact, Origin, Refusal, Term
from desktop.domain.ids import FactId
from desktop.language.normalization import folded_key
from desktop.ui.formatting import day
from desktop.ui.searchable_list import ListedText, SearchableListModel, SearchableListView
from desktop.ui.theme.theme import ThemeController


class FactOrder(StrEnum):
    TOPIC = "topic"
    TERM = "term"
    IMPORTANCE = "importance"
    AGE = "age"


def sort_facts(found: Sequence[Fact], order: StrEnum) -> list[Fact]:
    """`found` has the pinned ones first; the sort is stable."""
    match order:
        case FactOrder.TERM:
            return sorted(found, key=lambda one: one.term is Term.LONG)
        case FactOrder.IMPORTANCE:
            return sorted(found, key=lambda one: -one.importance)
        case FactOrder.AGE:
            return sorted(found, key=lambda one: one.valid_from, reverse=True)
        case _:
            return sorted(found, key=lambda one: folded_key(one.topic))


class FactLabels(QObject):
    def term(self, term: Term) -> str:
        return self.tr("short term") if term is Term.SHORT else self.tr("long term")

    def origin(self, origin: Origin) -> str:
        names = {
            Origin.SESSION: self.tr("learned from a session"),
            Origin.USER: self.tr("remembered at your request"),
            Origin.DIRECTIVE: self.tr("answer preference"),
        }
        return names[origin]

    def importance(self, fact: Fact) -> str:
        return self.tr("importance {number} out of 10").format(number=fact.importance)

    def trouble(self, fact: Fact) -> str:
        return self.tr("damaged") if fact.is_damaged else ""

    def said(self, fact: Fact) -> str:
        return self.tr("mentioned %n time(s)", "", fact.weight) if fact.weight > 1 else ""

    def span(self, fact: Fact) -> str:
        since = day(fact.valid_from)
        if fact.valid_to is None:
            return self.tr("since {day}").format(day=since)
        until = day(fact.valid_to)
        if since == until:
            return since
        return self.tr("{first} – {last}").format(first=since, last=until)

    def whole(self, fact: Fact) -> str:
        pinned = self.tr("pinned") if fact.is_pinned else ""
        told = self.importance(fact), self.term(fact.term), pinned, self.trouble(fact)
        parts = (fact.content, fact.topic, *told)
        return ", ".join(filter(None, parts))

    def refused(self, refused: Mapping[Refusal, int]) -> str:
        """Return how many suggestions were rejected, with reasons; may be empty."""
        whole = sum(refused.values())
        if not whole:
            return ""
        reasons = [self._reason(why, count) for why, count in refused.items() if count]
        counted = self.tr("%n suggestion(s) not saved", "", whole)
        return self.tr("{counted}: {reasons}").format(counted=counted, reasons=", ".join(reasons))

    def _reason(self, why: Refusal, count: int) -> str:
        reasons = {
            Refusal.UNSUPPORTED: self.tr("%n not in your own words", "", count),
            Refusal.FORGOTTEN: self.tr("%n previously deleted by you", "", count),
            Refusal.OUTDATED: self.tr("%n no longer true", "", count),
            Refusal.EMPTY: self.tr("%n not of lasting value", "", count),
            Refusal.UNIMPORTANT: self.tr("%n not important enough", "", count),
            Refusal.FAILED: self.tr("%n from a failed answer", "", count),
            Refusal.SECRET: self.tr("%n with a key, a password or a card number", "", count),
            Refusal.RECALLED: self.tr("%n already remembered", "", count),
        }
        return reasons[why]


class FactAction(StrEnum):
    EDIT = "edit"
    PIN = "pin"
    REPLACE = "replace"
    DELETE = "delete"
    SHARE = "share"
    KEEP_BOTH = "keep_both"  # ids of the fact and one that may conflict
    KEEP_NEWER = "keep_newer"


class FactListModel(SearchableListModel):
    def __init__(self) -> None:
        super().__init__(FactOrder.TOPIC)
        self._words = FactLabels(self)

    def _key_of(self, row: object) -> FactId | None:
        return row.id if isinstance(row, Fact) else None

    def _arranged(self, found: Sequence[Fact]) -> list[Fact]:
        return sort_facts(found, self.order)

    def _text_of(self, row: Fact) -> ListedText:
        parts = (row.topic, self._words.term(row.term), day(row.valid_from))
        detail = " · ".join(filter(None, (*parts, self._words.trouble(row))))
        whole, pill = self._words.whole(row), str(row.importance)
        return ListedText(row.content, detail, whole, pill, is_pinned=row.is_pinned)


class FactListView(SearchableListView):
    action_chosen = Signal(object, object)  # FactAction, and the current Fact

    def __init__(self, model: FactListModel, theme: ThemeController) -> None:
        super().__init__(model, theme, most_lines=2)
        self._facts = model

    @property
    def current(self) -> Fact | None:
        return self._facts.row(self.currentIndex())

    def _handle_key(self, key: int) -> bool:
        match key:
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_F2:
                action = FactAction.EDIT
            case Qt.Key.Key_Delete:
                action = FactAction.DELETE
            case _:
                return super()._handle_key(key)
        if (fact := self.current) is not None:
            self.action_chosen.emit(action, fact)
        return True
