//! Lists every `.game` file of `games/` and `examples/` and the scripts that they name as examples, so that the
//! program carries them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut table = String::from("&[\n");
    for folder in ["games", "examples"] {
        println!("cargo::rerun-if-changed={folder}");
        let games = game_files(&root.join(folder))?;
        let scripts: Vec<PathBuf> = games.iter().filter_map(|path| example_of(path)).collect();
        for path in games.into_iter().chain(scripts) {
            let below = path.strip_prefix(&root).expect("the walk began at the root");
            let name = below.to_string_lossy().replace('\\', "/");
            writeln!(table, "({name:?}, include_str!({:?})),", path.display().to_string())
                .expect("a string takes every text");
        }
    }
    table.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("bundled.rs"), table)?;
    if env::var_os("CARGO_FEATURE_SERVE").is_some() { page(&root, &out) } else { Ok(()) }
}

/// Where the page of a seat lies once it is built.
const PAGE: &str = "web/dist/seat.html";

/// Copies the page of a seat for the program to carry: an empty text where nobody built it.
fn page(root: &Path, out: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-env-changed=ASTRAGAL_PAGE");
    let named = env::var_os("ASTRAGAL_PAGE").map(PathBuf::from);
    let path = named.clone().unwrap_or_else(|| root.join(PAGE));
    let place = out.join("seat.html");
    if named.is_none() && !path.is_file() {
        // A file that is not there would always look changed.
        return fs::write(place, "");
    }
    println!("cargo::rerun-if-changed={}", path.display());
    let copied = fs::copy(&path, place);
    copied.map(drop).map_err(|error| io::Error::other(format!("{}: {error}", path.display())))
}

/// The script that a game names as its example: `example "scripts/first-turn.script"`.
#[expect(clippy::disallowed_methods, reason = "a build script has no screen to refuse on")]
fn example_of(path: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(path).ok()?;
    let named = text.lines().find_map(|line| line.trim().strip_prefix("example \""))?;
    let script = path.parent()?.join(named.split('"').next()?);
    script.is_file().then_some(script)
}

/// The `.game` files in and below a folder, in the order of their names.
fn game_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut entries =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(game_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "game") {
            files.push(path);
        }
    }
    Ok(files)
}
