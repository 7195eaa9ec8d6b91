"""Many games at once."""

import numpy
import pytest

import astragal

pytest.importorskip("gymnasium")
import astragal.vector  # noqa: E402

GAMES = ["connect-four", "kuhn-poker", "pig", "tice", "elemental-clash", "hearts", "rock-paper-scissors", "yahtzee"]


@pytest.mark.parametrize("name", GAMES)
def test_threads_and_processes_change_nothing(name: str) -> None:
    one = astragal.vector.make(name, 24, seed=7, threads=1)
    two = astragal.vector.make(name, 24, seed=7, threads=3)
    one.reset()
    two.reset()
    for _ in range(60):
        actions = one.sample_actions()
        assert (actions == two.sample_actions()).all()
        results = [env.step(actions) for env in (one, two)]
        for mine, other in zip(results[0][:4], results[1][:4]):
            assert (mine == other).all()
        assert (one.legal_action_mask == two.legal_action_mask).all()
        assert (one.current_player == two.current_player).all()


@pytest.mark.parametrize("name", GAMES)
def test_masks_rows_and_spaces_fit(name: str) -> None:
    env = astragal.vector.make(name, 16, seed=2)
    seen, info = env.reset(seed=5)
    ended = 0
    for _ in range(80):
        assert env.observation_space.contains(seen)
        assert (info["action_mask"].sum(axis=1) > 0).all()
        actions = env.sample_actions()
        assert env.action_space.contains(actions.astype(numpy.int64))
        assert info["action_mask"][numpy.arange(16), actions].all()
        seen, reward, terminated, truncated, info = env.step(actions)
        ended += int(terminated.sum())
        assert not truncated.any()
        assert (info["rewards"][~terminated] == 0).all()
        assert set(numpy.unique(reward)) <= {-1.0, 0.0, 1.0}
    assert ended > 0 or name in ("hearts", "tice", "elemental-clash", "yahtzee", "pig")


def test_a_row_is_what_a_state_shows() -> None:
    game = astragal.load("connect-four")
    env = astragal.vector.make(game, 1, seed=1)
    env.reset()
    state = game.new_initial_state()
    while not state.is_terminal():
        assert env.observations[0].tolist() == state.observation_tensor()
        assert bytes(env.legal_action_mask[0]) == state.legal_actions_mask()
        action = state.legal_actions()[-1]
        state.apply_action(action)
        env.step(numpy.array([action]))
    assert env.terminated[0] and env.rewards[0].tolist() == state.returns()


def test_a_seed_gives_the_same_games_again() -> None:
    env = astragal.vector.make("tice", 8, seed=1)
    rows = []
    for _ in range(2):
        env.reset(seed=9)
        for _ in range(30):
            env.step(env.sample_actions())
        rows.append(env.observations.copy())
    assert (rows[0] == rows[1]).all()


def test_bots_play_the_other_seats() -> None:
    env = astragal.vector.make("tic-tac-toe", 32, seats={"opponent": "mcts:200"}, seed=4)
    env.reset()
    lost = won = 0
    for _ in range(40):
        _, reward, terminated, _, _ = env.step(env.sample_actions())
        lost += int((reward == -1).sum())
        won += int((reward == 1).sum())
        assert terminated[reward != 0].all()
    assert lost > 5 * won


def test_an_illegal_action_loses_and_a_long_game_is_cut_off() -> None:
    env = astragal.vector.make("connect-four", 2, seed=1, max_decisions=3)
    env.reset()
    _, reward, terminated, _, _ = env.step(numpy.array([99, 0]))
    assert reward.tolist() == [-1.0, 0.0] and terminated.tolist() == [True, False]
    cut = [env.step(env.sample_actions())[3].tolist() for _ in range(3)]
    assert cut == [[False, False], [False, True], [True, False]]
