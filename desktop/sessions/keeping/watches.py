"""Watches: questions, feeds and searches that are looked at again and again for what is new.

What pages, feeds and services say is data: it is quoted, and a model that reads it gets no tools.
Each look leaves at most one finding. What the settings do not allow stays due and is not tried.
"""

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.domain.changes import Change
from desktop.domain.diary import (
    Interval,
    Watch,
    WatchedItem,
    WatchExistsError,
    WatchFinding,
    WatchId,
    WatchKind,
    local_day,
)
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import AppError, DailyCapError, LlmError, StorageError
from desktop.domain.json_values import TEXT_SCHEMA, JsonValue, list_schema, object_schema
from desktop.domain.literature import FoundWork, LiteratureQuery, LiteratureWordsMissingError
from desktop.domain.messages import Role
from desktop.domain.model import ModelRequest, RequestMessage
from desktop.domain.projects import NO_PROJECT, ProjectId, Wall
from desktop.domain.references import Reference
from desktop.domain.times import day_in_words
from desktop.domain.usage import Purpose
from desktop.domain.web import (
    AddressRefusedError,
    SiteUnreachableError,
    WebStoppedError,
)
from desktop.language.normalization import WITHOUT_ORDER, folded_key
from desktop.language.relevant_sentences import relevant_sentences
from desktop.language.sentences import sentences
from desktop.references.fields import marked_title
from desktop.research.citations.quote_matching import is_specific, stands_in
from desktop.research.library import as_address
from desktop.research.passages import (
    Passage,
    format_passage,
    is_suspicious_passage,
    number_passages,
)
from desktop.research.security import is_suspicious
from desktop.research.tiers.evidence import suspicious_note
from desktop.research.tiers.passage_store import passages_of_page
from desktop.research.tiers.web_retrieval import read_page
from desktop.research.web.rate_limiting import Stop, never
from desktop.research.web.safe_urls import AccessRules, parse_address
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.sessions.keeping.background_requests import BackgroundRequests
from desktop.sessions.keeping.housekeeping import HousekeepingTask
from desktop.settings.messages import Texts

if TYPE_CHECKING:
    from desktop.research.literature.finder import LiteratureFinder
    from desktop.research.web.web import Web
    from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_MOST_ITEMS = 10
_HITS, _PAGES, _PASSAGE_LENGTH = 8, 3, 1_400
_LONGEST_QUOTE, _LONGEST_LINE, _LONGEST_SUBJECT = 320, 300, 400
_TOKENS = 1_000
_REPLY: Mapping[str, JsonValue] = object_schema(
    items=list_schema(
        object_schema(passage={"type": "integer"}, says=TEXT_SCHEMA, words=TEXT_SCHEMA)
    )
)


@dataclass(frozen=True, slots=True)
class _Look:
    seen: Sequence[str]  # The keys of all that was looked at
    items: Sequence[WatchedItem]  # What of it is new


