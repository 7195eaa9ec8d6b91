"""The pages about this package: their examples, scripts and notebook run."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT

import astragal


def without_rate(text: str) -> str:
    return re.sub(r'"playouts_per_second":[0-9.]+', "", text)


def blocks(page: str, tag: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text()
    found = re.findall(rf"^```{tag}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found, f"{page} has a block `{tag}`"
    return found


NEEDS = {"pyspiel": "openspiel", "pettingzoo": "pettingzoo", "ray": "distributed", "pandas": "to_pandas"}


def test_the_examples_of_the_page_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    ran = 0
    for block in blocks("python.md", "python"):
        missing = [
            it for it, word in NEEDS.items() if word in block and not _is_installed(it)
        ]
        if not missing and "distributed" not in block:
            exec(compile(block, "docs/python.md", "exec"), {})
            ran += 1
    assert ran >= 3


def _is_installed(module: str) -> bool:
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def as_job(program: str, text: str, folder: Path, name: str, number: int) -> None:
    """Runs the script of a job as its scheduler does, with the number of the task."""
    path = f"{Path(program).resolve().parent}:{os.environ['PATH']}"
    environment = os.environ | {name: str(number), "PATH": path, "COUNTS": str(folder)}
    subprocess.run(["bash", "-c", text], check=True, env=environment, cwd=folder, capture_output=True)


@pytest.mark.parametrize(
    ("file", "variable", "first"),
    [("slurm.sh", "SLURM_ARRAY_TASK_ID", 1), ("kubernetes.yaml", "JOB_COMPLETION_INDEX", 0)],
)
def test_jobs_of_a_scheduler_add_up(
    program: str, tmp_path: Path, file: str, variable: str, first: int
) -> None:
    text = (ROOT / "docs" / "scale" / file).read_text()
    script = text if file.endswith(".sh") else text.split("- |\n", 1)[1].split("\n        volumeMounts", 1)[0]
    # The same script, with fewer and shorter parts.
    for name, number in (("PLAYOUTS", "1000"), ("PARTS", "4")):
        script, count = re.subn(rf"{name}=\d+", f"{name}={number}", script)
        assert count == 1, f"the script sets {name} once"
    for part in range(4):
        as_job(program, script, tmp_path, variable, first + part)
    # A task that runs again finds its part done.
    as_job(program, script, tmp_path, variable, first)
    counts = sorted(map(str, tmp_path.glob("part-*.json")))
    assert len(counts) == 4
    typed = [program, "merge", *counts, "--format", "json"]
    merged = subprocess.run(typed, capture_output=True, text=True, check=True).stdout
    seed = json.loads(merged)["seed"]
    whole = astragal.simulate("elemental-clash", 1000, seed=seed)
    assert without_rate(merged) == without_rate(whole.json())


@pytest.mark.slow
def test_the_notebook_runs() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("matplotlib")
    path = ROOT / "docs" / "notebook" / "fairness.ipynb"
    notebook = nbformat.read(path, as_version=4)
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    lines = [line for cell in code for line in cell.splitlines() if line.strip()]
    assert len(lines) <= 10, f"{len(lines)} lines from a file to a plot"
    client = nbclient.NotebookClient(notebook, timeout=300, startup_timeout=300, resources={"metadata": {"path": path.parent}})
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs), "there is a plot"
    assert not any(output.output_type == "error" for output in outputs)
