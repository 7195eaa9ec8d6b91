"""Tabletop games from rules: play them, simulate them, learn them.

>>> import astragal
>>> game = astragal.load("nim")
>>> state = game.new_initial_state()
>>> state.apply_action(state.legal_actions()[0])
>>> state.current_player()
1
"""

from astragal._errors import (
    AstragalError,
    Diagnostic,
    IllegalAction,
    RulesError,
    UsageError,
)
from astragal._astragal import Game, State
from astragal._commands import check, command, load, rules, solve, train
from astragal._simulation import Simulation, merge, simulate

__all__ = [
    "AstragalError",
    "Diagnostic",
    "Game",
    "IllegalAction",
    "RulesError",
    "Simulation",
    "State",
    "UsageError",
    "check",
    "command",
    "load",
    "merge",
    "rules",
    "simulate",
    "solve",
    "train",
]
