//! The interfaces of a session: seats, the console that people sit at, the files that keep games.

use std::io;

use crate::bots::{BotKind, Clock};
use crate::diagnostic::Diagnostics;
use crate::game::{Game, Player, TableView};
use crate::progress::{Progress, UNWATCHED};
use crate::session::running::Running;
use crate::snippet::HelpBlock;
use crate::source::{Source, Sources};
use crate::transcript::{self, Script};

/// Who decides for a player.
#[derive(Clone, Copy, Debug)]
pub enum Seat {
    Human,
    Bot { kind: BotKind, clock: Clock },
}

impl Seat {
    /// Returns the seat that a word of the command line means.
    pub fn from_word(word: &str, game: &Game, clock: Clock) -> Option<Seat> {
        if word == "human" {
            return Some(Seat::Human);
        }
        Some(Seat::Bot { kind: BotKind::from_word(word, game)?, clock })
    }

    /// Returns the word of the command line that means it.
    pub(crate) fn word(&self, game: &Game) -> String {
        match self {
            Seat::Human => "human".to_owned(),
            Seat::Bot { kind, .. } => kind.word(game),
        }
    }

    /// Returns the words that seats are called by, for messages.
    pub(crate) fn words(game: &Game) -> String {
        format!("`human`, {}", BotKind::words(game))
    }
}

/// Whether a person decides for a player.
pub(super) fn is_human(seats: &[Seat], player: Player) -> bool {
    matches!(seats[player.index()], Seat::Human)
}

/// The players for whom people decide.
pub(super) fn human_players(seats: &[Seat]) -> impl Iterator<Item = Player> {
    (0..).map(Player).take(seats.len()).filter(|player| is_human(seats, *player))
}

pub(super) fn count_people(seats: &[Seat]) -> usize {
    human_players(seats).count()
}

/// What a person is prompted for.
#[derive(Clone, Copy, Debug)]
pub struct Prompt<'a> {
    pub prompt: &'a str,
    pub(crate) moves: &'a [String],
    /// Whether a move may be typed as its number.
    pub(crate) numbered: bool,
    /// The topics of help, for completion.
    pub(crate) topics: &'a [String],
    /// Whether nothing needs an answer: where no person is there, none is waited for.
    pub(crate) idle: bool,
    /// Whether the line may come back later: not where others at the screen must not see it.
    pub recalled: bool,
}

impl<'a> Prompt<'a> {
    /// Asks for Enter alone.
    pub fn enter(prompt: &'a str) -> Prompt<'a> {
        let (moves, topics) = (&[], &[]);
        Prompt { prompt, moves, numbered: true, topics, idle: true, recalled: false }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Line(String),
    /// No more lines will come.
    End,
    Interrupt,
}

/// The legal moves of a decision, to be listed.
#[derive(Clone, Copy, Debug)]
pub struct MoveList<'a> {
    /// The moves in words, each with its number.
    pub moves: &'a [(usize, String)],
    /// Whether the numbers can be typed, so that they are shown.
    pub(crate) numbered: bool,
    /// Whether all of them are wanted, however long the list may be.
    pub(crate) whole: bool,
}

/// What lies on the table, to be shown.
#[derive(Clone, Copy, Debug)]
pub struct Showing<'a> {
    pub table: &'a TableView,
    pub(crate) names: &'a [String],
    /// Who decides, if it is a person.
    pub(crate) decides: Option<Player>,
    /// How many moves will be listed below it.
    pub(crate) moves: usize,
    /// Whether all of it is wanted, however long it may be.
    pub(crate) whole: bool,
}

/// Something that the program teaches once: who has used it is not told of it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hint {
    /// How moves are typed.
    Moves,
    /// How a move is completed that was begun.
    Steps,
    /// How the rule is shown that forbids a move.
    Why,
    /// How a decision is taken back.
    Undo,
}

impl Hint {
    /// Returns the word that it is kept by.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Hint::Moves => "moves",
            Hint::Steps => "steps",
            Hint::Why => "why",
            Hint::Undo => "undo",
        }
    }
}

