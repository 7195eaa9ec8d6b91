"""Simulations, and the program they must agree with."""

import _thread
import json
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import astragal


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C as in a terminal: a process in the background begins with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def without_rate(text: str) -> str:
    return re.sub(r'"playouts_per_second":[0-9.]+', "", text)


@pytest.mark.parametrize(
    ("name", "words", "settings"),
    [
        ("nim", [], {}),
        ("tice", ["--players", "3"], {"players": 3}),
        ("kuhn-poker", ["--seats", "random,mcts:20"], {"seats": ["random", "mcts:20"]}),
        ("nim", ["--vary", "misere=no,yes"], {"vary": {"misere": [False, True]}}),
        ("nim", ["--shard", "2/3"], {"shard": (2, 3)}),
    ],
)
def test_the_json_is_that_of_the_program(
    program: str, name: str, words: list[str], settings: dict[str, object]
) -> None:
    typed = [program, "simulate", name, "-n", "300", "--seed", "7", "--format", "json", *words]
    printed = subprocess.run(typed, capture_output=True, text=True, check=True).stdout
    result = astragal.simulate(name, 300, seed=7, **settings)  # type: ignore[arg-type]
    assert without_rate(result.json()) == without_rate(printed)


def test_parts_add_up_to_the_whole() -> None:
    whole = astragal.simulate("elemental-clash", 200, seed=3)
    parts = [astragal.simulate("elemental-clash", 200, seed=3, shard=(at, 4)) for at in range(1, 5)]
    assert without_rate(astragal.merge(parts).json()) == without_rate(whole.json())
    assert without_rate(astragal.merge(parts[:3]).json()) != without_rate(whole.json())
    with pytest.raises(astragal.RulesError, match="counted already"):
        astragal.merge([parts[0], parts[0]])
    with pytest.raises(astragal.RulesError, match="another simulation"):
        astragal.merge([parts[0], astragal.simulate("nim", 10, seed=3)])


def test_frames_have_a_row_for_each_thing() -> None:
    pytest.importorskip("pandas")
    result = astragal.simulate("yahtzee", 50, seed=1)
    seats = result.to_pandas()
    assert list(seats["seat"]) == list(range(1, len(result.data["wins"]) + 1))
    assert list(seats["wins"]) == result.data["wins"]
    assert seats["score_mean"].iloc[0] == result.data["scores"][0]["mean"]
    assert set(result.to_pandas("moves")["move"]) == set(result.data["moves"])
    varied = astragal.simulate("nim", 50, seed=1, vary={"misere": ["no", "yes"]})
    assert list(varied.to_pandas()["misere"]) == ["no", "no", "yes", "yes"]


def test_counts_are_files_of_the_program(program: str, tmp_path: Path) -> None:
    result = astragal.simulate("pig", 100, seed=2)
    result.save(tmp_path / "counts.json")
    result.report(tmp_path / "page.html")
    typed = [program, "merge", str(tmp_path / "counts.json"), "--format", "json"]
    printed = subprocess.run(typed, capture_output=True, text=True, check=True).stdout
    assert without_rate(printed) == without_rate(result.json())
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")


def test_ctrl_c_stops_a_simulation_at_once(interruptible: None) -> None:
    threading.Timer(0.5, _thread.interrupt_main).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        astragal.simulate("elemental-clash", 10**9, seed=1)
    assert time.monotonic() - begun < 60
    # What was stopped stops nothing that comes later.
    assert astragal.simulate("nim", 10, seed=1).data["playouts"] == 10


def test_ctrl_c_stops_a_thinking_bot_or_waits_for_it(interruptible: None) -> None:
    state = astragal.load("nim").new_initial_state()
    threading.Timer(0.1, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            state.bot_action("mcts:2000")


def test_other_threads_go_on_during_a_simulation() -> None:
    beats: list[float] = []
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(0.01):
            beats.append(time.monotonic())

    thread = threading.Thread(target=beat)
    thread.start()
    begun = time.monotonic()
    astragal.simulate("elemental-clash", 3000, seed=1, threads=1)
    took = time.monotonic() - begun
    stop.set()
    thread.join()
    during = [beat for beat in beats if begun < beat < begun + took]
    assert len(during) > 3, f"{len(during)} beats in {took} s"


def test_a_simulation_of_broken_rules_says_where(tmp_path: Path) -> None:
    path = tmp_path / "trap.game"
    path.write_text(
        'game "Trap" { players 1 }\nthe table has { left: 0..3 = 3 }\n'
        "play { choose Player.first { dig(n) for n in 1..5 { left -= n } }; finish draw }\n"
    )
    with pytest.raises(astragal.RulesError) as caught:
        astragal.simulate(path, 100, seed=1)
    assert caught.value.diagnostics[0].line == 3 and "play::" in str(caught.value.diagnostics[0].code)


def test_the_json_is_json() -> None:
    assert json.loads(astragal.simulate("nim", 10, seed=1).json())["seed"] == 1
