"""Errors, with the place in the rules and a way out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Diagnostic:
    """An error or a warning, as `astragal check --format json` prints it.

    >>> import astragal
    >>> found = astragal.check("nim")
    >>> [it.code for it in found if it.severity == "error"]
    []
    """

    severity: str
    code: str | None
    message: str
    file: str | None
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    help: str | None
    related: tuple[dict[str, Any], ...] = ()
    fix: dict[str, Any] | None = None

    @staticmethod
    def _from_json(text: str) -> Diagnostic:
        read = json.loads(text)
        known = {name: read.get(name) for name in Diagnostic.__dataclass_fields__}
        known["related"] = tuple(read.get("related") or ())
        return Diagnostic(**known)


class AstragalError(Exception):
    """Anything that astragal refuses.

    >>> import astragal
    >>> try:
    ...     astragal.load("nimm")
    ... except astragal.AstragalError as error:
    ...     print(error.diagnostics[0].message)
    there is no game `nimm`
    """

    def __init__(
        self, text: str, diagnostics: tuple[Diagnostic, ...] = (), printed: str = ""
    ) -> None:
        super().__init__(text, diagnostics, printed)
        self.text = text
        self.diagnostics = diagnostics
        self.printed = printed

    def __str__(self) -> str:
        return self.text


class RulesError(AstragalError):
    """The file or the game says no: errors in rules, wrong settings.

    >>> import astragal
    >>> try:
    ...     astragal.load("nim", players=9)
    ... except astragal.RulesError as error:
    ...     print(error.diagnostics[0].help)
    it is for 2 players
    """


class UsageError(AstragalError, ValueError):
    """A word that names no game, bot or option of a command.

    >>> import astragal
    >>> try:
    ...     astragal.simulate("nim", playouts=1, seats="chess-master")
    ... except astragal.UsageError as error:
    ...     print(error.diagnostics[0].message)
    `chess-master` is not a bot
    """


class IllegalAction(AstragalError, ValueError):
    """An action that is not legal in a state.

    >>> import astragal
    >>> state = astragal.load("nim").new_initial_state()
    >>> try:
    ...     state.apply_action("take all")
    ... except astragal.IllegalAction as error:
    ...     print(str(error)[:25])
    `take all` is not legal; 
    """


def refused(exit: int, drawn: str, objects: list[str], printed: str) -> BaseException:
    """The exception for a refusal of the program, by its exit code."""
    if exit == 130:
        return KeyboardInterrupt()
    kind = UsageError if exit == 2 else RulesError
    found = tuple(Diagnostic._from_json(text) for text in objects)
    return kind(drawn.rstrip() or printed.rstrip(), found, printed)
