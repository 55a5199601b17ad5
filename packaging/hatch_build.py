"""Compile the catalogs beside their source; the wheel contains the whole folder."""

import subprocess
from pathlib import Path
from typing import Any

import PySide6
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogHook(BuildHookInterface):  # type: ignore[misc]  # the checker does not have hatchling
    def initialize(self, _version: str, _build_data: dict[str, Any]) -> None:  # hatchling's Any
        lrelease = Path(PySide6.__file__).parent / "lrelease"
        for source in Path(self.root, "i18n").glob("*.ts"):
            catalog = source.with_suffix(".qm")
            subprocess.run([lrelease, "-silent", source, "-qm", catalog], check=True)
