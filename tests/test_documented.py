"""Every setting is written down."""

import re

import pytest

from tests.webapp.serving.process import ROOT

SOURCES = [*(ROOT / "webapp").rglob("*.py"), *(ROOT / "agents").rglob("*.py")]
SETTINGS = sorted(
    {name for path in SOURCES for name in re.findall(r'"(ZERMELO_[A-Z_]+)"', path.read_text())}
)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_is_documented(name):
    assert f"`{name}`" in (ROOT / "docs" / "serving.md").read_text()
