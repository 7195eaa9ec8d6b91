//! The two streams of the program.

use std::io::{self, BufWriter, IsTerminal as _, Stderr, Stdout, Write};

use anstyle::Style;
use terminal_size::{Height, Width, terminal_size};

use crate::diagnostic::{Diagnostics, hidden_signs_in};
use crate::host::drawing::line::StyledLine;
use crate::host::game_files::{FoundText, GameFiles, find_here};
use crate::host::{error::HostError, findings, gate};
use crate::source::Sources;

/// How many findings are drawn as an answer to one line.
const MOST_SHOWN: usize = 2;

/// A screen of which nobody knows how high it is has hardly more lines.
const MOST_LINES: usize = 100;

/// The sequence of signs that clears a terminal, with what was there before.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// Standard output for results and standard error for everything else.
#[derive(Debug)]
pub(crate) struct Screen {
    out: ScreenSink<BufWriter<Stdout>>,
    err: ScreenSink<Stderr>,
    color: bool,
    drawn: Option<&'static str>,
    color_out: bool,
    /// What was reported, where another program captures it.
    objects: Vec<String>,
    given: Option<GameFiles>,
}

/// A stream of the process, or a text in its place.
#[derive(Debug)]
enum ScreenSink<S> {
    Stream(S),
    Captured(Vec<u8>),
}

impl<S> ScreenSink<S> {
    fn into_text(self) -> String {
        match self {
            ScreenSink::Stream(_) => String::new(),
            ScreenSink::Captured(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        }
    }
}

impl<S: Write> Write for ScreenSink<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            ScreenSink::Stream(stream) => stream.write(bytes),
            ScreenSink::Captured(text) => text.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            ScreenSink::Stream(stream) => stream.flush(),
            ScreenSink::Captured(_) => Ok(()),
        }
    }
}

impl Screen {
    /// The streams of the process; `color` is whether somebody wants colours or not, else terminals have them.
    pub(crate) fn new(color: Option<bool>) -> Screen {
        let (out, err) = (io::stdout(), io::stderr());
        let wanted_out = anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never;
        let wanted = anstream::AutoStream::choice(&err) != anstream::ColorChoice::Never;
        let (color, color_out) = match color {
            Some(color) => (color, color),
            None => (wanted && err.is_terminal(), wanted_out && out.is_terminal()),
        };
        let (out, err) = (ScreenSink::Stream(BufWriter::new(out)), ScreenSink::Stream(err));
        Screen { out, err, color, color_out, drawn: None, objects: Vec::new(), given: None }
    }

    /// Keeps what is printed. The word of `given` means its files.
    pub(crate) fn captured(given: Option<GameFiles>) -> Screen {
        let (out, err) = (ScreenSink::Captured(Vec::new()), ScreenSink::Captured(Vec::new()));
        let (color, color_out) = (false, false);
        Screen { out, err, color, color_out, drawn: None, objects: Vec::new(), given }
    }

    /// What a captured screen kept: results, notes and errors, and the errors as JSON.
    pub(crate) fn into_captured(self) -> (String, String, Vec<String>) {
        (self.out.into_text(), self.err.into_text(), self.objects)
    }

    /// Finds a game by the word of a command.
    pub(crate) fn find_game(&self, word: &str) -> Result<FoundText, HostError> {
        match self.given.as_ref().filter(|given| given.word() == word) {
            Some(given) => Ok(given.to_found_text()),
            None => find_here(word),
        }
    }

    pub(crate) fn screen_width() -> usize {
        measure_size("COLUMNS", |(width, _)| width.0, 80).clamp(20, 1000)
    }

    pub(crate) fn height() -> usize {
        measure_size("LINES", |(_, height)| height.0, 24).clamp(5, 1000)
    }

    /// A piece of the result in a style, where colours are wanted.
    pub(crate) fn styled(&self, style: Style, text: &str) -> String {
        let text = gate::sanitize_text(text);
        if self.color_out { format!("{style}{text}{style:#}") } else { text.into_owned() }
    }

    pub(crate) fn styled_text(&mut self, style: Style, text: &str) -> io::Result<()> {
        let text = self.styled(style, text);
        self.out.write_all(text.as_bytes())
    }

    pub(crate) fn is_coloured(&self) -> bool {
        self.color_out
    }

