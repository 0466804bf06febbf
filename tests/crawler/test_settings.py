import importlib
from pathlib import Path

import pytest
from scrapy.crawler import Crawler
from scrapy.utils.project import get_project_settings

from flong.crawler import SiteSpider, settings

DOCS = Path(__file__).parents[2] / "docs" / "settings.md"


@pytest.mark.parametrize("setting", settings.FLONG_SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_is_documented_with_its_default(setting):
    text = DOCS.read_text().partition(f"### {setting.name}\n")[2]
    assert text, f"{setting.name} has no heading in docs/settings.md"
    assert f"`{setting.default}`" in text.partition("###")[0] or setting.default == ""


def test_settings_are_sorted_and_explained():
    names = [setting.name for setting in settings.FLONG_SETTINGS]
    assert names == sorted(names)
    assert all(setting.help.endswith(".") for setting in settings.FLONG_SETTINGS)


@pytest.mark.parametrize(
    "name",
    [
        "DOWNLOADER_MIDDLEWARES",
        "DOWNLOAD_HANDLERS",
        "EXTENSIONS",
        "ITEM_PIPELINES",
        "SPIDER_MIDDLEWARES",
    ],
)
def test_user_middleware_does_not_replace_safety_middleware(name):
    crawler = Crawler(SiteSpider, get_project_settings(), init_reactor=False)
    crawler.settings.set(name, '{"tests.faults.bugs.Bug": 900}', priority="cmdline")
    SiteSpider.from_crawler(crawler, url="https://news.example")
    assert crawler.settings.getdict(name) == vars(settings)[name] | {"tests.faults.bugs.Bug": 900}


def test_environment_overrides_the_default(monkeypatch):
    monkeypatch.setenv("FLONG_DEPTH", "5")
    monkeypatch.setenv("FLONG_DATABASE", "sqlite:///other.db")
    changed = importlib.reload(settings)
    assert (changed.FLONG_DEPTH, changed.FLONG_DATABASE) == (5, "sqlite:///other.db")
    monkeypatch.undo()
    assert importlib.reload(settings).FLONG_DEPTH == 3


def test_a_wrong_value_in_the_environment_is_named(monkeypatch):
    monkeypatch.setenv("FLONG_DEPTH", "deep")
    depth = next(s for s in settings.FLONG_SETTINGS if s.name == "FLONG_DEPTH")
    with pytest.raises(ValueError, match="FLONG_DEPTH is 'deep'"):
        depth.value()
