#!/usr/bin/env python3
"""Your player for Zermelo in one file: Python 3.8 or later, nothing to install.

1. Write your player: the function `choose` below.
2. Run it:        python bot.py http://10.0.0.5:8000 KXWQ --name Ada
   On the computer that serves the games no code is needed:
                  python bot.py http://localhost:8000 --name Ada
3. Try it alone:  python bot.py http://localhost:8000 --practice quixo --against random

It plays until Ctrl-C, and goes on by itself when the server or the network was away. What you
print goes to your bot's log. An exception costs the game, and its page shows where it was raised.
Your program stays on your computer; the server never runs it.
"""

import argparse
import contextlib
import http.client
import importlib.util
import io
import json
import os
import random
import sys
import time
import traceback
from urllib.parse import urlsplit

PLAYS = []  # the games your player knows, such as ["quixo", "nim"]; empty: every game


def choose(turn):
    """Choose a move: return one of `turn.legal`.

    turn.game       the game, such as "quixo" or "nim:heaps=1-3-5-7"
    turn.seat       "x" if you moved first, else "o"
    turn.state      the position as a text; turn.board has its rows
    turn.moves      the moves played so far
    turn.legal      the moves you can play
    turn.seconds_left   until your time is over
    turn.rng        random numbers that are the same when the same game is played again

    You may also return (move, values) or (move, values, reason): values is a dict from moves to
    numbers from -1 (lost) to 1 (won), reason a sentence. The page of the game shows them.
    """
    return turn.rng.choice(turn.legal)


# From here on it is about HTTP: there is nothing to change.

TOKENS = ".zermelo-bots.json"  # remembers that this bot has joined, for the next start
UNTIMED_S = 60.0  # what a turn without a clock says is left
TIMEOUT_S = 20.0  # for an answer of the server
MAX_WAIT_S = 5.0  # between two tries
MAX_LOG_CHARS = 4000
CALLERS = ("_answer", "<lambda>")  # which call `choose`; a traceback begins with it


class Turn:
    """A position, the moves that can be played in it, and the time there is."""

    def __init__(self, document):
        self.game = document["game"]
        self.seat = document["seat"]
        self.state = document["state"]
        self.moves = list(document.get("moves") or [])
        self.legal = list(document["legal"])
        self.start = document.get("start") or ""
        self.ply = document.get("ply", len(self.moves))
        self.seed = document.get("seed") or 0
        self.rng = random.Random(self.seed)
        self.opponent = document.get("opponent") or ""
        self.error = ""  # why your last answer to this turn was refused
        self.tries = 0  # answers to this turn that were refused
        clock = document.get("clock")
        self.seconds = UNTIMED_S if clock is None else clock["move"] + clock["left"]
        self._deadline = time.monotonic() + self.seconds

    @property
    def seconds_left(self):
        """Until your time is over; 0 when it is."""
        return max(0.0, self._deadline - time.monotonic())

    @property
    def key(self):
        """The game without its options: `nim`."""
        return self.game.partition(":")[0]

    @property
    def seat_index(self):
        """0 for `x`, who moved first, 1 for `o`."""
        return 0 if self.seat == "x" else 1

    @property
    def board(self):
        """The rows as texts, from the top: `x.o`; of Nim a `|` for each match of a row."""
        rows = self.state.rpartition(" ")[0]
        if self.key == "nim":
            return ["|" * int(heap) for heap in rows.split("-")]
        return rows.split("/")


class RefusedError(Exception):
    """The server said no, and why."""

    def __init__(self, status, document):
        super().__init__(document.get("message") or f"status {status}")
        self.status = status
        self.document = document


