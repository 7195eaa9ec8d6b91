//! Commands that ask others: `:help` and `:rules` the rules, `:hint` and `:best` bots.

use std::io;

use crate::bots::{BotKind, Control, FirstMoves, PlayRule, Solve, SolveRefusal, solve};
use crate::diagnostic::Diagnostics;
use crate::game::{ActionGroup, ActionView, Game, TableView, Thing};
use crate::session::console::DynIo;
use crate::session::play::Session;
use crate::session::repl::book::find_chapter;
use crate::session::repl::commands::{COMMANDS, Command, Typed, typed_source};
use crate::session::running::Advice;
use crate::session::steps::Moment;
use crate::snippet::{HelpBlock, about as about_word, is_meant, is_own, printed_as, topics};
use crate::suggest::nearest;

/// The bot of `:hint` where none is named.
const ADVISER: &str = "mcts:1000";

/// How many positions may be examined while a person waits.
const MOST: usize = 200_000;

/// The stream that advice is drawn from: no playout has it, so asking changes no draw.
const STREAM: u64 = u64::MAX;

/// What lists all commands after `:help`.
const ALL: &str = "commands";

/// The commands that most people need, in the order of a game.
const COMMON: [&str; 9] = ["moves", "state", "why", "rules", "undo", "log", "hint", "save", "quit"];

/// So many names of moves are explained at once.
const MOST_EXPLAINED: usize = 8;

impl Session {
    /// Tells people at a screen what they can do here, in no more lines than a screen has.
    fn first_help(&self, io: &mut DynIo) -> io::Result<()> {
        let or_number = if self.numbers_moves() { ", or its number" } else { "" };
        let mut view = TableView::default();
        let position = self.position();
        position.game().add_question(&position.state, &position.legal, &mut view);
        let row = |group: &ActionGroup| {
            let first = group.notes.split_inclusive(". ").next().unwrap_or_default();
            let is_called_so =
                |it: &ActionView| it.label.split(' ').next() == Some(group.name.as_str());
            let words = match group.actions.iter().find(|it| !is_called_so(it)) {
                Some(other) => &other.label,
                None => &group.title,
            };
            vec![format!("  {words}"), first.trim_end().to_owned()]
        };
        let rows: Vec<Vec<String>> = view.actions.iter().map(row).take(MOST_EXPLAINED).collect();
        let line = |text: &str| HelpBlock::Line(text.to_owned());
        let mut text = Vec::new();
        if rows.is_empty() {
            text.push(line("type a command:"));
        } else {
            text.push(line(&format!("type a move, beginnings of its words{or_number}:")));
            text.push(HelpBlock::Grid(rows));
            text.push(line("or a command:"));
        }
        let common = COMMON.iter().filter_map(|word| COMMANDS.iter().find(|it| it.word == *word));
        text.push(HelpBlock::Grid(common.map(self::format_command).collect()));
        text.push(line("`:help commands` lists all, `:help WORD` explains a word of the game"));
        io.console.page(&text)
    }

    pub(super) fn show_help(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        let word = typed.text;
        if word.is_empty() {
            return self.first_help(io);
        }
        if word == ALL {
            io.console.tell(if self.numbers_moves() {
                "type a move, beginnings of its words, or its number; or one of these:"
            } else {
                "type a move, or beginnings of its words; or one of these:"
            })?;
            return io
                .console
                .page(&[HelpBlock::Grid(COMMANDS.iter().map(format_command).collect())]);
        }
        let word = &find_name(self.position().game(), word);
        match about(self.position().game(), word) {
            Ok(blocks) => io.console.page(&blocks)?,
            Err(sentence) => return io.console.tell(&sentence),
        }
        let values = self.values_of(word);
        if values.is_empty() { Ok(()) } else { io.console.tell(&format!("  now {values}")) }
    }

    /// What a constant or a variable is now, as far as the viewer may know it.
    fn values_of(&self, word: &str) -> String {
        let position = self.position();
        let rules = position.game().rules();
        let is_constant = rules.constants.iter().any(|constant| constant.name == word);
        if is_constant && !self.hides_from_people() {
            let (_, source) = typed_source(position.game(), word);
            return position.waiting().evaluate(&source).unwrap_or_default();
        }
        let found = rules.vars.iter().find(|var| var.name == word && is_meant(rules, var));
        let Some(var) = found else { return String::new() };
        let view = self.look(self.viewer(), true);
        let value = |has: &[Thing]| {
            has.iter()
                .find(|it| it.variables == [var.name.as_str()] && it.grid.is_empty())
                .map(|it| it.value.clone())
        };
        if !is_own(var) {
            return value(&view.table).unwrap_or_default();
        }
        let own = view.seats.iter().zip(&view.players);
        let own = own.filter_map(|(seat, has)| Some(format!("{} {}", seat.name, value(has)?)));
        let own: Vec<String> = own.collect();
        let between = if own.iter().any(|it| it.contains(", ")) { "; " } else { ", " };
        own.join(between)
    }

    pub(super) fn show_rules(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        let game = self.position().game();
        match find_chapter(game, &io.files.variants(), typed.text) {
            Ok(text) => io.console.page(&text),
            Err(_) if about(game, typed.text).is_ok() => io.console.tell(&format!(
                "the rulebook has no heading with `{0}`; `:help {0}` explains the word",
                typed.text
            )),
            Err(sentence) => io.console.tell(&sentence),
        }
    }

