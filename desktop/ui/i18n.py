"""The window's language: which one it is, and installing its catalogs while the window is open.

A language has two catalogs: our own (`i18n/bellek_*.ts`, compiled to `.qm`) and Qt's (the texts
of its own dialogs and menus). Replacing them sends a LanguageChange event to every widget.
"""

import logging
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import PySide6
from PySide6.QtCore import (
    QT_TRANSLATE_NOOP,
    QCoreApplication,
    QEvent,
    QLibraryInfo,
    QLocale,
    QObject,
    QTranslator,
    Signal,
)

from desktop.domain.language import Language
from desktop.settings.messages import Texts, chosen_language
from desktop.settings.paths import asset
from desktop.settings.settings import UiLanguage

log = logging.getLogger(__name__)

_COMPILE_S = 20
KEY_NAMES = (
    QT_TRANSLATE_NOOP("QShortcut", "Ctrl"),
    QT_TRANSLATE_NOOP("QShortcut", "Shift"),
    QT_TRANSLATE_NOOP("QShortcut", "Alt"),
    QT_TRANSLATE_NOOP("QShortcut", "Meta"),
    QT_TRANSLATE_NOOP("QShortcut", "Esc"),
    QT_TRANSLATE_NOOP("QShortcut", "Home"),
    QT_TRANSLATE_NOOP("QShortcut", "PgUp"),
    QT_TRANSLATE_NOOP("QShortcut", "PgDown"),
    QT_TRANSLATE_NOOP("QShortcut", "Return"),
)
"""Texts of Qt that our catalogs override: names of keys, as printed on keyboards."""
LABELS_WITHOUT_WORDS = (
    QT_TRANSLATE_NOOP("QFileDialog", "&Look in:"),
    QT_TRANSLATE_NOOP("QFileDialog", "Files of &type:"),
)
"""Texts that Qt's Turkish catalog has only without their mnemonics."""


class TranslatedWidget:
    """Mix-in for widgets, before Qt's class: sets the texts again when the language changes."""

    def retranslate(self) -> None:
        raise NotImplementedError

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)  # type: ignore[misc]  # of the widget


def core_texts() -> Texts:
    """Return the core's texts in the window's language."""
    is_turkish = QLocale().language() == QLocale.Language.Turkish
    return Texts(Language.TR if is_turkish else Language.EN)


class LanguageController(QObject):
    """Keeps the application's translators at the chosen language."""

    language_changed = Signal(object)  # Language

    def __init__(
        self, system: Language, parent: QObject | None = None, *, override: Language | None = None
    ) -> None:
        """`override`: the command line's language, until another is chosen in the window."""
        super().__init__(parent)
        self._system = system
        self._override = override
        self._choice: UiLanguage | None = None
        self._language: Language | None = None
        self._installed: list[QTranslator] = []
        self._turkish: QTranslator | None = None
        self._texts = cache(Texts)

    @property
    def language(self) -> Language:
        """Return the window's language; English before the first `apply`."""
        return self._language or Language.EN

    @property
    def shown_choice(self) -> UiLanguage:
        """Return the choice in use: the command line's, else the settings'."""
        if self._override is not None:
            return UiLanguage(self._override.value)
        return self._choice or UiLanguage.SYSTEM

    def in_turkish(self, context: str, text: str) -> str:
        """Translate a text of the code, which is English, whatever the window's language."""
        if self._turkish is None:
            self._turkish = QTranslator(self)
            self._turkish.load(str(compiled(asset("i18n", "bellek_tr.ts"))))
        return self._turkish.translate(context, text) or text

    def texts(self) -> Texts:
        """Return the core's texts in the window's language."""
        return self._texts(self.language)

    def choose(self, choice: UiLanguage) -> Language:
        """Use this language from now on, whatever the command line requested."""
        self._override = None
        return self.apply(choice)

    def apply(self, choice: UiLanguage) -> Language:
        if self._choice is not None and choice is not self._choice:
            self._override = None
        self._choice = choice
        language = self._override or chosen_language(choice, self._system)
        if language != self._language:
            self._language = language
            QLocale.setDefault(_locale(language))
            self._replace(language)
            self.language_changed.emit(language)
        return language

    def withdraw(self) -> None:
        """Remove the translators, so that the texts of the code are shown."""
        for translator in self._installed:
            QCoreApplication.removeTranslator(translator)
            translator.deleteLater()
        self._installed = []

    def _replace(self, language: Language) -> None:
        self.withdraw()
        # Qt asks the last installed translator first, so our texts win over Qt's.
        for file in (_qt_catalog(language), compiled(asset("i18n", f"bellek_{language}.ts"))):
            translator = QTranslator(self)
            if file is not None and translator.load(str(file)):
                QCoreApplication.installTranslator(translator)
                self._installed.append(translator)
            else:
                log.error("no catalog for %s: %s", language, file)


def _locale(language: Language) -> QLocale:
    """Return the system's locale if it has this language, to keep the user's date formats."""
    system = QLocale.system()
    qt_language, usual = {
        Language.TR: (QLocale.Language.Turkish, QLocale.Country.Turkey),
        Language.EN: (QLocale.Language.English, QLocale.Country.UnitedStates),
    }[language]
    return system if system.language() == qt_language else QLocale(qt_language, usual)


def _qt_catalog(language: Language) -> Path | None:
    """Find Qt's own catalog: in Qt's folder, or beside the program in a frozen build."""
    name = f"qtbase_{language}.qm"
    pyside_folder = Path(PySide6.__file__).parent
    folders = (
        Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
        pyside_folder / "Qt" / "translations",
        pyside_folder / "translations",
    )
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def compiled(source: Path) -> Path | None:
    """Return the `.qm` of a `.ts`; compile it first if it is missing or outdated.

    The set-up scripts and the build compile beforehand, so this waits for lrelease (some 30 ms)
    only after a catalog was edited, or if the package runs without them.
    """
    ready = source.with_suffix(".qm")
    is_ready = ready.is_file()
    if source.is_file() and (not is_ready or ready.stat().st_mtime < source.stat().st_mtime):
        is_ready = _compile(source, ready) or is_ready
    return ready if is_ready else None


def _compile(source: Path, ready: Path) -> bool:
    name = "lrelease.exe" if sys.platform == "win32" else "lrelease"
    lrelease = Path(PySide6.__file__).parent / name
    # Written under a temporary name first: another starting program must not read half a file.
    draft = ready.with_name(f".{ready.name}.{os.getpid()}")
    command = [str(lrelease), "-silent", str(source), "-qm", str(draft)]
    try:
        subprocess.run(command, check=True, timeout=_COMPILE_S, capture_output=True)  # noqa: S603 (our own paths)
        draft.replace(ready)
    except (OSError, subprocess.SubprocessError):
        log.exception("could not compile %s", source.name)
        draft.unlink(missing_ok=True)
        return False
    return True
