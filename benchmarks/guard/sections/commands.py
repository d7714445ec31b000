"""The command line: what every command prints, for people and for programs, and its errors."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from unittest.mock import patch

from benchmarks.guard import adapter
from benchmarks.guard.record import Section
from benchmarks.guard.sections.teaching import LESSON
from benchmarks.guard.terminal import record

COMMANDS = ("serve", "agents", "play", "analyse", "match", "arena", "train", "solve", "optimise")
COMMANDS += ("results", "strength", "class", "jobs", "worker")
GAMES = ("nim", "nim:preset=marienbad", "nim:heaps=3-4-5,last=wins", "tictactoe", "quixo:size=3")
SMALL = ("minimax:depth=2", "alphabeta:nodes=200", "mcts:simulations=40", "perfect", "qlearning")
BOTH = (  # for people and with --json
    "agents",
    "agents tictactoe",
    "agents nim:preset=marienbad",
    "agents quixo",
    "match tictactoe perfect random --games 6",
    "match nim nim-expert random --games 4 --seed 3",
    "match quixo quixo-deep:depth=1 random --games 2 --depth 1",
    "match tictactoe mcts:simulations=20 alphabeta --games 2 --nodes 50",
    "arena tictactoe random perfect menace --games 4 --workers 1",
    "arena nim random nim-expert nim-sum --games 2 --workers 1 --opening 2 --seed 5",
    "arena quixo:size=3 random opportunist --games 2 --workers 2",
    "train tictactoe menace --games 200 --seed 3 --name mine",
    "train --resume mine --games 400",
    "train nim:preset=marienbad es-rules --games 2",
    "train tictactoe qlearning:opponent=random,epsilon=0.2 --games 500",
    "solve tictactoe",
    "solve nim:heaps=3-4-5,last=wins",
    "solve nim:heaps=21,max_take=3",
    "solve quixo:size=3",
    "optimise set-cover:seed=0 greedy astar:branch=rarest exact course breadth-first depth-first",
    "optimise set-cover greedy exact --runs 3",
    "optimise black-box:groups=1 one-plus-one genetic weigh --calls 400",
    "optimise black-box:groups=2,sealed=yes tabu annealing --calls 300 --runs 2 --seed 4",
    "results --only nim-sum",
    "strength tictactoe --out strength.json",
    "class check own-lesson",
    "class check shipped-lesson",
)
ONCE = (
    "",
    "--version",
    "--help",
    "class --help",
    "class check --help",
    "arena tictactoe random perfect --games 2 --workers 1 --csv table.csv",
    "arena tictactoe random perfect --games 2 --workers 1 --csv table.csv --times",
    "nonsense",
    "agnets",
    "--nonsense",
    "agents chess",
    "agents --nonsense",
    "analyse",
    "analyse tictactoe start",
    "analyse tictactoe nonsense --agent perfect",
    "analyse tictactoe start --agent none",
    "analyse tictactoe start --agent nim-sum",
    "analyse tictactoe start --agent perfect:skill=2",
    "analyse tictactoe 'xxx/oo./... o' --agent perfect",
    "match tictactoe perfect",
    "match tictactoe perfect random --games 0",
    "match tictactoe perfect random --games x",
    "match chess perfect random",
    "match tictactoe perfect menac",
    "arena tictactoe random",
    "arena tictactoe random random",
    "arena tictactoe random perfect --workers 0",
    "arena tictactoe random perfect --csv /nowhere/table.csv --workers 1 --games 2",
    "train",
    "train tictactoe perfect",
    "train tictactoe menace:win=x",
    "train tictactoe menace --games 0",
    "train --resume none --games 5",
    "train --resume mine --games 5",
    "train tictactoe menace --games 5 --name ../x",
    "solve chess",
    "solve quixo",
    "solve nim:heaps=99-99-99-99",
    "solve quixo --blanks 7",
    "solve tictactoe --blanks 1",
    "optimise",
    "optimise none greedy",
    "optimise set-cover none",
    "optimise set-cover genetic",
    "optimise set-cover:things=9999 greedy",
    "optimise black-box:groups=1 one-plus-one --calls 999999",
    "results --only nothing-of-that-name",
    "strength chess",
    "class",
    "class nonsense",
    "class check nowhere.txt",
    "class check bad-lesson",
    "play chess --against random",
    "play tictactoe",
    "play tictactoe --against none",
    "serve --port 99999",
    "serve --port x",
    "worker",
    "worker --scheduler nonsense",
    "jobs --nonsense",
)
PLAYED = (
    ("play tictactoe --against perfect --seed 1", "b2\nhint\nmoves\nundo\nz9\nhelp\na1\nquit\n"),
    ("play tictactoe --against random --seed 1 --second", "resign\n"),
    ("play nim:heaps=1-2 --against nim-expert --seed 1", "b1\na1\nb1\n"),
    ("play quixo:size=3 --against opportunist --seed 2", "a1-a3\nb1\nquit\n"),
    ("play tictactoe --against menace --seed 3", ""),
)
BAD = """# A lesson

