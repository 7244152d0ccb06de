"""Profiles: the choices that move a Smatch score, each set of them under one name.

Every choice is a field with few values. A profile is a row of this table and nothing more.
"""

from dataclasses import dataclass, fields, replace
from typing import Literal, get_args, get_type_hints

from exactmatch.errors import UsageError
from exactmatch.metrics.items import Duplicates


@dataclass(frozen=True, slots=True)
class Profile:
    """How two AMRs are compared. Raises `UsageError` for a value that a choice does not have.

    name: the name in the signature.
    top: how the root counts: as a triple of its own with a constant value, as an attribute
        ``TOP`` that a role of the same name in the file matches, as a triple with the root's
        concept as value, or not at all.
    duplicates: a triple that is written twice counts once (set), at most as often as on the
        other side (multiset), or once for each pair of occurrences (product).
    strings: strings count whole, or only up to their first space.
    inverse: inverse roles (``ARG0-of``) are turned round wherever possible and whatever their
        case, once and in lower case only, or never. ``consist-of``, ``prep-on-behalf-of`` and
        ``prep-out-of`` are no inverses (penman's AMR model).
    mod: ``mod``, ``domain`` and their inverses are one relation, or only a plain ``mod`` is
        inverse ``domain``, or nothing is.
    inverse_constants: a constant under an inverse role is kept or dropped.
    case: letter case is folded as Unicode says, lowered, or kept.
    quotes: the quotes of strings are ignored or kept.
    underscores: underscores at the end are kept or stripped.
    alignments: surface alignment marks (``~e.4``) are dropped, or kept as text.
    """

    name: str = "custom"
    top: Literal["constant", "attribute", "concept", "none"] = "constant"
    duplicates: Duplicates = "set"
    strings: Literal["whole", "first-word"] = "whole"
    inverse: Literal["restored", "once", "as-written"] = "restored"
    mod: Literal["unified", "plain", "separate"] = "unified"
    inverse_constants: Literal["keep", "drop"] = "keep"
    case: Literal["fold", "lower", "keep"] = "fold"
    quotes: Literal["ignore", "keep"] = "ignore"
    underscores: Literal["keep", "strip"] = "keep"
    alignments: Literal["drop", "keep"] = "drop"

    def __post_init__(self) -> None:
        for choice, values in CHOICES.items():
            if getattr(self, choice) not in values:
                raise UsageError(
                    f"{choice} is {getattr(self, choice)!r}; there are {', '.join(values)}"
                )

    def with_choices(self, **choices: str) -> "Profile":
        """Return this profile with some choices changed.

        Raises `UsageError` for a choice or a value that does not exist.
        """
        for choice in choices:
            if choice not in CHOICES:
                raise UsageError(f"no choice is called {choice!r}; there are {', '.join(CHOICES)}")
        return replace(self, **choices)  # type: ignore[arg-type]

    def label(self) -> str:
        """Return the name of a known profile, or the signature of any other one."""
        known = any(self == profile for profile in PROFILES.values())
        return self.name if known else self.signature()

    @classmethod
    def from_label(cls, label: str) -> "Profile":
        """Return the profile that has this label. Raises `UsageError` if none has."""
        for profile in PROFILES.values():
            if profile.name == label:
                return profile
        try:
            choices = dict(part.split(":") for part in label.split("|"))
            name = choices.pop("profile")
            return cls(name).with_choices(**{k.replace("-", "_"): v for k, v in choices.items()})
        except (KeyError, ValueError):
            raise UsageError(f"no profile is labelled {label!r}") from None

    def signature(self) -> str:
        """Return name and choices in one line, in the manner of sacreBLEU.

        The name is ``custom`` where the choices are not those of the profile called so.
        """
        known = next((p for p in PROFILES.values() if p.name == self.name), self)
        parts = [f"profile:{self.name if self == known else 'custom'}"]
        parts += [f"{choice.replace('_', '-')}:{getattr(self, choice)}" for choice in CHOICES]
        return "|".join(parts)


#: The choices, in the order of the fields, and the values of each.
CHOICES: dict[str, tuple[str, ...]] = {
    field.name: get_args(get_type_hints(Profile)[field.name])
    for field in fields(Profile)
    if field.name != "name"
}

#: What smatch 1.0.4 computes, where its search does not fail: the objective of its compute_pool
#: and compute_match on the triples that its parser makes (Cai and Knight 2013 and its code).
_SMATCH_1_0_4 = Profile(
    name="smatch-1.0.4",
    top="attribute",
    duplicates="product",
    strings="first-word",
    inverse="once",
    mod="plain",
    inverse_constants="drop",
    case="lower",
    underscores="strip",
    alignments="keep",
)

#: Name on the command line -> profile. Our own carries a version, which any change increases.
PROFILES = {"default": Profile(name="default.1"), "smatch-1.0.4": _SMATCH_1_0_4}
