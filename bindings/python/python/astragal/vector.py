"""Many games at once, for learners: arrays that are filled in place, on several threads.

>>> import astragal.vector
>>> env = astragal.vector.make("connect-four", num_envs=4, seed=1)
>>> seen, info = env.reset()
>>> info["action_mask"].shape
(4, 7)
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import numpy
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

import astragal
from astragal import _astragal
from astragal.pettingzoo import spaces_of

__all__ = ["VectorEnv", "make"]


class VectorEnv(gymnasium.vector.VectorEnv):
    """Games of one kind that take a step together. A game that ends begins anew in the same step.

    `step` returns the same arrays each time, filled anew: copy what you keep. The rewards are those
    of the seat that acted; `info` has those of all seats, the mask of what is legal and who decides:
    `rewards`, `action_mask`, `current_player`. An action that is not legal loses the game.

    With `seats="self"` the actions are those of whoever decides. With `seats={"opponent": "mcts:50"}`
    a seat that is drawn for each game learns, and bots play the others.

    >>> import astragal.vector
    >>> env = astragal.vector.make("tice", num_envs=8, seats={"opponent": "random"}, seed=3)
    >>> _ = env.reset()
    >>> seen, reward, terminated, truncated, info = env.step(env.sample_actions())
    >>> reward.shape
    (8,)
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        game: str | Path | astragal.Game,
        num_envs: int,
        *,
        seats: str | Mapping[str, str] = "self",
        seed: int = 0,
        max_decisions: int = 0,
        threads: int | None = None,
        players: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> None:
        if not isinstance(game, astragal.Game):
            game = astragal.load(game, players=players, options=options)
        if isinstance(seats, str):
            if seats != "self":
                raise ValueError(f"seats are \"self\" or {{\"opponent\": bot}}, not {seats!r}")
            opponent = None
        else:
            opponent = seats["opponent"]
        if num_envs < 1:
            raise ValueError(f"there is at least one game, not {num_envs}")
        self.game = game
        self.num_envs = num_envs
        workers = threads or os.cpu_count() or 1
        self._batch = _astragal.Batch(game, num_envs, seed, opponent, max_decisions, workers)
        size, actions, seats_at_table = self._batch.sizes()
        self.single_observation_space, self.single_action_space = spaces_of(game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observations = numpy.zeros((num_envs, size), numpy.float32)
        self.legal_action_mask = numpy.zeros((num_envs, actions), numpy.uint8)
        self.rewards = numpy.zeros((num_envs, seats_at_table), numpy.float32)
        self.terminated = numpy.zeros(num_envs, numpy.bool_)
        self.truncated = numpy.zeros(num_envs, numpy.bool_)
        self.current_player = numpy.zeros(num_envs, numpy.int32)
        self._actions = numpy.zeros(num_envs, numpy.int32)
        self._rows = numpy.arange(num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[numpy.ndarray, dict[str, Any]]:
        """Begins all games anew; a seed gives the same games again."""
        if isinstance(seed, list):
            seed = seed[0] if seed else None
        self._batch.reset(seed, self.observations, self.legal_action_mask, self.current_player)
        self.rewards.fill(0.0)
        return self.observations, self._info()

    def step(
        self, actions: numpy.ndarray
    ) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray, numpy.ndarray, dict[str, Any]]:
        """Makes a move in each game."""
        actions = numpy.ascontiguousarray(actions, numpy.int32)
        acted = self.current_player.copy()
        self._batch.step(
            actions,
            self.observations,
            self.legal_action_mask,
            self.rewards,
            self.terminated,
            self.truncated,
            self.current_player,
        )
        reward = self.rewards[self._rows, acted]
        return self.observations, reward, self.terminated, self.truncated, self._info()

    def sample_actions(self) -> numpy.ndarray:
        """A legal action for each game, all equally likely."""
        self._batch.sample(self._actions)
        return self._actions

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.legal_action_mask,
            "rewards": self.rewards,
            "current_player": self.current_player,
        }


def make(
    game: str | Path | astragal.Game,
    num_envs: int,
    **settings: Any,
) -> VectorEnv:
    """So many games at once; see `VectorEnv` for the settings."""
    return VectorEnv(game, num_envs, **settings)
