"""Frozen dataclasses that share their methods, so that commands start fast."""

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field
from typing import Any, ClassVar, NoReturn, dataclass_transform


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Record:
    """The base of frozen dataclasses whose fields are given by keyword.

    `dataclass` compiles the methods below anew for each class, which takes a millisecond at every
    start if there are many fields. `dataclasses.fields` and `dataclasses.replace` work as usual.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    _defaults: ClassVar[dict[str, Any]]
    _factories: ClassVar[dict[str, Callable[[], Any]]]

    def __init_subclass__(cls) -> None:
        dataclass(init=False, repr=False, eq=False)(cls)
        cls._defaults, cls._factories = {}, {}
        for name, one in cls.__dataclass_fields__.items():
            if one.default is not MISSING:
                cls._defaults[name] = one.default
            elif one.default_factory is not MISSING:
                cls._factories[name] = one.default_factory

    def __init__(self, **given: Any) -> None:
        values = vars(self)
        values.update(self._defaults)
        values.update(given)
        for name, make in self._factories.items():
            if name not in given:
                values[name] = make()
        if values.keys() != self.__dataclass_fields__.keys():
            wrong = sorted(values.keys() ^ self.__dataclass_fields__.keys())
            raise TypeError(f"{type(self).__name__} misses or does not know {', '.join(wrong)}")
        self.__post_init__()

    def __post_init__(self) -> None:
        """Check the values."""

    def _compared(self) -> tuple[Any, ...]:
        fields = self.__dataclass_fields__.values()
        return tuple(getattr(self, one.name) for one in fields if one.compare)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def __repr__(self) -> str:
        shown = (one.name for one in self.__dataclass_fields__.values() if one.repr)
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in shown)})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")
