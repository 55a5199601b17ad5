"""Settings, Privacy: where the data is, what leaves this computer and when, and the keys."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from desktop.domain.endpoints import (
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelRole,
    is_on_this_computer,
)
from desktop.settings.paths import ProfilePaths
from desktop.settings.settings import ClaimChecks, Overflow, Settings
from desktop.ui.dialogs.files import FolderDialog
from desktop.ui.dialogs.form import FolderRow
from desktop.ui.services import ModelServices
from desktop.ui.settings.endpoint_fields import KeyState, endpoint_address, read_key_state
from desktop.ui.settings.setting_rows import SettingsPage
from desktop.ui.settings_controller import PageId, SettingsController
from desktop.ui.widgets.buttons import DangerButton
from desktop.ui.widgets.layouts import clear_layout, column, growing, row, widget_with
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, SectionLabel


class DisclosedData(StrEnum):
    QUESTIONS = "questions"  # each with its whole session, when it is sent
    STEPS = "steps"  # small steps while answering
    DEEP = "deep"  # Deep questions, each with the whole of its session, and what is read for them
    ENDED = "ended"  # a session, once, when it ends, for its title and summary
    OLDER = "older"  # the older half of a session that grows too long, to be summarised
    CLAIMS = "claims"  # the claims of an answer, and the passages that they cite
    TEXTS = "texts"  # all texts of the archive, and queries, for the search by meaning


def disclosed_data(settings: Settings) -> Mapping[EndpointId, set[DisclosedData]]:
    summarised = set()
    if settings.describes_with_model:
        summarised.add(DisclosedData.ENDED)
    if settings.overflow is Overflow.SUMMARISE:
        summarised.add(DisclosedData.OLDER)
    used = {
        ModelRole.ANSWERING: {DisclosedData.QUESTIONS},
        ModelRole.QUICK: {DisclosedData.STEPS},
        # Without a model of their own, deep questions are sent like all others.
        ModelRole.DEEP: {DisclosedData.DEEP} if ModelRole.DEEP in settings.roles else set(),
        ModelRole.SUMMARISING: summarised,
        ModelRole.CHECKING: set(),
        ModelRole.EMBEDDING: set(),
    }
    if settings.embeds_elsewhere and settings.searches_by_meaning:
        used[ModelRole.EMBEDDING] = {DisclosedData.TEXTS}
    if settings.checks_claims is not ClaimChecks.NEVER:
        used[ModelRole.CHECKING] = {DisclosedData.CLAIMS}
    reached: defaultdict[EndpointId, set[DisclosedData]] = defaultdict(set)
    for role, leaving in used.items():
        choice = settings.role_choice(role)
        if choice is not None and leaving:
            reached[choice.endpoint_id] |= leaving
    return reached


class PrivacyPage(SettingsPage):
    def __init__(
        self,
        changes: SettingsController,
        services: ModelServices,
        profile: ProfilePaths,
        settings_file: Path,
    ) -> None:
        super().__init__(changes, PageId.PRIVACY)
        self._services = services
        self._bridge, self._profile = services.bridge, profile
        self._shown: tuple[Endpoint, ...] | None = None
        self._states: Sequence[tuple[Endpoint, KeyState]] = ()
        self._disclosed, self._key_storage, self._keys = BodyLabel(), HintLabel(), column()
        self._stored = HintLabel()
        self._add_part(
            self.tr("Your data"),
            self._stored,
            FolderRow(self.tr("Sessions"), profile.folder),
            FolderRow(self.tr("Settings"), settings_file),
            FolderRow(self.tr("Log (contains none of your text)"), profile.logs),
        )
        self.add_rows(
            after={
                "backup_folder": lambda: self.add_button(
                    self.tr("&Choose folder…"), self._choose_folder
                )
            },
            parse={"backup_folder": self._absolute},
        )
        web = self.tr(
            "If a provider searches the web itself, its queries may contain anything that it "
            "receives, and Bellek cannot check them first. Before Bellek itself sends a query "
            "with five words in a row from a past session or a document, it asks you; in deep "
            "research it leaves such a query out."
        )
        self._add_part(self.tr("Data sent from this computer"), self._disclosed, HintLabel(web))
        never = self.tr(
            "Bellek does not send usage statistics or crash reports and does not check for "
            "updates. It makes no connections that you did not ask for."
        )
        self._add_part(self.tr("Data that is never sent"), BodyLabel(never))
        self._add_part(self.tr("Keys"), self._key_storage)
        self.column.addLayout(self._keys)
        self.column.addStretch()
        self.follow(self._show_disclosure)
        self.follow(self._load_keys)
        self._show_keys(())

    def _absolute(self, text: str) -> str:
        if text and not Path(text).is_absolute():
            raise ValueError(self.words.say("backup_folder.problem"))
        return text

    def _choose_folder(self) -> None:
        dialog = FolderDialog(self.tr("Folder of the automatic backups"), self)
        dialog.ask_for_file(lambda folder: self._apply(backup_folder=str(folder)))

    def _add_part(self, heading: str, *widgets: QWidget) -> None:
        self.add_section(SectionLabel(heading), *widgets)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._shown = None
        self._show_disclosure(self._changes.settings)
        self._load_keys(self._changes.settings)

    def _show_disclosure(self, settings: Settings) -> None:
        settings = self._services.in_force(settings)
        reached = disclosed_data(settings)
        parts = [
            self._disclosure(endpoint, reached[endpoint.id])
            for endpoint in settings.endpoints
            if endpoint.id in reached
        ]
        stored = self.tr(
            "Your data is stored only on this computer, in files that you can copy and delete."
        )
        if self._profile.sync_place.exists():
            stored = self.tr(
                "Your data is stored on your own devices, in files that you can copy and delete."
            )
            synchronised = self.tr(
                "To the place where your devices meet (File > Devices and sharing): everything "
                "in this profile, encrypted."
            )
            parts.append(synchronised)
        self._stored.setText(stored)
        self._disclosed.setText(
            "\n\n".join(parts)
            or self.tr(
                "Nothing is sent. No model is connected, and answers come from the data on "
                "this computer."
            )
        )

    def _disclosure(self, endpoint: Endpoint, leaving: set[DisclosedData]) -> str:
        name, place = endpoint.name, endpoint_address(endpoint)
        if is_on_this_computer(endpoint):
            return self.tr("{name} runs on this computer. Its data stays here.").format(name=name)
        words = {
            DisclosedData.QUESTIONS: self.tr("each question, with its session, when you send it"),
            DisclosedData.STEPS: self.tr("short requests while an answer is being prepared"),
            DisclosedData.DEEP: self.tr(
                "each deep question, with its session and the sources read for the answer"
            ),
            DisclosedData.ENDED: self.tr(
                "each session once, when it ends, to write its title, summary and topics, and "
                "to learn facts if memory is on"
            ),
            DisclosedData.OLDER: self.tr(
                "the older half of a session that becomes too long, to summarise it"
            ),
            DisclosedData.CLAIMS: self.tr(
                "what an answer claims and the passages that it cites, to check the claims"
            ),
            DisclosedData.TEXTS: self.tr(
                "the text of every session, document, fact and note, and what you search for, to "
                "prepare search by meaning"
            ),
        }
        head = self.tr("{name} ({place}) receives:").format(name=name, place=place)
        listed = (f"•  {words[each]}" for each in DisclosedData if each in leaving)
        return "\n".join([head, *listed])

    def _load_keys(self, settings: Settings) -> None:
        if settings.endpoints == self._shown or not self.isVisible():
            return
        self._shown = settings.endpoints
        endpoints = [each for each in settings.endpoints if each.kind is not EndpointKind.GGUF]
        self._bridge.run(
            lambda: [(each, read_key_state(self._services.keys, each.id)) for each in endpoints],
            self._show_keys,
        )

    def _show_keys(self, states: Sequence[tuple[Endpoint, KeyState]]) -> None:
        self._states = [(endpoint, state) for endpoint, state in states if state.has_key]
        clear_layout(self._keys)
        for endpoint, _ in self._states:
            self._keys.addWidget(self._key(endpoint))
        if not self._states:
            self._key_storage.setText(self.tr("No key is saved."))
        elif all(state.is_lasting for _, state in self._states):
            self._key_storage.setText(
                self.tr("Keys are stored in the system keyring, never in a file.")
            )
        else:
            self._key_storage.setText(
                self.tr(
                    "No usable keyring was found. Keys are kept only while Bellek is open and "
                    "are never saved in a file."
                )
            )

    def _key(self, endpoint: Endpoint) -> QWidget:
        delete = DangerButton(
            text=self.tr("Delete key"),
            name=self.tr("Delete the key of {connection}").format(connection=endpoint.name),
            press=lambda: self._delete_key(endpoint),
        )
        return widget_with(row(growing(BodyLabel(endpoint.name)), delete))

    def _delete_key(self, endpoint: Endpoint) -> None:
        self._bridge.run(
            lambda: self._services.keys.delete(endpoint.id),
            settled=lambda: self._show_keys(
                [each for each in self._states if each[0] != endpoint]
            ),
        )
