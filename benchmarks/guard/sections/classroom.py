"""A class in every phase, as its teacher, the screen, phones and strangers see it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchmarks.guard import adapter
from benchmarks.guard.fixed import at_once, pass_seconds
from benchmarks.guard.record import Answer, Browser, Section

CODE = re.compile(r"^h1: ([A-Z]{4})$", re.MULTILINE)
SMALL = "nim:heaps=1-2"
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
ANSWERS = (("a1", "b1", "b2"), ("b3", "c1", "b1"), ("c3", "a3"), ("a1-a3",), ("x wins", "a draw"))
ANSWERS += (("few", "many"), ("d7", "a1"), ("over 60",), ("under 0.5", "over 0.5"))
WRONG = ("game=chess", "game=nim&state=x", "game=nim&moves=z9", "game=nim&truth=none&prompt=x")
WRONG += (
    "game=nim&truth=value&prompt=",
    "game=tictactoe&state=xxx/oo./...+o",
    "truth=value&prompt=x",
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


@dataclass
class People:
    """Everyone in and around one class."""

    teacher: Browser
    phones: list[Browser]
    stranger: Browser
    path: str
    code: str

    def look(self) -> None:
        """The same moment, from every side."""
        self.teacher.get(self.path)
        self.teacher.get(f"{self.path}/screen")
        self.stranger.get(f"{self.path}/screen")
        self.stranger.get(f"{self.path}/report")
        for phone in (*self.phones[:2], self.stranger):
            phone.get(f"/c/{self.code}")
        self.phones[0].get(f"/c/{self.code}/now?known=0")
        self.teacher.get(self.path)

    def answer(self, *answers: str) -> None:
        for phone, answer in zip(self.phones, answers, strict=False):
            page = phone.get(f"/c/{self.code}")
            form = page.form("/answer")
            hidden = [(each.name, each.value) for each in form.controls if each.kind == "hidden"]
            phone.follow(phone.post(form.action, [*hidden, ("move", answer)]))

    def step(self, *ids: str) -> None:
        """Presses of the teacher, one after the other."""
        for each in ids:
            self.teacher.get(self.path)
            self.teacher.does(each)


def tour(section: Section) -> None:
    for htmx in (False, True):
        section.start(jobs_each=100, listens="0.0.0.0")  # noqa: S104 - nothing listens
        people = begin(section, htmx=htmx)
        rounds(people)
        settings(people)
        match(people)
        cup(people, adapter.Jobs(section.app))
        ends(people)
    section.start()
    front(section)
    prepared(section)
    asking(section)
    guessing(section)


def begin(section: Section, *, htmx: bool = False, **fields: str) -> People:
    """A class that some have joined, by code and by link."""
    teacher, stranger = (
        section.browser("teacher", htmx=htmx),
        section.browser("stranger", htmx=htmx),
    )
    teacher.get("/class")
    page = teacher.follow(teacher.post("/class", fields))
    path, code = page.path, CODE.findall("\n".join(page.lines))[0]
    phones = [section.browser(f"phone{number}", htmx=htmx) for number in (1, 2, 3)]
    people = People(teacher, phones, stranger, path, code)
    teacher.get(f"{path}/screen")
    for number, phone in enumerate(phones):
        phone.get("/join" if number else f"/c/{code}")
        phone.does("join", **({"code": code.lower()} if number else {}))
    people.look()
    return people


def rounds(people: People) -> None:
    """Votes on a move and on a choice, twice voted, revealed; what is refused meanwhile."""
    teacher, path = people.teacher, people.path
    for query, answers in zip(ASKED, ANSWERS, strict=True):
        page = teacher.get(f"/class/ask?{query}")
        if not page.has_form("/rounds"):
            continue
        with at_once():
            teacher.does("/rounds")
            people.look()
            people.answer(*answers)
            people.phones[0].post(f"/c/{people.code}/answer", {"round": 1, "vote": 1, "move": "z"})
            people.look()
            people.step("do-close")
            people.look()
            if teacher.last and teacher.last.has_form("do-talk"):
                people.step("do-talk")
                people.look()
                people.step("do-again")
                people.answer(*reversed(answers))
                people.step("do-close")
            people.step("do-reveal")
            people.look()
    if teacher.last and teacher.last.has_form("ask-another"):
        teacher.does("ask-another", machine="perfect")
    for fields in (
        {"do": "none", "round": 1, "vote": 1},
        {"do": "close"},
        {"do": "close", "round": 1, "vote": 1},
    ):
        teacher.post(f"{path}/phase", fields)
    for action in ("rounds", "phase", "machine", "settings", "seats", "answers", "match", "play"):
        people.stranger.post(f"{path}/{action}", {"game": SMALL})
    for action in ("answer", "name", "machine"):
        people.stranger.post(f"/c/{people.code}/{action}", {"move": "a1"})


def settings(people: People) -> None:
    """Names, hidden answers, who is sent out, another device, the files."""
    teacher, path, phone = people.teacher, people.path, people.phones[0]
    phone.post(f"/c/{people.code}/name", {"name": "Ada"})
    for each in ("names", "hide-1", "seat-2", "keep"):
        people.step(each)
        people.look()
    for name in ("Ada", "", "x" * 50):
        phone.post(f"/c/{people.code}/name", {"name": name})
    people.look()
    people.step("seat-2")
    teacher.get(path)
    if teacher.last and teacher.last.has_form("use-address"):
        teacher.does("use-address")
    teacher.post(f"{path}/settings", {"do": "address", "address": "elsewhere"})
    key = re.findall(rf"{path}/key/[\w-]+", teacher.last.text if teacher.last else "")[0]
    second = people.stranger
    for link in (key, f"{path}/key/none"):
        second.get(link)
    teacher.get(key)
    device = teacher.section.browser("device", htmx=teacher.htmx)
    device.get(key)
    device.does("take-control")
    for ending in (".csv", "/report"):
        teacher.get(path + ending)
        people.stranger.get(path + ending)
    pass_seconds(30)
    people.look()


def match(people: People) -> None:
    """The class against a machine, by votes, to its end; counted down, and by the clock."""
    teacher, path = people.teacher, people.path
    for game, machine, seat, seconds in (
        ("tictactoe", "random", "x", ""),
        ("nim:heaps=1-2", "perfect", "o", "10"),
    ):
        teacher.get(path)
        teacher.does("begin-match", game=game, machine=machine, seat=seat, seconds=seconds)
        for _ in range(5):
            people.look()
            if teacher.last and teacher.last.has_form("/reply"):
                teacher.does("/reply")
            if not teacher.get(path).has_form("do-close"):
                break
            for phone in people.phones[:2]:
                vote(phone, people.code)
            if seconds:
                pass_seconds(11)
                people.look()
                teacher.follow(teacher.post(f"{path}/on"))
            else:
                people.step("do-close")
            people.look()
            if teacher.last and teacher.last.has_form("play-favourite"):
                teacher.does("play-favourite")
        people.look()
    for fields in (
        {"game": "chess"},
        {"game": "nim", "machine": "menace"},
        {"game": "nim", "seconds": "x"},
    ):
        teacher.post(f"{path}/match", fields)
    for action in ("play", "reply", "on", "lesson", "cup"):
        teacher.post(f"{path}/{action}", {"move": "z9", "do": "none", "game": "chess"})


def vote(phone: Browser, code: str) -> None:
    """The first button of the board that is a move."""
    page = phone.get(f"/c/{code}")
    form = page.form("/answer")
    moves = [button for button in form.buttons if button.name == "move"]
    picks = [button for button in form.buttons if button.name == "pick"]
    if moves:
        phone.follow(phone.submit(form, moves[0]))
    elif picks:
        looked = phone.submit(form, picks[0])
        again = looked.form("/answer")
        hidden = [(each.name, each.value) for each in again.controls if each.kind == "hidden"]
        phone.follow(phone.post(again.action, [*hidden, ("move", picks[0].value)]))


def cup(people: People, jobs: adapter.Jobs) -> None:
    """Everyone enters a machine; they play."""
    teacher, path = people.teacher, people.path
    teacher.get(path)
    teacher.does("start-cup", game="tictactoe", games="2")
    people.look()
    for phone, machine in zip(people.phones, ("perfect", "random", "menace"), strict=True):
        phone.get(f"/c/{people.code}")
        phone.does("enter", machine=machine)
    people.phones[0].post(f"/c/{people.code}/machine", {"spec": "chess"})
    people.phones[1].post(f"/c/{people.code}/machine", {"spec": "minimax:depth=1"})
    people.look()
    people.step("begin-cup")
    people.look()
    jobs.work(2)
    people.look()
    jobs.work()
    people.look()
    teacher.tour(teacher.get(path), r"^/jobs/", most=2)


def ends(people: People) -> None:
    people.teacher.get(f"{people.path}/report")
    people.step("end")
    people.look()
    people.phones[0].get(f"/c/{people.code}/now")
    people.phones[0].post(f"/c/{people.code}/answer", {"round": 1, "vote": 1, "move": "a1"})
    people.teacher.get("/class")
    people.teacher.get(f"{people.path}.csv")


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


def guessing(section: Section) -> None:
    """Codes of no class, until there were too many."""
    section.start(guess_rate=0.001, guess_burst=2, address_guess_rate=0.001, address_guess_burst=2)
    guesser = section.browser("guesser")
    guesser.get("/join")
    for code in ("QQQQ", "x", "", "ABCDEFGHIJK", "WWWW"):
        guesser.post("/join", {"code": code})
        guesser.get(f"/c/{code or 'A'}")


__all__ = ["Answer", "tour"]
