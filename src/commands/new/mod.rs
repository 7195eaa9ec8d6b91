//! `astragal new`: a folder with a small game, or a variant of a bundled one, a script, and a page that
//! says how to go on.

use std::{fs, path::Path};

use crate::host::exit::{Exit, Failure};
use crate::host::{disk, error::HostError, game_files, screen::Screen, writing};
use crate::load::bundled;

type FileText = (String, String);

pub(super) fn new(folder: &Path, base: Option<&str>, screen: &mut Screen) -> Result<Exit, Failure> {
    let name = game_name(folder)?;
    let texts = match base {
        None => vec![
            (format!("{name}.game"), fill_template(include_str!("small.game"), &name)),
            (format!("{name}.script"), fill_template(include_str!("small.script"), &name)),
        ],
        Some(base) => variant(base, &name)?,
    };
    let page = (String::from("README.md"), fill_template(include_str!("small.md"), &name));
    if folder.exists() {
        return Err(HostError::Exists { path: folder.display().to_string() }.into());
    }
    for (file, text) in texts.iter().chain([&page]) {
        let path = folder.join(file);
        let inside = path.parent().map_or(Ok(()), fs::create_dir_all);
        inside.map_err(|error| disk::unwritable(&path, &error))?;
        writing::create(&path, text)?;
        screen.print_line(&path.display().to_string())?;
    }
    screen.print_note(&format!(
        "next: `cd {}`, then `astragal play {name}.game --watch`; README.md says more",
        folder.display()
    ))?;
    Ok(Exit::Fine)
}

/// The name of the game by its folder: letters, digits and `-`.
fn game_name(folder: &Path) -> Result<String, HostError> {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let fits =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if name.starts_with(|first: char| first.is_ascii_lowercase()) && name.chars().all(fits) {
        return Ok(name.to_owned());
    }
    let mut better = String::new();
    for letter in name.to_lowercase().chars() {
        let letter = if fits(letter) { letter } else { '-' };
        if letter != '-' || !(better.is_empty() || better.ends_with('-')) {
            better.push(letter);
        }
    }
    let better = better.trim_matches(|letter: char| letter == '-' || letter.is_ascii_digit());
    let better = if better.is_empty() { "my-game".to_owned() } else { better.to_owned() };
    Err(HostError::NewName { name: name.to_owned(), better })
}

/// A variant of a bundled game, with the files of that game.
fn variant(base: &str, name: &str) -> Result<Vec<FileText>, HostError> {
    let game = bundled::find_bundled(base).ok_or_else(|| game_files::unknown_game(base))?;
    let mut texts = game.files();
    let base = texts[0].0.clone();
    let own = format!("{name}.game");
    if texts.iter().any(|(file, _)| *file == own) {
        return Err(HostError::NewName { name: name.to_owned(), better: format!("my-{name}") });
    }
    let fill = |text: &str| fill_template(text, name).replace("BASE", &base);
    texts.push((own, fill(include_str!("variant.game"))));
    texts.push((format!("{name}.script"), fill(include_str!("variant.script"))));
    Ok(texts)
}

/// A text with the name of the game, and its title: `Deep Well` for `deep-well`.
fn fill_template(text: &str, name: &str) -> String {
    let words = name.split('-').filter(|word| !word.is_empty()).map(|word| {
        let (first, rest) = word.split_at(1);
        format!("{}{rest}", first.to_uppercase())
    });
    text.replace("GAME", name).replace("TITLE", &words.collect::<Vec<_>>().join(" "))
}
