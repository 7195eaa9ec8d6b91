//! The REPL: the table of commands, and a function for each.

use std::io;

use crate::chance::Seed;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::game::{Game, Player};
use crate::session::console::{Change, DynIo, Hint, Seat};
use crate::session::play::{Session, SessionEnd};
use crate::session::repl::typed_moves::names_move;
use crate::session::replay::ReplayPurpose;
use crate::session::steps::{Made, Moment};
use crate::session::timeline::UndoRefusal;
use crate::source::{Source, Sources};
use crate::suggest::nearest;
use crate::transcript::list_words;

/// What the text of somebody at the table is called in findings.
const TYPED: &str = "typed";

pub(in crate::session) enum ParsedLine<'a> {
    Nothing,
    Move(&'a str),
    Command(&'static Command, Typed<'a>),
    /// Something that cannot be meant, and the sentence that says so.
    Wrong(String),
}

/// What was typed with a command.
#[derive(Clone, Copy)]
pub(in crate::session) struct Typed<'a> {
    /// What follows its word.
    pub(super) text: &'a str,
    /// Whether a `!` follows its word.
    pub(super) force: bool,
    pub(super) labels: &'a [String],
}

/// How a command is typed, what it does, and the function that does it.
pub(in crate::session) struct Command {
    /// Its word, without the colon.
    pub(in crate::session) word: &'static str,
    pub(super) argument: &'static str,
    ways: &'static [Way],
    pub(super) help: &'static str,
    run: fn(&mut Session, Typed, &mut DynIo) -> io::Result<()>,
}

/// What may be left out of a command, what may be added, and when it can be typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// It also works without its colon, where no move is called so.
    Bare,
    /// A `!` may follow its word.
    Forced,
    /// It also works without its argument.
    Alone,
    /// It only works where somebody decides.
    Deciding,
}

macro_rules! commands {
    ($($word:literal $argument:literal [$($way:ident)*] $run:expr, $help:literal;)*) => {
        &[$(Command {
            word: $word, argument: $argument, ways: &[$(Way::$way),*], help: $help, run: $run,
        }),*]
    };
}

pub(super) const COMMANDS: &[Command] = commands! {
    "help" "[WORD]" [Bare] Session::show_help,
        "lists the moves and commands, or explains a move, kind, rule, option or variable";
    "rules" "[WORDS]" [Bare] Session::show_rules, "shows the rulebook of this game, or what stands below one heading";
    "moves" "[WORD]" [Bare Deciding] Session::show_moves,
        "lists the legal moves, or those that begin with a word";
    "state" "" [Bare] |session, _, io| session.show_table(true, io), "shows the table";
    "why" "MOVE" [Bare Forced Deciding] Session::why,
        "explains why a move is illegal; `:why!` shows the rule";
    "cancel" "" [Bare Deciding] Session::cancel, "breaks off a move that you have begun to type";
    "undo" "[N]" [Bare Forced] Session::undo, "takes back the last decision, or the last N";
    "redo" "[N]" [Bare] Session::redo, "repeats what was taken back, with the same draws";
    "tree" "[N]" [] Session::tree,
        "lists the lines of play that were tried, or goes to one, by its number or its name";
    "mark" "NAME" [] Session::mark_position, "gives this position a name, for `:tree NAME`";
    "roll" "OUTCOME…" [Alone] Session::pin_roll,
        "sets the outcome of the next draws, as real dice showed";
    "eval" "EXPRESSION" [Forced] Session::eval, "computes an expression";
    "set" "STATEMENT" [Bare Forced Deciding] Session::change_position,
        "changes the position; `:set!` where several share a screen with secrets";
    "save" "FILE" [Bare Forced] Session::save, "saves the game in a file, as a script";
    "test" "FILE" [Forced] Session::write_test,
        "writes what was played as a test of the rules; `:test!` over a file that is there";
    "load" "FILE" [Bare] Session::load, "replays a script and continues where it ends";
    "reload" "" [] Session::reload, "reads the rules again and replays the moves so far";
    "record" "FILE" [Forced Alone] Session::record_in,
        "records the game in a file, with the moves so far";
    "history" "" [Bare] Session::history, "lists the decisions so far";
    "log" "" [Bare] Session::log, "tells the whole game so far, with dice and cards";
    "restart" "" [] Session::restart,
        "starts again with the same seed, or with a new one where there are secrets";
    "seed" "[N]" [] Session::reseed, "shows the random seed; with N, later draws follow from N";
    "auto" "" [] Session::switch_auto,
        "makes a move by itself where there is only one, or stops doing so";
    "hint" "[BOT]" [Bare] Session::advise, "asks a bot for a move";
    "best" "" [Bare] Session::weigh,
        "shows the value of each move, where the rest of the game is small";
    // `answer` and `hand_over` end the loop of play.
    "quit" "" [Bare] |_, _, _| Ok(()), "leaves the game; `play --resume` continues it";
};

