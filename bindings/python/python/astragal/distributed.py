"""Simulations on the machines of a Ray cluster."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

import ray

import astragal
from astragal._simulation import Simulation

__all__ = ["simulate"]


def simulate(
    game: str | Path | astragal.Game,
    playouts: int = 10_000,
    *,
    shards: int,
    seats: str | Sequence[str] = "random",
    seed: int | None = None,
    threads: int = 1,
    vary: Mapping[str, Sequence[object]] | None = None,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
) -> Simulation:
    """Plays the parts of a simulation on a Ray cluster and adds them up.

    The numbers are those of `astragal.simulate` with the same seed. If a worker dies, another one
    plays its part again. Each part is a task with `threads` processors. The files of the game are
    sent with it, so workers need the package and nothing else. Only the counts of finished parts
    travel back, some ten kilobytes each.

    >>> import ray
    >>> _ = ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    >>> simulate("nim", 1000, shards=4, seed=1).data["playouts"]
    1000
    >>> ray.shutdown()
    """
    if shards < 1:
        raise ValueError("a simulation has at least one shard")
    if not isinstance(game, astragal.Game):
        game = astragal.load(game, players=players, options=options)
    elif players is not None or options:
        raise TypeError("a loaded game has its players and options already")
    seed = secrets.randbits(32) if seed is None else seed
    # A part that breaks a rule breaks it on every machine: only lost workers are tried again.
    play = ray.remote(num_cpus=threads, max_retries=-1, retry_exceptions=False)(_shard)
    sent = ray.put(game)
    waiting = [
        play.remote(sent, playouts, seats, seed, threads, vary, (part, shards))
        for part in range(1, shards + 1)
    ]
    total: list[Simulation] = []
    try:
        while waiting:
            done, waiting = ray.wait(waiting, num_returns=min(len(waiting), 64))
            total = [astragal.merge([*total, *map(Simulation, ray.get(done))])]
    except BaseException:
        for task in waiting:
            ray.cancel(task, force=True)
        raise
    return total[0]


def _shard(
    game: astragal.Game,
    playouts: int,
    seats: str | Sequence[str],
    seed: int,
    threads: int,
    vary: Mapping[str, Sequence[object]] | None,
    shard: tuple[int, int],
) -> str:
    part = astragal.simulate(
        game, playouts, seats=seats, seed=seed, threads=threads, vary=vary, shard=shard
    )
    return part.counts
