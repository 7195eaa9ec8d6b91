//! Moves as people type them: in full, shortened or in steps; and why one is illegal.

use std::io;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::game::{Game, goods_in_order};
use crate::rulebook::english;
use crate::session::console::{DynIo, Hint, MoveList, hint};
use crate::session::match_move::{
    Continuation, MoveWords, advice, beginning_with, common_name, continuation_of, find_move,
};
use crate::session::play::Session;
use crate::session::repl::commands::{COMMANDS, Typed};
use crate::session::running::Running;
use crate::session::steps::{Made, Moment};
use crate::snippet::{self, Reason, named_up_to};
use crate::source::padded;
use crate::transcript::{self, fold_case, list_words};

/// How many moves are named that words could mean.
const MOST_NAMED: usize = 6;

/// How many ways to complete a move are listed whole; of more, only their next words.
const MOST_RESTS: usize = 12;

/// What typed words come to, in the words of the moves that they could be.
enum Meant {
    Move(usize),
    Several(Vec<String>),
    Begun(Vec<String>),
    Nothing,
}

/// The legal moves of a position, as what people type is compared with them.
#[derive(Clone, Copy)]
struct TypedMoves<'a> {
    position: &'a Running,
    labels: &'a [String],
    /// Whether a move may be typed as its number in the list.
    numbered: bool,
}

impl<'a> TypedMoves<'a> {
    fn new(session: &'a Session, labels: &'a [String]) -> TypedMoves<'a> {
        TypedMoves { position: session.position(), labels, numbered: session.numbers_moves() }
    }

    /// Resolves words: as moves are printed, else by names and titles of their parts.
    fn meaning(self, words: &str) -> Meant {
        let TypedMoves { position, labels, numbered } = self;
        let all: Vec<usize> = (0..labels.len()).collect();
        let meant = meant_of(labels, &all, numbered, words);
        if !matches!(meant, Meant::Nothing) {
            return meant;
        }
        // People write `end turn` for `end_turn`.
        let spaced: Vec<String> = labels.iter().map(|label| label.replace('_', " ")).collect();
        if spaced != labels {
            let meant = meant_of(&spaced, &all, false, &words.replace('_', " "));
            if !matches!(meant, Meant::Nothing) {
                return meant;
            }
        }
        let in_order = goods_in_order(position.game.rules(), words);
        let meant = meant_of(labels, &all, false, &in_order);
        if in_order != words && !matches!(meant, Meant::Nothing) {
            return meant;
        }
        let forms = position.game.other_forms(&position.state, &position.legal);
        let (moves, forms): (Vec<usize>, Vec<String>) = forms.into_iter().unzip();
        let meant = meant_of(&forms, &moves, false, words);
        match (meant, with_name(position.game(), labels, words)) {
            (Meant::Nothing, Some(words)) => meant_of(labels, &all, false, &words),
            (meant, _) => meant,
        }
    }

    /// Words that do not complete the move as far as the prompt shows it: they follow what was typed of
    /// it, or are another move, or the number of one that begins so.
    fn meaning_instead(self, begun: &Continuation, words: &str) -> Meant {
        let labels = self.labels;
        let after_typed = self.meaning(&format!("{} {words}", begun.typed));
        if !matches!(after_typed, Meant::Nothing) {
            return after_typed;
        }
        let goes_on = |label: &String| fold_case(label).starts_with(&format!("{} ", begun.prefix));
        let is_said =
            |label: &String| words.parse::<usize>().is_err() || *label == fold_case(words);
        match self.meaning(words) {
            Meant::Move(at) if is_said(&labels[at]) || goes_on(&labels[at]) => Meant::Move(at),
            Meant::Begun(moves) => Meant::Begun(moves),
            _ => Meant::Nothing,
        }
    }
}

