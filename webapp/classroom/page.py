"""Pages of the projector and of the students' phones.

The result of a vote is not even read from the store before the reveal.
"""

from __future__ import annotations

from urllib.parse import quote_plus

from webapp.boards import board_for, picture_for, refusal_for
from webapp.boards.scene import Board
from webapp.classroom import rules
from webapp.classroom.addresses import class_host, invite_view
from webapp.classroom.cup import (
    choices_for,
    cup_has_begun,
    cup_view,
    games_url,
    machine_title,
    train_url,
)
from webapp.classroom.match import PROMPT, find_match, match_story, opponent_title
from webapp.classroom.models import Phase, Posed, Room, RoundRecord, Scene, SeatRecord, Turnout
from webapp.classroom.reveal import best_answers_text, machine_view, own_results, result_view
from webapp.classroom.store import ClassStore
from webapp.classroom.views import (
    BoardContext,
    PhoneView,
    QuestionView,
    ScreenView,
    TurnoutView,
)
from webapp.services import Clock, service
from webapp.web.cookies import current_player
from webapp.web.forms import Choice
from webapp.web.messages import Message
from webapp.web.navigation import rules_address

WAITING, OVER = "waiting", "over"


def phase_of(room: Room) -> str:
    """Phase of the class as pages name it."""
    if room.record.is_over:
        return OVER
    if room.record.scene is not Scene.ROUND:
        return str(room.record.scene)
    return WAITING if room.round is None else str(room.round.phase)


def current_question(room: Room) -> QuestionView | None:
    """The current question; during a match, its board."""
    if room.record.scene in (Scene.MATCH, Scene.STORY):
        record = find_match(room)
        moves = tuple(ply.text for ply in record.plies)
        number = room.record.round
        match = Posed(record.game, PROMPT, record.start, moves)
        return question_view(RoundRecord(number, match, Phase.CLOSED))
    if room.round is None or room.record.scene is Scene.CUP:
        return None
    return question_view(room.round)


def current_opponent(room: Room) -> str:
    """Title of the machine the class plays, if it does."""
    plays = room.record.scene in (Scene.MATCH, Scene.STORY) or (
        room.round is not None and room.round.match_ply is not None
    )
    return opponent_title(find_match(room)) if plays and room.record.match_id else ""


def advances_by_itself(room: Room) -> bool:
    """Whether the match waits for the clock or the machine, not for the teacher."""
    plays = room.record.scene is Scene.MATCH and not room.record.is_over
    return plays or rules.plays_at(room) is not None


def announcement_text(room: Room) -> str:
    """The latest change, for screen readers."""
    if room.round is None:
        return ""
    said = {
        Phase.OPEN: f"{room.round.asked.prompt} The vote is open.",
        Phase.CLOSED: "The vote is closed.",
        Phase.TALK: "Talk to your neighbour.",
        Phase.REVEALED: "The answers are shown.",
    }
    return said[room.round.phase]


def screen_view(room: Room) -> ScreenView:
    """The projector page."""
    record, current = room.record, room.round
    phase = phase_of(room)
    turnout = turnout_view(room)
    revealed = current is not None and phase == Phase.REVEALED
    said = machine_view(record.path + "/screen", current) if current and revealed else None
    story = match_story(room) if phase == Scene.STORY else None
    cup = cup_view(room)
    parts = (
        record.version,
        turnout.answered,
        turnout.here,
        int(bool(said and said.pending)),
        quote_plus(story.sentence) if story else "",
        cup.known if cup else "",
    )
    version_key = ".".join(map(str, parts))
    return ScreenView(
        path=record.path,
        follow=f"{record.path}/screen?known={version_key}",
        invite=invite_view(record),
        announcement=announcement_text(room),
        phase=phase,
        here=str(turnout.here),
        question=current_question(room),
        turnout=turnout,
        result=result_view(room, current) if current and revealed else None,
        said=said,
        story=story,
        cup=cup,
        watch_at=f"{class_host(record)}{cup.url}" if cup and cup.over else "",
        opponent=current_opponent(room),
        drives=record.is_taught_by(current_player()) and advances_by_itself(room),
    )


