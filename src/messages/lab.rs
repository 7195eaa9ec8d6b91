//! Games between bots in the background, a few at a time, and what they come to.

use serde::Deserialize;
use serde_json::{Value, json};

use super::findings::{objects, place};
use super::writing::AnalysedText;
use super::{MessageAnswer, other};
use crate::bots::{Analysis, BotKind, Clock};
use crate::chance::Seed;
use crate::diagnostic::Diagnostics;
use crate::pipeline::GameOptions;
use crate::progress::UNWATCHED;
use crate::simulate::{self, Points, Share, Simulated, Tally, never_run, simulate};

/// Some playouts of one setting; those that begin at 0 begin a lab.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct LabBatch {
    #[serde(default)]
    players: Option<usize>,
    #[serde(default)]
    options: Vec<(String, String)>,
    /// The bot on every seat.
    bot: String,
    seed: u64,
    from: u64,
    to: u64,
}

#[derive(Debug)]
pub(super) struct Lab {
    analysis: Analysis,
    kind: BotKind,
    points: Points,
    played: Simulated,
}

impl Lab {
    /// Plays some games and returns what all games of the lab come to.
    pub(super) fn play(
        lab: &mut Option<Lab>,
        batch: LabBatch,
        written: &AnalysedText,
        clock: Clock,
    ) -> MessageAnswer {
        if batch.from == 0 {
            let setting = GameOptions { players: batch.players, options: batch.options };
            let game = match written.load(&setting, &[], None) {
                Ok(game) => game,
                Err((sources, found)) => {
                    return Ok(json!({ "findings": objects(&sources, &found) }));
                }
            };
            let kind = BotKind::named(&batch.bot, &game)
                .ok_or_else(|| other(format!("no bot is called `{}`", batch.bot)))?;
            let points = Points::of(&game);
            *lab = Some(Lab {
                analysis: Analysis::new(game),
                kind,
                points,
                played: Simulated::default(),
            });
        }
        let lab = lab.as_mut().ok_or_else(|| other("no lab has begun"))?;
        let players = lab.analysis.game().info().players;
        let seats = vec![lab.kind; players];
        let games = std::slice::from_ref(&lab.analysis);
        let seed = Seed(batch.seed);
        let wanted = simulate::Batch {
            games,
            seats: &seats,
            seed,
            threads: 1,
            clock,
            records: false,
            checks: false,
        };
        match simulate(wanted, batch.from..batch.to, &UNWATCHED) {
            Ok(played) => lab.played.merge(&played),
            Err(broken) => {
                let sources = lab.analysis.game().sources();
                let found = objects(sources, &Diagnostics::of(broken.trap));
                return Ok(json!({ "findings": found, "playout": broken.number }));
            }
        }
        Ok(lab.results())
    }

    fn results(&self) -> Value {
        let tally = &self.played.tallies[0];
        let game = self.analysis.game();
        let decisions = &tally.decisions;
        let wins = game.names().iter().zip(&tally.wins).map(|(name, wins)| {
            let share = share(*wins, tally.playouts);
            json!({ "name": name, "wins": wins, "share": share })
        });
        let moves = tally.moves.iter().map(|(name, used)| {
            let takers = simulate::SeatWins::sum(&used.takers);
            json!({
                "name": name, "offered": used.offered, "taken": used.taken,
                "wins": (takers.games > 0).then(|| share(takers.wins, takers.games)),
            })
        });
        json!({
            "playouts": tally.playouts,
            "sampled_games": tally.sampled,
            "wins": wins.collect::<Vec<_>>(),
            "nobody": tally.shared.all(),
            "stopped": tally.limit_reached,
            "decisions": {
                "mean": decisions.mean().places(1), "least": decisions.least(), "most": decisions.most(),
                "nine_of_ten": [decisions.percentile(5), decisions.percentile(95)],
                "counts": decisions.counts,
            },
            "moves": moves.collect::<Vec<_>>(),
            "never": self.never(tally),
        })
    }

    /// The places of the rules that no playout passed.
    fn never(&self, tally: &Tally) -> Vec<Value> {
        let sources = self.analysis.game().sources();
        never_run(&self.points.points, tally)
            .map(|point| json!({ "what": point.what, "at": place(sources, Some(point.span)) }))
            .collect()
    }
}

/// A share in percent, with the interval that it lies in.
fn share(part: u64, whole: u64) -> [String; 3] {
    let Share { rate, low, high } = Share::of(part, whole);
    [rate, low, high].map(simulate::Millionths::percent)
}
