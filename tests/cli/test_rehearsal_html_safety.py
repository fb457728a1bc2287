"""What the page of a rehearsal must not do: load anything, change with its texts, grow, or be wider than a window."""

import html
import json
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.cli.writers import rehearsal_html
from muster.cli.writers.rehearsal_html import write
from muster.cli.writers.rehearsal_view import headline
from muster.terminal import visible
from tests.cli.page import Page, read
from tests.cli.rehearsals import HOSTILE, a_drill, a_node, an_outcome, everything_named, large, one_too_few
from tests.stack_files import ROOT

WRITERS = ROOT / "muster" / "cli" / "writers"

TAGS = frozenset(
    {"html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section", "article", "footer", "div"}
    | {"p", "span", "b", "i", "a", "bdi", "code", "q", "blockquote", "figure", "figcaption", "h1", "h2", "h3", "h4"}
    | {"h5", "ul", "ol", "li", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tr", "th", "td", "details"}
    | {"summary", "svg", "path", "rect"}
)


# What it must not do.


@pytest.mark.parametrize(
    "outcome",
    [an_outcome(), one_too_few(), an_outcome(drills=(a_drill(),)), large(60), *map(everything_named, HOSTILE)],
    ids=lambda outcome: ascii(outcome.job)[:30],
)
def test_the_page_is_self_contained(outcome):
    """No script, no request: every tag is known, links stay on the page, the policy forbids all but inline style."""
    text = write(outcome)
    page = Page.read(text)
    text.encode()
    everything = page.all()
    assert {each.tag for each in everything} <= TAGS
    assert not [name for each in everything for name in each.attributes if name.startswith("on") or name == "src"]
    ids = [each.attributes["id"] for each in everything if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    assert {each.attributes["href"] for each in everything if "href" in each.attributes} <= {f"#{each}" for each in ids}
    assert {each.attributes["aria-labelledby"] for each in everything if "aria-labelledby" in each.attributes} <= {*ids}
    assert not re.search(r"url\(|@import|expression|</", page.one("style").text)
    assert not [each for each in everything if "url" in (each.attributes.get("style") or "")]
    policy = page.one("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    assert not [char for char in text if not char.isprintable() and char != "\n"]


@given(st.one_of(st.text(min_size=1, max_size=30), st.sampled_from(HOSTILE)), st.sampled_from((1, 30)))
def test_texts_change_no_structure(text, count):
    """Whatever things are called, the tags and attributes are those of a page on which they are called x."""
    page = read(everything_named(text, count))
    assert page.shape() == read(everything_named("x", count)).shape()
    said = " ".join(visible(headline(everything_named(text))).split())
    assert page.one("h1").children[1].text == page.one("title").text == said


def test_pictures_have_words_and_headings_have_order():
    """For those who cannot see the page: labels, landmarks, no level of heading skipped."""
    outcome = replace(large(60), nodes=(*large(60).nodes, a_node(99, zone="")), drills=(a_drill(),), notes=("n",))
    page = read(outcome)
    assert page.one("html").attributes["lang"] == "en"
    assert all(each.attributes.get("aria-label") for each in page.all(role="img"))
    assert all({"role", "aria-hidden"} & set(each.attributes) for each in page.all("svg"))
    assert [each.tag for each in page.one("body").children] == ["a", "header", "nav", "main", "footer"]
    levels = [int(each.tag[1]) for each in page.all() if re.fullmatch("h[1-6]", each.tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(each.attributes.get("scope") for each in page.all("th"))


def test_colours_keep_their_contrast():
    """WCAG AA in both schemes: 4.5 for text, 3 for what a picture is made of."""
    schemes = re.findall(r":root \{(.*?)\}", (WRITERS / "rehearsal.css").read_text(encoding="utf-8"), re.DOTALL)
    assert len(schemes) == 2
    for scheme in schemes:
        colour = dict(re.findall(r"--([\w-]+): (#\w{6})", scheme))
        for page in ("page", "panel"):
            for text in ("text", "muted", "link", "gone", "bad", "good"):
                assert _contrast(colour[text], colour[page]) >= 4.5, (text, page)
            for shape in ("used", "free", "gone"):
                assert _contrast(colour[shape], colour[page]) >= 3, (shape, page)
        for text, page in (("text", "good-page"), ("text", "bad-page"), ("text", "quote"), ("muted", "quote")):
            assert _contrast(colour[text], colour[page]) >= 4.5, (text, page)
        for shape, page in (("used", "good-page"), ("used", "bad-page"), ("gone", "bad-page"), ("free", "bad-page")):
            assert _contrast(colour[shape], colour[page]) >= 3, (shape, page)


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


# Large clusters, and the package.


@pytest.mark.parametrize(("count", "most"), [(1000, 500_000), (2000, 900_000), (10_000, 2_500_000)])
def test_the_page_of_a_large_cluster_stays_small(count, most):
    """Every node is there as a tile; the tables of names end."""
    text = write(large(count))
    assert len(text.encode()) < most
    page = Page.read(text)
    assert sum(len(each.children) for each in page.all(of="tiles")) == count
    assert page.one("summary").text == (
        "Every node, by name" if count <= 2000 else "The first 2000 of 10000 nodes, by name"
    )
    exceptional = page.one("section", id="cluster").all("table", of="nodes")[0].rows()[1:]
    assert len(exceptional) == 24
    gone = "GPU 0 of 8 (8 not offered), EFA 0 of 32 (32 not offered)"
    assert exceptional[0] == [a_node(5).name, "lost", gone, "nccl-tests-worker-5"]


def test_the_templates_are_in_the_package():
    """Else `muster` writes pages from a checkout only."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = settings["tool"]["setuptools"]["package-data"]["muster"]
    files = {file for pattern in listed for file in (ROOT / "muster").glob(pattern)}
    packed = {file.name for file in files if file.parent == WRITERS and file.is_file() and file.suffix != ".py"}
    assert packed == {file.name for file in WRITERS.iterdir() if file.is_file() and file.suffix != ".py"}
    assert rehearsal_html._TEMPLATE in packed


def test_nobody_pays_for_jinja_who_writes_no_page():
    """`muster check` answers in well under a second."""
    code = "import sys, muster.cli.writers.rehearsal_html; sys.exit('jinja2' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


# In a browser.

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

_WIDTHS = (400, 720, 870, 1100, 1290, 1600)

_HARNESS = """<!DOCTYPE html><body>
<iframe style="border:0;height:900px" srcdoc="PAGE"></iframe>
<script>onload = () => {
  const frame = document.querySelector("iframe"), seen = frame.contentDocument, said = document.body.dataset;
  const beyond = (width) => [...seen.querySelectorAll("main *")].filter((each) => !each.closest("thead")
    && each.getBoundingClientRect().right > width + 1).map((each) => each.outerHTML.slice(0, 80));
  const measured = (width) => {
    frame.style.width = width + "px";
    return [seen.documentElement.scrollWidth, ...beyond(width)];
  };
  said.widths = JSON.stringify(WIDTHS.map(measured));
  said.heading = seen.querySelector("h1").textContent;
  said.sheet = getComputedStyle(seen.querySelector(".verdict")).borderLeftStyle;
  frame.remove();
};</script>"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome on PATH, which shows how wide the page is")
@pytest.mark.parametrize(
    "outcome",
    [
        replace(one_too_few(), drills=(a_drill(),)),
        large(1000),
        everything_named(HOSTILE[0] + HOSTILE[8] + HOSTILE[7]),
        everything_named(HOSTILE[8], 30),
    ],
    ids=["small", "large", "hostile", "hostile-tiles"],
)
def test_nothing_reaches_beyond_the_window(outcome, tmp_path: Path):
    """Nobody scrolls sideways, on a phone or a desk, whatever things are called."""
    harness = tmp_path / "harness.html"
    page = _HARNESS.replace("WIDTHS", json.dumps(_WIDTHS)).replace("PAGE", html.escape(write(outcome)))
    harness.write_text(page, encoding="utf-8")
    ran = subprocess.run(
        [
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",  # else the frame is narrower by theirs
            "--window-size=1800,1000",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--dump-dom",
            harness.as_uri(),
        ],
        capture_output=True,
        check=True,
        timeout=60,
    )
    body = Page.read(ran.stdout.decode()).one("body")
    assert body.attributes["data-sheet"] == "solid"
    assert body.attributes["data-heading"].endswith(headline(outcome))
    assert json.loads(body.attributes["data-widths"]) == [[width] for width in _WIDTHS]
