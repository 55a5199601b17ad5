"""What the models of a run are told to do, in the language of the interface."""

from dataclasses import dataclass
from functools import cache

from desktop.domain.language import Language
from desktop.settings.paths import asset


@dataclass(frozen=True, slots=True)
class Instructions:
    plan: str
    gaps: str
    deep_plan: str
    read: str
    verify: str
    compare: str
    report: str
    web: str
    """For an endpoint that searches and reads by itself."""


@cache
def instructions(language: Language) -> Instructions:
    def read(name: str) -> str:
        path = asset("resources", "instructions", language.value, f"{name}.md")
        return path.read_text(encoding="utf-8").strip()

    return Instructions(
        plan=read("research_plan"),
        gaps=read("research_gaps"),
        deep_plan=read("deep_plan"),
        read=read("deep_read"),
        verify=read("deep_verify"),
        compare=read("deep_compare"),
        report=read("deep_report"),
        web=read("research_web"),
    )
