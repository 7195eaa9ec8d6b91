"""Steps and batches of games from Python, beside OpenSpiel, Ludax and Pgx. `run_python` calls it.

Usage: python.py [steps|batches] [GAME...]

`steps`: one random legal move at a time, by numbers: `legal_actions`, `apply_action`, at draws
`chance_outcomes`; the same loop for both. `batches`: 4,096 games that take random steps together; masks
and observations are written, games that end begin anew. Ludax and Pgx are compiled by JAX and choose in
the compiled loop, on one thread. Times are those of the processor; each is the median of three.
"""

import os
import random
import statistics
import subprocess
import sys
import time

ROUNDS, SECONDS, GAMES_AT_ONCE = 3, 0.5, 4096

TESTS = "amazons blackjack breakthrough clobber crazy_eights dots_and_boxes gomoku lines_of_action mancala"
TESTS += " nine_mens_morris oh_hell oware ultimate_tic_tac_toe"

# Our name, and that of OpenSpiel with the parameters that make it the same game, or nearly.
STEPS = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four",
    "othello": "othello",
    "backgammon": "backgammon",
    "../shared/strangers/backgammon.game": "backgammon",
    "go": "go(board_size=9)",
    "kuhn-poker": "kuhn_poker",
    "leduc": "leduc_poker",
    "pig": "pig(players=2,winscore=100,horizon=100000)",
    "hex": "hex(board_size=7)",
    "hearts": "hearts",
    **{f"tests/games/{name}.game": name for name in TESTS.split()},
}

# Our name, that of Ludax and that of Pgx.
BATCHES = {
    "tic-tac-toe": ("tic_tac_toe", "tic_tac_toe"),
    "connect-four": ("connect_four", "connect_four"),
    "hex": ("hex", "hex"),
    "othello": ("reversi", "othello"),
    "draughts": ("english_draughts", None),
    "tests/games/gomoku.game": ("gomoku", None),
    "go": (None, "go_9x9"),
    "kuhn-poker": (None, "kuhn_poker"),
    "leduc": (None, "leduc_holdem"),
    "backgammon": (None, "backgammon"),
    "../shared/strangers/chess.game": (None, "chess"),
    "tice": (None, None),
    "elemento": (None, None),
}


def stepping(start, seconds, chance):
    """Steps a second."""
    count, begin = 0, time.process_time()
    while (passed := time.process_time() - begin) < seconds:
        state = start()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(chance.random() * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(chance.random() * len(legal))])
            count += 1
    return count / passed


def steps(names):
    import pyspiel

    import astragal

    print("| game | engine | steps/s | OpenSpiel | ratio |\n|---|---|---:|---:|---:|")
    for name in names or STEPS:
        ours, theirs = astragal.load(name), pyspiel.load_game(STEPS[name])
        chance, rows = random.Random(1), []
        for _ in range(ROUNDS):
            rows.append([stepping(it.new_initial_state, SECONDS, chance) for it in (ours, theirs)])
        mine, other = (statistics.median(column) for column in zip(*rows))
        print(f"| {name} | {ours.engine} | {mine:.0f} | {other:.0f} | {mine / other:.2f} |", flush=True)


def batching(name):
    """Steps a second, by the processor."""
    import astragal.vector

    env = astragal.vector.make(name, num_envs=GAMES_AT_ONCE, seed=1, threads=1)
    env.reset()
    rates = []
    for _ in range(ROUNDS):
        count, begin = 0, time.process_time()
        while (passed := time.process_time() - begin) < 2 * SECONDS:
            env.step(env.sample_actions())
            count += GAMES_AT_ONCE
        rates.append(count / passed)
    return statistics.median(rates)


def of_peer(peer, name):
    """Steps a second of Ludax or Pgx; this runs in a process of its own."""
    import jax
    import jax.numpy as jnp

    if peer == "ludax":
        import ludax
        from ludax.environment import LudaxEnvironment

        folder = os.path.join(os.path.dirname(ludax.__file__), "games")
        env = LudaxEnvironment(game_path=f"{folder}/{name}.ldx")
        begin = jax.vmap(env.init)

        def step(state, action, keys):
            after, fresh = jax.vmap(env.step)(state, action.astype(jnp.int16)), begin(keys)
            over = after.terminated
            anew = lambda old, new: jnp.where(over.reshape((-1,) + (1,) * (old.ndim - 1)), new, old)
            return jax.tree_util.tree_map(anew, after, fresh)
    else:
        import pgx
        from pgx.experimental import auto_reset

        env = pgx.make(name)
        begin, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def one(carried, _):
        state, key = carried
        key, choice, anew = jax.random.split(key, 3)
        chances = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(choice, chances, axis=-1)
        return (step(state, action, jax.random.split(anew, GAMES_AT_ONCE)), key), None

    chunk = jax.jit(lambda carried: jax.lax.scan(one, carried, None, length=10)[0])
    key = jax.random.PRNGKey(1)
    carried = chunk((begin(jax.random.split(key, GAMES_AT_ONCE)), key))
    jax.block_until_ready(carried)
    rates = []
    for _ in range(ROUNDS):
        count, started = 0, time.process_time()
        while (passed := time.process_time() - started) < 2 * SECONDS:
            carried = chunk(carried)
            jax.block_until_ready(carried)
            count += 10 * GAMES_AT_ONCE
        rates.append(count / passed)
    print(statistics.median(rates))


def beside(peer, name):
    """The rate of a peer, measured in a process of its own; nothing if it has no such game."""
    if name is None:
        return None
    settings = {
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    }
    command = [sys.executable, __file__, "peer", peer, name]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | settings)
    return float(done.stdout.split()[-1]) if done.returncode == 0 else None


def batches(names):
    print("| game | steps/s | Ludax | ratio | Pgx | ratio |\n|---|---:|---:|---:|---:|---:|")
    for name in names or BATCHES:
        mine, cells = batching(name), []
        for peer, theirs in zip(("ludax", "pgx"), BATCHES[name]):
            other = beside(peer, theirs)
            cells += ["-", "-"] if other is None else [f"{other:.0f}", f"{mine / other:.1f}"]
        print(f"| {name} | {mine:.0f} | {' | '.join(cells)} |", flush=True)


def main():
    what, names = (sys.argv[1:2] or ["all"])[0], sys.argv[2:]
    if what == "peer":
        return of_peer(*names)
    if what in ("steps", "all"):
        steps(names)
    if what in ("batches", "all"):
        batches(names)


main()
