"""Before and beside a class: its front page, prepared lessons, what can be asked, wrong codes."""

from __future__ import annotations

from benchmarks.guard.fixed import at_once
from benchmarks.guard.people import begin, vote
from benchmarks.guard.record import Section
from webapp.config import Rate

ASKED = (
    "game=nim:heaps=1-2",
    "game=tictactoe&state=x.o/.x./..o+x",
    "game=tictactoe&moves=b2+a1",
    "game=quixo:size=3",
    "game=tictactoe&truth=value&prompt=Who+wins?&choices=x+wins+|+o+wins+|+a+draw",
    "game=tictactoe&truth=nodes+minimax+depth=2&prompt=How+many?&choices=few+=+under+9+|+many+=+over+9",
    "game=nim:preset=marienbad&machine=nim-sum&prompt=Which+move?&truth=best",
    "game=tictactoe&truth=curve+draws+at+50+menace&prompt=How+many?&choices=over+60+|+under+60",
    "truth=box-value+0+black-box:groups=1&prompt=What?&choices=under+0.5+|+over+0.5",
)
WRONG = ("game=chess", "game=nim&state=x", "game=nim&moves=z9", "game=nim&truth=none&prompt=x")
WRONG += (
    "game=nim&truth=value&prompt=",
    "game=tictactoe&state=xxx/oo./...+o",
    "truth=value&prompt=x",
)
# What the lessons do not ask for.
TRUTHS = (
    "game=tictactoe&truth=plays+menace&prompt=Which+move?",
    "game=tictactoe&truth=moves&prompt=How+many?&choices=9+|+8",
    "game=tictactoe&truth=positions&prompt=How+many?&choices=under+9+|+over+9",
    "game=nim:preset=normal&truth=nim-sum&prompt=Which?&choices=2+|+3",
    "truth=update+0+0.5+1+0.9+0&prompt=What?&choices=0.5+|+1",
    "truth=sets+greedy+on+set-cover:seed=0&prompt=How+many?&choices=3+|+4",
    "truth=expanded+astar+on+set-cover:seed=0&prompt=How+many?&choices=under+9+|+over+9",
    "truth=calls+weigh+on+black-box:groups=1&prompt=How+many?&choices=under+99+|+over+99",
    "truth=least-sets+set-cover:seed=0&prompt=How+many?&choices=2+|+3",
    "game=tictactoe&truth=losses+random+against+perfect&prompt=?&choices=under+50+|+over+50",
)
LESSON = """# A lesson of one's own
For the guard.

## One move                  3 min
position: nim:heaps=1-2
ask: What would you take?
say: Look.

## A match                   5 min
position: tictactoe
play: perfect
seat: second

## A page                    1 min
show: /machines/menace

## A training                2 min
position: tictactoe
train: menace
games: 100

## The cup                   5 min
cup: tictactoe
"""


def tour(section: Section) -> None:
    section.start()
    front(section)
    prepared(section)
    asking(section)
    of_lessons(section)
    guessing(section)


def front(section: Section) -> None:
    """Before a class begins, on a machine that no phone can reach; lessons that cannot be read."""
    teacher = section.browser("front")
    teacher.get("/class")
    for text in (b"", b"nonsense", b"\xff\xfe", b"# A title\n\n## Step\nask: What?\n"):
        teacher.post("/class", {}, {"lesson": (text, "lesson.txt")})
    teacher.post("/class", {"shipped": "none"})
    page = teacher.follow(teacher.post("/class", {}, {"lesson": (LESSON.encode(), "lesson.txt")}))
    if page.status == 200:
        for _ in range(5):
            for form in ("step-begin", "step-next"):
                if teacher.last and teacher.last.has_form(form):
                    teacher.does(form)
    teacher.get("/class", Host="school.example")


def prepared(section: Section) -> None:
    """The lesson that ships, from its first step to its last."""
    people = begin(section, shipped="how-machines-play")
    teacher = people.teacher
    for _ in range(40):
        page = teacher.get(people.path)
        if page.has_form("step-begin"):
            with at_once():
                teacher.does("step-begin")
            phone = people.phones[0].get(f"/c/{people.code}")
            if phone.has_form("/answer"):
                vote(people.phones[0], people.code)
            teacher.get(f"{people.path}/screen")
            teacher.get(people.path)
            for each in ("do-close", "do-reveal"):
                if teacher.last and teacher.last.has_form(each):
                    with at_once():
                        teacher.does(each)
            teacher.get(f"{people.path}/screen")
            people.phones[0].get(f"/c/{people.code}")
            page = teacher.get(people.path)
        if not page.has_form("step-next"):
            break
        teacher.does("step-next")
    people.step("step-previous")
    teacher.get(f"{people.path}/report")
    teacher.get(f"{people.path}.csv")


def asking(section: Section) -> None:
    """Addresses at which something is put to a class, with and without one."""
    stranger, teacher = section.browser("nobody"), section.browser("asker")
    for query in (*ASKED, *WRONG, ""):
        stranger.get(f"/class/ask?{query}")
    stranger.get(f"/class/ask?{ASKED[0]}")
    stranger.does("begin-class")
    teacher.post("/class")
    for query in ASKED:
        teacher.get(f"/class/ask?{query}")


def of_lessons(section: Section) -> None:
    """Every question of every lesson, and some that none asks, voted on and revealed."""
    people = begin(section)
    teacher = people.teacher
    front = teacher._send("GET", "/learn", record=False)
    lessons = dict.fromkeys(a for a, _ in front.page.links if a.startswith("/learn/"))
    pages = [teacher._send("GET", path, record=False) for path in lessons]
    asked = dict.fromkeys(a for page in pages for a, _ in page.page.links if "truth=" in a)
    for address in (*asked, *(f"/class/ask?{query}" for query in TRUTHS)):
        page = teacher.get(address)
        if not page.has_form("/rounds"):
            continue
        with at_once():
            teacher.does("/rounds")
            vote(people.phones[0], people.code)
            people.step("do-close", "do-reveal")
        for path in (people.path, f"{people.path}/screen"):
            teacher.get(path)
        people.phones[0].get(f"/c/{people.code}")
    teacher.get(f"{people.path}/report")
    teacher.get(f"{people.path}.csv")


def guessing(section: Section) -> None:
    """Codes of no class, until there were too many."""
    section.start(rates_guess=Rate(0.001, 2), rates_address_guess=Rate(0.001, 2))
    guesser = section.browser("guesser")
    guesser.get("/join")
    for code in ("QQQQ", "x", "", "ABCDEFGHIJK", "WWWW"):
        guesser.post("/join", {"code": code})
        guesser.get(f"/c/{code or 'A'}")
