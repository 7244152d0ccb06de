"""Reports and pages share one look: the colours of both come from base.css."""

import re
from importlib import resources

import pytest


@pytest.mark.parametrize("room, name", [("report", "report.css"), ("report.pages", "page.css")])
def test_no_colour_is_anywhere_else(room: str, name: str) -> None:
    base = resources.files("exactmatch.report").joinpath("base.css").read_text("utf-8")
    text = resources.files(f"exactmatch.{room}").joinpath(name).read_text("utf-8")
    known = {*re.findall(r"(--[\w-]+):", base)}
    used = {*re.findall(r"var\((--[\w-]+)", text)}
    own = {*re.findall(r"(--[\w-]+):", text)}
    assert used - own - {"--width"} <= known  # that one is set by the script
    assert not re.findall(r":[^;{}]*#[0-9a-fA-F]{3,8}\b[^;{}]*;", text)
