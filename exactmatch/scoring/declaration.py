"""How options are declared, and how functions receive their values.

A group is a class of `Options` with attributes made by `option`. A function with a parameter
annotated with a group takes the options of the group as keywords.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from types import GeneratorType
from typing import (
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Self,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
)

from exactmatch.errors import InputError, UsageError, shortened

_Result = TypeVar("_Result")
_Group = TypeVar("_Group", bound="Options")

INPUT = "Input"

COUNTING = "Counting"

PROOF = "Search and proof"

LIMITS = "Limits"

OUTPUT = "Output"

#: What an option changes: the score, and so the signature; the identity of a run, which
#: ``--resume`` compares; or nothing of the result.
Effect = Literal["score", "run", "nothing"]

#: The place in a docstring for the descriptions of options.
_PLACE = "        {options}\n"

_WIDTH = 100


class Option(NamedTuple):
    """The declaration of an option, for Python functions and commands.

    doc: the description in Python, empty if each function has its own.
    help: the description of the command line, None if no command has the option.
    group: the heading under which help shows it.
    values: all values, if they are names.
    least, most: the limits of whole numbers.
    file: whether it is the path of a file that is read (file, also standard input), of a file that
        is written (output), of a folder that is made, or of something that only the use of the
        option tells.
    parse: converts the text of a command line; raises `ValueError` for an invalid one.
    cli_default: the default of a command; None lets the command tell that nothing was given.
    """

    default: Any
    doc: str
    help: str | None
    group: str
    metavar: str | None
    values: Sequence[str]
    least: int | None
    most: int | None
    file: Literal["file", "folder", "path", "output"] | None
    parse: Callable[[Any], Any] | None
    cli_default: Any
    effect: Effect


_SAME: Any = object()


def option(
    *,
    default: Any,
    doc: str = "",
    help: str | None = None,
    group: str = INPUT,
    metavar: str | None = None,
    values: Sequence[str] = (),
    least: int | None = None,
    most: int | None = None,
    file: Literal["file", "folder", "path", "output"] | None = None,
    parse: Callable[[Any], Any] | None = None,
    cli_default: Any = _SAME,
    effect: Effect = "run",
) -> Any:
    """Declare an option with its *default* in Python; the rest is as for `Option`."""
    in_commands = default if cli_default is _SAME else cli_default
    return Option(
        default, doc, help, group, metavar, values, least, most, file, parse, in_commands, effect
    )


@dataclass_transform(kw_only_default=True, field_specifiers=(option,))
class Options:
    """A group of options with their values. It is no dataclass: dataclasses are slow to make."""

    declared: ClassVar[Mapping[str, Option]] = {}
    #: A group of each kind in which nothing is given, made once.
    usual: ClassVar["Options"]

    def __init_subclass__(cls) -> None:
        own = {name: one for name, one in vars(cls).items() if isinstance(one, Option)}
        cls.declared = {
            **{name: one for base in cls.__bases__ for name, one in base.declared.items()},  # type: ignore[attr-defined]
            **own,
        }
        for name in own:
            delattr(cls, name)
        cls.usual = cls()

    def __init__(self, **given: Any) -> None:
        if not given.keys() <= self.declared.keys():
            raise TypeError(f"{type(self).__name__} has no {min(given.keys() - self.declared)}")
        for name, one in self.declared.items():
            setattr(self, name, given.get(name, one.default))

    @property
    def is_usual(self) -> bool:
        """Whether nothing was given."""
        return self is type(self).usual

    def but(self, **changes: Any) -> Self:
        """Return a copy with other values of some options."""
        return type(self)(**{**vars(self), **changes})

    def only(self, kind: type[_Group]) -> _Group:
        """Return the options that the group *kind* declares, which this group has as well."""
        return kind(**{name: getattr(self, name) for name in kind.declared})

    def identity(self) -> dict[str, str]:
        """Return, by name, the values that identify a run."""
        return {
            name: str(getattr(self, name))
            for name, one in self.declared.items()
            if one.effect != "nothing"
        }

    def idle(self) -> set[str]:
        """Return the names of the options that do not change the result."""
        return {name for name, one in self.declared.items() if one.effect == "nothing"}

    @classmethod
    def type_of(cls, name: str) -> Any:
        """Return the type of an option."""
        return next(
            kind.__annotations__[name] for kind in cls.__mro__ if name in kind.__annotations__
        )


def groups_of(function: Callable[..., Any]) -> dict[str, type[Options]]:
    """Return the groups that *function* takes, by the names of its parameters.

    Functions that it wraps are asked as well: from Python 3.14 on, `wraps` copies no annotations
    that were set by hand.
    """
    found: dict[str, Any] = {}
    asked: Any = function
    while asked is not None:
        found = {**asked.__annotations__, **found}
        asked = getattr(asked, "__wrapped__", None)
    return {
        name: kind
        for name, kind in found.items()
        if isinstance(kind, type) and issubclass(kind, Options)
    }


def with_groups(function: Callable[..., _Result]) -> Callable[..., _Result]:
    """Return *function* so that it takes the options of its groups, or the groups themselves."""
    groups = groups_of(function)

    @wraps(function)
    def called(*given: Any, **named: Any) -> _Result:
        for slot, kind in groups.items():
            values = {name: named.pop(name) for name in kind.declared if name in named}
            if slot in named:
                named[slot] = named[slot].but(**values)
            else:
                named[slot] = kind(**values) if values else kind.usual
        try:
            found = function(*given, **named)
        except (InputError, UsageError) as error:
            raise shortened(error)  # noqa: B904  (the same error)
        if isinstance(found, GeneratorType):
            return cast("_Result", _yielded(found))
        return found

    return called


def _yielded(found: Iterator[_Result]) -> Iterator[_Result]:
    """Yield what *found* yields, with errors as short as those of functions."""
    try:
        yield from found
    except (InputError, UsageError) as error:
        raise shortened(error)  # noqa: B904  (the same error)


def keywords(function: Callable[..., _Result]) -> Callable[..., _Result]:
    """Return a public *function* that takes the options of its groups as keywords.

    Its signature shows all options, and its docstring describes them in place of ``{options}``.
    """
    groups = groups_of(function)
    called, own = with_groups(function), signature(function)
    if "metric" in own.parameters and _is_list(own.parameters["metric"].annotation):
        called = _also_in_the_plural(called)
    shown: list[Parameter] = []
    for name, parameter in own.parameters.items():
        shown += _expanded(groups[name]) if name in groups else [parameter]
    called.__signature__ = own.replace(parameters=shown)  # type: ignore[attr-defined]
    if function.__doc__ is not None and _PLACE in function.__doc__:
        lines = (line for kind in groups.values() for line in _described(kind))
        called.__doc__ = function.__doc__.replace(_PLACE, "".join(lines))
    return called


def _is_list(annotation: object) -> bool:
    """Tell whether one of several types is that of lists."""
    origins = map(get_origin, get_args(annotation))
    return any(isinstance(one, type) and issubclass(one, Sequence) for one in origins)


def _also_in_the_plural(function: Callable[..., _Result]) -> Callable[..., _Result]:
    """Return *function* so that it takes its argument *metric* by the name *metrics*, too."""

    @wraps(function)
    def called(*given: Any, **named: Any) -> _Result:
        if "metrics" in named:
            if "metric" in named:
                raise UsageError("metric and metrics are one argument: give metric")
            import warnings

            said = "the argument metrics is called metric, and takes one metric or a list"
            warnings.warn(said, DeprecationWarning, stacklevel=2)
            named["metric"] = named.pop("metrics")
        return function(*given, **named)

    return called


def _expanded(kind: type[Options]) -> list[Parameter]:
    return [
        Parameter(name, Parameter.KEYWORD_ONLY, default=one.default, annotation=kind.type_of(name))
        for name, one in kind.declared.items()
    ]


def _described(kind: type[Options]) -> Iterator[str]:
    """Yield the lines of a docstring about the options of a group."""
    described = {name: one for name, one in kind.declared.items() if one.doc}
    for name, one in described.items():
        line = f"        {name}:"
        for word in one.doc.split():
            if len(line) + 1 + len(word) > _WIDTH:
                yield f"{line}\n"
                line = " " * 11
            line += f" {word}"
        yield f"{line}\n"
