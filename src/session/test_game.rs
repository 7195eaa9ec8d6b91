//! A little game made up for tests: players roll a die of three, in turn, until one stops.

use std::collections::BTreeSet;

use super::playable::Playable;
use crate::bots::{Control, Kind, Refusal, Solution, Solve};
use crate::chance::{Chance, Seeded};
use crate::diagnostic::Diagnostics;
use crate::game::{Game, Outcome, Player, Said, Step, TableView, Thing};
use crate::snippet::{Reason, Verdict};
use crate::source::Source;
use crate::transcript::ScriptError;

const MOVES: [&str; 5] = ["roll", "pass", "roll twice", "whisper card #3", "stop"];

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Begin,
    Rolls(u32),
    Ask,
    End,
    /// A rule run by `do` has returned.
    Return,
}

/// The game in play.
#[derive(Clone, Debug)]
pub(super) struct Fake {
    names: Vec<String>,
    mover: u8,
    total: i64,
    next: Next,
    /// Whether the flow was left by `do`.
    aside: bool,
    waiting: Vec<Said>,
    said: Vec<Said>,
    /// Whether not everybody sees everything.
    secrets: bool,
}

impl Fake {
    /// A game in which not everybody sees everything.
    pub(super) fn with_secrets() -> Fake {
        Fake { secrets: true, ..Fake::new() }
    }

    pub(super) fn new() -> Fake {
        Fake {
            names: ["Ann", "Ben"].map(String::from).to_vec(),
            mover: 0,
            total: 0,
            next: Next::Begin,
            aside: false,
            waiting: Vec::new(),
            said: Vec::new(),
            secrets: false,
        }
    }

    fn say(&mut self, to: Option<Player>, text: &str) {
        let name = &self.names[usize::from(self.mover)];
        let text = text.replace("NAME", name);
        self.waiting.push(Said { to, text, declines: false });
    }

    fn pass_on(&mut self) {
        self.mover = 1 - self.mover;
    }

    fn mistake(source: &Source) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        let span = crate::source::Span::new(source.base, source.base + source.text.len());
        diagnostics.push(ScriptError::Indentation { span });
        diagnostics
    }
}

impl Playable for Fake {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn advance(&mut self) -> Result<Step, Diagnostics> {
        self.said = std::mem::take(&mut self.waiting);
        Ok(match self.next {
            Next::Begin => Step::Draw { outcomes: 2 },
            Next::Rolls(0) if self.aside => {
                self.next = Next::Return;
                Step::End
            }
            Next::Rolls(0) => {
                self.pass_on();
                self.next = Next::Ask;
                Step::Decide { player: Player(self.mover) }
            }
            // Large totals are the mistake that these rules have.
            Next::Rolls(_) if self.total >= 900 => {
                return Err(Fake::mistake(&Source::new("rules", "total")));
            }
            Next::Rolls(_) => Step::Draw { outcomes: 3 },
            Next::Ask => Step::Decide { player: Player(self.mover) },
            Next::End | Next::Return => Step::End,
        })
    }

    fn said(&self) -> &[Said] {
        &self.said
    }

    fn moves(&self) -> usize {
        MOVES.len()
    }

    fn label(&self, index: usize) -> String {
        MOVES[index].to_owned()
    }

    fn choose(&mut self, index: usize) {
        match index {
            0 => self.next = Next::Rolls(1),
            1 => {
                self.say(None, "NAME passes.");
                self.pass_on();
            }
            2 => {
                self.say(None, "NAME dares.");
                self.next = Next::Rolls(2);
            }
            3 => {
                let other = Player(1 - self.mover);
                self.say(Some(other), "psst");
                self.pass_on();
            }
            _ => self.next = Next::End,
        }
    }

    fn question(&self) -> Option<String> {
        None
    }

    fn event(&self) -> String {
        let begin = self.next == Next::Begin;
        if begin { "random Player".to_owned() } else { "roll die".to_owned() }
    }

    fn outcome(&self, index: u32) -> String {
        match self.next {
            Next::Begin => self.names[index as usize].clone(),
            _ => (index + 1).to_string(),
        }
    }

    fn draw(&mut self, index: u32) {
        if let Next::Rolls(left) = self.next {
            self.total += i64::from(index) + 1;
            self.say(None, &format!("NAME rolls {}.", index + 1));
            self.next = Next::Rolls(left - 1);
        } else {
            self.mover = u8::try_from(index).unwrap();
            self.say(None, "NAME begins.");
            self.next = Next::Ask;
        }
    }

    fn result(&self) -> Option<Outcome> {
        let returns = if self.mover == 0 { vec![1, -1] } else { vec![-1, 1] };
        (self.next == Next::End).then_some(Outcome { returns, scores: None })
    }

    fn has_secrets(&self) -> bool {
        self.secrets
    }

    /// Where there are secrets, whoever rolls keeps the die covered.
    fn sees_draw(&self, player: Player) -> bool {
        !self.secrets || player.0 == self.mover
    }

    fn table(&self, _: Option<Player>, _: &BTreeSet<String>) -> TableView {
        let value = self.total.to_string();
        let total = Thing { title: "total".to_owned(), value, ..Thing::default() };
        TableView { table: vec![total], players: vec![Vec::new(), Vec::new()] }
    }

    /// Knows `total == N` and `moves == N`.
    fn verdict(&self, source: &Source) -> Result<Verdict, Diagnostics> {
        let sides = source.text.split_once(" == ").ok_or_else(|| Fake::mistake(source))?;
        let left = match sides.0 {
            "total" => self.total,
            "moves" => i64::try_from(self.moves()).unwrap(),
            _ => return Err(Fake::mistake(source)),
        };
        let values = vec![(sides.0.to_owned(), left.to_string())];
        Ok(Verdict { holds: left.to_string() == sides.1, values })
    }

    /// Knows `total = N`.
    fn apply(&mut self, source: &Source) -> Result<(), Diagnostics> {
        let number = source.text.strip_prefix("total = ").and_then(|text| text.parse().ok());
        self.total = number.ok_or_else(|| Fake::mistake(source))?;
        Ok(())
    }

    /// Knows `roll_once()`.
    fn start(&mut self, source: &Source) -> Result<(), Diagnostics> {
        if source.text != "roll_once()" {
            return Err(Fake::mistake(source));
        }
        (self.next, self.aside) = (Next::Rolls(1), true);
        Ok(())
    }

    fn why_not(&self, words: &str) -> Reason {
        let (message, help) = (format!("no move is called `{words}`"), "type `:moves`".to_owned());
        Reason { message, span: None, help: Some(help), unknown: false, understood: false }
    }
    /// Knows `total`.
    fn value(&self, source: &Source) -> Result<String, Diagnostics> {
        let known = source.text == "total";
        if known { Ok(self.total.to_string()) } else { Err(Fake::mistake(source)) }
    }

    /// Every bot picks at random.
    fn consult(&self, _: Player, _: (Kind, Control), stream: &mut Seeded) -> usize {
        stream.below(5) as usize
    }

    fn solved(&self, wanted: Solve<'_>) -> Result<Solution, Refusal> {
        Err(Refusal::TooMany { most: wanted.most })
    }

    fn game(&self) -> Option<&Game> {
        None
    }
}
