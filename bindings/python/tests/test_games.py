"""Games, states and errors."""

import copy
import pickle
import random
import subprocess
import sys
from pathlib import Path

import pytest

import astragal


def playout(state: astragal.State, seed: int) -> astragal.State:
    choice = random.Random(seed)
    while not state.is_terminal():
        state.apply_action(choice.choice(state.legal_actions()))
    return state


def test_a_game_plays_to_its_end() -> None:
    state = astragal.load("tic-tac-toe").new_initial_state()
    for move in ["a1", "b1", "a2", "b2", "a3"]:
        wanted = [it for it in state.legal_actions() if move in state.action_to_string(it)]
        assert len(wanted) == 1, f"{move} is one move"
        state.apply_action(wanted[0])
    assert state.is_terminal()
    assert state.returns() == [1.0, -1.0]
    assert state.legal_actions() == []


@pytest.mark.parametrize("name", ["elemental-clash", "tice", "kuhn-poker", "yahtzee"])
def test_a_clone_goes_its_own_way(name: str) -> None:
    state = astragal.load(name).new_initial_state()
    for number in range(5):
        other = state.clone()
        assert other == state and hash(other) == hash(state)
        before = state.history()
        playout(other, number)
        assert state.history() == before and other.is_terminal()
        if state.is_terminal():
            break
        state.apply_action(state.legal_actions()[0])
    assert copy.deepcopy(state) == state


@pytest.mark.parametrize("name", ["card-dice", "love-letter", "dice-realms"])
def test_states_are_pickled_with_all_that_players_remember(name: str) -> None:
    state = astragal.load(name).new_initial_state()
    for number in range(40):
        if state.is_terminal():
            break
        state.apply_action(random.Random(number).choice(state.legal_actions()))
    again = pickle.loads(pickle.dumps(state))
    assert again == state and again.history() == state.history()
    for player in range(state.game.num_players()):
        assert again.information_state_string(player) == state.information_state_string(player)
        assert again.observation_tensor(player) == state.observation_tensor(player)


