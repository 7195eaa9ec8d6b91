"""Algorithms of OpenSpiel on games of astragal, against known values."""

import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

import astragal.openspiel

DESIGNS = ["tice", "elemento", "card-dice", "dice-realms", "elemental-clash"]
EXAMPLES = ["tic-tac-toe", "nim", "kuhn-poker", "pig", "rock-paper-scissors"]


@pytest.mark.parametrize("name", DESIGNS + EXAMPLES)
def test_their_own_test_of_games_passes(name: str) -> None:
    game = pyspiel.load_game(astragal.openspiel.register(name))
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)


def test_states_go_through_their_serialisation() -> None:
    game = pyspiel.load_game(astragal.openspiel.register("kuhn-poker"))
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


def test_tic_tac_toe_is_a_draw() -> None:
    game = pyspiel.load_game(astragal.openspiel.register("tic-tac-toe"))
    state = game.new_initial_state()
    known: dict[str, float] = {}

    def value(state: "pyspiel.State") -> float:
        if state.is_terminal():
            return state.returns()[0]
        key = state.observation_string(state.current_player()) + str(state.current_player())
        if key not in known:
            sign = 1 if state.current_player() == 0 else -1
            known[key] = sign * max(sign * value(state.child(it)) for it in state.legal_actions())
        return known[key]

    assert value(state) == 0
    for action in state.legal_actions():
        assert abs(value(state.child(action))) <= 1
    # Two in a row with the move is won, so the 0 above is no accident.
    for words in ("a1", "b1", "a2", "c1"):
        legal = state.legal_actions()
        state.apply_action(next(it for it in legal if words in state.action_to_string(it)))
    assert value(state) == 1


@pytest.mark.slow
def test_their_solver_finds_the_value_of_kuhn_poker() -> None:
    name = astragal.openspiel.register("kuhn-poker", utility="score", name="kuhn_poker_score")
    game = pyspiel.load_game(name)
    solver = cfr.CFRSolver(game)
    for _ in range(1000):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert values[0] == pytest.approx(-1 / 18, abs=0.002)
    assert exploitability.exploitability(game, policy) < 0.01


def test_a_name_stands_for_one_game() -> None:
    astragal.openspiel.register("nim", name="one_nim")
    astragal.openspiel.register("nim", name="one_nim")
    with pytest.raises(ValueError, match="another game"):
        astragal.openspiel.register("pig", name="one_nim")
    with pytest.raises(ValueError, match="no scores"):
        astragal.openspiel.register("tic-tac-toe", utility="score")
