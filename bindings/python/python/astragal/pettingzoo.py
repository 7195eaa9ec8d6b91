"""Games for PettingZoo: agents that take turns, with action masks.

>>> import astragal.pettingzoo
>>> env = astragal.pettingzoo.env("tic-tac-toe")
>>> env.reset(seed=1)
>>> env.agent_selection
'player_0'
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import seeding
from pettingzoo import AECEnv

import astragal

__all__ = ["AstragalEnv", "env"]

# What a tensor holds at most.
LARGEST = float(1 << 24)


def spaces_of(game: astragal.Game) -> tuple[Box, Discrete]:
    """The spaces of observations and actions."""
    size = game.observation_tensor_size()
    return Box(-LARGEST, LARGEST, (size,), numpy.float32), Discrete(game.num_distinct_actions())


def settle(state: astragal.State, random: numpy.random.Generator) -> None:
    """Answers draws until somebody decides or the game is over."""
    while state.is_chance_node():
        outcomes, shares = zip(*state.chance_outcomes())
        state.apply_action(int(random.choice(outcomes, p=shares)))


class AstragalEnv(AECEnv):  # type: ignore[misc]
    """A game whose players are agents. Rewards come at the end: 1, 0 or -1.

    An observation is a dictionary of `observation`, numbers, and `action_mask`, a 1 for each legal
    action. An action that is not legal raises `astragal.IllegalAction`.

    >>> import astragal
    >>> from astragal.pettingzoo import AstragalEnv
    >>> env = AstragalEnv(astragal.load("nim"))
    >>> env.reset(seed=1)
    >>> int(env.observe("player_0")["action_mask"].sum())
    12
    """

    metadata = {"render_modes": ["ansi"], "name": "astragal_v0", "is_parallelizable": False}

    def __init__(self, game: astragal.Game, render_mode: str | None = None) -> None:
        super().__init__()
        self.game = game
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players())]
        self.agents: list[str] = []
        self.actions = game.num_distinct_actions()
        self.observation_spaces = {}
        self.action_spaces = {}
        for agent in self.possible_agents:
            seen, chosen = spaces_of(game)
            mask = Box(0, 1, (self.actions,), numpy.int8)
            self.observation_spaces[agent] = Dict({"observation": seen, "action_mask": mask})
            self.action_spaces[agent] = chosen
        self.random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self.random, _ = seeding.np_random(seed)
        self.position = self.game.new_initial_state()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._settle()

    def observe(self, agent: str) -> dict[str, numpy.ndarray]:
        seat = self.possible_agents.index(agent)
        seen = numpy.array(self.position.observation_tensor(seat), numpy.float32)
        mask = numpy.zeros(self.actions, numpy.int8)
        mask[self.position.legal_actions(seat)] = 1
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise astragal.IllegalAction("an agent that plays chooses an action")
        self.position.apply_action(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._settle()
        self._accumulate_rewards()

    def _settle(self) -> None:
        settle(self.position, self.random)
        if self.position.is_terminal():
            self.rewards = dict(zip(self.possible_agents, self.position.returns()))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.position.current_player()]

    def render(self) -> str | None:
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


def env(
    game: str | Path | astragal.Game,
    *,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    render_mode: str | None = None,
) -> AstragalEnv:
    """The environment of a game, by its path or name."""
    if not isinstance(game, astragal.Game):
        game = astragal.load(game, players=players, options=options)
    return AstragalEnv(game, render_mode)