    pub(crate) fn print_line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{}", gate::sanitize_text(line))
    }

    /// Prints a line in pieces, which may have colours.
    pub(crate) fn print_styled(&mut self, line: &StyledLine) -> io::Result<()> {
        let line = if self.color_out { line.coloured() } else { line.letters() };
        writeln!(self.out, "{line}")
    }

    pub(crate) fn print_text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(gate::sanitize_text(text).as_bytes())
    }

    pub(crate) fn print_json(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(gate::escape_json(text).as_bytes())
    }

    /// Prints a text that was read, for another program: that one wants every sign of it.
    pub(crate) fn copy(&mut self, text: &str) -> io::Result<()> {
        if io::stdout().is_terminal() {
            return self.print_text(text);
        }
        self.out.write_all(text.as_bytes())
    }

    /// Whether somebody reads along at a terminal.
    pub(crate) fn is_watched() -> bool {
        io::stdout().is_terminal() && io::stderr().is_terminal()
    }

    pub(crate) fn clear_watched(&mut self) -> io::Result<()> {
        if !Screen::is_watched() {
            return Ok(());
        }
        self.wipe()?;
        self.flush()
    }

    /// Whether the terminal follows no sequences.
    pub(crate) fn is_dumb() -> bool {
        std::env::var_os("TERM").is_some_and(|term| term == "dumb")
    }

    /// Wipes off what stands on the screen. A terminal that follows no sequences gets as many lines as it may have.
    pub(crate) fn wipe(&mut self) -> io::Result<()> {
        if Screen::is_dumb() {
            return self.out.write_all("\n".repeat(Screen::height().max(MOST_LINES)).as_bytes());
        }
        self.steer(CLEAR)
    }

    pub(crate) fn steer(&mut self, sequence: &'static str) -> io::Result<()> {
        self.out.write_all(sequence.as_bytes())
    }

    pub(crate) fn print_note(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.err, "{}", gate::sanitize_text(line))
    }

    /// Says where a file here could have been meant instead of a game inside of the program.
    pub(crate) fn note_namesake(&mut self, game: &FoundText) -> io::Result<()> {
        let Some(file) = game.namesake() else { return Ok(()) };
        let name = file.trim_end_matches(".game");
        self.print_note(&format!(
            "`{name}` is the game inside of the program; for the file here write `{file}`"
        ))
    }

    /// Draws findings on standard error, after the results so far.
    pub(crate) fn report_findings(
        &mut self,
        sources: &Sources,
        found: &Diagnostics,
    ) -> io::Result<()> {
        self.flush()?;
        if let ScreenSink::Captured(_) = self.err {
            let objects = findings::diagnostic_records(sources, found);
            self.objects.extend(objects.iter().map(ToString::to_string));
        }
        if self.drawn.is_none() {
            self.drawn = findings::first_code(found);
        }
        let drawn = findings::render_findings(sources, found, self.color, Screen::screen_width());
        self.err.write_all(drawn.as_bytes())
    }

    /// Warns of signs that could deceive a reader.
    pub(crate) fn warn_of_signs(&mut self, sources: &Sources) -> io::Result<()> {
        sources
            .iter()
            .try_for_each(|source| self.report_findings(sources, &hidden_signs_in(source)))
    }

    /// Says where to read more about the first error that was drawn.
    pub(crate) fn note_explain(&mut self) -> io::Result<()> {
        match self.drawn.take() {
            Some(code) => self.print_note(&format!("for more: astragal explain {code}")),
            None => Ok(()),
        }
    }

    /// Draws the first findings as a part of the result, and says how many more there are.
    pub(crate) fn print_first_findings(
        &mut self,
        sources: &Sources,
        found: &Diagnostics,
    ) -> io::Result<()> {
        let (first, more) = found.first(MOST_SHOWN);
        let drawn =
            findings::render_findings(sources, &first, self.color_out, Screen::screen_width());
        self.out.write_all(drawn.as_bytes())?;
        if more > 0 { self.print_line(&format!("and {more} more like these")) } else { Ok(()) }
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A size of the screen: what a variable says, else the terminal, whose window may change at any time.
fn measure_size(variable: &str, part: fn((Width, Height)) -> u16, usual: usize) -> usize {
    let number = std::env::var(variable).ok().and_then(|it| it.trim().parse().ok());
    let number = number.filter(|number| *number > 0);
    number.or_else(|| terminal_size().map(|size| usize::from(part(size)))).unwrap_or(usual)
}