impl Session {
    pub(super) fn make(
        &mut self,
        words: &str,
        labels: &[String],
        io: &mut DynIo,
    ) -> io::Result<()> {
        let Moment::Decision(player) = self.moment() else { return Ok(()) };
        let begun = self.typed.half_typed.take();
        let typed = match &begun {
            Some(begun) => format!("{} {words}", begun.prefix),
            None => words.to_owned(),
        };
        let moves = TypedMoves::new(self, labels);
        let mut meant = moves.meaning(&typed);
        if let (Some(begun), Meant::Nothing) = (&begun, &meant) {
            meant = moves.meaning_instead(begun, words);
        }
        match meant {
            Meant::Move(index) => {
                // A move that was typed in short is said in full, where people look at it.
                let label = &labels[index];
                if words != label && io.console.is_lively() && !self.is_guarded() {
                    io.console.news(&format!("  {label}"))?;
                }
                io.console.used(Hint::Moves);
                let draws = self.typed.draws();
                self.luck.pins.extend(draws);
                self.play_move(player, Made::Person(index), io)
            }
            Meant::Several(several) => {
                self.typed.has_failed = true;
                self.typed.half_typed = begun;
                let named = named_up_to(MOST_NAMED, &several);
                io.console.tell(&format!("that could mean {}", list_words(&named)))
            }
            Meant::Begun(moves) => self.list_continuations(&typed, &moves, labels, io),
            Meant::Nothing => {
                self.typed.has_failed = true;
                // Who begins anew is answered about the new words.
                let first = words.split_whitespace().next().unwrap_or_default();
                let anew = begun.is_some() && names_move(self.position().game(), labels, first);
                self.typed.half_typed = begun;
                self.explain_refusal(if anew { words } else { &typed }, labels, false, io)
            }
        }
    }

    /// Lists what can follow the words that were typed. The next line completes them, or is the number of a move.
    fn list_continuations(
        &mut self,
        typed: &str,
        moves: &[String],
        labels: &[String],
        io: &mut DynIo,
    ) -> io::Result<()> {
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let rests = continuation_of(typed, &moves);
        if rests.prefix.is_empty() {
            let named = named_up_to(MOST_NAMED, &rests.next);
            return io.console.tell(&format!("that could mean {}", list_words(&named)));
        }
        let shown = if rests.rests.len() > MOST_RESTS { &rests.next } else { &rests.rests };
        let mut shown = shown.clone();
        if shown.iter().all(|it| it.parse::<i64>().is_ok()) {
            shown.sort_by_key(|it| it.parse::<i64>().ok());
        }
        // The numbers of whole moves, unless what follows are numbers.
        let begins_with_digit =
            |rest: &String| rest.starts_with(|first: char| first.is_ascii_digit());
        let number = |rest: &String| {
            let whole = format!("{} {rest}", rests.prefix);
            Some((1 + labels.iter().position(|label| *label == whole)?, rest.clone()))
        };
        let with_numbers: Option<Vec<(usize, String)>> = shown.iter().map(number).collect();
        let is_numbered = self.numbers_moves() && !shown.iter().any(begins_with_digit);
        let with_numbers = with_numbers.filter(|_| is_numbered);
        let numbered = with_numbers.is_some();
        let shown = with_numbers.unwrap_or_else(|| (1..).zip(shown).collect());
        io.console.tell(&format!("{} …", rests.prefix))?;
        io.console.list(&MoveList { moves: &shown, numbered, whole: true })?;
        hint(io, Hint::Steps, "type the rest; an empty line or `:cancel` breaks off")?;
        self.typed.half_typed = Some(rests);
        Ok(())
    }

    pub(super) fn cancel(&mut self, _: Typed, io: &mut DynIo) -> io::Result<()> {
        io.console.used(Hint::Steps);
        let begun = self.typed.drop_half_typed();
        io.console.tell(if begun { "nothing is done" } else { "no move was begun" })
    }