    pub(super) fn advise(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        let word = if typed.text.is_empty() { ADVISER } else { typed.text };
        let Moment::Decision(player) = self.moment() else {
            return io.console.tell("there is nothing to decide");
        };
        let game = self.position().game().clone();
        let Some(kind) = BotKind::from_word(word, &game) else {
            let known = BotKind::words(&game);
            return io.console.tell(&format!("there is no bot `{word}`; ask {known}"));
        };
        if !kind.is_repeatable() {
            return io.console.tell("a hint needs a number of games, as in `:hint mcts:1000`");
        }
        let mut stream = self.luck.seed.stream(STREAM);
        let control = Control { clock: || 0, progress: io.console.progress() };
        let mut chosen = Advice::default();
        let mut consult = || chosen = self.position().consult(player, kind, control, &mut stream);
        let thinker = kind.takes_time().then(|| kind.word(&game));
        let stopped = io.console.think(thinker.as_deref(), &mut consult)?;
        let Advice { index, ran_out, line_errors } = chosen;
        let is_early = stopped || ran_out.is_some();
        let so_far = if is_early { ", stopped early," } else { "" };
        let (bot, label) = (kind.word(&game), &typed.labels[index]);
        io.console.tell(&format!("{bot}{so_far} would play `{label}`"))?;
        self.report_line_errors(&line_errors, io)
    }

    /// Says what the legal moves are worth if all play as well as can be.
    pub(super) fn weigh(&mut self, _: Typed, io: &mut DynIo) -> io::Result<()> {
        let wanted = Solve::new(PlayRule::Best, MOST, io.console.progress());
        let position = self.position();
        let mut solved = None;
        let mut solve = || solved = Some(solve(&position.game, &position.state, wanted));
        io.console.think(Some("solve"), &mut solve)?;
        let solution = match solved.expect("the work was done") {
            Ok(solution) => solution,
            Err(SolveRefusal::Trap(trap)) => {
                io.console.tell(
                    "some moves from here on lead to an error of the rules, so that no move has a value; \
                     `:hint` asks a bot",
                )?;
                let sources = self.position().game().sources();
                return io.console.draw(sources, &Diagnostics::of(trap), true);
            }
            Err(refusal) => return io.console.tell(&refused(&refusal)),
        };
        let Some(FirstMoves { player, moves, .. }) = solution.first.first() else {
            return io.console.tell("there is nothing to decide");
        };
        let name = self.player_name(*player);
        io.console.tell(&format!("under perfect play {name} can expect:"))?;
        let rows = moves.iter().map(|(label, value, best)| {
            let mark = if *best { "best" } else { "" };
            vec![label.clone(), value.to_string(), mark.to_owned()]
        });
        io.console.grid(&rows.collect::<Vec<_>>())
    }
}

fn refused(refusal: &SolveRefusal) -> String {
    match refusal {
        SolveRefusal::Stopped { .. } => {
            "stopped before the values were known; `:best` starts again, `:hint` asks a bot"
                .to_owned()
        }
        SolveRefusal::TooMany { most } => {
            format!("more than {most} positions can follow, too many to solve; `:hint` asks a bot")
        }
        other => format!("{other}; `:hint` asks a bot"),
    }
}

fn format_command(command: &Command) -> Vec<String> {
    let form = format!("  :{} {}", command.word, command.argument);
    vec![form.trim_end().to_owned(), command.help.to_owned()]
}

/// The name of what is called by its title, `fire target`, or by its name with spaces.
fn find_name(game: &Game, words: &str) -> String {
    let name = words.replace(' ', "_");
    if !about_word(game, &name).is_empty() {
        return name;
    }
    if let Some(name) = printed_as(game, words) {
        return name;
    }
    let rules = game.rules();
    let members = rules.kinds.iter().flat_map(|kind| &kind.members);
    let mut titled = (rules.rules.iter().map(|it| (&it.title, &it.name)))
        .chain(members.map(|it| (&it.title, &it.name)))
        .chain(rules.vars.iter().map(|it| (&it.title, &it.name)))
        .chain(rules.kinds.iter().map(|it| (&it.title, &it.name)))
        .chain(rules.tables.iter().map(|it| (&it.title, &it.name)));
    let sought = words.to_lowercase();
    let found = titled.find(|(title, _)| title.to_lowercase() == sought);
    found.map_or_else(|| words.to_owned(), |(_, name)| name.clone())
}

/// What a word means: everything that is called so, else the command; or the sentence that there
/// is none.
fn about(game: &Game, word: &str) -> Result<Vec<HelpBlock>, String> {
    let mut blocks = about_word(game, word);
    let command = COMMANDS.iter().find(|command| command.word == word.trim_start_matches(':'));
    if let Some(command) = command
        && (blocks.is_empty() || word.starts_with(':'))
    {
        blocks.push(HelpBlock::Grid(vec![format_command(command)]));
    }
    if !blocks.is_empty() {
        return Ok(blocks);
    }
    Err(match nearest(word, topics(game).iter().map(String::as_str)) {
        Some(near) => format!("there is no `{word}` here; did you mean `{near}`?"),
        None => format!("there is no `{word}` here; `:help` alone lists the commands"),
    })
}
