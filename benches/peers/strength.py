"""How strong bots are, by OpenSpiel's measure. `run_strength` calls it.

Usage: strength.py duels BOT GAMES [GAME...] | strength.py poker BOT SAMPLES [TRAINED]

`duels`: BOT, such as mcts:40ms, against OpenSpiel's own Monte Carlo tree search (its code in C++, uct_c 2, one
random game a simulation, with its solver) with 50 ms a move, on the rules of both at once: they agree on each legal
move and on the result. Seats alternate. `poker`: the exploitability of BOT in Kuhn and Leduc poker: half of what two
best answers win together. Its policy is how often it chooses each action in SAMPLES trials at each
information state. If TRAINED is given, it first learns from so many games.
"""

import collections
import math
import shutil
import sys
import tempfile
import time

import astragal
import astragal.openspiel
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

MILLISECONDS = 50

# Our game and its options, that of OpenSpiel, and how we write its moves.
DUELS = {
    "connect-four": ({}, "connect_four", lambda it: f"drop {int(it[1:]) + 1}"),
    "tests/games/breakthrough.game": ({}, "breakthrough", lambda it: f"go {it[:2]} {it[2:4]}"),
    "hex": ({"swap": "no"}, "hex(board_size=7)", lambda it: it[:2]),
    "othello": ({}, "othello", lambda it: it[:2]),
}


def interval(points: float, games: int) -> str:
    """A rate with its Wilson interval of 95 %."""
    z, rate = 1.96, points / games
    middle = (rate + z * z / 2 / games) / (1 + z * z / games)
    width = z * math.sqrt(rate * (1 - rate) / games + z * z / 4 / games**2) / (1 + z * z / games)
    return f"{100 * rate:.1f} % ({100 * (middle - width):.1f}-{100 * (middle + width):.1f})"


def duel(name: str, bot: str, games: int) -> None:
    options, peer, words = DUELS[name]
    ours, theirs = astragal.load(name, options=options), pyspiel.load_game(peer)
    points, seconds, moves = 0.0, [0.0, 0.0], [0, 0]
    for number in range(games):
        evaluator = pyspiel.RandomRolloutEvaluator(1, number)
        selection = pyspiel.ChildSelectionPolicy.UCT
        limits = (100_000_000, 1000, True, number, False, selection, MILLISECONDS / 1000)
        other = pyspiel.MCTSBot(theirs, evaluator, 2.0, *limits)
        here, there, seat = ours.new_initial_state(), theirs.new_initial_state(), number % 2
        while not there.is_terminal():
            legal = {there.action_to_string(it): it for it in there.legal_actions()}
            if list(legal) == ["pass"]:
                # Our Othello passes by itself.
                there.apply_action(legal["pass"])
                continue
            known = {words(it): action for it, action in legal.items()}
            assert here.current_player() == there.current_player(), name
            assert set(known) == {here.action_to_string(it) for it in here.legal_actions()}, name
            begun, is_other = time.perf_counter(), there.current_player() != seat
            if is_other:
                move = words(there.action_to_string(other.step(there)))
            else:
                move = here.action_to_string(here.bot_action(bot, seed=1000 * number + moves[0]))
            seconds[is_other] += time.perf_counter() - begun
            moves[is_other] += 1
            here.apply_action(here.string_to_action(move))
            there.apply_action(known[move])
        assert list(here.returns()) == list(there.returns()), name
        points += (there.returns()[seat] + 1) / 2
    used = [f"{1000 * spent / count:.0f} ms" for spent, count in zip(seconds, moves)]
    print(f"| {name} | {bot} | {games} | {interval(points, games)} | {' | '.join(used)} |", flush=True)


def poker(name: str, bot: str, samples: int, trained: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copy(name, folder)
        if trained:
            astragal.train(path, trained)
        game = pyspiel.load_game(astragal.openspiel.register(path, utility="score"))
        states = collections.defaultdict(list)
        waiting = [game.new_initial_state()]
        while waiting:
            state = waiting.pop()
            if state.is_terminal():
                continue
            if state.is_chance_node():
                waiting.extend(state.child(outcome) for outcome, _ in state.chance_outcomes())
                continue
            states[state.information_state_string(state.current_player())].append(state)
            waiting.extend(state.child(action) for action in state.legal_actions())
        found = policy.TabularPolicy(game)
        for key, here in states.items():
            row = found.policy_for_key(key)
            row[:] = 0
            for number in range(samples):
                row[here[number % len(here)].position.bot_action(bot, seed=number)] += 1 / samples
        values = [exploitability.exploitability(game, it) for it in (found, policy.UniformRandomPolicy(game))]
        print(f"| {game.get_type().long_name} | {bot} | {trained or '-'} | {values[0]:.3f} | {values[1]:.3f} |")


if __name__ == "__main__":
    what, bot, count, *rest = sys.argv[1:]
    if what == "duels":
        for name in rest or DUELS:
            duel(name, bot, int(count))
    else:
        for name in ("examples/kuhn-poker.game", "tests/games/leduc_poker.game"):
            poker(name, bot, int(count), int(rest[0]) if rest else 0)
