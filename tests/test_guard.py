"""The guard: what it writes down of a page, what it overlooks on purpose, and that it repeats."""

import sys

import pytest

from benchmarks.guard.compare import differences
from benchmarks.guard.page import Page
from benchmarks.guard.record import Recorder
from tests.soak import lessened
from tests.webapp.serving.process import ROOT, run_command

PAGE = """<!doctype html><html lang="en"><head><title>A match</title>
<link rel="stylesheet" href="/static/css/play.css?v=abc"></head><body>
<h1 class="big">Your move</h1>
<p data-ply="3" hx-get="/x">There are <b>three</b> rows. <a href="/words" class="btn">Words</a></p>
<form id="take" method="post" action="/moves" hx-post="/moves">
  <input type="hidden" name="revision" value="4">
  <label for="row">From row</label>
  <select id="row" name="row"><option value="a">a</option>
  <option value="b" selected>b</option></select>
  <button type="submit" name="do" value="take" aria-label="Take them">Take</button>
</form>
<svg class="plot" role="img"><title>A curve</title><polyline points="0,0 1,2"/></svg>
<script>tell()</script></body></html>"""


def recorded(place, html):
    Recorder(place).write("a page", "\n".join(Page(html).lines))
    return place


def diff_of(tmp_path, before, after):
    old, new = recorded(tmp_path / "old", before), recorded(tmp_path / "new", after)
    return "\n".join(differences(old, new))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("There are", "Here are", "+Here are three rows."),
        ('<a href="/words" class="btn">Words</a>', "Words", "<a href=/words>"),
        ('href="/words"', 'href="/keys"', "<a href=/keys>"),
        ('<input type="hidden" name="revision" value="4">', "", "name=revision value=4"),
        ('value="4"', 'value="5"', "name=revision value=5"),
        ('<option value="a">a</option>', "", "<option value=a>"),
        (" selected", "", "value=b selected="),
        ("h1", "h2", "+h2: Your move"),
        ("Take them", "Take one", "aria-label=Take one"),
        ('id="take"', 'id="taken"', "+#taken"),
        ("A match", "The match", "+<title> The match"),
        ("A curve", "The curve", "The curve"),
        ("1,2", "1,3", "points=0,0 1,3"),
        ('action="/moves"', 'action="/move"', "action=/move>"),
    ],
)
def test_what_a_visitor_would_notice_is_told(tmp_path, old, new, told):
    assert PAGE.count(old) >= 1
    assert told in diff_of(tmp_path, PAGE, PAGE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('class="big"', 'class="large"'),
        ('data-ply="3" ', 'style="color: red" '),
        ('hx-get="/x"', 'hx-action="/y"'),
        ("?v=abc", "?v=def"),
        ("tell()", "tell(1)"),
        ("<b>three</b>", '<span class="n">three</span>'),
        ("\n  ", "\n\n        "),
    ],
)
def test_what_only_scripts_and_style_sheets_read_is_not(tmp_path, old, new):
    assert PAGE.count(old) >= 1
    assert diff_of(tmp_path, PAGE, PAGE.replace(old, new)) == ""


def test_a_response_that_is_gone_is_told_and_moves_no_other(tmp_path):
    for place, names in (("old", ("one", "two", "two")), ("new", ("two", "two"))):
        recorder = Recorder(tmp_path / place)
        for name in names:
            recorder.write(name, name)
    (told,) = differences(tmp_path / "old", tmp_path / "new")
    assert told.splitlines()[1:] == ["+++ (not there)", "@@ -1 +0,0 @@", "-one"]


def test_a_press_sends_what_a_browser_would():
    (form,) = Page(PAGE).forms
    (button,) = form.buttons
    assert (form.method, form.action) == ("post", "/moves")
    assert form.fields({}, button) == [("revision", "4"), ("row", "b"), ("do", "take")]
    assert form.fields({"row": "a"}, None) == [("revision", "4"), ("row", "a")]


def guard(*arguments):
    return run_command(sys.executable, "-m", "benchmarks.guard", *arguments, PYTHONPATH=str(ROOT))


@pytest.mark.slow
def test_a_section_is_recorded_and_what_was_changed_in_it_found(tmp_path):
    place = tmp_path / "guide"
    done = guard(tmp_path, "guide")
    assert done.returncode == 0, done.stderr
    page = next(place.glob("*-owner-words.txt"))
    assert page.read_text().startswith("GET /words\nby owner\n200 text/html")
    assert [path.name for path in place.glob("*-owner-hx-words.txt")] != []
    assert guard("--compare", place, place).returncode == 0
    changed = tmp_path / "changed"
    changed.mkdir()
    for path in place.iterdir():
        (changed / path.name).write_text(path.read_text().replace("Nim", "Nym"))
    told = guard("--compare", place, changed)
    assert told.returncode == 1
    assert "+<title> How to play Nym, Nym(5), last loses · Zermelo" in told.stdout


@pytest.mark.soak
def test_two_runs_are_the_same(tmp_path):
    sections = lessened(("friends", "lobby", "arena", "commands"), ("friends",))
    for run in ("one", "two"):
        done = guard(tmp_path / run, *sections)
        assert done.returncode == 0, done.stderr
    told = guard("--compare", tmp_path / "one", tmp_path / "two")
    assert told.returncode == 0, told.stdout[:5000]


def test_a_section_that_there_is_none_of_is_refused(tmp_path):
    done = guard(tmp_path, "nowhere")
    assert done.returncode == 2
    assert "no section nowhere" in done.stderr
