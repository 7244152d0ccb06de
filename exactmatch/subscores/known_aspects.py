"""The aspects of Damonte et al. (2017), and those of smatch++ 1.8 (Opitz 2023)."""

from collections.abc import Mapping

from exactmatch.subscores.aspects import Aspect

_ARGUMENTS = frozenset(f"arg{number}" for number in range(10))

_PLACES = frozenset(
    (
        *("city", "city-district", "county", "state", "province", "territory", "country"),
        *("local-region", "country-region", "world-region", "continent", "ocean", "sea", "lake"),
        *("river", "gulf", "bay", "strait", "canal", "peninsula", "mountain", "volcano"),
        *("valley", "canyon", "island", "desert", "planet", "star", "constellation"),
    )
)
_QUANTITIES = frozenset(
    f"{word}-quantity"
    for word in (
        *("monetary", "distance", "area", "volume", "temporal", "frequency", "speed"),
        *("acceleration", "mass", "force", "pressure", "energy", "power", "charge"),
        *("potential", "resistance", "inductance", "magnetic-field", "magnetic-flux"),
        *("radiation", "concentration", "temperature", "score", "fuel-consumption", "seismic"),
    )
)


def _around(title: str, *roles: str, concepts: frozenset[str] = frozenset()) -> Aspect:
    """Return an aspect of smatch++, with the surroundings that most of them have."""
    return Aspect(
        f"{title} and surroundings",
        frozenset(roles),
        concepts,
        context=2,
        predicates=True,
        framed=True,
    )


#: Those of Damonte et al.: triples into nodes to which several lead, and arguments, with concepts.
DAMONTE_ASPECTS: Mapping[str, Aspect] = {
    "reentrancies": Aspect("reentrant edges", reentrant=True),
    "srl": Aspect("arguments (ARG...)", frozenset({"arg*"})),
}

#: Those of smatch++, in its order.
SMATCHPP_ASPECTS: Mapping[str, Aspect] = {
    "aspect-agent": _around("arg0", "arg0"),
    "aspect-cause": _around("cause", "cause", concepts=frozenset({"cause-01"})),
    "aspect-concept": Aspect("concepts", frozenset({"instance"}), framed=True),
    "aspect-focus": _around("root", "root"),
    "aspect-instrument": _around("instrument", "instrument"),
    "aspect-location": _around(
        "places", "location", "path", "destination", "direction", concepts=_PLACES
    ),
    "aspect-maths": _around("sums and products", concepts=frozenset({"sum-of", "product-of"})),
    "aspect-ner": _around("names", "name"),
    "aspect-patient": _around("arg1 to arg9", *_ARGUMENTS - {"arg0"}),
    "aspect-polarity": _around("polarity", "polarity"),
    "aspect-possession": _around("poss", "poss"),
    "aspect-purpose": _around("purpose", "purpose"),
    "aspect-quantifier": _around("quantities", "quant", concepts=_QUANTITIES),
    "aspect-question": Aspect(
        "amr-unknown and parents",
        concepts=frozenset({"amr-unknown"}),
        parents=True,
        predicates=True,
        framed=True,
    ),
    "aspect-srl": _around("arguments", *_ARGUMENTS),
    "aspect-time": _around(
        "times",
        "time",
        "duration",
        "frequency",
        concepts=frozenset({"date-entity", "date-interval"}),
    ),
    "aspect-topic": _around("topic", "topic"),
    "aspect-wiki": Aspect("wiki links and concepts", frozenset({"wiki"}), framed=True),
    "aspect-reentrancies": Aspect("reentrant edges, roles renamed", reentrant=True, framed=True),
}