pub(in crate::session) fn read(line: &str) -> ParsedLine<'_> {
    let line = line.trim();
    if line.is_empty() {
        return ParsedLine::Nothing;
    }
    let Some(typed) = line.strip_prefix(':') else { return ParsedLine::Move(line) };
    let (word, text) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    let typed = Typed { text: text.trim(), force: word.ends_with('!'), labels: &[] };
    let command = find_command(word.trim_end_matches('!'));
    match command.and_then(|command| command.check_usage(typed).map(|()| command)) {
        Ok(command) => ParsedLine::Command(command, typed),
        Err(sentence) => ParsedLine::Wrong(sentence),
    }
}

/// What people type elsewhere for a command.
const SYNONYMS: [(&str, &str); 4] =
    [("?", "help"), ("exit", "quit"), ("q", "quit"), ("quit()", "quit")];

/// A command that was typed without its colon.
pub(in crate::session) fn read_bare(line: &str) -> Option<ParsedLine<'_>> {
    let (first, text) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let lower = first.to_lowercase();
    let word = lower.trim_end_matches('!');
    let meant = SYNONYMS.iter().find(|(synonym, _)| *synonym == word).map_or(word, |it| it.1);
    let works = |command: &&Command| command.word == meant && command.has_way(Way::Bare);
    let command = COMMANDS.iter().find(works)?;
    let typed = Typed { text: text.trim(), force: lower.ends_with('!'), labels: &[] };
    Some(match command.check_usage(typed) {
        Ok(()) => ParsedLine::Command(command, typed),
        Err(sentence) => ParsedLine::Wrong(sentence),
    })
}

/// Finds a command by its word, or by a beginning that only it has.
pub(super) fn find_command(word: &str) -> Result<&'static Command, String> {
    let lower = word.to_lowercase();
    if let Some(command) = COMMANDS.iter().find(|command| command.word == lower) {
        return Ok(command);
    }
    // `:m` has meant `:moves` for longer.
    let is_meant = |command: &&Command| lower.len() > 1 || command.word != "mark";
    let begins = |command: &&Command| {
        !lower.is_empty() && command.word.starts_with(&lower) && is_meant(command)
    };
    match COMMANDS.iter().filter(begins).collect::<Vec<_>>().as_slice() {
        [command] => Ok(command),
        [] => Err(match nearest(&lower, COMMANDS.iter().map(|command| command.word)) {
            Some(near) => format!("there is no command `:{word}`; did you mean `:{near}`?"),
            None => format!("there is no command `:{word}`; `:help` lists them"),
        }),
        several => {
            let words: Vec<String> =
                several.iter().map(|command| format!("`:{}`", command.word)).collect();
            Err(format!("`:{word}` could mean {}; type a letter more", list_words(&words)))
        }
    }
}

impl Command {
    fn has_way(&self, way: Way) -> bool {
        self.ways.contains(&way)
    }

