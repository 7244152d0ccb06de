"""The aligning metrics by name, and their profiles by label."""

from exactmatch.errors import UsageError
from exactmatch.metrics.counter import CounterProfile
from exactmatch.metrics.profiles import Profile
from exactmatch.metrics.smatch import SmatchProfile

#: Name on the command line -> the class of its profiles.
METRICS: dict[str, type[Profile]] = {kind.metric: kind for kind in (SmatchProfile, CounterProfile)}


def profile_called(metric: str, name: str) -> Profile:
    """Return the profile *name* of *metric*. Raises `UsageError` if there is none."""
    if metric not in METRICS:
        raise UsageError(f"no metric is called {metric!r}; there are {', '.join(METRICS)}")
    known = METRICS[metric].known
    if name not in known:
        raise UsageError(f"no profile of {metric} is called {name!r}; there are {', '.join(known)}")
    return known[name]


def profile_labelled(label: str) -> Profile:
    """Return the profile that has this label. Raises `UsageError` if none has."""
    for kind in METRICS.values():
        for profile in kind.known.values():
            if profile.name == label:
                return profile
    try:
        metric, *parts = label.split("|")
        choices = dict(part.split(":") for part in parts)
        name = choices.pop("profile")
        return METRICS[metric](name).with_choices(
            **{k.replace("-", "_"): v for k, v in choices.items()}
        )
    except (KeyError, ValueError):
        raise UsageError(f"no profile is labelled {label!r}") from None
