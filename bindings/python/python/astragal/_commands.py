"""Games by name, and the commands of the program that answer with a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from astragal import _astragal
from astragal._astragal import Game
from astragal._errors import Diagnostic, RulesError


def words_of(options: Mapping[str, object]) -> list[tuple[str, str]]:
    """Options with their values as the rules write them: `True` is `yes`."""

    def word(value: object) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        return "none" if value is None else str(value)

    return [(name, word(value)) for name, value in options.items()]


def load(
    game: str | Path,
    *,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    names: Sequence[str] = (),
    engine: str = "auto",
) -> Game:
    """Loads a game by the path of its file or the name of a bundled one.

    `engine` is `native` for machine code, `interpreter`, or `auto`: whichever makes more steps in
    some milliseconds. `Game.engine` says which it became; both play the same games.

    Raises `RulesError` if the file has errors or the settings do not fit, and `UsageError` if
    there is no such game.

    >>> import astragal
    >>> astragal.load("nim", options={"misere": True}).options
    {'misere': 'yes'}
    """
    return _astragal.open(str(game), players, words_of(options or {}), list(names), engine)


def settings(game: Game) -> list[str]:
    """The settings of a game as words of a command."""
    players, options, names = game._settings
    words = [] if players is None else ["--players", str(players)]
    for name, value in options:
        words += ["--option", f"{name}={value}"]
    return words + (["--names", ",".join(names)] if names else [])


def command(*words: str) -> str:
    """Runs a command of the program and returns what it prints.

    >>> import astragal
    >>> astragal.command("perft", "pig", "--depth", "1").splitlines()[-1]
    '1'
    """
    return _astragal.command(list(words), None)


def check(path: str | Path) -> list[Diagnostic]:
    """All errors and warnings of a game or a folder of games.

    >>> import astragal
    >>> astragal.check("tic-tac-toe")
    []
    """
    try:
        printed = _astragal.command(["check", "--format", "json", str(path)], None)
    except RulesError as error:
        if not error.printed:
            raise
        printed = error.printed
    return [Diagnostic._from_json(line) for line in printed.splitlines() if line]


def rules(game: str | Path | Game) -> str:
    """The rulebook of a game in Markdown.

    >>> import astragal
    >>> astragal.rules("nim").splitlines()[0]
    '# Nim'
    """
    game = game if isinstance(game, Game) else load(game)
    players, options, _ = game._settings
    words = [] if players is None else ["--players", str(players)]
    for name, value in options:
        words += ["--option", f"{name}={value}"]
    return _astragal.command(["rules", *words, "--", game.word], game)


def train(
    game: str | Path | Game,
    games: int = 1024,
    *,
    out: str | Path | None = None,
    seed: int = 1,
    threads: int | None = None,
    force: bool = False,
) -> str:
    """Lets a bot learn a game by playing it, and keeps what it learned in a file, as the command does.

    Bots such as `mcts:200@nim.bot` play with that file; `mcts:200@` takes the one that belongs to
    the game.

    >>> import astragal, tempfile
    >>> file = tempfile.mkdtemp() + "/nim.bot"
    >>> astragal.train("nim", 32, out=file).split(": ")[1]
    'learned Nim from 32 games\\n'
    >>> state = astragal.load("nim").new_initial_state()
    >>> state.bot_action(f"mcts:20@{file}") in state.legal_actions()
    True
    """
    game = game if isinstance(game, Game) else load(game)
    words = ["train", "--games", str(games), "--seed", str(seed), *settings(game)]
    words += [] if out is None else ["--out", str(out)]
    words += [] if threads is None else ["--threads", str(threads)]
    words += ["--force"] if force else []
    return _astragal.command([*words, "--", game.word], game)


def solve(game: str | Path | Game, *, uniform: bool = False, max_states: int | None = None) -> str:
    """The value of a small game under best play, as the program prints it.

    >>> import astragal
    >>> print(astragal.solve("tic-tac-toe").splitlines()[1])
    P1  value 0, wins alone 0
    """
    game = game if isinstance(game, Game) else load(game)
    words = ["solve", *settings(game)]
    words += ["--uniform"] if uniform else []
    words += [] if max_states is None else ["--max-states", str(max_states)]
    return _astragal.command([*words, "--", game.word], game)
