"""Wall clock and CPU time, measured together."""

from __future__ import annotations

import time
from typing import NamedTuple


class Seconds(NamedTuple):
    """A time, or a point of time, by both clocks of this process."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Seconds:
        """Return the readings of the clocks."""
        return cls(time.perf_counter(), time.process_time())

    def passed(self) -> dict[str, float]:
        """Return the time since this point, by the names of the clocks."""
        now = self.now()
        return {"wall": now.wall - self.wall, "cpu": now.cpu - self.cpu}
