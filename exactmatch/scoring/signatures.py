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
    differences = _differences(name, said)
    if not differences:
        return signature
    nearest = min(differences, key=lambda profile: len(differences[profile]))
    return "|".join([name, f"{_PROFILE}{nearest}", *differences[nearest], *version])


def _differences(metric: str, said: Sequence[str]) -> dict[str, list[str]]:
    """Return what differs from each profile that may stand for a signature; the named one, if any.

    A profile that says what the signature does not may not: that difference could not be told.
    """
    differing = {}
    for profile in METRICS[metric].profiles.values():
        usual = _choices(Settings().signature(profile).split("|")[1:])
        if _keys(usual) <= _keys(said):
            differing[profile.profile] = [part for part in _choices(said) if part not in usual]
    for part in said:
        named = part.removeprefix(_PROFILE)
        if part.startswith(_PROFILE) and named in differing:
            return {named: differing[named]}
    return differing


def _choices(parts: Sequence[str]) -> list[str]:
    return [part for part in parts if not part.startswith((_PROFILE, _VERSION))]


def _keys(parts: Sequence[str]) -> set[str]:
    return {part.partition(":")[0] for part in parts}
