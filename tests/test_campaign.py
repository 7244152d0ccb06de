"""Random settings of all metrics: certificates verify, and no two computations disagree."""

import random
from pathlib import Path

import campaign
import pytest
from nightly import by_day

from exactmatch.metrics.registry import ALIGNMENT_BASED


def test_no_certificate_of_random_settings_is_refuted() -> None:
    rows, faults = campaign.campaign(38, "short", first=2)
    assert not faults
    metrics = {name.removeprefix("metric ") for name in rows if name.startswith("metric ")}
    assert metrics == {*ALIGNMENT_BASED, "weighted"}
    everything = rows["all"]
    assert (everything.settings, everything.refuted, everything.status_4) == (38, 0, 0)
    assert everything.refused < 8 and everything.verified > 80 and everything.bounded > 0


def test_settings_of_all_metrics_can_be_drawn() -> None:
    drawn = [campaign.drawn(random.Random(number)) for number in range(300)]
    assert {setting.metric.name for setting in drawn} == {*ALIGNMENT_BASED}
    with_credits = {setting.metric.name for setting in drawn if setting.metric.credits}
    takers = {name for name, kind in ALIGNMENT_BASED.items() if "credits" in kind.parameters}
    assert with_credits == takers


@pytest.mark.parametrize("number", by_day([campaign.STUDIES, campaign.COMMANDS]))
def test_commands_are_tried(number: int, tmp_path: Path) -> None:
    _, _, row, fault = campaign.try_one(f"two {number}", tmp_path)
    assert not fault and row.verified > 0
