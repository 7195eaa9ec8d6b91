"""A simulation on a Ray cluster, of which one worker is killed."""

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ray = pytest.importorskip("ray")

import astragal
import astragal.distributed

pytestmark = pytest.mark.slow


def without_rate(text: str) -> str:
    return re.sub(r'"playouts_per_second":[0-9.]+', "", text)


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False, object_store_memory=10**8)
    yield
    ray.shutdown()


def workers_at_work() -> list[int]:
    """The processes below this one that play a part now."""
    parents: dict[int, int] = {}
    titles: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            status = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            titles[int(entry.name)] = (entry / "cmdline").read_text()
            parents[int(entry.name)] = int(status[1])
        except OSError:
            continue

    def is_ours(process: int) -> bool:
        while process > 1:
            if process == os.getpid():
                return True
            process = parents.get(process, 0)
        return False

    return [it for it, title in titles.items() if title.startswith("ray::_shard") and is_ours(it)]


def test_a_killed_worker_changes_no_number(cluster: None, program: str) -> None:
    killed: list[int] = []

    def kill() -> None:
        until = time.monotonic() + 120
        while not killed and time.monotonic() < until:
            for worker in workers_at_work()[:1]:
                # In the middle: it has begun, and others are still to come.
                time.sleep(0.3)
                os.kill(worker, signal.SIGKILL)
                killed.append(worker)
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    settings = {"seats": "mcts:30", "seed": 11}
    played = astragal.distributed.simulate("elemental-clash", 240, shards=8, **settings)
    killer.join()
    assert killed, "a worker was killed while it played"
    typed = [program, "simulate", "elemental-clash", "-n", "240", "--seats", "mcts:30"]
    typed += ["--seed", "11", "--format", "json"]
    printed = subprocess.run(typed, capture_output=True, text=True, check=True).stdout
    assert without_rate(played.json()) == without_rate(printed)


def test_more_parts_than_playouts_and_a_varied_option(cluster: None) -> None:
    settings = {"seed": 5, "vary": {"misere": [False, True]}}
    played = astragal.distributed.simulate("nim", 5, shards=9, **settings)
    assert without_rate(played.json()) == without_rate(astragal.simulate("nim", 5, **settings).json())


def test_a_file_of_this_machine_is_sent(cluster: None, tmp_path: Path) -> None:
    path = tmp_path / "coin.game"
    path.write_text('game "Coin" { players 2 }\nplay { let winner = random Player; finish win winner }\n')
    game = astragal.load(path)
    path.unlink()
    assert astragal.distributed.simulate(game, 100, shards=2, seed=1).data["playouts"] == 100


def test_rules_that_fail_in_play_end_it(cluster: None, tmp_path: Path) -> None:
    path = tmp_path / "trap.game"
    path.write_text(
        'game "Trap" { players 1 }\nthe table has { left: 0..3 = 3 }\n'
        "play { choose Player.first { dig(n) for n in 1..5 { left -= n } }; finish draw }\n"
    )
    with pytest.raises(astragal.RulesError) as caught:
        astragal.distributed.simulate(path, 100, shards=4, seed=1)
    assert caught.value.diagnostics[0].line == 3 and "play::" in str(caught.value.diagnostics[0].code)
