"""Games for Gymnasium: one seat learns, bots play the others.

>>> import astragal.gymnasium
>>> env = astragal.gymnasium.Env("tic-tac-toe", opponents="random")
>>> seen, info = env.reset(seed=1)
>>> int(info["action_mask"].sum())
9
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import numpy

import astragal
from astragal.pettingzoo import settle, spaces_of

__all__ = ["Env"]


class Env(gymnasium.Env):
    """A game from one seat. The reward comes at the end: 1, 0 or -1.

    `info["action_mask"]` has a 1 for each legal action. An action that is not legal loses the
    game, and `info["illegal"]` is then true. `opponents` is a bot such as `random`, `greedy` or
    `mcts:200`. With `seat=None` each game seats the learner at random.

    >>> from astragal.gymnasium import Env
    >>> env = Env("nim", opponents="mcts:50", seat=0)
    >>> env.action_space
    Discrete(15)
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str | Path | astragal.Game,
        *,
        opponents: str = "random",
        seat: int | None = 0,
        players: int | None = None,
        options: Mapping[str, object] | None = None,
        render_mode: str | None = None,
    ) -> None:
        if not isinstance(game, astragal.Game):
            game = astragal.load(game, players=players, options=options)
        if seat is not None and not 0 <= seat < game.num_players():
            raise ValueError(f"there is no seat {seat}; seats are 0 to {game.num_players() - 1}")
        self.game = game
        self.opponents = opponents
        self.wanted_seat = seat
        self.render_mode = render_mode
        self.observation_space, self.action_space = spaces_of(game)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[numpy.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        while True:
            self.seat: int = (
                int(self.np_random.integers(self.game.num_players()))
                if self.wanted_seat is None
                else self.wanted_seat
            )
            self.bots = int(self.np_random.integers(1 << 63))
            self.position = self.game.new_initial_state()
            self._settle()
            # A game may end before the learner decides anything.
            if not self.position.is_terminal():
                return self._observation(), self._info()

    def step(
        self, action: int
    ) -> tuple[numpy.ndarray, float, bool, bool, dict[str, Any]]:
        try:
            self.position.apply_action(int(action))
        except astragal.IllegalAction:
            return self._observation(), -1.0, True, False, self._info() | {"illegal": True}
        self._settle()
        over = self.position.is_terminal()
        return self._observation(), self.position.returns()[self.seat], over, False, self._info()

    def render(self) -> str | None:
        return str(self.position) if self.render_mode == "ansi" else None

    def _settle(self) -> None:
        settle(self.position, self.np_random)
        while self.position.current_player() not in (self.seat, -4):
            self.position.apply_action(self.position.bot_action(self.opponents, self.bots))
            settle(self.position, self.np_random)

    def _observation(self) -> numpy.ndarray:
        return numpy.array(self.position.observation_tensor(self.seat), numpy.float32)

    def _info(self) -> dict[str, Any]:
        mask = numpy.zeros(self.game.num_distinct_actions(), numpy.int8)
        mask[self.position.legal_actions(self.seat)] = 1
        return {"action_mask": mask, "illegal": False}