/// Asks people and shows them things; by itself it shows nothing. An error means that the console is gone.
#[allow(clippy::missing_errors_doc, reason = "each fails where the console is gone")]
pub trait Console {
    /// True at a terminal, where hints and news are shown; false at a pipe.
    fn is_lively(&self) -> bool {
        false
    }
    /// True if a view replaces the one before.
    fn redraws(&self) -> bool {
        false
    }
    fn ask(&mut self, asking: &Prompt) -> io::Result<Reply>;
    /// Shows a line that was typed ahead after its question.
    fn echo(&mut self, _question: &str, _line: &str) -> io::Result<()> {
        Ok(())
    }
    /// Learns how many lines that were typed ahead the next person at the screen must not read.
    fn withhold(&mut self, _lines: usize) {}
    /// Clears what stands on the screen and asks a person to sit before it, until a line is typed.
    /// Where nobody sits at a screen nobody needs to be asked.
    fn hand_over(&mut self, _name: &str) -> io::Result<Reply> {
        Ok(Reply::Line(String::new()))
    }
    /// Begins work that people can stop, until [`Console::waited`].
    fn begin_work(&mut self) -> io::Result<()> {
        Ok(())
    }
    /// Does the work of a bot. Where it may take long, people see that the `thinker` is at it, and can
    /// stop it. Returns whether they did.
    fn think(&mut self, _thinker: Option<&str>, work: &mut dyn FnMut()) -> io::Result<bool> {
        work();
        Ok(false)
    }
    /// Returns for how many seconds people have just waited, if that was long.
    fn waited_long(&self) -> Option<u64> {
        None
    }
    /// True if this hint was never shown and its command never used.
    fn wants_hint(&mut self, _hint: Hint) -> bool {
        false
    }
    /// Learns that people have used this.
    fn used(&mut self, _hint: Hint) {}
    /// The progress that a bot reports to and that stops it.
    fn progress(&self) -> &'static Progress {
        &UNWATCHED
    }
    /// Learns that the work is over, and forgets what was typed meanwhile. Returns whether people
    /// stopped it.
    fn waited(&mut self) -> io::Result<bool> {
        Ok(false)
    }
    fn tell(&mut self, _line: &str) -> io::Result<()> {
        Ok(())
    }
    /// Tells a text, a screen at a time.
    fn page(&mut self, text: &[HelpBlock]) -> io::Result<()> {
        self.tell_all(text)
    }
    /// Tells a text at once.
    fn tell_all(&mut self, text: &[HelpBlock]) -> io::Result<()> {
        text.iter().try_for_each(|block| match block {
            HelpBlock::Line(line) => self.tell(line),
            HelpBlock::Grid(rows) => self.grid(rows),
        })
    }
    /// Tells what happened in the game, which the next view has in its log.
    fn news(&mut self, line: &str) -> io::Result<()> {
        self.tell(line)
    }
    /// Tells a line that is no part of the game, such as a warning.
    fn note(&mut self, _line: &str) -> io::Result<()> {
        Ok(())
    }
    fn show(&mut self, _showing: &Showing) -> io::Result<()> {
        Ok(())
    }
    fn list(&mut self, _list: &MoveList) -> io::Result<()> {
        Ok(())
    }
    /// Shows rows whose cells stand in columns.
    fn grid(&mut self, _rows: &[Vec<String>]) -> io::Result<()> {
        Ok(())
    }
    /// Draws findings; those that answer what was typed belong to the conversation.
    fn draw(&mut self, sources: &Sources, found: &Diagnostics, answer: bool) -> io::Result<()>;
}

/// Tells people at a screen of something that they have never used.
pub(super) fn hint(io: &mut DynIo, hint: Hint, line: &str) -> io::Result<()> {
    let wanted = io.console.is_lively() && io.console.wants_hint(hint);
    if wanted { io.console.tell(line) } else { Ok(()) }
}

/// Tells lines until there are no more or people stop it.
pub(super) fn tell_until_stopped(
    console: &mut dyn Console,
    lines: impl Iterator<Item = String>,
) -> io::Result<()> {
    console.begin_work()?;
    for line in lines {
        if console.progress().is_stopped() {
            break;
        }
        console.tell(&line)?;
    }
    if console.waited()? { console.tell("…") } else { Ok(()) }
}

/// A script to be played on, with the beginning of its game.
#[derive(Clone, Debug)]
pub struct LoadedScript {
    pub start: Running,
    pub script: Script,
    pub source: Source,
    /// All texts that diagnostics may point into.
    pub sources: Sources,
}

/// Whether rules were changed, where they are kept, while they are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    No,
    /// This file was, and the people decide what becomes of it.
    Offered(String),
    /// This file was, and the people want to play on with it.
    Wanted(String),
}