class Connection:
    """One connection to the server, opened again whenever it breaks."""

    def __init__(self, address, say=print):
        parts = urlsplit(address if "://" in address else "http://" + address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"an address is http://host:port, not {address!r}")
        kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        self.address = f"{parts.scheme}://{parts.netloc}"
        self.say = say
        self._open = lambda: kinds[parts.scheme](parts.netloc, timeout=TIMEOUT_S)
        self._connection = None

    def call(self, method, path, body=None, token=None):
        """The JSON that is answered; tries again until the server is there. Raises RefusedError."""
        wait, silent = 0.5, False
        while True:
            try:
                status, headers, document = self._send(method, path, body, token)
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.close()
                status, headers, document = 503, {}, {"message": str(error) or type(error).__name__}
            if status in (429, 502, 503, 504):
                if not silent and status != 429:
                    why = document.get("message")
                    self.say(f"the server does not answer ({why}): trying again")
                    silent = True
                retry = str(headers.get("Retry-After") or "")
                time.sleep(min(MAX_WAIT_S, float(retry)) if retry.isdigit() else wait)
                wait = min(MAX_WAIT_S, wait * 2)
                continue
            if silent:
                self.say("the server is back")
            if status >= 400:
                raise RefusedError(status, document)
            return document

    def close(self):
        """End the connection; the next call opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _send(self, method, path, body, token):
        if self._connection is None:
            self._connection = self._open()
        headers = {"Accept": "application/json"}
        if token:
            headers["Authorization"] = "Bearer " + token
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        self._connection.request(method, path, data, headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        document = json.loads(text) if text else {}
        return answer.status, answer.headers, document if isinstance(document, dict) else {}


class Bot:
    """A player that has joined a server."""

    def __init__(self, connection, name, code, plays, player, say=print, tokens=TOKENS):
        self.connection = connection
        self.name = name
        self.code = code
        self.plays = plays
        self.player = player  # called with a turn's JSON and a Turn
        self.say = say
        self.tokens = tokens  # the file that remembers; "" for none
        self.token = ""
        self.id = ""

    def join(self):
        """Take up the token of an earlier start, or ask for a new one; raises RefusedError."""
        known = self._remembered().get(self._key())
        if known and not self.token:
            self.token, self.id = known["token"], known["bot"]
            return
        body = {"name": self.name, "code": self.code, "plays": self.plays}
        made = self.connection.call("POST", "/api/1/bots", body)
        self.token, self.id = made["token"], made["bot"]
        self.say("joined as {}: {}{}".format(made["name"], self.connection.address, made["page"]))
        if made.get("claim"):
            self.say("its log, for you alone: {}{}".format(self.connection.address, made["claim"]))
        self._remember(made)

    def play(self, goes_on=lambda: True):
        """Answer turns until `goes_on` says no."""
        waiting = None
        while goes_on():
            try:
                document = waiting or self._call("GET", "/api/1/turn")
                if document.get("turn") is None:
                    waiting = None
                    time.sleep(document.get("again") or 1.0)
                else:
                    waiting = self._answer(document)
            except RefusedError as refusal:
                waiting = None
                if refusal.status not in (401, 410):
                    raise
                self._forget()
                self.join()

    def _answer(self, document):
        """Answer a turn, and return the next one or when to ask for it, if that is known."""
        turn, again, path = Turn(document), True, "/api/1/turn/" + document["turn"]
        head = f"{turn.game} against {turn.opponent}, move {turn.ply + 1}"
        while again:
            began, said = time.monotonic(), io.StringIO()
            try:
                with contextlib.redirect_stdout(said):
                    body = as_answer(self.player(document, turn))
            except (Exception, SystemExit) as error:  # noqa: BLE001 - shown to its author
                return self._failed(path, head, said.getvalue(), error)
            took = time.monotonic() - began
            for line in said.getvalue().splitlines():
                self.say("    " + line)
            if said.getvalue():
                body["log"] = said.getvalue()[-MAX_LOG_CHARS:]
            try:
                answer = self._post(path, body)
            except RefusedError as refusal:
                self.say("{}: {} was refused: {}".format(head, body["move"], refusal))
                if refusal.status == 409:
                    return None
                if refusal.status != 422:
                    raise
                again = refusal.document.get("lives", 0) > 0
                turn.error = str(refusal)
                turn.tries += 1
            else:
                self.say("{}: {} in {:.2f} s".format(head, answer["played"], took))
                return next_turn(answer)
        return None

    def _post(self, path, body):
        """Send an answer; without what it says of its move where the server cannot read that."""
        try:
            return self._call("POST", path, body)
        except RefusedError as refusal:
            told = set(body) - {"move"}
            if refusal.status != 422 or refusal.document.get("error") != "invalid" or not told:
                raise
            self.say(f"left out: {refusal}")
            return self._call("POST", path, {"move": body["move"]})

    def failure(self, error):
        """What went wrong in one line, and the traceback."""
        trace = error.__traceback__
        while trace.tb_next and trace.tb_frame.f_code.co_name in CALLERS:
            trace = trace.tb_next
        frame = traceback.extract_tb(trace)[-1]
        what = " ".join(traceback.format_exception_only(type(error), error)[-1].split())
        if frame.name != as_answer.__name__:  # of an answer that is no move no line is at fault
            what += f" (line {frame.lineno} of {os.path.basename(frame.filename)})"
        return what, "".join(traceback.format_exception(type(error), error, trace))

    def _failed(self, path, head, said, error):
        """Give up the game, with the traceback for the log."""
        reason, trace = self.failure(error)
        self.say(f"{head}: {reason}")
        log = (said + "\n" + trace)[-MAX_LOG_CHARS:]
        sys.stderr.write(trace)
        try:
            body = {"reason": reason[:280], "log": log}
            return next_turn(self._call("POST", path + "/resign", body))
        except RefusedError as refusal:
            if refusal.status != 409:
                raise
            return None

    def practise(self, game, opponent, seat="x"):
        """Begin an unrated game without a clock against a machine."""
        body = {"game": game, "opponent": opponent, "seat": seat}
        begun = self._call("POST", "/api/1/practice", body)
        self.say("practice: {}{}".format(self.connection.address, begun["page"]))
        return begun["match"]

    def games(self):
        """The bot's last games, the latest first."""
        return self._call("GET", f"/api/1/bots/{self.id}/games")["games"]

    def _call(self, method, path, body=None):
        return self.connection.call(method, path, body, self.token)

    def _key(self):
        """Where it has joined under which name: a bot in two leagues has two tokens."""
        return f"{self.connection.address} {self.code} {self.name}"

    def _remembered(self):
        try:
            with open(self.tokens, encoding="utf-8") as file:
                found = json.load(file)
            return found if isinstance(found, dict) else {}
        except (OSError, ValueError):
            return {}

    def _remember(self, made):
        known = self._remembered()
        known[self._key()] = {"bot": made["bot"], "token": made["token"]}
        self._write(known)

    def _forget(self):
        known = self._remembered()
        if known.pop(self._key(), None) is not None:
            self._write(known)

    def _write(self, known):
        if not self.tokens:
            return
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with os.fdopen(os.open(self.tokens, flags, 0o600), "w", encoding="utf-8") as file:
                json.dump(known, file)
        except OSError as error:  # it will join anew the next time
            self.say(f"cannot remember the token: {error}")


