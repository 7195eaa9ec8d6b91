"""The examples of docstrings run, and the types are right."""

import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

MODULES = {
    "astragal": [],
    "astragal._astragal": [],
    "astragal._commands": [],
    "astragal._errors": [],
    "astragal._simulation": ["pandas"],
    "astragal.openspiel": ["pyspiel"],
    "astragal.pettingzoo": ["pettingzoo"],
    "astragal.gymnasium": ["pettingzoo"],
    "astragal.distributed": ["ray"],
}


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    for needed in MODULES[name]:
        pytest.importorskip(needed)
    module = importlib.import_module(name)
    ran = doctest.testmod(module)
    assert ran.failed == 0 and ran.attempted > 0


def test_everything_public_has_an_example() -> None:
    import astragal

    for name in astragal.__all__:
        documented = getattr(astragal, name).__doc__ or ""
        assert ">>>" in documented, f"{name} has no example"


def test_types_are_strict() -> None:
    pytest.importorskip("mypy")
    package = Path(__file__).resolve().parents[1]
    typed = [sys.executable, "-m", "mypy", "--config-file", str(package / "pyproject.toml")]
    ran = subprocess.run([*typed, str(package / "python" / "astragal")], capture_output=True, text=True, cwd=package)
    assert ran.returncode == 0, ran.stdout


def test_stubs_name_what_is_compiled() -> None:
    pytest.importorskip("mypy")
    ran = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "astragal._astragal", "--ignore-missing-stub"],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout
