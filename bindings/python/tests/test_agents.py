"""Environments of PettingZoo and Gymnasium, by their own tests."""

import warnings

import pytest

pytest.importorskip("pettingzoo")

import numpy
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import astragal
import astragal.gymnasium
import astragal.pettingzoo

GAMES = ["tic-tac-toe", "elemental-clash", "kuhn-poker", "card-dice"]
GAMES += ["rock-paper-scissors", "pig", "hearts", "connect-four"]


@pytest.mark.parametrize("name", GAMES)
def test_the_environment_keeps_their_contract(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Observations are dictionaries with a mask, which they warn of but ask for.
        warnings.filterwarnings("ignore", message="Observation")
        # Only who decides has legal actions.
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        api_test(astragal.pettingzoo.env(name), num_cycles=200)


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    game = astragal.load(name)
    seed_test(lambda: astragal.pettingzoo.env(game), num_cycles=100)


def test_another_seed_gives_another_game() -> None:
    env = astragal.pettingzoo.env("kuhn-poker")
    seen = set()
    for seed in range(20):
        env.reset(seed=seed)
        seen.add(env.observe("player_0")["observation"].tobytes())
    assert len(seen) == 3


def test_rewards_come_at_the_end() -> None:
    env = astragal.pettingzoo.env("tic-tac-toe")
    env.reset(seed=1)
    for move in ("a1", "b1", "a2", "b2", "a3"):
        assert set(env.rewards.values()) == {0.0}
        position = env.position
        env.step(next(it for it in position.legal_actions() if move in position.action_to_string(it)))
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(env.terminations.values())
    with pytest.raises(astragal.IllegalAction):
        env.reset(seed=1)
        env.step(10**6)


@pytest.mark.parametrize("name", GAMES)
def test_one_seat_learns(name: str) -> None:
    env = astragal.gymnasium.Env(name, seat=None)
    check_env(env, skip_render_check=True)
    for seed in range(3):
        seen, info = env.reset(seed=seed)
        over = False
        while not over:
            action = int(numpy.flatnonzero(info["action_mask"])[0])
            seen, reward, over, _, info = env.step(action)
            assert seen.shape == env.observation_space.shape and not info["illegal"]
        assert reward in (-1.0, 0.0, 1.0)


def test_an_illegal_action_loses() -> None:
    env = astragal.gymnasium.Env("tic-tac-toe")
    _, info = env.reset(seed=1)
    env.step(0)
    _, reward, over, _, info = env.step(0)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
