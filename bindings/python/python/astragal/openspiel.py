"""Games for OpenSpiel: its algorithms run on any file of rules.

>>> import astragal.openspiel
>>> import pyspiel
>>> name = astragal.openspiel.register("tic-tac-toe")
>>> pyspiel.load_game(name).num_distinct_actions()
9
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy
import pyspiel

import astragal

__all__ = ["register"]

_registered: dict[str, astragal.Game] = {}


def register(
    game: str | Path | astragal.Game,
    *,
    name: str | None = None,
    utility: str = "win",
    players: int | None = None,
    options: Mapping[str, object] | None = None,
) -> str:
    """Makes a game known to OpenSpiel and returns the name for `pyspiel.load_game`.

    `utility="win"` returns 1, 0 and -1; `utility="score"` returns how far each score is above the
    mean of all, for files that end with `finish ranking`. The name is `astragal_` and the word of
    the game, unless another is given. Players who decide at the same time do so one after the
    other here, and do not see what the others picked.

    >>> import astragal.openspiel
    >>> astragal.openspiel.register("kuhn-poker", utility="score", name="kuhn_in_chips")
    'kuhn_in_chips'
    """
    if utility not in ("win", "score"):
        raise ValueError(f"utility is `win` or `score`, not `{utility}`")
    if not isinstance(game, astragal.Game):
        game = astragal.load(game, players=players, options=options)
    if utility == "score" and not game.has_scores:
        raise ValueError(f"`{game.word}` has no scores: use utility=\"win\"")
    name = name or "astragal_" + re.sub(r"\W+", "_", Path(game.word).with_suffix("").as_posix())
    known = _registered.setdefault(name, game)
    if known != game:
        raise ValueError(f"the name `{name}` stands for another game: give a `name` of its own")
    rules, kind, info = game, _type(game, name, utility), _info(game, utility)

    class Registered(_Game):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(kind, info, dict(params or {}))
            self.rules = rules
            self.utility = utility

    pyspiel.register_game(kind, Registered)
    return name


def _type(game: astragal.Game, name: str, utility: str) -> pyspiel.GameType:
    kind = pyspiel.GameType
    zero_sum = utility == "score" or game.zero_sum
    return kind(
        short_name=name,
        long_name=game.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=(
            kind.ChanceMode.EXPLICIT_STOCHASTIC if game.has_chance else kind.ChanceMode.DETERMINISTIC
        ),
        information=(
            kind.Information.PERFECT_INFORMATION
            if game.perfect_information
            else kind.Information.IMPERFECT_INFORMATION
        ),
        utility=kind.Utility.ZERO_SUM if zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.num_players(),
        min_num_players=game.num_players(),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
    )


def _info(game: astragal.Game, utility: str) -> pyspiel.GameInfo:
    bound = 1.0 if utility == "win" else float("inf")
    return pyspiel.GameInfo(
        num_distinct_actions=game.num_distinct_actions(),
        max_chance_outcomes=game.max_chance_outcomes(),
        num_players=game.num_players(),
        min_utility=-bound,
        max_utility=bound,
        utility_sum=0.0 if utility == "score" or game.zero_sum else None,
        max_game_length=game.max_game_length(),
    )


class _Game(pyspiel.Game):  # type: ignore[misc]
    rules: astragal.Game
    utility: str

    def new_initial_state(self) -> _State:
        return _State(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> _Observer:
        if params:
            raise ValueError(f"the observer has no parameters, and was given {params}")
        return _Observer(self.rules, kind or pyspiel.IIGObservationType(perfect_recall=False))


class _State(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self.position = game.rules.new_initial_state()
        self.in_scores = game.utility == "score"

    def current_player(self) -> int:
        return self.position.current_player()

    def is_terminal(self) -> bool:
        return self.position.is_terminal()

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.position.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.position.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.action_to_string(player, action)

    def returns(self) -> list[float]:
        margins = self.position.margins() if self.in_scores else None
        return margins or self.position.returns()

    def __str__(self) -> str:
        return str(self.position)


class _Observer:
    def __init__(self, rules: astragal.Game, kind: Any) -> None:
        self.remembers = kind.perfect_recall
        self.tensor = numpy.zeros(rules.observation_tensor_size(), numpy.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: _State, player: int) -> None:
        self.tensor[:] = state.position.observation_tensor(player)

    def string_from(self, state: _State, player: int) -> str:
        if self.remembers:
            return state.position.information_state_string(player)
        return state.position.observation_string(player)
