"""Uniform random playouts in OpenSpiel beside those of `cargo bench --bench playouts`.

Reads the table of the bench on standard input and prints a row for each game that both know. The
driver is the loop that OpenSpiel's own examples use, from Python: one state, legal actions or chance
outcomes, apply, until the end.
"""

import random
import statistics
import sys
import time

import pyspiel

# Our name of a game, and OpenSpiel's with the parameters that make it the same game.
GAMES = {
    "Tic-tac-toe": "tic_tac_toe",
    "Connect Four": "connect_four",
    "Pig": "pig(players=2,winscore=100,horizon=100000)",
    "Kuhn poker": "kuhn_poker",
}

ROUNDS = 7
SECONDS = 0.4


def playout(game):
    """Plays one game at random."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes())
            state.apply_action(random.choices(actions, weights)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
    return state.returns()


def rate(name):
    """Playouts a second: the median of some rounds."""
    game = pyspiel.load_game(name)
    rates = []
    for _ in range(ROUNDS):
        begin, played = time.perf_counter(), 0
        while time.perf_counter() - begin < SECONDS:
            playout(game)
            played += 1
        rates.append(played / (time.perf_counter() - begin))
    return statistics.median(rates)


def ours(table):
    """The first figure of each row of the first table."""
    rates = {}
    for line in table.split("\n\n")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) > 1 and cells[1].isdigit():
            rates[cells[0]] = int(cells[1])
    return rates


def main():
    random.seed(1)
    known = ours(sys.stdin.read())
    print("| game | astragal, playouts/s | OpenSpiel from Python, playouts/s | times |")
    print("|---|---:|---:|---:|")
    for name, spiel in GAMES.items():
        theirs = rate(spiel)
        print(f"| {name} | {known[name]} | {theirs:.0f} | {known[name] / theirs:.0f} |")


main()
