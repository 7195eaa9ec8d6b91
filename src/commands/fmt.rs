//! `astragal fmt`: files in their canonical layout.

use std::path::Path;

use similar::TextDiff;

use crate::budget::Budget;
use crate::commands::args::Fmt;
use crate::diagnostic::Diagnostics;
use crate::host::error::HostError;
use crate::host::exit::{Exit, Failure};
use crate::host::{disk, files, screen::Screen, writing};
use crate::source::Sources;
use crate::syntax;
use crate::transcript;

pub(super) fn fmt(command: &Fmt, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut exit = Exit::Fine;
    for path in &command.files {
        let files = if path.is_dir() { files::list_game_files(path)? } else { vec![path.clone()] };
        if files.is_empty() {
            return Err(HostError::NoGames { place: path.display().to_string() }.into());
        }
        for file in files {
            let fine = match one(command, &file, screen) {
                Ok(fine) => fine,
                // The other files are laid out all the same.
                Err(Failure::Findings { sources, diagnostics, .. }) => {
                    screen.report_findings(&sources, &diagnostics)?;
                    false
                }
                Err(failure) => return Err(failure),
            };
            if !fine {
                exit = Exit::No;
            }
        }
    }
    Ok(exit)
}

/// Lays one file out; returns whether it is laid out now.
fn one(command: &Fmt, path: &Path, screen: &mut Screen) -> Result<bool, Failure> {
    let (is_input, name) = (disk::is_input(path), disk::display_path(path));
    let text = if is_input { disk::read_input()? } else { disk::read_text(path)? };
    let laid_out = format_text(&name, &text)?;
    if command.diff {
        let diff = TextDiff::from_lines(&text, &laid_out);
        screen.print_text(&diff.unified_diff().header(&name, &name).to_string())?;
    }
    if command.check && text != laid_out {
        let lines = text.split('\n').zip(laid_out.split('\n'));
        let line = lines.take_while(|(a, b)| a == b).count() + 1;
        screen.print_line(&format!("{name}:{line}: not in the canonical layout"))?;
    }
    if command.check || command.diff {
        return Ok(text == laid_out);
    }
    if is_input {
        screen.copy(&laid_out)?;
    } else if laid_out != text {
        writing::edit(path, &laid_out)?;
        screen.print_note(&format!("{name}: laid out"))?;
    }
    Ok(true)
}

/// The canonical layout of a text that can be read.
fn format_text(name: &str, text: &str) -> Result<String, Failure> {
    let mut sources = Sources::default();
    let source = sources.add(name, text).clone();
    let laid_out = if files::is_script(Path::new(name), text) {
        transcript::tidy(&source)
    } else {
        let (ast, diagnostics) = syntax::parse(&source);
        if diagnostics.has_errors() {
            Err(diagnostics)
        } else {
            syntax::tidy(&source, &ast, &Budget::default()).map_err(Diagnostics::of)
        }
    };
    laid_out.map_err(|diagnostics| files::refuse_findings(&sources, diagnostics))
}
