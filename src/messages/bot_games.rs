//! Games between bots in the background, a few at a time, and what they come to.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::bots::{Analysis, BotKind, Clock};
use crate::chance::Seed;
use crate::diagnostic::Diagnostics;
use crate::messages::analysed_text::AnalysedText;
use crate::messages::findings::{OrFindings, TextPlace, findings, place};
use crate::messages::{MessageRefusal, other};
use crate::pipeline::GameOptions;
use crate::progress::UNWATCHED;
use crate::simulate::{self, Points, Share, Simulated, Success, never_run, simulate};

/// Some playouts of one setting; those that begin at 0 begin a lab.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(super) struct LabBatch {
    #[serde(default)]
    players: Option<usize>,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<_>"))]
    options: Vec<(String, String)>,
    /// The bot on every seat, unless `bots` has another one for it.
    bot: String,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<_>"))]
    bots: Vec<String>,
    seed: u64,
    from: u64,
    to: u64,
}

answer_types! {
    /// What all games of a lab come to: in how many of them moves were counted, how many nobody won, and which places
    /// of the rules none passed.
    pub(super) struct LabResults {
        playouts: u64, sampled_games: u64, wins: Vec<LabSeat>, nobody: u64, stopped: u64,
        decisions: LabDecisions, moves: Vec<LabMove>, never: Vec<NeverRun>,
    }
    struct LabSeat { name: String, wins: u64, share: PercentShare }
    struct LabDecisions { mean: String, least: i64, most: i64, nine_of_ten: [i64; 2], counts: BTreeMap<i64, u64> }
    struct LabMove { name: String, offered: u64, taken: u64, wins: Option<PercentShare> }
    struct NeverRun { what: String, at: TextPlace }
}

/// A share in percent, with the interval that it lies in.
type PercentShare = [String; 3];

#[derive(Debug)]
pub(super) struct BotGames {
    analysis: Analysis,
    seats: Vec<BotKind>,
    points: Points,
    played: Simulated,
}

impl BotGames {
    /// Plays some games and returns what all games of the lab come to.
    pub(super) fn play_games(
        lab: &mut Option<BotGames>,
        batch: LabBatch,
        written: &AnalysedText,
        clock: Clock,
    ) -> Result<OrFindings<LabResults>, MessageRefusal> {
        if batch.from == 0 {
            let setting = GameOptions { players: batch.players, options: batch.options };
            let game = match written.load(&setting, &[], None) {
                Ok(game) => game,
                Err((sources, found)) => return Ok(OrFindings::wrong(&sources, &found)),
            };
            let seat = |at: usize| {
                let word = batch.bots.get(at).unwrap_or(&batch.bot);
                let kind = BotKind::from_word(word, &game);
                kind.ok_or_else(|| other(format!("no bot is called `{word}`")))
            };
            let seats = (0..game.info().players).map(seat).collect::<Result<_, _>>()?;
            let points = Points::of_game(&game);
            *lab = Some(BotGames {
                analysis: Analysis::new(game),
                seats,
                points,
                played: Simulated::default(),
            });
        }
        let lab = lab.as_mut().ok_or_else(|| other("no lab has begun"))?;
        let games = std::slice::from_ref(&lab.analysis);
        let seed = Seed(batch.seed);
        let wanted = simulate::Batch {
            games,
            seats: &lab.seats,
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
                let findings = findings(sources, &Diagnostics::of(broken.trap));
                return Ok(OrFindings::Wrong { findings, playout: Some(broken.number) });
            }
        }
        Ok(OrFindings::Sound(lab.results()))
    }

    fn results(&self) -> LabResults {
        let tally = &self.played.tallies[0];
        let game = self.analysis.game();
        let decisions = &tally.decisions;
        let wins = game.names().iter().zip(&tally.wins).map(|(name, wins)| LabSeat {
            name: name.clone(),
            wins: *wins,
            share: share(*wins, tally.playouts),
        });
        let is_won = tally.success() == Success::Wins;
        let moves = tally.moves.iter().map(|(name, used)| {
            let takers = simulate::SeatWins::sum(&used.takers);
            LabMove {
                name: name.clone(),
                offered: used.offered,
                taken: used.taken,
                wins: (is_won && takers.games > 0).then(|| share(takers.wins, takers.games)),
            }
        });
        let never = never_run(&self.points.points, tally).map(|point| NeverRun {
            what: point.what.clone(),
            at: place(game.sources(), point.span),
        });
        LabResults {
            playouts: tally.playouts,
            sampled_games: tally.sampled,
            wins: wins.collect(),
            nobody: tally.shared.total(),
            stopped: tally.limit_reached,
            decisions: LabDecisions {
                mean: decisions.mean().places(1),
                least: decisions.least(),
                most: decisions.most(),
                nine_of_ten: [decisions.percentile(5), decisions.percentile(95)],
                counts: decisions.counts.clone(),
            },
            moves: moves.collect(),
            never: never.collect(),
        }
    }
}

fn share(part: u64, whole: u64) -> PercentShare {
    let Share { rate, low, high } = Share::of(part, whole);
    [rate, low, high].map(simulate::Millionths::percent)
}