def phone_view(
    room: Room, seat: SeatRecord, pick: str | None = None, message: Message | None = None
) -> PhoneView:
    """A student's phone: the question, their own answer, and its value after the reveal."""
    record, current = room.record, room.round
    url = f"/c/{record.code}"
    own: dict[int, str] = {}
    if current is not None:
        found = service(ClassStore).own_answers(record.id, current.number, seat.number)
        own = {answer.vote: answer.answer for answer in found}
    answer = own.get(current.vote) if current else None
    phase = phase_of(room)
    revealed = phase == Phase.REVEALED
    question = _phone_question(room, url, pick, answer)
    refused = _refusal_text(current, question, pick) if phase == Phase.OPEN else None
    return PhoneView(
        url=url,
        code=record.code or "",
        name=seat.name,
        follow=f"{url}/now?known={record.version}",
        phase=phase,
        title=_phone_title(room),
        status=refused
        or (question.board.prompt if question and question.board and pick else None)
        or _scene_status(room)
        or _round_status(current, answer),
        refused=refused is not None,
        question=question,
        rules_url=rules_address(question.game, url) if question and question.game else "",
        answer=answer,
        told=own_results(current, own) if current and revealed else (),
        best=best_answers_text(current) if current and revealed else "",
        entering=choices_for(room, seat),
        train_url=train_url(room),
        machine=machine_title(room, seat),
        watch_url=games_url(room),
        naming=record.names,
        message=message,
    )


def _phone_question(
    room: Room, url: str, pick: str | None, answer: str | None
) -> QuestionView | None:
    """The current question, with a board to press during a round."""
    if room.round is None or room.record.scene is not Scene.ROUND:
        return current_question(room)
    return question_view(room.round, url, pick, answer)


def _refusal_text(
    current: RoundRecord | None, question: QuestionView | None, pick: str | None
) -> str | None:
    """Why the pressed move is illegal, if it is."""
    if current is None or question is None or question.board is None:
        return None
    if current.asked.choices is not None:
        return None
    return refusal_for(current.asked.match, question.board, pick)


def question_view(
    current: RoundRecord, url: str = "", pick: str | None = None, answer: str | None = None
) -> QuestionView:
    """A question; with a `url`, its board accepts an answer while the vote is open."""
    posed = current.asked
    may = bool(url) and current.is_open and posed.choices is None
    left = None
    if current.deadline is not None and current.is_open:
        left = max(0, round(current.deadline - service(Clock).now()))
    return QuestionView(
        number=current.number,
        vote=current.vote,
        prompt=posed.prompt,
        game=posed.game,
        about=context_text(posed),
        title=posed.title,
        table=BoardContext(posed.game.partition(":")[0], url, f"{url}/answer"),
        board=_board(posed, may, pick, answer) if posed.has_board else None,
        choices=tuple(Choice(text, text, text == answer) for text in posed.choices or ()),
        seconds_left=left,
    )


def _board(posed: Posed, may: bool, pick: str | None, answer: str | None) -> Board:
    match = posed.match
    return board_for(
        match,
        ply=match.ply,
        may_move=may,
        pick=pick if may else None,
        last_move=match.moves[-1] if match.moves else None,
        outcome=match.outcome(),
        answer=answer if posed.choices is None else None,
    )


def position_picture(posed: Posed) -> Board | None:
    """The position of a question as a picture, if it has one."""
    if not posed.has_board:
        return None
    match = posed.match
    return picture_for(match.game, match.state, match.moves[-1] if match.moves else None)


def context_text(posed: Posed) -> str:
    """Game and player to move, as far as the question has them."""
    return " ".join(filter(None, (f"{posed.title}." if posed.title else "", posed.mover)))


def turnout_view(room: Room) -> TurnoutView:
    """Students present, and answers in the current vote."""
    number, vote = (room.round.number, room.round.vote) if room.round else (0, 0)
    found: Turnout = service(ClassStore).turnout(room.record.id, number, vote)
    text = f"{found.answered} of {found.here}"
    return TurnoutView(found.answered, found.here, text, found.answered / max(1, found.here))


def _phone_title(room: Room) -> str:
    """Heading of a phone."""
    scenes = {Scene.STORY: "The match is over", Scene.CUP: "The cup", Scene.MATCH: PROMPT}
    asked = "Welcome" if room.round is None else room.round.asked.prompt
    return scenes.get(room.record.scene, asked)


def _scene_status(room: Room) -> str:
    match room.record.scene:
        case Scene.MATCH:
            return f"{current_opponent(room)} is thinking."
        case Scene.STORY:
            return "Where did it turn? Look at the screen."
        case Scene.CUP:
            begun = cup_has_begun(room)
            return "The machines have begun. Look at the screen." if begun else "Enter a machine."
        case Scene.ROUND:
            return ""


def _round_status(current: RoundRecord | None, answer: str | None) -> str:
    if current is None:
        return "You are in. Look at the screen: it begins soon."
    said = "" if answer is None else f"You said {answer}. "
    match current.phase:
        case Phase.OPEN if answer is None:
            return "Choose your answer." if current.asked.choices else "Choose your move."
        case Phase.OPEN:
            return f"Your answer: {answer}."
        case Phase.CLOSED:
            return f"The vote is closed. {said}Look at the screen."
        case Phase.TALK:
            return f"Talk to your neighbour. {said}Then we vote again."
        case Phase.REVEALED:
            return "Look at the screen."