def test_a_game_is_pickled_with_its_files(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[3]
    moved = tmp_path / "game"
    moved.mkdir()
    for path in (root / "games" / "tice").glob("**/*.game"):
        copied = moved / path.relative_to(root / "games" / "tice")
        copied.parent.mkdir(parents=True, exist_ok=True)
        copied.write_text(path.read_text())
    variant = next(path for path in sorted(moved.glob("*.game")) if path.stem != "tice")
    packed = pickle.dumps(astragal.load(variant))
    for path in moved.glob("**/*.game"):
        path.unlink()
    state = playout(pickle.loads(packed).new_initial_state(), 1)
    assert state.is_terminal()


def test_actions_keep_their_numbers_in_every_process() -> None:
    script = (
        "import astragal; game = astragal.load('elemental-clash'); s = game.new_initial_state()\n"
        "while not s.is_terminal():\n"
        "    print([(it, s.action_to_string(it)) for it in s.legal_actions()])\n"
        "    s.apply_action(s.legal_actions()[-1])\n"
    )
    run = [subprocess.run([sys.executable, "-c", script], capture_output=True, check=True) for _ in "12"]
    assert run[0].stdout == run[1].stdout and run[0].stdout.count(b"\n") > 5


def test_an_action_has_one_number_in_all_states() -> None:
    game = astragal.load("connect-four")
    words: dict[int, str] = {}
    state = playout(game.new_initial_state(), 3).game.new_initial_state()
    while not state.is_terminal():
        for action in state.legal_actions():
            label = state.action_to_string(action)
            assert words.setdefault(action, label) == label
            assert state.string_to_action(label) == action
        state.apply_action(state.legal_actions()[0])
    assert len(words) == game.num_distinct_actions() == 7


@pytest.mark.parametrize("name", ["hearts", "liars-dice", "elemento"])
def test_masks_and_tensors_have_one_size(name: str) -> None:
    game = astragal.load(name)
    state = game.new_initial_state()
    choice = random.Random(5)
    while not state.is_terminal():
        if not state.is_chance_node():
            mask = state.legal_actions_mask()
            assert len(mask) == game.num_distinct_actions()
            assert [at for at, bit in enumerate(mask) if bit] == state.legal_actions()
            assert len(state.observation_tensor()) == game.observation_tensor_size()
        state.apply_action(choice.choice(state.legal_actions()))


def test_players_know_their_card_and_no_other() -> None:
    """Kuhn poker: two deals that differ in the other hand look alike, and only those."""

    def dealt(first: str, second: str, *moves: str) -> astragal.State:
        state = astragal.load("kuhn-poker").new_initial_state()
        for words in (first, second, *moves):
            state.apply_action(words)
        return state

    ranks = ("jack", "queen", "king")
    for moves in ((), ("check",), ("check", "bet"), ("bet",)):
        same = dealt("jack", "queen", *moves)
        other = dealt("jack", "king", *moves)
        third = dealt("queen", "king", *moves)
        for view in ("information_state_string", "observation_string", "observation_tensor"):
            seen = [getattr(state, view) for state in (same, other, third)]
            assert seen[0](0) == seen[1](0), f"{view} tells the first player the other hand"
            assert seen[1](1) == seen[2](1), f"{view} tells the second player the other hand"
            assert seen[0](0) != seen[2](0) and seen[0](1) != seen[1](1), f"{view} hides the own hand"
    assert len(ranks) == 3


def test_what_is_remembered_tells_more_than_what_is_seen() -> None:
    state = astragal.load("kuhn-poker").new_initial_state()
    for words in ("king", "jack", "check", "bet"):
        state.apply_action(words)
    assert "P1> check" in state.information_state_string(0)
    assert "P2> bet" in state.information_state_string(0)
    assert "king" in state.information_state_string(0)
    assert "king" not in state.information_state_string(1)


def test_picks_made_together_are_not_heard() -> None:
    game = astragal.load("rock-paper-scissors")
    views = set()
    for action in game.new_initial_state().legal_actions():
        state = game.new_initial_state()
        state.apply_action(action)
        assert state.current_player() == 1
        views.add((state.information_state_string(1), tuple(state.observation_tensor(1))))
    assert len(views) == 1


def test_outcomes_of_chance_add_up() -> None:
    state = astragal.load("yahtzee").new_initial_state()
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    outcomes = state.chance_outcomes()
    assert sum(share for _, share in outcomes) == pytest.approx(1)
    assert [outcome for outcome, _ in outcomes] == state.legal_actions()
    assert all(outcome < state.game.max_chance_outcomes() for outcome, _ in outcomes)
    # The list is the caller's own.
    outcomes.clear()
    assert len(state.chance_outcomes()) == len(state.legal_actions())


def test_bots_choose_legal_actions() -> None:
    state = astragal.load("tic-tac-toe").new_initial_state()
    for bot in ("random", "greedy", "mcts:50"):
        assert state.bot_action(bot, seed=3) == state.bot_action(bot, seed=3)
        assert state.bot_action(bot) in state.legal_actions()
    with pytest.raises(ValueError, match="is not a bot"):
        state.bot_action("grandmaster")


def test_an_error_has_a_place_and_a_way_out(broken: Path) -> None:
    with pytest.raises(astragal.RulesError) as caught:
        astragal.load(broken)
    found = caught.value.diagnostics[0]
    assert (found.line, found.file, found.severity) == (3, str(broken), "error")
    assert found.code and found.help and "othrs" in str(caught.value)
    assert [it.code for it in astragal.check(broken)] == [it.code for it in caught.value.diagnostics]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(astragal.RulesError, match="there is no option"):
        astragal.load("nim", options={"colour": "red"})
    with pytest.raises(astragal.UsageError, match="there is no game"):
        astragal.load("chess-960")
    state = astragal.load("nim").new_initial_state()
    before = state.clone()
    for action in (10**6, -7, 1 << 40, "take everything"):
        with pytest.raises(astragal.IllegalAction):
            state.apply_action(action)
    with pytest.raises(IndexError):
        state.observation_tensor(2)
    assert state == before


def test_rules_that_fail_in_play_are_an_exception(tmp_path: Path) -> None:
    path = tmp_path / "trap.game"
    path.write_text(
        'game "Trap" { players 1 }\nthe table has { left: 0..3 = 3 }\n'
        "play { choose Player.first { dig(n) for n in 1..5 { left -= n } }; finish draw }\n"
    )
    state = astragal.load(path).new_initial_state()
    last = state.legal_actions()[-1]
    before = state.clone()
    with pytest.raises(astragal.RulesError) as caught:
        state.apply_action(last)
    found = caught.value.diagnostics[0]
    assert found.line == 3 and str(found.code).startswith("play::") and state == before
    state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
