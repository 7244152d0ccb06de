"""The tables and the sentence on one published number for all pairs together."""

from exactmatch.report.document import Column, Rows, Table, at_most
from exactmatch.report.wording import between, listed
from exactmatch.studies.explanation.one_number import OneNumber, ProfileScore


def number_said(one: OneNumber, profile: str) -> list[str]:
    """Return the parts of the sentence on the number."""
    score = one.claim.score
    exact = between(score.f1, score.f1_upper)
    said = [f"{one.source} has {one.printed}, and the best mappings have {exact} by {profile}"]
    said.append(_reached(one))
    if one.searched:
        said.append(_searched(one))
    giving = [by.profile for by in one.profiles if by.gives_it]
    return [
        *said,
        f"{one.printed} is the exact score by {listed(giving)}"
        if giving
        else f"no profile has {one.printed} as its exact score",
    ]


def number_notes(one: OneNumber) -> list[str]:
    """Return the advice for what one number does not tell."""
    how = "run smatch with --ms" if one.tool == "smatch" else "let the tool print its score"
    notes = [f"One number does not tell which pairs lose triples: for that, {how} for every pair."]
    notes += [
        f"The profile {profile} does not score these graphs: {reason}."
        for profile, reason in one.refusing.items()
    ]
    if one.claim.low <= one.claim.high < one.claim.score.matched:
        notes.append(
            "A number below the optimum may be search error under this profile, or another way of "
            "counting or of averaging (macro)."
        )
    return notes


def number_tables(one: OneNumber, unit: str) -> list[Table]:
    """Return the tables on the number, the seeds of smatch, and the profiles."""
    return [_number(one), _seeds(one), _profiles(one, unit)]


def _reached(one: OneNumber) -> str:
    """Return whether mappings reach the number, in words."""
    claim = one.claim
    if claim.low > claim.high:
        return "no number of matched triples has these digits"
    fitting = f"{claim.low}" if claim.low == claim.high else f"{claim.low} to {claim.high}"
    of = f"{claim.score.system_total} and {claim.score.gold_total}"
    needed = f"its digits fit {fitting} matches of {of}"
    if claim.low > claim.score.matched_upper:
        return f"{needed}, which no mapping reaches"
    if one.is_reached:
        return f"{needed}, which mappings reach"
    return f"{needed}, which no mapping was found to reach"


def _searched(one: OneNumber) -> str:
    """Return where the number lies, beside what smatch's search finds, in words."""
    low, high = one.ends_of_search
    found = between(one.f1_of(low), one.f1_of(high))
    where = "within"
    if one.claim.high < low:
        where = "below"
    elif one.claim.low > high:
        where = "above"
    return (
        f"the number lies {where} what {len(one.searched)} seeds of smatch's search find, {found}"
    )


def _number(one: OneNumber) -> Table:
    return Rows([(one,)]).table(
        "number",
        "The number",
        [
            Column("claimed", "number", lambda one: one.printed),
            Column("pairs", "pairs", lambda one: one.pairs),
            Column("low", "matched", lambda one: _if_any(one, one.claim.low)),
            Column("high", "or up to", lambda one: _if_any(one, one.claim.high)),
            Column("matched", "optimum", lambda one: one.claim.score.matched),
            at_most("matched", lambda one: one.claim.score.matched_upper),
            Column("f1", "exact F1", lambda one: one.claim.score.f1),
            at_most("f1", lambda one: one.claim.score.f1_upper),
            Column("reached", "reached", lambda one: "yes" if one.is_reached else "no"),
        ],
        "The matched triples that the digits of the number allow, beside the optimum. Reached: "
        "mappings were found that match so many.",
    )


def _if_any(one: OneNumber, matched: int) -> int | None:
    """Return *matched* if any number of triples fits the digits."""
    return None if one.claim.low > one.claim.high else matched


def _seeds(one: OneNumber) -> Table:
    rows = [(one.first_seed + k, matched) for k, matched in enumerate(one.searched)]
    return Rows(rows).table(
        "seeds",
        "The search of smatch",
        [
            Column("seed", "seed", lambda seed, _: str(seed)),
            Column("matched", "matched", lambda _, matched: matched),
            Column("lost", "lost", lambda _, matched: one.lost_by(matched)),
            Column("f1", "F1", lambda _, matched: one.f1_of(matched)),
        ],
        "One smart start and four random ones on each pair, as smatch has by default; smatch draws "
        "other random numbers.",
    )


def _profiles(one: OneNumber, unit: str) -> Table:
    columns: list[Column[ProfileScore]] = [
        Column("profile", "profile", lambda by: by.profile),
        Column("matched", "matched", lambda by: by.score.matched),
        at_most("matched", lambda by: by.score.matched_upper),
        Column("system_total", unit, lambda by: by.score.system_total),
        Column("gold_total", "of gold", lambda by: by.score.gold_total),
        Column("f1", "F1", lambda by: by.score.f1),
        at_most("f1", lambda by: by.score.f1_upper),
        Column("gives_it", "gives the number", lambda by: _answer(by.gives_it)),
    ]
    return Rows((by,) for by in one.profiles).table(
        "profiles",
        "Exact scores by profile",
        columns,
        "Gives the number: the exact score, rounded as the number is, is the number. Graphs are "
        "read as by the first profile.",
    )


def _answer(gives_it: bool | None) -> str:
    return "perhaps" if gives_it is None else "yes" if gives_it else "no"