    /// Says why words are no legal move: in the words of the rulebook, or with the `source` of what
    /// forbids it.
    fn explain_refusal(
        &mut self,
        words: &str,
        labels: &[String],
        source: bool,
        io: &mut DynIo,
    ) -> io::Result<()> {
        let is_number = words.trim().chars().all(|letter| letter.is_ascii_digit());
        if is_number && self.numbers_moves() {
            let last = labels.len();
            return io
                .console
                .tell(&format!("the moves are numbered from 1 to {last}; `:moves` lists them"));
        }
        let words = &join_move_name(self.position().game(), words);
        let reason = self.position().why_not(words, true);
        let named = with_name(self.position().game(), labels, words).filter(|_| reason.unknown);
        let named = named.map(|words| (self.position().why_not(&words, true), words));
        let first = words.split_whitespace().next().unwrap_or_default();
        // The name was left out, unless the first word after it fits nothing.
        let is_meant = |named: &Reason| {
            named.understood || !named.unknown && !named.message.starts_with(&format!("`{first}"))
        };
        let (reason, words) = match &named {
            Some((named, words)) if is_meant(named) => (named.clone(), words.as_str()),
            _ => (reason, words.as_str()),
        };
        // A word that is a move somewhere in the rules was meant as one.
        if reason.unknown
            && let Some(sentence) = misdirected(words, labels)
        {
            return io.console.tell(&sentence);
        }
        let help = advice(labels, words, reason.span.is_some()).or(reason.help);
        if let Some(span) = reason.span.filter(|_| source) {
            let found = Diagnostic::new(None, reason.message).with_label(span, "because of this");
            let found = Diagnostics::of(found.with_help(help));
            return io.console.draw(self.position().game().sources(), &found, true);
        }
        let answer = match reason.words {
            Some(why) => format!("`{words}` is not legal: {why}"),
            None => reason.message,
        };
        io.console.tell(&answer)?;
        help.iter().try_for_each(|help| io.console.tell(help))?;
        match reason.span {
            Some(_) => hint(io, Hint::Why, &format!("`:why! {words}` shows the rule")),
            None => Ok(()),
        }
    }

    pub(super) fn show_moves(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        let Typed { text, labels, .. } = typed;
        let position = self.position();
        let begun = self.typed.half_typed.as_ref().map(|rests| rests.prefix.as_str());
        let word = if text.is_empty() { begun.unwrap_or_default() } else { text };
        if word.is_empty()
            && let Some(question) = position.decision_question()
        {
            io.console.tell(&question)?;
        }
        let mut begun = beginning_with(labels, word);
        if begun.is_empty() {
            let named = with_name(position.game(), labels, word);
            begun = named.map(|word| beginning_with(labels, &word)).unwrap_or_default();
        }
        if begun.is_empty() {
            return io.console.tell(&format!(
                "no legal move begins with `{word}`; `:moves` alone lists all, `:why {word}` says why"
            ));
        }
        // Moves with their numbers, and after them what there is to know about them.
        let widest = begun.iter().map(|at| labels[*at].chars().count()).max().unwrap_or(0);
        let remark = |at| position.game.remark(&position.state, &position.legal, at);
        let line = |at: usize| match remark(at) {
            Some(remark) => format!("{}  {remark}", padded(&labels[at], widest)),
            None => labels[at].clone(),
        };
        let moves: Vec<(usize, String)> = begun.iter().map(|at| (at + 1, line(*at))).collect();
        let numbered = self.numbers_moves();
        io.console.list(&MoveList { moves: &moves, numbered, whole: true })
    }

    pub(super) fn why(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        let Typed { text, labels, force, .. } = typed;
        io.console.used(Hint::Why);
        match TypedMoves::new(self, labels).meaning(text) {
            Meant::Move(index) => io.console.tell(&format!("`{}` is legal here", labels[index])),
            Meant::Several(moves) | Meant::Begun(moves) => {
                let count = moves.len();
                io.console.tell(&match moves.as_slice() {
                    [only] => format!("`{only}` is legal here"),
                    _ => format!("{count} legal moves begin like that; type one in full"),
                })
            }
            Meant::Nothing => self.explain_refusal(text, labels, force, io),
        }
    }
}

