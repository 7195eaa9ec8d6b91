"""Simulations: many bot games, their counts and what these say."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from astragal import _astragal
from astragal._astragal import Game
from astragal._commands import load, settings, words_of

if TYPE_CHECKING:
    import pandas


class Simulation:
    """What many games came to. It holds the counts, so parts can be merged.

    >>> import astragal
    >>> result = astragal.simulate("nim", playouts=200, seed=1)
    >>> result.data["wins"]
    [97, 103]
    """

    def __init__(self, counts: str) -> None:
        self.counts = counts
        self._json: str | None = None

    def __repr__(self) -> str:
        return f"<Simulation of {self.runs[0]['game']!r}, {self.runs[0]['playouts']} playouts>"

    def json(self) -> str:
        """The JSON that `astragal simulate --format json` prints.

        >>> import astragal
        >>> astragal.simulate("nim", playouts=10, seed=1).json()[:2]
        '{"'
        """
        if self._json is None:
            self._json = self._print("json")
        return self._json

    @property
    def data(self) -> dict[str, Any]:
        """The JSON as a dictionary; with `vary` its keys are `runs` and `differences`."""
        read: dict[str, Any] = json.loads(self.json())
        return read

    @property
    def runs(self) -> list[dict[str, Any]]:
        """The results of each setting; one, unless an option was varied."""
        data = self.data
        return data["runs"] if "runs" in data else [data]

    def table(self) -> str:
        """The results for people, as the program prints them."""
        return self._print("table")

    def csv(self) -> str:
        """The results, one number a line."""
        return self._print("csv")

    def report(self, path: str | Path) -> None:
        """Writes a page with plots. A file that is there is replaced."""
        self._print("csv", "--report", str(path), "--force")

    def save(self, path: str | Path) -> None:
        """Writes the counts, for `astragal merge`. A file that is there is replaced."""
        Path(path).write_text(self.counts, encoding="utf-8")

    def to_pandas(self, what: str = "seats") -> pandas.DataFrame:
        """A table with a row for each setting and seat, move or measure.

        `what` is `seats`, `moves` or `measures`. Each option is a column.

        >>> import astragal
        >>> frame = astragal.simulate("nim", playouts=50, seed=1).to_pandas()
        >>> list(frame["seat"])
        [1, 2]
        """
        import pandas

        rows = {"seats": _seats, "moves": _moves, "measures": _measures}[what]
        return pandas.DataFrame(
            {"playouts": run["playouts"], **run["options"], **row}
            for run in self.runs
            for row in rows(run)
        )

    def _print(self, layout: str, *words: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            counts = Path(folder, "counts.json")
            counts.write_text(self.counts, encoding="utf-8")
            return _astragal.command(["merge", str(counts), "--format", layout, *words], None)


def _seats(run: dict[str, Any]) -> Iterable[dict[str, Any]]:
    for seat, rate in enumerate(run["win_rate"]):
        row = {"seat": seat + 1, "bot": run["seats"][seat], "wins": run["wins"][seat]}
        row |= {"win_rate": rate["rate"], "low": rate["low"], "high": rate["high"]}
        if run["scores"]:
            row |= {f"score_{name}": value for name, value in run["scores"][seat].items()}
        yield row


def _moves(run: dict[str, Any]) -> Iterable[dict[str, Any]]:
    for name, used in run["moves"].items():
        yield {"move": name, "offered": used["offered"], "taken": used["taken"]}


def _measures(run: dict[str, Any]) -> Iterable[dict[str, Any]]:
    for name, value in run["measures"].items():
        for seat, spread in enumerate(value if isinstance(value, list) else [value]):
            of = {"seat": seat + 1} if isinstance(value, list) else {"seat": None}
            yield {"measure": name, **of, **spread}


def simulate(
    game: str | Path | Game,
    playouts: int = 10_000,
    *,
    seats: str | Sequence[str] = "random",
    seed: int | None = None,
    threads: int | None = None,
    vary: Mapping[str, Sequence[object]] | None = None,
    shard: tuple[int, int] | None = None,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
) -> Simulation:
    """Plays many games between bots.

    `seats` is one bot for all seats or a bot for each. `vary` compares values of one option on
    the same seeds. `shard=(2, 4)` plays the second of four parts. The same seed gives the same
    numbers, on any number of threads. Ctrl-C stops it.

    >>> import astragal
    >>> compared = astragal.simulate("nim", 100, seed=4, vary={"misere": [False, True]})
    >>> [run["options"]["misere"] for run in compared.runs]
    ['no', 'yes']
    """
    if not isinstance(game, Game):
        game = load(game, players=players, options=options)
    elif players is not None or options:
        raise TypeError("a loaded game has its players and options already")
    words = ["simulate", "-n", str(playouts), *settings(game)]
    words += ["--seats", seats if isinstance(seats, str) else ",".join(seats)]
    if seed is not None:
        words += ["--seed", str(seed)]
    if threads is not None:
        words += ["--threads", str(threads)]
    if shard is not None:
        words += ["--shard", f"{shard[0]}/{shard[1]}"]
    for option, values in (vary or {}).items():
        spelt = ",".join(value for _, value in words_of(dict(enumerate(values))))  # type: ignore[arg-type]
        words += ["--vary", f"{option}={spelt}"]
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder, "counts.json")
        words += ["--format", "json", "--out", str(counts), "--", game.word]
        _astragal.command(words, game)
        return Simulation(counts.read_text(encoding="utf-8"))


def merge(parts: Iterable[Simulation]) -> Simulation:
    """Adds up the parts of one simulation: the numbers are those of a single run.

    >>> import astragal
    >>> parts = [astragal.simulate("nim", 100, seed=1, shard=(at, 2)) for at in (1, 2)]
    >>> astragal.merge(parts).data["wins"] == astragal.simulate("nim", 100, seed=1).data["wins"]
    True
    """
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, part in enumerate(parts):
            files.append(Path(folder, f"{number}.json"))
            part.save(files[-1])
        total = Path(folder, "total.json")
        _astragal.command(["merge", *map(str, files), "--out", str(total)], None)
        return Simulation(total.read_text(encoding="utf-8"))
