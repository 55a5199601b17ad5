"""The research tiers: how much work a question gets."""

from enum import StrEnum


class Tier(StrEnum):
    QUICK = "quick"
    RESEARCH = "research"
    DEEP = "deep"
