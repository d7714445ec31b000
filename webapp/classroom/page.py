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
from webapp.classroom.models import (
    ClassSession,
    Phase,
    RoundRecord,
    Scene,
    SeatRecord,
    Turnout,
    game_title,
)
from webapp.classroom.reveal import best_answers_text, machine_view, own_results, result_view
from webapp.classroom.store import ClassStore
from webapp.classroom.views import (
    BoardContext,
    PhoneView,
    QuestionView,
    ScreenView,
    TurnoutView,
)
from webapp.questions.models import Question
from webapp.questions.truths import has_board
from webapp.services import Clock, service
from webapp.web.cookies import current_player
from webapp.web.forms import Choice
from webapp.web.messages import Message
from webapp.web.navigation import rules_url

WAITING, OVER = "waiting", "over"


def phase_of(session: ClassSession) -> str:
    """Phase of the class as pages name it."""
    if session.record.is_over:
        return OVER
    if session.record.scene is not Scene.ROUND:
        return str(session.record.scene)
    return WAITING if session.round is None else str(session.round.phase)


def current_question(session: ClassSession) -> QuestionView | None:
    """The current question; during a match, its board."""
    if session.record.scene in (Scene.MATCH, Scene.STORY):
        record = find_match(session)
        moves = tuple(ply.text for ply in record.plies)
        number = session.record.round
        match = Question(record.game, PROMPT, start=record.start, moves=moves)
        return question_view(RoundRecord(number, match, Phase.CLOSED))
    if session.round is None or session.record.scene is Scene.CUP:
        return None
    return question_view(session.round)


def current_opponent(session: ClassSession) -> str:
    """Title of the machine the class plays, if it does."""
    plays = session.record.scene in (Scene.MATCH, Scene.STORY) or (
        session.round is not None and session.round.match_ply is not None
    )
    return opponent_title(find_match(session)) if plays and session.record.match_id else ""


def advances_by_itself(session: ClassSession) -> bool:
    """Whether the match waits for the clock or the machine, not for the teacher."""
    plays = session.record.scene is Scene.MATCH and not session.record.is_over
    return plays or rules.plays_at(session) is not None


def announcement_text(session: ClassSession) -> str:
    """The latest change, for screen readers."""
    if session.round is None:
        return ""
    texts = {
        Phase.OPEN: f"{session.round.question.prompt} The vote is open.",
        Phase.CLOSED: "The vote is closed.",
        Phase.TALK: "Talk to your neighbour.",
        Phase.REVEALED: "The answers are shown.",
    }
    return texts[session.round.phase]


def screen_view(session: ClassSession) -> ScreenView:
    """The projector page."""
    record, current = session.record, session.round
    phase = phase_of(session)
    turnout = turnout_view(session)
    revealed = current is not None and phase == Phase.REVEALED
    said = machine_view(record.path + "/screen", current) if current and revealed else None
    story = match_story(session) if phase == Scene.STORY else None
    cup = cup_view(session)
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
        announcement=announcement_text(session),
        phase=phase,
        here=str(turnout.here),
        question=current_question(session),
        turnout=turnout,
        result=result_view(session, current) if current and revealed else None,
        said=said,
        story=story,
        cup=cup,
        watch_at=f"{class_host(record)}{cup.url}" if cup and cup.over else "",
        opponent=current_opponent(session),
        drives=record.is_taught_by(current_player()) and advances_by_itself(session),
    )


def phone_view(
    session: ClassSession, seat: SeatRecord, pick: str | None = None, message: Message | None = None
) -> PhoneView:
    """A student's phone: the question, their own answer, and its value after the reveal."""
    record, current = session.record, session.round
    url = f"/c/{record.code}"
    own: dict[int, str] = {}
    if current is not None:
        found = service(ClassStore).own_answers(record.id, current.number, seat.number)
        own = {answer.vote: answer.answer for answer in found}
    answer = own.get(current.vote) if current else None
    phase = phase_of(session)
    revealed = phase == Phase.REVEALED
    question = _phone_question(session, url, pick, answer)
    refused = _refusal_text(current, question, pick) if phase == Phase.OPEN else None
    return PhoneView(
        url=url,
        code=record.code or "",
        name=seat.name,
        follow=f"{url}/now?known={record.version}",
        phase=phase,
        title=_phone_title(session),
        status=refused
        or (question.board.prompt if question and question.board and pick else None)
        or _scene_status(session)
        or _round_status(current, answer),
        refused=refused is not None,
        question=question,
        rules_url=rules_url(question.game, url) if question and question.game else "",
        answer=answer,
        told=own_results(current, own) if current and revealed else (),
        best=best_answers_text(current) if current and revealed else "",
        entering=choices_for(session, seat),
        train_url=train_url(session),
        machine=machine_title(session, seat),
        watch_url=games_url(session),
        naming=record.names,
        message=message,
    )