@dataclass(frozen=True, slots=True)
class Watches:
    """Any thread may call; looks wait for the network. Methods may raise StorageError."""

    _archive: "Archive"
    context: AssistantContext
    _reach_web: "Callable[[], Web]"
    _finder: "Callable[[Wall], LiteratureFinder]"
    background: BackgroundRequests

    def add(
        self,
        kind: WatchKind,
        subject: str,
        every: Interval = Interval.DAY,
        project: ProjectId = NO_PROJECT,
    ) -> Watch:
        """Add a watch, which is due at once.

        Raises AddressRefusedError, LiteratureWordsMissingError, WatchExistsError.
        """
        subject = " ".join(subject.split())[:_LONGEST_SUBJECT]
        if kind is WatchKind.FEED:
            subject = str(parse_address(as_address(subject)))
        elif not any(map(str.isalnum, subject)):
            raise LiteratureWordsMissingError
        names = {
            folded_key(watch.subject)
            for watch in self.watches(Wall(project))
            if watch.kind is kind and watch.project == project
        }
        if folded_key(subject) in names:
            raise WatchExistsError(subject=subject)
        watch = Watch(
            id=WatchId(os.urandom(4).hex()),
            kind=kind,
            subject=subject,
            every=every,
            project=project,
            added_at=self.context.now(),
        )
        self._archive.watches.add(watch)
        return watch

    def remove(self, watch_id: WatchId) -> Change[Watch]:
        """Remove a watch with what it found. Raises WatchUnknownError."""
        watch, store = self._archive.watches.watch(watch_id), self._archive.watches
        store.delete(watch_id)

        def undo() -> Watch:
            store.undelete(watch_id)
            return watch

        return Change(watch, undo)

    def pause(self, watch_id: WatchId, *, is_paused: bool) -> None:
        self._archive.watches.pause(watch_id, is_paused=is_paused)

    def watch(self, watch_id: WatchId) -> Watch:
        """Raises WatchUnknownError."""
        return self._archive.watches.watch(watch_id)

    def watches(self, wall: Wall) -> Sequence[Watch]:
        return self._archive.watches.watches(wall)

    def hindrance(self, watch: Watch) -> AppError | None:
        """Return why a watch cannot be looked at: what it needs is off in its project."""
        from desktop.research.literature.finder import literature_rules  # noqa: PLC0415 - slow

        settings = self.context.settings_in(Wall(watch.project))
        is_web = watch.kind in {WatchKind.QUESTION, WatchKind.FEED}
        rules = AccessRules.of(settings) if is_web else literature_rules(settings)
        return None if rules.is_on else rules.off()

    def describe(self, watch: Watch, texts: Texts) -> Sequence[str]:
        """Return when it was looked at, and why it waits or failed."""
        parts = []
        if watch.looked_at:
            day = day_in_words(local_day(watch.looked_at), texts.language)
            parts.append(texts.say("watches.looked", day=day))
        if watch.is_paused:
            parts.append(texts.say("watches.paused"))
        if hindrance := self.hindrance(watch):
            parts.append(texts.say("watches.waits", why=texts.error(hindrance)))
        elif watch.trouble:
            parts.append(texts.error_of(watch.trouble))
        return parts

    def due(self) -> list[Watch]:
        """Return the watches that are due and possible, of all projects."""
        now, places = self.context.now(), self._archive.projects.every_place()
        every = [watch for place in places for watch in self.watches(Wall(place))]
        return [watch for watch in every if watch.is_due(now) and self.hindrance(watch) is None]

    def task(self) -> HousekeepingTask:
        return HousekeepingTask("watches", self.look_due, lambda: len(self.due()), is_daily=False)

    def look_due(self, should_stop: Stop) -> int:
        """Look at what is due; return how many new things were found.

        One that fails is named in its list, and hinders no other.
        """
        count = 0
        for watch in self.due():
            if should_stop():
                break
            try:
                finding = self.look(watch.id, should_stop)
            except StorageError:
                raise
            except (DailyCapError, WebStoppedError):
                continue  # It stays due.
            except AppError as exc:
                log.info("a watch failed: %s", exc.key)
                continue
            count += len(finding.items) if finding else 0
        return count

    def look(self, watch_id: WatchId, stop: Stop = never) -> WatchFinding | None:
        """Look now; return what is new, also if it is paused or not due.

        Raises WatchUnknownError, WebError, FeedUnreadableError, DocumentError, DailyCapError.
        """
        store = self._archive.watches
        watch = store.watch(watch_id)
        if (hindrance := self.hindrance(watch)) is not None:
            raise hindrance
        try:
            look = self._look(watch, stop)
        except (StorageError, DailyCapError, WebStoppedError):
            raise
        except AppError as exc:
            # Without a connection the day's look is still due.
            is_done = not isinstance(exc, SiteUnreachableError)
            store.keep_look(watch.id, trouble=exc.key, is_done=is_done)
            raise
        items, is_first = look.items[:_MOST_ITEMS], watch.looked_at is None
        # Of what a first look finds, much is old.
        left_out = 0 if is_first else len(look.items) - len(items)
        store.keep_look(watch.id, look.seen, items, left_out=left_out)
        if not items:
            return None
        return WatchFinding(watch.id, watch.subject, self.context.now(), items, left_out)

    def _look(self, watch: Watch, stop: Stop) -> _Look:
        if watch.kind is not WatchKind.QUESTION:  # whose model counts itself
            self.background.record(Purpose.WATCH)
        match watch.kind:
            case WatchKind.FEED:
                return self._look_at_feed(watch, stop)
            case WatchKind.QUESTION:
                return self._look_for_pages(watch, stop)
            case _:
                return self._look_for_works(watch, stop)

    def _look_at_feed(self, watch: Watch, stop: Stop) -> _Look:
        web = self._reach_web().for_session(Wall(watch.project))
        fetched = web.fetcher.fetch_feed(watch.subject, stop=stop)
        entries = web.reader.read_feed(fetched, stop=stop)
        by_key = {entry.text("id"): entry for entry in reversed(entries)}
        new = self._archive.watches.unseen(watch.id, list(by_key))
        base = str(fetched.address)
        items = [_feed_item(entry, base) for key, entry in reversed(by_key.items()) if key in new]
        return _Look(list(by_key), items)

    def _look_for_works(self, watch: Watch, stop: Stop) -> _Look:
        """Search the services for works of this year and the last."""
        is_words = watch.kind is WatchKind.LITERATURE
        query = LiteratureQuery(
            watch.subject if is_words else "",
            author=watch.subject if watch.kind is WatchKind.AUTHOR else "",
            venue=watch.subject if watch.kind is WatchKind.JOURNAL else "",
            since=self.context.now().year - 1,
            newest_first=True,
        )
        results = None
        for results in self._finder(Wall(watch.project)).search(query, stop=stop):  # noqa: B007
            pass
        if stop() or results is None:
            raise WebStoppedError
        if results.failures and not results.pages:
            raise results.failures[0].error
        keys = [_keys(work) for work in results.works]
        every = [key for each in keys for key in each]
        new = self._archive.watches.unseen(watch.id, every)
        texts = self.context.own_wording().texts
        items = [
            WatchedItem(
                _line(marked_title(work.reference.title, work.whole_reference.marks, texts)),
                f"https://doi.org/{work.doi}" if work.doi else work.reference.text("URL"),
                _quote(work.abstract),
                _line(", ".join([*work.reference.authors, str(work.reference.year or "")])),
                is_suspicious(work.abstract),
            )
            for own, work in zip(keys, results.works, strict=True)
            if new.issuperset(own)
        ]
        return _Look(every, items)

    def _look_for_pages(self, watch: Watch, stop: Stop) -> _Look:
        """Search the web, and read the pages that were not read before."""
        self.background.check()  # Before anything is fetched
        web = self._reach_web().for_session(Wall(watch.project))
        found = [hit.address for hit in web.search(watch.subject, _HITS, stop=stop)]
        unseen = self._archive.watches.unseen(watch.id, found)
        addresses = [address for address in found if address in unseen][:_PAGES]
        stop_words = self.context.phrases().stop_words
        passages: list[Passage] = []
        for address in addresses:
            if stop():
                raise WebStoppedError
            try:
                page = read_page(web, self._archive, address, None, stop)
            except StorageError:
                raise
            except AppError as exc:
                log.info("a page of a watch could not be read: %s", exc.key)
                continue
            passages += passages_of_page(page, watch.subject, _PASSAGE_LENGTH, stop_words)
        numbered = number_passages(passages)
        return _Look(addresses, self._ask(watch, numbered) if numbered else ())

    def _ask(self, watch: Watch, passages: Sequence[Passage]) -> Sequence[WatchedItem]:
        """Have a model say what the passages say; without one they are quoted.

        Raises DailyCapError.
        """
        wall, wording = Wall(watch.project), self.context.wording_of(watch.subject)
        model = self.context.background(ModelRole.SUMMARISING, wall, Purpose.WATCH)
        texts = wording.texts
        parts = [
            texts.say("watches.asked", question=watch.subject),
            suspicious_note(passages, texts),
            *(format_passage(passage, texts) for passage in passages),
        ]
        request = ModelRequest(
            wording.instructions("watch"),
            (RequestMessage(Role.USER, "\n\n".join(filter(None, parts))),),
            max_output_tokens=_TOKENS,
        )
        try:
            reply = model.ask_json(request, _REPLY)[0] if model else None
        except DailyCapError:
            raise
        except LlmError as exc:
            log.info("a watch is answered without the model: %s", exc.key)
            reply = None
        items = reply.get("items") if isinstance(reply, Mapping) else None
        if not isinstance(items, list):
            return self._quote_each(watch.subject, passages)
        checked = [item for value in items if (item := _checked(value, passages))]
        # A model that found nothing says so by an empty list.
        return checked if checked or not items else self._quote_each(watch.subject, passages)

    def _quote_each(self, question: str, passages: Sequence[Passage]) -> list[WatchedItem]:
        """Quote of each page the sentence that is most about the question."""
        stop_words = self.context.phrases().stop_words
        items: dict[str, WatchedItem] = {}
        for passage in passages:
            best = relevant_sentences(question, passage.stored, 1, stop_words=stop_words)
            if best:
                # A heading has no full stop: it is part of the first sentence below it.
                words = max(best[0].text.splitlines(), key=len)
                item = _page_item(passage, _quote(words))
                items.setdefault(item.address, item)
        return list(items.values())


