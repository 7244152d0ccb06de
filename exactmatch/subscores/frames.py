"""Which roles of a frame say what other roles say: ``go-02`` has its destination in ``:ARG4``."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Frames:
    """Roles by concept and role, in lower case; *digest* tells one table from another."""

    digest: str
    table: Mapping[tuple[str, str], str] = field(repr=False, compare=False)

    def role(self, concept: str, role: str) -> str | None:
        """Return the role that stands for *role* of *concept*; None if the table does not say."""
        return self.table.get((concept.lower(), role.lower()))
