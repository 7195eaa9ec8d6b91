//! Compares players who took a move, or a member as its argument, with those who left it.

use serde_json::{Value, json};

use crate::host::report::results::BoardCells;
use crate::host::report::rows::{share_to_json, to_row};
use crate::simulate::{
    Apart, FEWEST, Likelihood, Moments, MoveUse, SeatWins, Share, Success, Tally, difference_of,
    difference_of_scores, holm_rejects,
};

/// A move that ends more than one of so many games at once is judged as an end, not as a choice.
const ENDS: u64 = 10;

/// A move, alone or with a member as one of its arguments, and how those fared who took it at the first decision of a
/// game at which somebody could.
pub(crate) struct MoveChoice<'t> {
    /// `attack`, `attack fire`, `attack … water`.
    pub(crate) words: String,
    /// The move, and the position of the argument.
    pub(crate) of: (&'t str, Option<usize>),
    used: &'t MoveUse,
    /// What tells how players fared.
    pub(crate) success: Success,
    pub(crate) takers: SeatWins,
    pub(crate) left: SeatWins,
    /// How often takers succeed, or what they score.
    pub(crate) taken: Share,
    /// The same of those who could have taken it and did not.
    pub(crate) others: Share,
    /// How often chance alone shows as much, if there are enough games.
    chance: Option<Likelihood>,
    /// Whether the two differ clearly, given how many choices are compared.
    pub(crate) clear: bool,
    /// Where another choice is that says the same: who takes it leaves this one.
    opposite: Option<usize>,
}

impl<'t> MoveChoice<'t> {
    fn new(
        words: String,
        (of, success): ((&'t str, Option<usize>), Success),
        used: &'t MoveUse,
    ) -> MoveChoice<'t> {
        let [takers, left] = used.successes(success).map(|parts| SeatWins::sum(&parts));
        let [taken, others] = match success {
            Success::Score => used.scores.each_ref().map(|parts| mean_of(parts)),
            _ => [takers.share(), left.share()],
        };
        MoveChoice {
            words,
            of,
            used,
            success,
            takers,
            left,
            taken,
            others,
            chance: None,
            clear: false,
            opposite: None,
        }
    }

    /// Whether those who take one leave the other, and the other way round.
    fn is_opposite(&self, other: &MoveChoice) -> bool {
        (self.takers, self.left) == (other.left, other.takers)
            && self.used.takers == other.used.others
            && self.used.others == other.used.takers
    }

    fn is_enough(&self) -> bool {
        self.takers.games.min(self.left.games) >= FEWEST
    }

    /// How often chance alone shows as much.
    fn likelihood(&self) -> Likelihood {
        if self.success == Success::Score {
            return difference_of_scores(self.used.scores.each_ref().map(Vec::as_slice));
        }
        let [takers, others] = self.used.successes(self.success);
        difference_of(&takers, &others)
    }

    /// Whether games mostly end at once with it, or with what is taken in its place.
    pub(crate) fn is_end(&self) -> bool {
        let ends = |ended: u64, games: u64| ended.saturating_mul(ENDS) > games;
        ends(self.used.ended, self.takers.games) || ends(self.used.others_ended, self.left.games)
    }

    /// `61.2 %` and `58.1-64.2`; of a score `12.4` and `12.1-12.7`.
    fn cells(&self, share: Share) -> [String; 2] {
        if self.success != Success::Score {
            return [share.percent(), share.interval()];
        }
        let between = if share.low.0 < 0 { " to " } else { "-" };
        [share.rate.places(1), [share.low.places(1), share.high.places(1)].join(between)]
    }

    /// `61.2 % (58.1-64.2)`
    pub(crate) fn spoken(&self, share: Share) -> String {
        let [rate, interval] = self.cells(share);
        format!("{rate} ({interval})")
    }

    pub(crate) fn into_json(self) -> Value {
        let MoveChoice { words, used, success, takers, left, taken, others, clear, .. } = self;
        let [won, won_of_others] = [takers, left].map(|part| share_to_json(part.share()));
        let mut object = json!({
            "choice": words, "offered": used.offered, "taken": used.taken,
            "games_taken": takers.games, "win_rate_taken": won,
            "games_not_taken": left.games, "win_rate_not_taken": won_of_others,
            "games_ended": used.ended, "clear": clear,
        });
        if success == Success::Score {
            object["score_taken"] = share_to_json(taken);
            object["score_not_taken"] = share_to_json(others);
        }
        object
    }
}

/// The mean of scores, and where it lies 19 times out of 20.
fn mean_of(parts: &[Moments]) -> Share {
    let mut all = Moments::default();
    parts.iter().for_each(|part| all.merge(part));
    let Apart { by: rate, low, high } = all.apart();
    Share { rate, low, high }
}

/// Compares those who took a choice with those who left it. Clear differences (`holm_rejects`) first, few games last.
pub(crate) fn compare_choices(tally: &Tally) -> Vec<MoveChoice<'_>> {
    if tally.wins.len() < 2 {
        return Vec::new();
    }
    let success = tally.success();
    let moves = tally.moves.iter().map(|(name, used)| (name.clone(), (name.as_str(), None), used));
    let arguments = tally.choices.iter().flat_map(|(name, arguments)| {
        let named = arguments.iter().enumerate();
        named.flat_map(move |(at, members)| {
            let gap = if at == 0 { "" } else { "… " };
            let words = move |member| format!("{name} {gap}{member}");
            let of = (name.as_str(), Some(at));
            members.iter().map(move |(member, used)| (words(member), of, used))
        })
    });
    let all = moves.chain(arguments);
    let all = all.map(|(words, of, used)| MoveChoice::new(words, (of, success), used));
    let mut choices: Vec<MoveChoice> =
        all.filter(|it| it.takers.games > 0 && it.left.games > 0).collect();
    for at in (0..choices.len()).rev() {
        let is_opposite = |later: &usize| {
            choices[*later].opposite.is_none() && choices[at].is_opposite(&choices[*later])
        };
        choices[at].opposite = (at + 1..choices.len()).find(is_opposite);
    }
    let is_judged = |it: &&mut MoveChoice| it.is_enough() && it.opposite.is_none();
    let judged: Vec<&mut MoveChoice> = choices.iter_mut().filter(is_judged).collect();
    let chances: Vec<Likelihood> = judged.iter().map(|it| it.likelihood()).collect();
    for (choice, (chance, clear)) in
        judged.into_iter().zip(chances.iter().zip(holm_rejects(&chances)))
    {
        (choice.chance, choice.clear) = (Some(*chance), clear);
    }
    for at in 0..choices.len() {
        if let Some(opposite) = choices[at].opposite {
            let MoveChoice { chance, clear, .. } = choices[opposite];
            (choices[at].chance, choices[at].clear) = (chance, clear);
        }
    }
    choices.sort_by_key(|it| (it.chance.is_none(), it.chance));
    choices
}