def _checked(value: JsonValue, passages: Sequence[Passage]) -> WatchedItem | None:
    """Return an item of a reply; None unless its words stand in the passage that it names."""
    fields = value if isinstance(value, Mapping) else {}
    number, says, words = (fields.get(name) for name in ("passage", "says", "words"))
    passage = next((passage for passage in passages if passage.number == number), None)
    if passage is None or not isinstance(says, str) or not isinstance(words, str):
        return None
    if not (stands_in(words, passage.stored) and is_specific(words, passage.stored)):
        return None
    return _page_item(passage, " ".join(words.split()), _line(says))


def _page_item(passage: Passage, words: str, says: str = "") -> WatchedItem:
    address = passage.place.address if passage.place else ""
    return WatchedItem(_line(passage.title), address, words, says, is_suspicious_passage(passage))


def _feed_item(entry: Reference, feed: str) -> WatchedItem:
    title, words = _line(entry.text("title")), entry.text("abstract")
    try:
        address = str(parse_address(entry.text("URL"), feed)) if entry.text("URL") else ""
    except AddressRefusedError:
        address = ""
    return WatchedItem(
        title or _line(words), address, _quote(words), "", is_suspicious(f"{title}\n{words}")
    )


def _keys(work: FoundWork) -> list[str]:
    """Return all that a work is known by: a service that fails may be who knows its DOI."""
    first = work.doi or next(iter(work.ids.values()), "") or folded_key(work.reference.title)
    return [first, *(f"{kind}:{value}" for kind, value in work.ids.items())]


def _line(text: str) -> str:
    return " ".join(text.translate(WITHOUT_ORDER).split())[:_LONGEST_LINE]


def _quote(text: str) -> str:
    """Return the first sentences of a text, or whole words of a long one."""
    text = " ".join(text.split())
    if len(text) <= _LONGEST_QUOTE:
        return text
    ends = [sentence.end for sentence in sentences(text) if sentence.end <= _LONGEST_QUOTE]
    return text[: ends[-1]] if ends else text[:_LONGEST_QUOTE].rpartition(" ")[0]
