"""Signatures for people: metric, profile, what differs from it, and version."""

from collections.abc import Sequence

from exactmatch.metrics.registry import METRICS
from exactmatch.scoring.options import Settings

#: What stands in front of every difference, and behind.
_PROFILE, _VERSION = "profile:", "version:"


def brief(signature: str) -> str:
    """Return a signature without what its profile says; of several, the nearest profile is named.

    Two signatures that differ stay different. What is no signature of a metric stays as it is.
    """
    name, *parts = signature.split("|")
    if name not in METRICS:
        return signature
    version = [part for part in parts if part.startswith(_VERSION)]
    said = [part for part in parts if part not in version]
    found = {
        profile.profile: [part for part in _choices(said) if part not in usual]
        for profile in METRICS[name].profiles.values()
        for usual in [_choices(Settings().signature(profile).split("|")[1:])]
        # What a profile says and a signature does not, could not be told.
        if _keys(usual) <= _keys(said)
    }
    named = [part.removeprefix(_PROFILE) for part in said if part.startswith(_PROFILE)]
    for profile in named:
        found = {profile: found[profile]} if profile in found else found
    if not found:
        return signature
    nearest = min(found, key=lambda profile: len(found[profile]))
    return "|".join([name, f"{_PROFILE}{nearest}", *found[nearest], *version])


def _choices(parts: Sequence[str]) -> list[str]:
    return [part for part in parts if not part.startswith((_PROFILE, _VERSION))]


def _keys(parts: Sequence[str]) -> set[str]:
    return {part.partition(":")[0] for part in parts}