/// How many choices a table lists.
const MOST_CHOICES: usize = 12;

/// The choices as rows, but for those that say the same as another one; of cells of a board the report draws a picture.
pub(crate) fn choice_rows(choices: &[MoveChoice], cells: &[BoardCells]) -> Vec<Vec<String>> {
    let fares = match choices.first().map(|it| it.success) {
        Some(Success::NotBeaten) => "is not beaten",
        Some(Success::Score) => "scores",
        _ => "wins",
    };
    let [takes, leaves] = ["takes", "leaves"].map(|does| format!("{does} it, {fares}"));
    let heading = ["at the first chance", &takes, "95 %", "games", &leaves, "95 %", "games", ""];
    let mut rows = vec![to_row(&heading)];
    let is_cell = |it: &&MoveChoice| cells.iter().any(|cells| cells.is_of(it.of));
    let (drawn, listed): (Vec<_>, Vec<_>) = choices.iter().partition(is_cell);
    let listed: Vec<&MoveChoice> = listed.into_iter().filter(|it| it.opposite.is_none()).collect();
    let enough = listed.iter().filter(|it| it.is_enough()).count();
    let shown = if enough == 0 { MOST_CHOICES } else { MOST_CHOICES.min(enough) };
    rows.extend(listed.iter().take(shown).map(|choice| {
        let MoveChoice { words, takers, left, taken, others, clear, .. } = choice;
        let clear = if *clear { "clear" } else { "" }.to_owned();
        let cells = |share: &Share, part: &SeatWins| {
            [&choice.cells(*share)[..], &[part.games.to_string()]].concat()
        };
        [vec![words.clone()], cells(taken, takers), cells(others, left), vec![clear]].concat()
    }));
    if listed.len() > shown {
        rows.push(to_row(&[&format!(
            "… {} more: `--format json` lists all",
            listed.len() - shown
        )]));
    }
    if enough > 0 && !choices.iter().any(|it| it.clear) {
        rows.push(to_row(&["none is clear"]));
    }
    let drawn = drawn.len();
    if drawn > 0 {
        rows.push(to_row(&[&format!("… {drawn} about cells of a board: `--report` draws them")]));
    }
    rows
}
