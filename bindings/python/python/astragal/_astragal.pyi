"""Types of the compiled half."""

from collections.abc import Sequence
from typing import Any, final

@final
class Game:
    """A game, loaded for a number of players and values of its options. It never changes."""

    @property
    def title(self) -> str: ...
    @property
    def word(self) -> str:
        """The path or name by which it was loaded."""
    @property
    def names(self) -> list[str]: ...
    @property
    def options(self) -> dict[str, str]:
        """The value of each option."""
    @property
    def perfect_information(self) -> bool: ...
    @property
    def has_chance(self) -> bool: ...
    @property
    def has_scores(self) -> bool:
        """Whether games end with a ranking by scores."""
    @property
    def zero_sum(self) -> bool: ...
    @property
    def engine(self) -> str:
        """Which engine plays: `native` is machine code, `interpreter` none."""
    @property
    def _settings(self) -> tuple[int | None, list[tuple[str, str]], list[str]]: ...
    def num_players(self) -> int: ...
    def num_distinct_actions(self) -> int:
        """How many numbers the actions have: all are below it, in every state."""
    def max_chance_outcomes(self) -> int | None:
        """How many outcomes a draw has at most; `None` where nothing bounds them."""
    def max_game_length(self) -> int:
        """How many actions a game has at most, steps of large moves counted and draws not."""
    def observation_tensor_size(self) -> int: ...
    def observation_spec(self) -> list[tuple[str, int, list[int]]]:
        """What stands where in an observation: names, first positions and shapes."""
    def new_initial_state(self) -> State: ...
    def __hash__(self) -> int: ...

@final
class State:
    """A position of a game. `apply_action` changes it; `clone` copies it."""

    @property
    def game(self) -> Game: ...
    def current_player(self) -> int:
        """The seat that decides; -1 while chance draws, -4 when the game is over."""
    def is_chance_node(self) -> bool: ...
    def is_terminal(self) -> bool: ...
    def legal_actions(self, player: int | None = None) -> list[int]:
        """The numbers of the legal actions, ascending; of a draw, its outcomes."""
    def legal_actions_mask(self, player: int | None = None) -> bytes:
        """A 1 for each legal action, else 0."""
    def action_to_string(self, first: int, second: int | None = None) -> str:
        """An action in words. With two arguments the first is the player, as in OpenSpiel."""
    def string_to_action(self, words: str) -> int: ...
    def apply_action(self, action: int | str) -> None:
        """Makes a move or answers a draw, by number or in words, and runs to the next.

        Raises `IllegalAction` if it is not legal; the state is then as it was.
        """
    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the draw that waits and their probabilities."""
    def information_state_string(self, player: int | None = None) -> str:
        """All that a player remembers: equal where the player cannot tell two games apart."""
    def observation_string(self, player: int | None = None) -> str: ...
    def observation_tensor(self, player: int | None = None) -> list[float]:
        """What a player sees now, as numbers; always as many."""
    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss, 0 for a draw, and before the end; to all together their score."""
    def scores(self) -> list[int] | None:
        """The scores of a game that ended with a ranking."""
    def places(self) -> list[int] | None:
        """The places of a game that ended with a ranking, by all its keys."""
    def margins(self) -> list[float] | None:
        """How far each score is above the mean, more being better."""
    def measures(self) -> dict[str, Any]:
        """What the file measures, at the end of the game."""
    def bot_action(self, bot: str = "mcts:1000", seed: int = 0) -> int:
        """The action that a bot chooses: `random`, `greedy`, `mcts:1000` and the like."""
    def history(self) -> list[int]:
        """The numbers of the actions and outcomes so far."""
    def clone(self) -> State: ...
    def __hash__(self) -> int: ...

@final
class Batch:
    """Many games at once; `astragal.vector` wraps it."""

    def __new__(
        cls,
        game: Game,
        count: int,
        seed: int,
        opponent: str | None,
        most: int,
        threads: int,
    ) -> Batch: ...
    def reset(
        self, seed: int | None, observations: Any, masks: Any, current: Any
    ) -> None: ...
    def step(
        self,
        actions: Any,
        observations: Any,
        masks: Any,
        rewards: Any,
        terminated: Any,
        truncated: Any,
        current: Any,
    ) -> None: ...
    def sample(self, actions: Any) -> None: ...
    def sizes(self) -> tuple[int, int, int]: ...

def command(words: Sequence[str], game: Game | None = None) -> str: ...
def open(
    word: str,
    players: int | None,
    options: list[tuple[str, str]],
    names: list[str],
    engine: str,
) -> Game: ...
def reopen(
    files: str,
    players: int | None,
    options: list[tuple[str, str]],
    names: list[str],
    engine: str,
) -> Game: ...
def replay(game: Game, history: list[int]) -> State: ...
