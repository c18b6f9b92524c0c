"""The pages in a real browser: every link, fold, filter and key, in both colours and two widths.

One browser serves all tests of this file. Whatever a page writes to the console, and every request
for anything but files and data, is a failure.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest

from s2s.cli.main import main
from s2s.cli.reports.machine import machine_data
from s2s.cli.reports.page import make_page
from s2s.source.pictures import Bars, Grid, Listing, Picture, Roofline, Slice, Table, Timeline
from tests.cli.reports.logs import log, write

webdriver: Any = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
BROWSER, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
if not (os.access(BROWSER, os.X_OK) and os.access(DRIVER, os.X_OK)):
    pytest.skip("chromium and chromedriver are not installed", allow_module_level=True)

LONG = "xchacha20poly1305_secretstream_" * 3
"""A name that is wider than a narrow window."""
SCHEMES = {"file", "data", "about"}


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(DRIVER)
    found = webdriver.Chrome(options=options, service=service)
    yield found
    found.quit()


class Page:
    """A page that is open; ``check`` fails for what the console says and what is asked for."""

    def __init__(self, driver: Any, path: Path) -> None:
        self.driver = driver
        self.url = path.as_uri()
        driver.get_log("browser")
        driver.get_log("performance")
        self.open()

    def open(self, fragment: str = "") -> None:
        self.driver.get("about:blank")
        self.driver.get(f"{self.url}#{fragment}")
        assert self("return document.documentElement.dataset.ready") == "yes"

    def __call__(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(HELPERS + script, *arguments)

    def show(self, fragment: str) -> None:
        """Go to a view and wait until it is drawn."""
        self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; location.hash = arguments[0];"
            "setTimeout(() => requestAnimationFrame(() => done()), 30)", fragment,
        )  # fmt: skip

    def press(self, key: str) -> None:
        event = "new KeyboardEvent('keydown', {key: arguments[0], bubbles: true})"
        self(f"document.body.dispatchEvent({event})", key)

    def emulate(self, width: int, *, dark: bool = False) -> None:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        colours = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [colours]})

    def check(self) -> None:
        assert self.driver.get_log("browser") == []
        events = [json.loads(e["message"])["message"] for e in self.driver.get_log("performance")]
        urls = [
            e["params"]["request"]["url"]
            for e in events if e["method"] == "Network.requestWillBeSent"
        ]  # fmt: skip
        assert {urlparse(url).scheme for url in urls} <= SCHEMES


# What tests ask again and again.
HELPERS = """
const all = (wanted) => [...document.querySelectorAll(wanted)];
const type = (words) => { const field = document.querySelector("input");
  field.value = words; field.dispatchEvent(new Event("input")); };
"""

# Luminance of the text against its background, as WCAG has it, for each element with text.
CONTRAST = Path(__file__).with_name("browser.c").read_text()
# Controls without a name for those who do not see them.
NAMELESS = """
const kinds = "a, button, input, table, summary, article, dialog, [role=img], [role=region]";
return [...document.querySelectorAll(kinds)]
  .filter((e) => !(e.getAttribute("aria-label") || "").trim() && !e.textContent.trim())
  .map((e) => e.outerHTML.slice(0, 120));
