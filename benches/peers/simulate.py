"""The whole command `astragal simulate GAME`, with all that it counts, beside OpenSpiel's own loop in C++.

Usage: simulate.py ASTRAGAL [GAME...], where ASTRAGAL is the program, built with machine code (`--release --features
native`). `run_simulate` calls it.

`interpreter` is the command with `--engine interpreter`, `default` without it. OpenSpiel plays with
`pyspiel.evaluate_bots` and its own random bots. They take turns. What is compared are events (decisions and
draws) a second of processor time, of all threads, starting and loading included: medians of three. Each
command plays so many games as take about a second or two, but at most ten million.
"""

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time

import pyspiel

from peers import WRITTEN, events

PAIRS = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four",
    "pig": "pig(players=2,winscore=100,horizon=100000)",
    "kuhn-poker": "kuhn_poker",
    "othello": "othello",
    "backgammon": "backgammon",
    "go": "go(board_size=9)",
    "draughts": "checkers",
    "hex": "hex(board_size=7)",
    "hearts": "hearts",
    "leduc": "leduc_poker",
}

PAIRS |= {f"tests/games/{name}.game": peer for name, peer in WRITTEN.items()}

# Games of strangers, where they lie beside the project.
STRANGERS = {
    "backgammon": "backgammon",
    "chess": "chess",
    "hanabi": "hanabi(players=3)",
    "hearts": "hearts",
    "leduc": "leduc_poker",
    "othello": "othello",
}
PAIRS |= {f"../shared/strangers/{name}.game": peer for name, peer in STRANGERS.items()}

ROUNDS, SECONDS, MOST_GAMES = 3, 1.0, 10_000_000


def children_time():
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def simulated(program, name, count, engine):
    """Events a second of processor time; and for how long it ran."""
    command = [program, "simulate", name, "-n", str(count), "--seed", "1", "--format", "json", *engine]
    before = children_time()
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    spent = children_time() - before
    found = json.loads(out)
    length = found["decisions"]["mean"] + found["draws_of_chance"]["mean"]
    return count * length / spent, spent


def games_to_play(program, name):
    """So many games as take the default command about a second or two."""
    count = 100
    while True:
        _, spent = simulated(program, name, count, [])
        if spent > SECONDS / 2 or count >= MOST_GAMES:
            return count
        count = min(MOST_GAMES, int(count * max(2, min(20, SECONDS / spent))))


def peer_rate(game, bots, seed):
    """Games a second."""
    begin, played = time.process_time(), 0
    while time.process_time() - begin < SECONDS / 2:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed + played)
        played += 1
    return played / (time.process_time() - begin)


def main():
    random.seed(1)
    program, names = sys.argv[1], sys.argv[2:] or list(PAIRS)
    print("| game | games | interpreter, events/s | default | OpenSpiel | times | default |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name in names:
        if name.endswith(".game") and not os.path.exists(name):
            continue
        game = pyspiel.load_game(PAIRS[name])
        bots = [pyspiel.make_uniform_random_bot(seat, 7 + seat) for seat in range(game.num_players())]
        count, rows = games_to_play(program, name), []
        for turn in range(ROUNDS):
            interpreted, _ = simulated(program, name, count, ["--engine", "interpreter"])
            default, _ = simulated(program, name, count, [])
            rows.append((interpreted, default, peer_rate(game, bots, 1000 * turn)))
        slow, fast, peer = (statistics.median(column) for column in zip(*rows))
        first = events(game)
        peer *= statistics.mean(events(game) for _ in range(20 if first > 100 else 300))
        cells = [count, *(f"{value:.0f}" for value in (slow, fast, peer)), f"{slow / peer:.2f}", f"{fast / peer:.2f}"]
        print(f"| {name} | {' | '.join(map(str, cells))} |", flush=True)


main()
