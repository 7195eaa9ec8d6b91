"""Uniform random playouts beside those of OpenSpiel, both in their own loops, with and without machine code.

Usage: peers.py BENCH [GAME...], where BENCH is the program that `cargo bench --bench playouts` builds.

OpenSpiel plays with `pyspiel.evaluate_bots` and its own random bots: all of it is C++. The two take turns,
on one thread; times are those of the processor, and the medians are compared. Where rules differ in
length (Hearts is one deal there and a whole match here), what counts is the time of an event: a decision
or a draw of chance.
"""

import random
import statistics
import subprocess
import sys
import time

import pyspiel

# Our name of a game, and OpenSpiel's with the parameters that make it the same game, or nearly.
GAMES = {
    "Tic-tac-toe": "tic_tac_toe",
    "Connect Four": "connect_four",
    "Pig": "pig(players=2,winscore=100,horizon=100000)",
    "Kuhn poker": "kuhn_poker",
    "Othello": "othello",
    "Backgammon": "backgammon",
    "Go": "go(board_size=9)",
    "Draughts": "checkers",
    "Hex": "hex(board_size=7)",
    "Hearts": "hearts",
    "Leduc poker": "leduc_poker",
}

# Games that were written from the documentation alone, by their files.
WRITTEN = {
    "amazons": "amazons",
    "blackjack": "blackjack",
    "breakthrough": "breakthrough",
    "clobber": "clobber",
    "crazy_eights": "crazy_eights",
    "dots_and_boxes": "dots_and_boxes",
    "einstein_wurfelt_nicht": "einstein_wurfelt_nicht",
    "gomoku": "gomoku",
    "goofspiel": "goofspiel(imp_info=False)",
    "lines_of_action": "lines_of_action",
    "mancala": "mancala",
    "nine_mens_morris": "nine_mens_morris",
    "oh_hell": "oh_hell",
    "oware": "oware",
    "ultimate_tic_tac_toe": "ultimate_tic_tac_toe",
}
GAMES |= {f"tests/games/{name}.game": peer for name, peer in WRITTEN.items()}

ROUNDS = 5
SECONDS = 0.3


def events(game):
    """Decisions and draws in one random game."""
    state, count = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes())
            state.apply_action(random.choices(actions, weights)[0])
        elif state.is_simultaneous_node():
            seats = range(game.num_players())
            state.apply_actions([random.choice(state.legal_actions(seat)) for seat in seats])
            count += len(seats) - 1
        else:
            state.apply_action(random.choice(state.legal_actions()))
        count += 1
    return count


def rate(game, bots, seed):
    """Playouts a second."""
    begin, played = time.process_time(), 0
    while time.process_time() - begin < SECONDS:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed + played)
        played += 1
    return played / (time.process_time() - begin)


def ours(bench, name):
    """The rates of both engines, and how many events a playout has."""
    out = subprocess.run([bench, name], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] == name:
            return float(cells[1]), float(cells[2].replace("-", "nan")), float(cells[4])
    raise SystemExit(f"{bench} does not know {name}")


def main():
    random.seed(1)
    bench, names = sys.argv[1], sys.argv[2:] or list(GAMES)
    print("| game | interpreter, playouts/s | native | OpenSpiel | times | native | times, by event | native |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name in names:
        game = pyspiel.load_game(GAMES[name])
        bots = [pyspiel.make_uniform_random_bot(seat, 7 + seat) for seat in range(game.num_players())]
        rows = [(*ours(bench, name), rate(game, bots, 1000 * turn)) for turn in range(ROUNDS)]
        slow, fast, length, peer = (statistics.median(column) for column in zip(*rows))
        games = 20 if length > 100 else 500
        longer = length / statistics.mean(events(game) for _ in range(games))
        times = [slow / peer, fast / peer]
        cells = [f"{value:.0f}" for value in (slow, fast, peer)]
        cells += [f"{value:.1f}" for value in (*times, *(value * longer for value in times))]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
