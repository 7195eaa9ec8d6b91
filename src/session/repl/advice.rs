//! Answers `:hint` and `:best`: a move that a bot would make, the value of each move.

use std::io;

use crate::bots::{Control, FirstMoves, Kind, Refusal, Rule, Solution, Solve};
use crate::session::console::{DynIo, think};
use crate::session::event::Moment;
use crate::session::play::Session;

/// Who is asked where nobody is named.
const ADVISER: &str = "mcts:1000";

/// How many positions may be looked at while a person waits.
const MOST: usize = 200_000;

/// The stream that advice is drawn from: no playout has it, so asking changes no draw.
const STREAM: u64 = u64::MAX;

impl Session {
    pub(in crate::session) fn advise(
        &self,
        word: &str,
        labels: &[String],
        io: &mut DynIo,
    ) -> io::Result<()> {
        let word = if word.is_empty() { ADVISER } else { word };
        let Moment::Decision(player) = self.moment() else {
            return io.console.tell("nothing is to be decided any more");
        };
        let Some(kind) = Kind::parse(word) else {
            return io.console.tell(&format!("nobody is called `{word}`; ask {}", Kind::WORDS));
        };
        if !kind.is_repeatable() {
            return io.console.tell("advice takes a number of games, as in `:hint mcts:1000`");
        }
        let mut stream = self.luck.seed.stream(STREAM);
        let control = Control { clock: || 0, progress: io.console.progress() };
        let consult = || self.position().consult(player, kind, control, &mut stream);
        let thinker = kind.takes_time().then(|| kind.word());
        let (index, stopped) = think(io.console, thinker.as_deref(), consult)?;
        let so_far = if stopped { ", stopped early," } else { "" };
        io.console.tell(&format!("{}{so_far} would play `{}`", kind.word(), labels[index]))
    }

    /// Says what the legal moves are worth if all play as well as can be.
    pub(in crate::session) fn weigh(&self, io: &mut DynIo) -> io::Result<()> {
        let progress = io.console.progress();
        let wanted = Solve { rule: Rule::Best, most: MOST, progress };
        let solve = || self.position().solved(wanted);
        match think(io.console, Some(&Kind::Solve.word()), solve)?.0 {
            Ok(solution) => self.tell_worth(&solution, io),
            Err(refusal) => io.console.tell(&refused(&refusal)),
        }
    }

    fn tell_worth(&self, solution: &Solution, io: &mut DynIo) -> io::Result<()> {
        let names = self.position().names();
        let Some(FirstMoves { player, moves, .. }) = solution.first.first() else {
            return io.console.tell("nothing is to be decided any more");
        };
        let name = &names[player.index()];
        io.console.tell(&format!("{name} can expect, if all play as well as can be:"))?;
        let rows = moves.iter().map(|(label, value, best)| {
            let mark = if *best { "best" } else { "" };
            vec![label.clone(), value.to_string(), mark.to_owned()]
        });
        io.console.grid(&rows.collect::<Vec<_>>())
    }
}

fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Stopped { .. } => {
            "stopped: what the moves are worth is not known yet; `:best` begins again, `:hint` asks a \
             bot that looks at some positions"
                .to_owned()
        }
        Refusal::TooMany { most } => format!(
            "more than {most} positions can follow from here, too many to look at all; `:hint` \
             asks a bot that looks at some"
        ),
        other => format!("{other}; `:hint` asks a bot"),
    }
}