/// The files that keep games; by itself it has none.
#[allow(clippy::missing_errors_doc, reason = "each says why a file cannot be read or written")]
pub trait Files {
    /// Keeps the game as it stands; its first `unchanged` lines, and its header, are as they were
    /// when it was kept before. What goes wrong is returned once, as a warning.
    fn keep(&mut self, _record: &GameRecord, _unchanged: usize) -> Option<String> {
        None
    }
    /// Writes the game into a file; `force` if it may take the place of what others wrote.
    fn save(&mut self, _file: &str, _force: bool, _: &GameRecord) -> Result<(), Diagnostics> {
        Err(Diagnostics::new())
    }
    /// Writes the game, and whatever follows, into a file, as [`Files::save`] does.
    fn record(&mut self, file: &str, force: bool, record: &GameRecord) -> Result<(), Diagnostics> {
        self.save(file, force, record)
    }
    /// Writes the game into a file as a test of the rules, as [`Files::save`] does.
    fn test(&mut self, file: &str, force: bool, record: &GameRecord) -> Result<(), Diagnostics> {
        self.save(file, force, record)
    }
    /// Returns the file that the game is being recorded in.
    fn recorded_in(&self) -> Option<String> {
        None
    }
    fn load(&mut self, _file: &str) -> Result<LoadedScript, (Sources, Diagnostics)> {
        Err((Sources::default(), Diagnostics::new()))
    }
    /// Returns a line for each variant of the game, for its rulebook.
    fn variants(&self) -> Vec<String> {
        Vec::new()
    }
    /// Returns whether the rules changed since the last call.
    fn change(&mut self) -> Change {
        Change::No
    }
    /// Reads the rules again, and the game as it stands as a script for them.
    fn reload(&mut self, _record: &GameRecord) -> Result<LoadedScript, (Sources, Diagnostics)> {
        Err((Sources::default(), Diagnostics::new()))
    }
}

#[derive(Clone, Debug)]
pub struct Io<C, F> {
    pub console: C,
    pub files: F,
}

pub(super) type DynIo<'a> = Io<&'a mut dyn Console, &'a mut dyn Files>;

impl<C: Console, F: Files> Io<C, F> {
    pub(super) fn as_dyn(&mut self) -> DynIo<'_> {
        Io { console: &mut self.console, files: &mut self.files }
    }
}

/// The beginning of the comment that says who decides for whom.
const SEATS: &str = "# seats: ";

#[derive(Clone, Debug)]
pub struct GameRecord<'a> {
    pub(crate) game: &'a Game,
    /// The options that somebody set, whatever their defaults are.
    pub(crate) options: &'a [(String, String)],
    pub(crate) seats: Vec<String>,
    /// The number that chance follows from, and whether somebody chose it.
    pub(crate) seed: u64,
    pub(crate) has_seed: bool,
    /// The lines of the transcript below its header.
    pub lines: &'a [String],
    pub(crate) begun: bool,
    pub(crate) over: bool,
}

impl GameRecord<'_> {
    /// Returns the whole script; `game` is what it calls the game.
    pub fn script(&self, game: &str) -> String {
        let seats = format!("{SEATS}{}", self.seats.join(", "));
        self.headed(game, &self.collect_options(), [transcript::seed(self.seed), seats], |_| true)
    }

    /// Returns the script with the least header, to test the rules with: a seed only if somebody chose it.
    pub(crate) fn test(&self, game: &str) -> String {
        let seed = self.has_seed.then(|| transcript::seed(self.seed));
        self.headed(game, &self.collect_options(), seed, |_| true)
    }

    /// Returns the script for other rules, which may be able to play what was decided and drawn, but not
    /// what was printed; only the options that were asked for are kept.
    pub(crate) fn replayable(&self, game: &str, options: &[(String, String)]) -> String {
        let seats = format!("{SEATS}{}", self.seats.join(", "));
        let happened = |line: &str| !line.starts_with(' ') && !line.starts_with("= ");
        self.headed(game, options, [transcript::seed(self.seed), seats], happened)
    }

    /// The options that differ from their defaults, and those that somebody set.
    fn collect_options(&self) -> Vec<(String, String)> {
        let changed = self.game.changed_options();
        let options = self.game.info().options.iter();
        let set = options.filter(|it| changed.contains(&it.0) || self.options.contains(it));
        set.cloned().collect()
    }

    fn headed(
        &self,
        game: &str,
        options: &[(String, String)],
        head: impl IntoIterator<Item = String>,
        keeps: impl Fn(&str) -> bool,
    ) -> String {
        let opening = transcript::opening(game, self.game.names(), options);
        let lines = self.lines.iter().filter(|line| keeps(line)).cloned();
        let lines = opening.into_iter().chain(head).chain(lines);
        lines.flat_map(|line| [line, "\n".to_owned()]).collect()
    }
}

/// Returns who decides for whom, as a line of a script says it.
pub fn seats_kept(line: &str) -> Option<Vec<String>> {
    let words = line.strip_prefix(SEATS)?.split(',');
    Some(words.map(|word| word.trim().to_owned()).collect())
}

/// Returns the whole lines of a journal that may have been broken off anywhere; nothing if not even
/// what stands above the first move is whole, for then nobody knows which game it was.
pub fn whole_lines(journal: &[u8]) -> Option<String> {
    let whole = journal.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let text = String::from_utf8_lossy(&journal[..whole]).into_owned();
    // The line about the seats is the last one of those that every journal begins with.
    text.lines().any(|line| line.starts_with(SEATS)).then_some(text)
}