/// The typed words with the name of the move in front, if all legal moves have the same one.
fn with_name(game: &Game, labels: &[String], words: &str) -> Option<String> {
    let first = words.split_whitespace().next()?;
    let name = common_name(labels).filter(|_| !names_move(game, labels, first))?;
    Some(format!("{name} {words}"))
}

/// Joins the words of a move name: `end_turn` for `end turn`, or for a beginning that fits no other.
fn join_move_name(game: &Game, words: &str) -> String {
    let names = snippet::move_words(game);
    let lower = words.to_lowercase();
    let rest = |name: &String| {
        let rest = lower.strip_prefix(&name.replace('_', " "))?;
        let is_whole = name.contains('_') && (rest.is_empty() || rest.starts_with(' '));
        let rest = words.get(words.len().checked_sub(rest.len())?..)?;
        is_whole.then(|| format!("{name}{rest}"))
    };
    names.iter().find_map(rest).unwrap_or_else(|| {
        let (first, rest) = words.split_at(words.find(' ').unwrap_or(words.len()));
        let first = first.to_lowercase();
        let mut begun = names.iter().filter(|name| name.starts_with(&first));
        match (begun.next(), begun.next()) {
            (Some(only), None) => format!("{only}{rest}"),
            _ => words.to_owned(),
        }
    })
}

/// Whether a line begins with the word of some move, here or anywhere in the rules.
pub(super) fn names_move(game: &Game, labels: &[String], word: &str) -> bool {
    !beginning_with(labels, word).is_empty()
        || snippet::move_words(game).contains(&word.to_lowercase())
}

/// Help for words that are no move: a command without its colon, a number that no move has, a line of a script.
fn misdirected(words: &str, labels: &[String]) -> Option<String> {
    let first = words.split_whitespace().next()?;
    if COMMANDS.iter().any(|command| command.word == first) {
        return Some(format!("commands begin with a colon: type `:{first}`"));
    }
    let number = words.trim().chars().all(|letter| letter.is_ascii_digit());
    if number && let Some(name) = common_name(labels) {
        let named = format!("{name} {words}");
        let help = advice(labels, &named, true).map_or_else(String::new, |it| format!("; {it}"));
        return Some(format!("`{named}` is no legal move{help}"));
    }
    // Who names a place or a card may have left the name of the move out.
    let typed = fold_case(words).to_lowercase();
    let rest = |label: &str| label.split_once(' ').map(|(_, rest)| fold_case(rest).to_lowercase());
    let meant: Vec<&String> =
        labels.iter().filter(|label| rest(label).as_ref() == Some(&typed)).collect();
    if !meant.is_empty() {
        let named = named_up_to(MOST_NAMED, &meant);
        return Some(format!(
            "there is no move `{words}`; did you mean {}?",
            english::join_list(named, "or")
        ));
    }
    // A line of a transcript begins with who acts.
    let (name, _) = words.split_once("> ")?;
    transcript::is_name(name).then(|| format!("nobody here is called `{name}`"))
}

fn meant_of(forms: &[String], moves: &[usize], numbered: bool, words: &str) -> Meant {
    // A move may have several forms.
    let of = |found: Vec<usize>| {
        let mut indices: Vec<usize> = found.iter().map(|at| moves[*at]).collect();
        indices.dedup();
        (indices, found.into_iter().map(|at| forms[at].clone()).collect::<Vec<_>>())
    };
    match find_move(forms, numbered, words) {
        MoveWords::One(at) => Meant::Move(moves[at]),
        MoveWords::Several(found) => match of(found) {
            (indices, _) if indices.len() == 1 => Meant::Move(indices[0]),
            (_, forms) => Meant::Several(forms),
        },
        MoveWords::Begun(found) => match of(found) {
            (indices, forms) if indices.len() == 1 && forms.len() > 1 => Meant::Move(indices[0]),
            (_, forms) => Meant::Begun(forms),
        },
        MoveWords::Nothing => Meant::Nothing,
    }
}
