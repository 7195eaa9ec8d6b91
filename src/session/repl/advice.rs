//! What programs say about a position: a move that one would make, what all moves are worth.

use std::io;

use crate::bots::{Control, FirstMoves, Kind, Refusal, Rule, Solution, Solve};
use crate::session::console::{Console, Io, think};
use crate::session::play::Session;
use crate::session::playable::Playable;
use crate::session::repl::timeline::Moment;

/// Who is asked where nobody is named.
const ADVISER: &str = "mcts:1000";

/// How many positions may be looked at while a person waits.
const MOST: usize = 200_000;

/// The stream that advice is drawn from: no playout has it, so asking changes no draw.
const STREAM: u64 = u64::MAX;

impl<P: Playable + Clone> Session<P> {
    /// Says what a bot would do.
    pub(in crate::session) fn advise<C: Console, F>(
        &self,
        word: &str,
        labels: &[String],
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        let word = if word.is_empty() { ADVISER } else { word };
        let Moment::Decision(player) = self.timeline.now().moment else {
            return desk.console.tell("nothing is to be decided any more");
        };
        let Some(kind) = Kind::parse(word) else {
            return desk.console.tell(&format!("nobody is called `{word}`; ask {}", Kind::WORDS));
        };
        if !kind.is_repeatable() {
            return desk.console.tell("advice takes a number of games, as in `:hint mcts:1000`");
        }
        let mut stream = self.luck.seed.stream(STREAM);
        let control = Control { clock: || 0, progress: desk.console.progress() };
        let consult = || self.position().consult(player, (kind, control), &mut stream);
        let thinker = kind.takes_time().then(|| kind.word());
        let (index, stopped) = think(&mut desk.console, thinker.as_deref(), consult)?;
        let so_far = if stopped { ", stopped early," } else { "" };
        desk.console.tell(&format!("{}{so_far} would play `{}`", kind.word(), labels[index]))
    }

    /// Says what the legal moves are worth if all play as well as can be.
    pub(in crate::session) fn weigh<C: Console, F>(&self, desk: &mut Io<C, F>) -> io::Result<()> {
        let progress = desk.console.progress();
        let wanted = Solve { rule: Rule::Best, most: MOST, progress };
        let solve = || self.position().solved(wanted);
        match think(&mut desk.console, Some(&Kind::Solve.word()), solve)?.0 {
            Ok(solution) => self.tell_worth(&solution, desk),
            Err(refusal) => desk.console.tell(&refused(&refusal)),
        }
    }

    fn tell_worth<C: Console, F>(
        &self,
        solution: &Solution,
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        let names = self.position().names();
        let Some(FirstMoves { player, moves, .. }) = solution.first.first() else {
            return desk.console.tell("nothing is to be decided any more");
        };
        let name = &names[player.index()];
        desk.console.tell(&format!("{name} can expect, if all play as well as can be:"))?;
        let rows = moves.iter().map(|(label, value, best)| {
            let mark = if *best { "best" } else { "" };
            vec![label.clone(), value.to_string(), mark.to_owned()]
        });
        desk.console.grid(&rows.collect::<Vec<_>>())
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
