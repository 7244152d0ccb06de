"""Shorten signatures for people: metric, profile, differences from the profile, and version."""

from collections.abc import Iterable, Sequence

from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import METRICS
from exactmatch.scoring.settings import Settings

#: The text before every difference, and after it.
_PROFILE, _VERSION = "profile:", "version:"


def brief(signature: str) -> str:
    """Return a signature without the choices of its profile, or of the nearest profile.

    Two signatures that differ stay different. Text that is no signature of a metric is unchanged.
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
    """Return the differences from the named profile, or from each that may stand for a signature.

    A profile that has a choice which the signature lacks may not stand for it: the difference could
    not be written.
    """
    every = METRICS[metric].profiles.values()
    named = {part.removeprefix(_PROFILE) for part in said if part.startswith(_PROFILE)}
    return _from([one for one in every if one.profile in named], said) or _from(every, said)


def _from(profiles: Iterable[Metric], said: Sequence[str]) -> dict[str, list[str]]:
    differing = {}
    for profile in profiles:
        usual = _choices(Settings().signature(profile).split("|")[1:])
        if _keys(usual) <= _keys(said):
            differing[profile.profile] = [part for part in _choices(said) if part not in usual]
    return differing


def _choices(parts: Sequence[str]) -> list[str]:
    return [part for part in parts if not part.startswith((_PROFILE, _VERSION))]


def _keys(parts: Sequence[str]) -> set[str]:
    return {part.partition(":")[0] for part in parts}