## Step  x min
position: chess
ask: What?
truth: none

## Another  3 min
position: tictactoe  x.o/.x./..o x
moves: z9
ask: Who wins?
choices: x wins | maybe
truth: value
seconds: 1
colour: red

## None right  3 min
position: nim:preset=normal
ask: Who?
choices: other wins | a draw
truth: value

## Nothing to do  2 min
say: Nothing.

## A match  2 min
position: tictactoe
play: nim-sum
seat: third
link: https://elsewhere.example/
"""
SETTINGS = (
    {"ZERMELO_THINK_SECONDS": "x"},
    {"ZERMELO_THINK_SECONDS": "0"},
    {"ZERMELO_PLAYER_REQUESTS": "8"},
    {"ZERMELO_WORKERS": "0"},
    {"ZERMELO_CLUSTER": "http://elsewhere"},
    {"ZERMELO_CLUSTER": "tcp://elsewhere:1"},
)


def tour(section: Section) -> None:
    recorder = section.recorder
    section.data.mkdir(parents=True, exist_ok=True)
    lesson, bad = section.data / "own.txt", section.data / "bad.txt"
    lesson.write_text(LESSON)
    bad.write_text(BAD)
    shutil.copyfile(adapter.STRENGTH, section.data / "strength.json")
    os.chdir(section.data)
    (section.data / "shipped.txt").write_text(adapter.SHIPPED_LESSON.read_text("utf-8"), "utf-8")
    named = {f"{name}-lesson": f"{name}.txt" for name in ("own", "bad", "shipped")}
    for command in COMMANDS:
        record(recorder, command, "--help")
    for line in BOTH:
        words = [named.get(word, word) for word in _words(line)]
        record(recorder, *words)
        record(recorder, *words, "--json")
    for game in GAMES:
        for agent in SMALL:
            words = ["analyse", game, "start", "--agent", agent]
            record(recorder, *words)
            record(recorder, *words, "--json", "--seed", "4")
    record(recorder, "analyse", "quixo", "start", "--agent", "quixo-deep", "--depth", "2")
    record(recorder, "analyse", "quixo", "start", "--agent", "quixo-evolved", "--nodes", "200")
    for line in ONCE:
        record(recorder, *(named.get(word, word) for word in _words(line)))
    for settings in SETTINGS:
        for command in (("serve", "--port", "0", "--no-open"), ("jobs",)):
            with patch.dict(os.environ, settings):
                record(recorder, *command, about=str(settings))
    for path in sorted(Path().glob("table*.csv")):
        recorder.write(f"file {path.name}", f"{path.name}\n\n{path.read_text()}")
    for line, typed in PLAYED:
        record(recorder, *_words(line), typed=typed)


def _words(line: str) -> list[str]:
    return shlex.split(line)
