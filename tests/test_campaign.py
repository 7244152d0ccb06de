"""Random settings of all metrics: certificates verify, and no two computations disagree."""

from pathlib import Path

import campaign
import pytest

from exactmatch.metrics.registry import ALIGNMENT_BASED


def test_no_certificate_of_random_settings_is_refuted() -> None:
    rows, faults = campaign.campaign(38, "short", first=2)
    assert not faults
    metrics = {name.removeprefix("metric ") for name in rows if name.startswith("metric ")}
    assert metrics == {*ALIGNMENT_BASED, "weighted"}
    everything = rows["all"]
    assert (everything.settings, everything.refuted, everything.status_4) == (38, 0, 0)
    assert everything.refused < 8 and everything.verified > 80 and everything.bounded > 0


@pytest.mark.parametrize("number", [campaign.STUDIES, campaign.COMMANDS])
def test_commands_are_tried(number: int, tmp_path: Path) -> None:
    _, _, row, fault = campaign.try_one(f"two {number}", tmp_path)
    assert not fault and row.verified > 0
