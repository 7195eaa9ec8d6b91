"""What the tests share."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def program() -> str:
    """The program `astragal`, to compare with."""
    built = ROOT / "target" / "debug" / "astragal"
    found = os.environ.get("ASTRAGAL") or shutil.which("astragal") or (built.exists() and built)
    if not found:
        pytest.skip("the program is not built: cargo build, or set ASTRAGAL to its path")
    return str(found)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A file with an error in its third line."""
    path = tmp_path / "broken.game"
    path.write_text('game "Broken" { players 2 }\n\nplay { finish win othrs(Player.first) }\n')
    return path