def next_turn(answer):
    """The turn that came with an answer, or when to ask for one."""
    return answer.get("next") or {"turn": None, "again": answer.get("again") or 0.1}


def as_answer(result):
    """What `choose` returned as JSON; raises TypeError for anything else."""
    parts = list(result) if isinstance(result, (tuple, list)) else [result]
    if not 1 <= len(parts) <= 3 or not isinstance(parts[0], str):
        why = "choose returned {!r}: return a move's text, or (move, values, reason)"
        raise TypeError(why.format(result))
    body = {"move": parts[0]}
    if len(parts) > 1 and parts[1]:
        body["values"] = {str(move): float(value) for move, value in dict(parts[1]).items()}
    if len(parts) > 2 and parts[2]:
        body["reason"] = str(parts[2])
    return body


def loaded(text):
    """The function of `FILE` or `FILE:NAME`, and the games its module plays."""
    path, _, name = text.partition(":") if ":" in text[2:] else (text, "", "")
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("player", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    player = getattr(module, name or "choose", None)
    if isinstance(player, type):
        player = player().choose
    if not callable(player):
        raise SystemExit("there is no function {} in {}".format(name or "choose", path))
    return player, list(getattr(module, "PLAYS", []))


def play_practice(bot, game, opponent, count):
    """Play so many games, first and second in turns, and return how each ended."""
    results = []
    for number in range(count):
        match = bot.practise(game, opponent, "xo"[number % 2])
        ended = []

        def goes_on(match=match, ended=ended):
            """Until this game is over."""
            ended[:] = [each for each in bot.games() if each["match"] == match and each["result"]]
            return not ended

        bot.play(goes_on)
        results.append(ended[0]["result"])
        why = " ({})".format(ended[0]["fault"]) if ended[0]["fault"] else ""
        bot.say("game {}: {}{}".format(number + 1, ended[0]["result"], why))
    return results


def main(arguments=None):
    """The command line."""
    parser = argparse.ArgumentParser(description="Plays on a Zermelo server until Ctrl-C.")
    parser.add_argument("server", help="its address, such as http://10.0.0.5:8000")
    parser.add_argument("code", nargs="?", default="", help="that of the class or the server")
    parser.add_argument("--name", default="", help="your bot's name")
    parser.add_argument("--player", metavar="FILE[:NAME]", help="a file with choose(turn)")
    parser.add_argument("--practice", metavar="GAME", help="play a machine and stop")
    parser.add_argument("--against", default="random", metavar="MACHINE", help="in practice")
    parser.add_argument("--games", type=int, default=2, help="of the practice")
    given = parser.parse_args(arguments)
    player, plays = loaded(given.player) if given.player else (choose, PLAYS)
    name = given.name or os.path.splitext(os.path.basename(given.player or ""))[0] or "My bot"
    say = lambda line: print(line, file=sys.__stdout__, flush=True)  # noqa: E731
    try:
        connection = Connection(given.server, say)
        bot = Bot(connection, name, given.code, plays, lambda _, turn: player(turn), say)
        bot.join()
        if given.practice:
            results = play_practice(bot, given.practice, given.against, given.games)
            counts = [f"{results.count(each)} {each}" for each in ("won", "drawn", "lost")]
            say("practice against {}: {}".format(given.against, ", ".join(counts)))
        else:
            say("waiting for games; Ctrl-C ends it")
            bot.play()
    except (RefusedError, ValueError) as error:
        raise SystemExit(f"bot.py: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