"""


@pytest.fixture(scope="module")
def build(driver: Any, tmp_path_factory: pytest.TempPathFactory) -> Page:
    """A build of 60 units, of all states, with a profile and benchmarks."""
    folder = tmp_path_factory.mktemp("build")
    states = ("changed", "unchanged", "fell back", "no loops")
    names = [f"u{n}.c" for n in range(59)] + [f"{LONG}.c"]
    logs = [log(folder / "src" / name, states[n % 4]) for n, name in enumerate(names)]
    for number, values in enumerate(logs):
        values["reason"] = "it does not compile" if values["state"] == "fell back" else ""
        if values["state"] == "no loops":
            values["diagnostics"] = []
        if number == 1:
            values["diagnostics"][0]["text"] = "a cause </script> & <b>of its own</b>"
    write(folder / "logs", logs)
    record = {"suite": "s", "metric": "speedup", "unit": "x", "note": "", "variant": "v"}
    records = [
        {**record, "case": f"c{n}", "value": value, "published": None}
        for n, value in enumerate((0.5, 2.0, 300.0, None))
    ]
    (folder / "bench.json").write_text(json.dumps({"setting": {}, "records": records}))
    places = (("u4.c", 4, 1.25), ("u1.c", 10, 2.5))
    loops = [{"file": f"src/{f}", "line": line, "seconds": s} for f, line, s in places]
    (folder / "profile.json").write_text(json.dumps({"loops": loops}))
    page = folder / "page.html"
    words = [str(folder / name) for name in ("logs", "bench.json", "profile.json")]
    assert main(["report", *words, "-o", str(page)]) == 0
    return Page(driver, page)


def rows(page: Page) -> list[str]:
    found: list[str] = page("return all('main tbody tr').map((r) => r.innerText)")
    return found


def test_every_link_and_fold(build: Page) -> None:
    build.emulate(1600)
    build.open()
    seen: set[str] = set()
    waiting = ["files"]
    while waiting and len(seen) < 40:
        fragment = waiting.pop()
        seen.add(fragment)
        build.show(fragment)
        assert build("return document.querySelector('main').innerText.trim().length") > 20
        build("document.querySelectorAll('main details').forEach((d) => { d.open = true; })")
        links = build("return all('a[href]').map((a) => a.getAttribute('href'))")
        assert all(link.startswith("#") for link in links)
        waiting += [link[1:] for link in links if link[1:] not in {*seen, *waiting, "main"}]
    build.check()


def test_a_file_beside_its_result(build: Page) -> None:
    build.emulate(1600)
    build.open("file-0-0")
    (sides,) = build("return all('.sides.two').map((s) => "
                     "[...s.children].map((c) => c.getBoundingClientRect().top))")  # fmt: skip
    assert sides[0] == sides[1]
    assert build("return document.querySelectorAll('svg.arcs g').length") == 2
    arcs = build("return all('svg.arcs g').map((g) => g.getAttribute('aria-label'))")
    assert "flow: a (0, 1), line 5 to 5" in arcs
    assert any("same iteration" in arc for arc in arcs)
    build("document.querySelector('article details').open = true;"
          "document.querySelector('article details tbody tr').focus()")  # fmt: skip
    assert build("return document.querySelectorAll('svg.arcs g.on').length") == 1
    assert build("return document.querySelectorAll('.l.marked').length") == 1
    build.emulate(600)
    (sides,) = build("return all('.sides.two').map((s) => "
                     "[...s.children].map((c) => c.getBoundingClientRect().top))")  # fmt: skip
    assert sides[0] < sides[1]
    gap = "document.querySelector('details.gap')"
    build.driver.execute_async_script(f"{gap}.open = true; setTimeout(arguments[0], 50)")
    assert "void turn" in build(f"return {gap}.innerText")
    build.check()


def test_measured_seconds_stand_at_their_lines(build: Page) -> None:
    number = build("return data.files.findIndex((file) => file.name === 'u4.c')")
    build.open(f"file-{number}-0")
    assert "1.25 s" in build("return document.querySelector('.l .time').parentElement.innerText")
    assert "1.25 s measured" in build("return document.querySelector('article header').innerText")
    build.check()


def test_sorting_and_filtering(build: Page) -> None:
    build.open("files")
    assert len(rows(build)) == 60
    gains = build("return all('main tbody tr').map((r) => parseFloat(r.cells[3].innerText) || 0)")
    assert gains == sorted(gains, reverse=True) and gains[:2] == [2.5, 0]
    heads = build("return all('th').map((h) => h.getAttribute('aria-sort'))")
    assert heads.count("descending") == 1
    build("document.querySelector('th button').click()")
    assert rows(build)[0].startswith("u0.c")
    build("type('u12 CHANGED')")
    assert [row.split()[0] for row in rows(build)] == ["u12.c"]
    build("type(''); all('.tools button').find((b) => b.innerText === 'fell back').click()")
    assert len(rows(build)) == 15 and all("it does not compile" in row for row in rows(build))
    build.show("causes")
    causes = rows(build)
    assert len(causes) == 3 and "a cause </script> & <b>of its own</b>" in "".join(causes)
    build("all('main td a').find((a) => a.innerText.includes('own')).click()")
    build.show(build("return location.hash")[1:])
    assert len(rows(build)) == 1
    build.check()


def test_keys(build: Page) -> None:
    build.open("files")
    build.press("/")
    assert build("return document.activeElement.type") == "search"
    build("document.activeElement.blur()")
    build.press("j")
    build.press("j")
    build.press("k")
    assert build("return document.querySelector('tr.at').rowIndex") == 1
    build.show("file-3")
    build.press("[")
    assert build("return location.hash") == "#file-2"
    build.press("]")
    build.press("u")
    assert build("return location.hash") == "#files"
    build.press("?")
    assert build("return document.querySelector('dialog').open")
    build("document.querySelector('dialog').close()")
    build.show("file-0")
    build.press("o")
    assert build("return all('main details').every((d) => d.open)")
    build.check()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [600, 1600])
def test_it_can_be_read(build: Page, width: int, dark: bool) -> None:
    """Nothing is wider than the window, nothing is without contrast, nothing has no name."""
    build.emulate(width, dark=dark)
    long = build("return data.files.findIndex((f) => f.name.startsWith(arguments[0]))", LONG)
    for fragment in ("files", "regions", "causes", "charts", "file-0-0", "file-1", f"file-{long}"):
        build.open(fragment)
        build("document.querySelectorAll('main details').forEach((d) => { d.open = true; })")
        assert build("return document.documentElement.scrollWidth <= innerWidth"), fragment
        assert build(CONTRAST) == [], fragment
        assert build(NAMELESS) == [], fragment
    build.check()


def test_charts_have_logarithmic_axes_over_decades(build: Page) -> None:
    build.emulate(1600)
    build.open("charts")
    assert "logarithmic axis" in build("return document.querySelector('figcaption').innerText")
    bars = build("return all('figure rect').map((r) => r.getBBox().width)")
    assert len(bars) == 3 and bars == sorted(bars)
    outside = build(
        "const { width, height } = document.querySelector('figure svg').viewBox.baseVal;"
        "return all('figure svg > *').map((e) => e.getBBox()).filter((b) => b.x < 0 || b.y < 0"
        " || b.x + b.width > width || b.y + b.height > height).length"
    )
    assert outside == 0
    build.check()


@pytest.fixture(scope="module")
def machine(driver: Any, tmp_path_factory: pytest.TempPathFactory) -> Page:
    """A page with a part of each kind."""
    slices = tuple(Slice(n % 3, n * 2.0, 1.5, f"op{n % 2} x", n) for n in range(5000))
    text = "".join(f"line {n};\n" for n in range(60))
    parts = (
        Timeline("Tracks", ("a", "b", "c"), slices, 10_000, "a note"),
        Table("Rows", ("name", "value"), tuple((f"r{n}", n) for n in range(20))),
        Bars("Shares", "%", ("one", "two"), (("x", (90.0, 3.0)), ("y", (None, 0.0)))),
        Grid("Cells", ("0", "1"), ("0", "1", "2"), ((0, 1, 2), (3, 4, 5)), (("", "part p"), ())),
        Listing("Lines", text, ("count",), {30: (5.0,), 31: (2.0,)}),
        Roofline("Limits", 32, 64, "operations", (("it", 2.0, 20.0),)),
    )
    views = tuple((part.title, (part,)) for part in parts)
    picture = Picture("a machine </script>", "m", (("7", "cycles"),), views)
    page = tmp_path_factory.mktemp("machine") / "page.html"
    page.write_bytes(make_page(machine_data(picture)))
    return Page(driver, page)


def test_views_of_a_machine(machine: Page) -> None:
    for width, dark in ((600, True), (1600, False)):
        machine.emulate(width, dark=dark)
        for number in range(6):
            machine.show(f"view{number}")
            machine("all('main details').forEach((d) => { d.open = true; })")
            assert machine("return document.querySelectorAll('main figure').length") == 1
            assert machine("return document.documentElement.scrollWidth <= innerWidth"), number
            assert machine(CONTRAST) == [] and machine(NAMELESS) == []
    machine.check()


def test_timelines_zoom(machine: Page) -> None:
    machine.emulate(1200)
    machine.show("view0")
    count = "return all('figure rect').length"
    whole = machine(count)
    assert 0 < whole < 5000  # what would not be seen is not drawn
    machine(
        "const plus = () => new KeyboardEvent('keydown', { key: '+' });"
        "for (let n = 0; n < 8; n++) document.querySelector('.chart').dispatchEvent(plus())"
    )
    assert 0 < machine(count) < whole
    machine("document.querySelector('figure rect').dispatchEvent(new MouseEvent('mouseenter'))")
    assert "cycles" in machine("return document.querySelector('.tip').innerText")
    machine("all('.tools button').find((b) => b.innerText === 'Later').click()")
    machine.check()


def test_a_chart_of_shares_is_linear(machine: Page) -> None:
    machine.show("view2")
    assert "logarithmic" not in machine("return document.querySelector('figcaption').innerText")
    widths = machine("return all('figure rect').map((r) => r.getBBox().width)")
    assert widths[0] / widths[1] == pytest.approx(30, rel=0.1)


def test_listings_fold_what_has_no_counts(machine: Page) -> None:
    machine.show("view4")
    assert "line 29;" in machine("return document.querySelector('main').innerText")
    assert "line 50;" not in machine("return document.querySelector('main').innerText")
    machine.driver.execute_async_script(
        "document.querySelectorAll('details').forEach((d) => { d.open = true; });"
        "setTimeout(arguments[0], 50)"
    )
    assert "line 50;" in machine("return document.querySelector('main').innerText")
    machine.check()
