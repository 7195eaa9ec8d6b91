//! Compares players who took a move, or a member as its argument, with those who left it.

use serde_json::{Value, json};

use super::results::BoardCells;
use super::rows::{share_to_json, to_row};
use crate::simulate::{
    FEWEST, Likelihood, MoveUse, SeatWins, Share, Tally, difference_of, holm_rejects,
};

/// A move, alone or with a member as one of its arguments, and how often those won who took it at the first decision
/// of a game at which somebody could.
pub(crate) struct MoveChoice<'t> {
    /// `attack`, `attack fire`, `attack … water`.
    pub(crate) words: String,
    /// The move, and the position of the argument.
    pub(crate) of: (&'t str, Option<usize>),
    pub(crate) used: &'t MoveUse,
    pub(crate) takers: SeatWins,
    pub(crate) left: SeatWins,
    pub(crate) taken: Share,
    /// Of those who could have taken it and did not.
    pub(crate) others: Share,
    /// How often chance alone shows as much, if there are enough games.
    chance: Option<Likelihood>,
    /// Whether the two differ clearly, given how many choices are compared.
    pub(crate) clear: bool,
}

impl<'t> MoveChoice<'t> {
    fn new(words: String, of: (&'t str, Option<usize>), used: &'t MoveUse) -> MoveChoice<'t> {
        let [takers, left] = [&used.takers, &used.others].map(|parts| SeatWins::sum(parts));
        let (taken, others) = (takers.share(), left.share());
        MoveChoice { words, of, used, takers, left, taken, others, chance: None, clear: false }
    }

    fn is_enough(&self) -> bool {
        self.takers.games.min(self.left.games) >= FEWEST
    }

    pub(crate) fn into_json(self) -> Value {
        let MoveChoice { words, used, takers, left, taken, others, clear, .. } = self;
        json!({
            "choice": words, "offered": used.offered, "taken": used.taken,
            "games_taken": takers.games, "win_rate_taken": share_to_json(taken),
            "games_not_taken": left.games, "win_rate_not_taken": share_to_json(others),
            "games_ended": used.ended, "clear": clear,
        })
    }
}

/// Compares those who took a choice with those who left it. Clear differences (`holm_rejects`) first, few games last.
pub(crate) fn compare_choices(tally: &Tally) -> Vec<MoveChoice<'_>> {
    if tally.wins.len() < 2 {
        return Vec::new();
    }
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
    let all = moves.chain(arguments).map(|(words, of, used)| MoveChoice::new(words, of, used));
    let mut choices: Vec<MoveChoice> =
        all.filter(|it| it.takers.games > 0 && it.left.games > 0).collect();
    let enough: Vec<&mut MoveChoice> = choices.iter_mut().filter(|it| it.is_enough()).collect();
    let chances: Vec<Likelihood> = enough.iter().map(|it| difference_of(it.used)).collect();
    for (choice, (chance, clear)) in
        enough.into_iter().zip(chances.iter().zip(holm_rejects(&chances)))
    {
        (choice.chance, choice.clear) = (Some(*chance), clear);
    }
    choices.sort_by_key(|it| (it.chance.is_none(), it.chance));
    choices
}

/// How many choices a table lists.
const MOST_CHOICES: usize = 12;

/// The choices as rows, but for cells of a board, which the report draws.
pub(crate) fn choice_rows(choices: &[MoveChoice], cells: &[BoardCells]) -> Vec<Vec<String>> {
    let heading = [
        "at the first chance",
        "takes it, wins",
        "95 %",
        "games",
        "leaves it, wins",
        "95 %",
        "games",
        "",
    ];
    let mut rows = vec![to_row(&heading)];
    let is_listed = |it: &&MoveChoice| !cells.iter().any(|cells| cells.is_of(it.of));
    let listed: Vec<&MoveChoice> = choices.iter().filter(is_listed).collect();
    let enough = listed.iter().filter(|it| it.is_enough()).count();
    let shown = if enough == 0 { MOST_CHOICES } else { MOST_CHOICES.min(enough) };
    rows.extend(listed.iter().take(shown).map(|choice| {
        let MoveChoice { words, takers, left, taken, others, clear, .. } = choice;
        let clear = if *clear { "clear" } else { "" }.to_owned();
        let cells = |share: &Share, part: &SeatWins| {
            vec![share.percent(), share.interval(), part.games.to_string()]
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
    let drawn = choices.len() - listed.len();
    if drawn > 0 {
        rows.push(to_row(&[&format!("… {drawn} about cells of a board: `--report` draws them")]));
    }
    rows
}