def _phone_question(
    session: ClassSession, url: str, pick: str | None, answer: str | None
) -> QuestionView | None:
    """The current question, with a board to press during a round."""
    if session.round is None or session.record.scene is not Scene.ROUND:
        return current_question(session)
    return question_view(session.round, url, pick, answer)


def _refusal_text(
    current: RoundRecord | None, question: QuestionView | None, pick: str | None
) -> str | None:
    """Why the pressed move is illegal, if it is."""
    if current is None or question is None or question.board is None:
        return None
    if current.question.choices:
        return None
    return refusal_for(current.question.match, question.board, pick)


def question_view(
    current: RoundRecord, url: str = "", pick: str | None = None, answer: str | None = None
) -> QuestionView:
    """A question; with a `url`, its board accepts an answer while the vote is open."""
    question = current.question
    may = bool(url) and current.is_open and question.wants_move
    left = None
    if current.deadline is not None and current.is_open:
        left = max(0, round(current.deadline - service(Clock).now()))
    return QuestionView(
        number=current.number,
        vote=current.vote,
        prompt=question.prompt,
        game=question.game,
        about=context_text(question),
        title=game_title(question.game) if question.game else "",
        table=BoardContext(question.game.partition(":")[0], url, f"{url}/answer"),
        board=_board(question, may, pick, answer) if has_board(question) else None,
        choices=tuple(Choice(one.text, one.text, one.text == answer) for one in question.choices),
        seconds_left=left,
    )


def _board(question: Question, may: bool, pick: str | None, answer: str | None) -> Board:
    match = question.match
    return board_for(
        match,
        ply=match.ply,
        may_move=may,
        pick=pick if may else None,
        last_move=match.moves[-1] if match.moves else None,
        outcome=match.outcome(),
        answer=answer if question.wants_move else None,
    )


def position_picture(question: Question) -> Board | None:
    """The position of a question as a picture, if it has one."""
    if not has_board(question):
        return None
    match = question.match
    return picture_for(match.game, match.state, match.moves[-1] if match.moves else None)


def context_text(question: Question) -> str:
    """Game and player to move, as far as the question has them."""
    title = f"{game_title(question.game)}." if question.game else ""
    is_over = not has_board(question) or question.match.outcome() is not None
    mover = "" if is_over else f"{question.to_move.mark} is to move."
    return " ".join(filter(None, (title, mover)))


def turnout_view(session: ClassSession) -> TurnoutView:
    """Students present, and answers in the current vote."""
    number, vote = (session.round.number, session.round.vote) if session.round else (0, 0)
    found: Turnout = service(ClassStore).turnout(session.record.id, number, vote)
    text = f"{found.answered} of {found.here}"
    return TurnoutView(found.answered, found.here, text, found.answered / max(1, found.here))


def _phone_title(session: ClassSession) -> str:
    """Heading of a phone."""
    scenes = {Scene.STORY: "The match is over", Scene.CUP: "The cup", Scene.MATCH: PROMPT}
    prompt = "Welcome" if session.round is None else session.round.question.prompt
    return scenes.get(session.record.scene, prompt)


def _scene_status(session: ClassSession) -> str:
    match session.record.scene:
        case Scene.MATCH:
            return f"{current_opponent(session)} is thinking."
        case Scene.STORY:
            return "Where did it turn? Look at the screen."
        case Scene.CUP:
            begun = cup_has_begun(session)
            return "The machines have begun. Look at the screen." if begun else "Enter a machine."
        case Scene.ROUND:
            return ""


def _round_status(current: RoundRecord | None, answer: str | None) -> str:
    if current is None:
        return "You are in. Look at the screen: it begins soon."
    said = "" if answer is None else f"You said {answer}. "
    match current.phase:
        case Phase.OPEN if answer is None:
            return "Choose your answer." if current.question.choices else "Choose your move."
        case Phase.OPEN:
            return f"Your answer: {answer}."
        case Phase.CLOSED:
            return f"The vote is closed. {said}Look at the screen."
        case Phase.TALK:
            return f"Talk to your neighbour. {said}Then we vote again."
        case Phase.REVEALED:
            return "Look at the screen."
