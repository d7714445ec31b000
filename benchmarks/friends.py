"""Pairs of friends at two devices each, for the load: one invites, both do what their pages do."""

from __future__ import annotations

import asyncio
import random
import re
import time
from typing import Any

from benchmarks.players import Browser, Figures
from engine import Match, Seat, ZermeloError, load_game

GAMES = ("tictactoe", "nim", "quixo")
PLY = re.compile(r'data-ply="(\d+)"')
INVITATION = re.compile(r"/invitations/[\w-]+")
FOLLOWING = re.compile(r'data-follow hx-get="([^"]+)".*?hx-trigger="every (\d+)s')
FAILURES = (OSError, EOFError, IndexError, ZermeloError)


class Friend:
    """One page of a match, as its last answer left it."""

    def __init__(self, port: int, seat: Seat) -> None:
        self.browser = Browser(port)
        self.seat = seat
        self.path = ""
        self.shown = 0  # the ply on the board
        self.follow = ""
        self.every = 0.0
        self.asks = 0.0  # when the page asks next

    async def open(self, path: str) -> str:
        self.path = path
        _, _, text = await self.browser.send("GET", path)
        self.shows(text)
        return text

    def shows(self, text: str) -> None:
        """A board came back: from now on the page asks as it says there."""
        self.shown = int(PLY.findall(text)[0])
        address, seconds = FOLLOWING.findall(text)[0]
        self.follow = address.replace("&amp;", "&")
        self.every = float(seconds)
        self.asks = time.monotonic() + self.every


class Pair:
    """Two friends who play one match after the other, a move every few seconds."""

    def __init__(self, number: int, port: int, figures: Figures, pause: float) -> None:
        self.friends = tuple(Friend(port, seat) for seat in Seat)
        self.rng = random.Random(number)
        self.game = load_game(GAMES[number % len(GAMES)])
        self.figures = figures
        self.pause = pause
        self.match: Match[Any, Any] = Match.begin(self.game)
        self.due = 0.0  # when the next move is meant
        self.meant = 0.0  # when the last one was
        self.failed = False

    async def play(self, until: float) -> None:
        await asyncio.sleep(self.rng.uniform(0, self.pause))
        while time.monotonic() < until:
            self.failed = False
            try:
                await self.sit_down()
            except FAILURES as error:
                self.fail(f"sitting down: {type(error).__name__}")
                await asyncio.sleep(self.pause)
            else:
                await asyncio.gather(*(self.live(friend, until) for friend in self.friends))

    async def sit_down(self) -> None:
        """One begins and sends the link, the other takes the seat by it."""
        owner, guest = self.friends
        fields = {"game": self.game.key, "opponent": "friend"}
        _, path, _ = await owner.browser.send("POST", "/matches", fields)
        link = INVITATION.findall(await owner.open(path))[0]
        await guest.browser.send("GET", link)
        _, taken, _ = await guest.browser.send("POST", link, {"seat": guest.seat.mark}, page=link)
        await guest.open(taken)
        self.match = Match.begin(self.game)
        self.due = time.monotonic() + self.pause

    async def live(self, friend: Friend, until: float) -> None:
        """Ask as often as the page does, move when it is time, until the end is seen."""
        while not self.failed and (time.monotonic() < until or friend.shown < self.match.ply):
            if friend.shown == self.match.ply and self.match.outcome() is not None:
                return
            moves = friend.shown == self.match.ply and self.match.state.to_move == friend.seat
            moves = moves and self.due < min(until, friend.asks)
            await asyncio.sleep((self.due if moves else friend.asks) - time.monotonic())
            try:
                await (self.move(friend) if moves else self.look(friend))
            except FAILURES as error:
                self.fail(f"{'moving' if moves else 'following'}: {type(error).__name__}")

    async def move(self, friend: Friend) -> None:
        """Any legal move; it counts from the moment it was meant."""
        after = self.match.play(self.rng.choice(self.match.state.legal_moves()))
        fields = {"move": str(after.moves[-1]), "revision": str(self.match.ply)}
        meant = self.due
        sent = friend.browser.send("POST", f"{friend.path}/moves", fields, page=friend.path)
        # Before the answer is here the other page may show it.
        self.match, self.meant, self.due = after, meant, meant + self.pause
        friend.shown = after.ply
        status, _, text = await sent
        self.figures.moves.append(time.monotonic() - meant)
        if status != 200:
            self.fail(f"moves {status}")
        else:
            friend.shows(text)

    async def look(self, friend: Friend) -> None:
        """What the page asks by itself: nothing new, or a board with the other's move on it."""
        friend.asks = time.monotonic() + friend.every
        status, _, text = await friend.browser.send("GET", friend.follow, page=friend.path)
        self.figures.looks += 1
        if status == 204:
            return
        if status != 200:
            self.fail(f"follow {status}")
            return
        before = friend.shown
        friend.shows(text)
        if friend.shown > before:
            self.figures.seen.append(time.monotonic() - self.meant)

    def fail(self, how: str) -> None:
        """Counted, and both begin another match."""
        self.figures.errors[how] += 1
        self.failed = True
        for friend in self.friends:
            friend.browser.hang_up()