    /// Checks that a `!` and an argument follow it only where they may.
    fn check_usage(&self, typed: Typed) -> Result<(), String> {
        let Command { word, argument, .. } = self;
        let text = typed.text;
        if typed.force && !self.has_way(Way::Forced) {
            return Err(format!("`:{word}!` is no command; did you mean `:{word}`?"));
        }
        let is_optional = argument.starts_with('[') || self.has_way(Way::Alone);
        if argument.is_empty() && !text.is_empty() {
            return Err(format!("`:{word}` takes no argument, but got `{text}`"));
        }
        if text.is_empty() && !argument.is_empty() && !is_optional {
            return Err(format!("`:{word}` needs an argument: `:{word} {argument}`"));
        }
        let number = text.parse::<u64>().ok();
        match *word {
            "undo" | "redo" if !text.is_empty() && number.is_none_or(|number| number == 0) => {
                Err(format!("`:{word}` takes a number of decisions, as in `:{word} 2`"))
            }
            "seed" if !text.is_empty() && number.is_none() => {
                Err("a seed is a number, as in `:seed 42`".to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// Findings about what was typed, each in a line without what helps those who write rules; none where they are about
/// something else.
fn in_short(sources: &Sources, found: &Diagnostics) -> Option<Vec<String>> {
    let line = |it: &Diagnostic| {
        let typed = match it.main_label().map(|at| it.labels[at].span) {
            Some(span) => sources.find(span).filter(|it| it.name == TYPED)?.slice(span),
            None => "",
        };
        let says_it = typed.is_empty() || it.message.contains('`');
        let what = if says_it { String::new() } else { format!("`{typed}`: ") };
        let is_told = typed.is_empty() || it.fix.is_some() || it.code == Some("script::assertion");
        let help = it.help.as_ref().filter(|_| is_told).map(|help| format!(": {help}"));
        Some(what + &it.message + &help.unwrap_or_default())
    };
    found.sorted().iter().take(2).map(line).collect()
}

/// Something that was typed, as a text of its own after those of the game.
pub(super) fn typed_source(game: &Game, text: &str) -> (Sources, Source) {
    let mut sources = game.sources().clone();
    let source = sources.add(TYPED, text).clone();
    (sources, source)
}

impl Typed<'_> {
    /// How many decisions are meant: one where no number is typed, all where it is too long.
    fn parse_count(self) -> usize {
        if self.text.is_empty() { 1 } else { self.text.parse().unwrap_or(usize::MAX) }
    }
}

impl Session {
    pub(in crate::session) fn answer(
        &mut self,
        line: &str,
        labels: &[String],
        io: &mut DynIo,
    ) -> io::Result<Option<SessionEnd>> {
        self.typed.has_failed = false;
        if self.script_line(line.trim(), labels, io)? {
            return Ok(None);
        }
        let mut input = read(line);
        if let ParsedLine::Move(words) = input
            && let Some(command) = read_bare(words)
            && !names_move(
                self.position().game(),
                labels,
                words.split_whitespace().next().unwrap_or_default(),
            )
        {
            input = command;
        }
        let needs_decision = match &input {
            ParsedLine::Move(_) => true,
            ParsedLine::Command(command, _) => command.has_way(Way::Deciding),
            ParsedLine::Nothing | ParsedLine::Wrong(_) => false,
        };
        match input {
            ParsedLine::Nothing if self.typed.drop_half_typed() => {
                io.console.used(Hint::Steps);
                io.console.tell("nothing is done")?;
            }
            ParsedLine::Nothing => {}
            _ if needs_decision && !matches!(self.moment(), Moment::Decision(_)) => {
                self.typed.has_failed = true;
                let broken = self.moment() == Moment::Broken;
                let why = if broken { "the rules could not go on" } else { "the game is over" };
                io.console.tell(&format!(
                    "{why}; {}`:restart` begins again, `:quit` leaves",
                    self.timeline.undo_hint()
                ))?;
            }
            ParsedLine::Wrong(sentence) => {
                self.typed.has_failed = true;
                io.console.tell(&sentence)?;
            }
            ParsedLine::Move(words) => self.make(words, labels, io)?,
            ParsedLine::Command(Command { word: "quit", .. }, _) => {
                return Ok(Some(self.session_end()));
            }
            ParsedLine::Command(command, typed) => {
                (command.run)(self, Typed { labels, ..typed }, io)?;
            }
        }
        Ok(None)
    }

    fn undo(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        io.console.used(Hint::Undo);
        let (listener, seed, games) = (self.next_listener(), self.luck.seed, self.timeline.games());
        let who = self.viewer();
        let told = if self.hides_from_people() {
            self.timeline.told_since(typed.parse_count())
        } else {
            Vec::new()
        };
        let force = typed.force || !self.shares_screen();
        let undone = self.timeline.undo(typed.parse_count(), force, &mut self.luck, listener);
        let heads = match undone {
            Ok(heads) => heads,
            Err(UndoRefusal::Only(some)) => {
                return io.console.tell(&match some {
                    0 => "there is no decision to take back".to_owned(),
                    1 => "only one decision can be taken back: `:undo`".to_owned(),
                    _ => format!("only {some} decisions can be taken back: `:undo {some}`"),
                });
            }
            Err(UndoRefusal::Secret) => {
                let unseen = self.position().game().rules().teaches_unseen;
                return io.console.tell(&format!(
                    "undo would take back what somebody {} learned; `:undo!` does it anyway, and the log keeps it",
                    if unseen { "may have" } else { "has" }
                ));
            }
        };
        self.come_back(seed, games);
        if typed.force {
            self.rounds += 1;
            self.luck.rewind(self.luck.seed, self.rounds, self.seats.len());
            if self.hides_from_people() {
                self.note_by(who, &format!(":undo! {}", typed.text), io)?;
            }
        }
        // What the rules told everybody may have told a secret: the others read who asked for it.
        told.into_iter().for_each(|line| self.timeline.note_event(line));
        heads.iter().try_for_each(|head| io.console.tell(&format!("taken back: {head}")))
    }

    fn redo(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        let (listener, seed, games) = (self.next_listener(), self.luck.seed, self.timeline.games());
        let heads = self.timeline.redo(typed.parse_count(), &mut self.luck, listener);
        if heads.is_empty() {
            return io.console.tell(
                "nothing was taken back that could be made again; another move ends `:redo`",
            );
        }
        self.come_back(seed, games);
        heads.iter().try_for_each(|head| io.console.tell(&format!("again: {head}")))
    }

    /// Sits down before a position that was there already; `seed` and `games` are as they were before that. A seed
    /// that was given still holds, unless this is another game that was begun, which has its own.
    pub(in crate::session) fn come_back(&mut self, seed: Seed, games: usize) {
        self.seats.resize(self.position().names().len(), Seat::Human);
        if self.luck.seed != seed && self.timeline.games() == games {
            self.luck.rewind(seed, self.rounds, self.seats.len());
        }
        self.screen.shown = false;
        self.screen.withheld.truncate(self.position().picked_unseen());
        self.screen.forget_news();
    }

    pub(super) fn pin_roll(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        if self.hides_from_people() && !typed.text.is_empty() {
            self.announce_command(&format!(":roll {}", typed.text), io)?;
        }
        if typed.text == "-" {
            self.luck.pins.clear();
        } else if let Err(sentence) = self.luck.pin(typed.text, &self.timeline.now().after) {
            return io.console.tell(&sentence);
        }
        if self.luck.pins.is_empty() {
            return io.console.tell(
                "no outcome is set, draws follow from the seed; `:roll 3 5` sets those of the next two",
            );
        }
        let words = list_words(self.luck.pins.make_contiguous());
        io.console.tell(&format!("the next draws are {words}; `:roll -` forgets that"))
    }

    /// Computes something. It would know what others may not see, so where they share a screen it
    /// must be forced.
    fn eval(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        if self.hides_from_people() && !typed.force {
            return io.console.tell(
                "`:eval` knows what not everybody at this screen may see; `:eval!` computes it all \
                 the same, `:state` shows what you may see",
            );
        }
        if self.hides_from_people() {
            self.announce_command(&format!(":eval! {}", typed.text), io)?;
        }
        let (sources, source) = typed_source(self.position().game(), typed.text);
        match self.position().waiting().evaluate(&source) {
            Ok(value) => io.console.tell(&value),
            Err(found) => self.fail(&sources, &found, io),
        }
    }

    /// Reports what is wrong with what was typed.
    pub(super) fn fail(
        &mut self,
        sources: &Sources,
        found: &Diagnostics,
        io: &mut DynIo,
    ) -> io::Result<()> {
        self.typed.has_failed = true;
        let lines = in_short(sources, found).filter(|_| io.console.is_lively());
        match lines {
            Some(lines) => lines.iter().try_for_each(|line| io.console.tell(line)),
            None => io.console.draw(sources, found, true),
        }
    }

    /// Lets the others know of a command that can show secrets or change chance.
    fn announce_command(&mut self, command: &str, io: &mut DynIo) -> io::Result<()> {
        self.note_by(self.viewer(), command, io)
    }

    fn note_by(&mut self, who: Option<Player>, command: &str, io: &mut DynIo) -> io::Result<()> {
        let who = who.map_or("somebody", |player| self.player_name(player));
        let line = format!("{who} typed `{}`", command.trim());
        self.timeline.note_event(line.clone());
        if self.is_guarded() { self.tell_players(None, line, io) } else { Ok(()) }
    }

    /// Changes the position. What it says of a mistake could know what others may not see, so where they share a
    /// screen it must be forced.
    fn change_position(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        if self.hides_from_people() && !typed.force {
            return io.console.tell(
                "`:set` knows what not everybody at this screen may see; `:set!` changes the \
                 position all the same",
            );
        }
        let (sources, source) = typed_source(self.position().game(), typed.text);
        let mut position = self.position().clone();
        // Whether the moves can be listed is tried first, so that a change that leaves nothing to
        // do changes nothing.
        let applied = position.apply_statements(&source).and_then(|()| {
            let mut tried = self.position().clone();
            tried.apply_statements(&source)?;
            tried.advance_position()
        });
        match applied {
            Ok(_) => {
                self.advance_game(Made::Set, Some(format!("set {}", typed.text)), position, io)
            }
            Err(found) => {
                if self.hides_from_people() {
                    self.announce_command(&format!(":set! {}", typed.text), io)?;
                }
                self.fail(&sources, &found, io)
            }
        }
    }

    /// `:save FILE` writes the game as a script; `!` overwrites.
    fn save(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        let file = typed.text;
        let saved = io.files.save(file, typed.force, &self.record());
        let sentence = format!(
            "saved; `astragal play --load {file}` continues it, and `astragal run {file}` replays it"
        );
        self.tell_written(saved, &sentence, io)
    }

    /// Writes what was played as a test, with the least header.
    fn write_test(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        let file = typed.text;
        let written = io.files.test(file, typed.force, &self.record());
        let word = if file.contains(' ') { format!("'{file}'") } else { file.to_owned() };
        self.tell_written(written, &format!("written; `astragal run {word}` runs the test"), io)
    }

    /// Says that a file was written, which holds everything; or why not.
    fn tell_written(
        &mut self,
        written: Result<(), Diagnostics>,
        sentence: &str,
        io: &mut DynIo,
    ) -> io::Result<()> {
        if let Err(found) = written {
            return self.fail(&Sources::default(), &found, io);
        }
        io.console.tell(sentence)?;
        if self.hides_from_people() {
            io.console.tell("anyone who reads the file sees what everybody has and picks")?;
        }
        Ok(())
    }

    fn load(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        match io.files.load(typed.text) {
            Ok(loaded) => {
                let was_begun = self.timeline.has_begun();
                self.adopt_script(loaded, ReplayPurpose::Load, io)?;
                self.luck.is_dealt = false;
                if self.misfit.is_none() || !was_begun {
                    return Ok(());
                }
                let steps =
                    self.timeline.current_steps().iter().filter(|step| step.is_counted()).count();
                io.console.tell(&format!("the earlier game is kept; `:undo {steps}` returns to it"))
            }
            Err((sources, found)) => self.fail(&sources, &found, io),
        }
    }

    fn record_in(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        let file = typed.text;
        if file.is_empty() {
            return io.console.tell(&match io.files.recorded_in() {
                Some(file) => format!("the game is being written into `{file}`"),
                None => "the game is not being written; `:record FILE` begins".to_owned(),
            });
        }
        let begun = io.files.record(file, typed.force, &self.record());
        self.tell_written(begun, &format!("written into `{file}` from now on"), io)
    }

    fn reload(&mut self, _: Typed, io: &mut DynIo) -> io::Result<()> {
        self.play_on_new_rules(io)
    }

    /// Plays the moves so far on the rules as they are now; where these cannot be played, the game
    /// goes on as it was.
    fn play_on_new_rules(&mut self, io: &mut DynIo) -> io::Result<()> {
        match io.files.reload(&self.record()) {
            Ok(loaded) => self.adopt_script(loaded, ReplayPurpose::Reload, io),
            Err((sources, found)) => {
                io.console.draw(&sources, &found, true)?;
                io.console.tell("the game continues with the old rules")
            }
        }
    }

    /// Looks whether the rules were changed, and does what the people want then.
    pub(in crate::session) fn meet_change(&mut self, io: &mut DynIo) -> io::Result<()> {
        match io.files.change() {
            Change::No => Ok(()),
            Change::Offered(file) => {
                io.console.tell(&format!("`{file}` has changed; `:reload` plays on with it"))
            }
            Change::Wanted(file) => {
                io.console.tell(&format!("`{file}` has changed"))?;
                self.play_on_new_rules(io)
            }
        }
    }

    /// Begins again. Where there are secrets, the same seed would deal what all have seen by now.
    fn restart(&mut self, _: Typed, io: &mut DynIo) -> io::Result<()> {
        let Some(start) = self.timeline.start_position().cloned() else {
            return io.console.tell("the beginning of this game is not known any more");
        };
        let (luck, is_new) = (self.luck.clone(), self.position().has_secrets());
        let seed = if is_new {
            self.luck.seed = luck.seed.next_seed();
            "a new seed".to_owned()
        } else {
            format!("seed {}", self.luck.seed)
        };
        io.console.tell(&format!(
            "from the beginning, with {seed}; `:undo` goes back to the game that was played"
        ))?;
        self.advance_game(Made::Start(Box::new(start.clone())), None, start, io)?;
        self.timeline.now_mut().luck = luck;
        Ok(())
    }

    fn reseed(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        if !typed.text.is_empty() || self.hides_from_people() {
            self.announce_command(&format!(":seed {}", typed.text), io)?;
        }
        if let Ok(seed) = typed.text.parse() {
            self.luck.rewind(Seed(seed), self.rounds, self.seats.len());
            self.chosen.seed = Some(Seed(seed));
            // The seed stands in the header, so nothing is kept as it is now.
            self.timeline.kept = 0;
            return io.console.tell(&format!("what is drawn from now on follows from {seed}"));
        }
        io.console.tell(&format!("seed {}", self.luck.seed))?;
        if self.position().has_secrets() {
            io.console.tell("anyone who knows it can deal the same game and see what is hidden")?;
        }
        Ok(())
    }

    fn switch_auto(&mut self, _: Typed, io: &mut DynIo) -> io::Result<()> {
        self.forced.is_on = !self.forced.is_on;
        io.console.tell(if self.forced.is_on {
            "where there is only one move it is made from now on; `:auto` stops that"
        } else {
            "every move is asked for again"
        })
    }
}
