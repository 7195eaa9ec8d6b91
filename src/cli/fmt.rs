//! `astragal fmt`: files in their canonical layout.

use std::io::Read;
use std::path::Path;

use super::args::Fmt;
use super::error::CliError;
use super::files;
use super::screen::{Exit, Failure, Screen};
use crate::source::Sources;
use crate::syntax;

/// The word for what is read from standard input and written to standard output.
const STREAM: &str = "-";

/// Lays files out, or says which are not.
pub(super) fn fmt(command: &Fmt, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut exit = Exit::Fine;
    for path in &command.files {
        let fine = match one(command, path, screen) {
            Ok(fine) => fine,
            // The other files are laid out all the same.
            Err(Failure::Findings { sources, diagnostics, .. }) => {
                screen.report(&sources, &diagnostics)?;
                false
            }
            Err(failure) => return Err(failure),
        };
        if !fine {
            exit = Exit::No;
        }
    }
    Ok(exit)
}

/// Lays one file out; whether nothing is left to be said against it.
fn one(command: &Fmt, path: &Path, screen: &mut Screen) -> Result<bool, Failure> {
    let stream = path == Path::new(STREAM);
    let name = if stream { "standard input".to_owned() } else { path.display().to_string() };
    let text = if stream { from_stream(&name)? } else { files::read_rules(path)? };
    let laid_out = lay_out(&name, &text)?;
    if command.check {
        let Some(line) = first_difference(&text, &laid_out) else { return Ok(true) };
        screen.line(&format!("{name}:{line}: not in the canonical layout"))?;
        return Ok(false);
    }
    if stream {
        screen.text(&laid_out)?;
    } else if laid_out != text {
        files::replace(path, &laid_out)?;
        screen.note(&format!("{name}: laid out"))?;
    }
    Ok(true)
}

fn from_stream(name: &str) -> Result<String, CliError> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().read_to_end(&mut bytes);
    read.map_err(|error| files::unreadable(Path::new(name), &error))?;
    files::text_of(name, bytes)
}

/// The canonical layout of a text that can be read.
fn lay_out(name: &str, text: &str) -> Result<String, Failure> {
    let mut sources = Sources::default();
    let source = sources.add(name, text);
    let (ast, diagnostics) = syntax::parse(source);
    let laid_out = syntax::tidy(source, &ast);
    if diagnostics.has_errors() {
        return Err(files::refuse(&sources, diagnostics));
    }
    Ok(laid_out)
}

/// The first line, counted from 1, where two texts differ.
fn first_difference(text: &str, other: &str) -> Option<usize> {
    if text == other {
        return None;
    }
    let same = text.split('\n').zip(other.split('\n')).take_while(|(a, b)| a == b).count();
    Some(same + 1)
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn the_first_line_that_differs_is_named() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
        assert_eq!(first_difference("a\nb", "a\nb\n"), Some(3));
        assert_eq!(first_difference("a\r\n", "a\n"), Some(1));
    }
}
