//! Two games beside each other that differ only in what one seat may not see.

use std::collections::BTreeSet;

use astragal::chance::{Chance, Seeded};
use astragal::game::{Game, LegalMoves, Player, Said, State, Step, TableView};
use astragal::source::Source;

/// The name of the variable that counts how often secrets were read.
const READS: &str = "reads";

/// How a pair ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ended {
    /// Whether somebody decided after a secret was read, and the seat saw no difference up to there.
    pub(super) decided_after_secret: bool,
}

/// One of the two games.
struct Side<'a> {
    game: &'a Game,
    state: State,
    turn: LegalMoves,
    chance: Seeded,
}

/// What a seat sees of a run to the next stop.
struct Seen {
    said: Vec<Said>,
    step: Step,
    table: TableView,
    /// All that the seat can know.
    key: Vec<u8>,
    /// The bytes that a front of the seat is sent, without what happened before.
    sent: String,
}

/// How two runs to the next stop compare for a seat.
enum Compared {
    /// The seat saw the same.
    Same(Player),
    /// Both have ended, or somebody was told or shown a secret on purpose.
    Over,
}

impl Side<'_> {
    fn advance(&mut self) -> Result<Step, String> {
        let step = self.game.advance(&mut self.state, &mut self.turn);
        step.map_err(|trap| format!("a made-up game stops: {trap}"))
    }

    fn draw(&mut self, outcomes: u32) {
        let index = self.chance.below(outcomes);
        self.game.draw(&mut self.state, index);
    }

    fn below(&mut self, count: usize) -> usize {
        self.chance.below(u32::try_from(count).expect("there are few")) as usize
    }

    fn said_to(&self, seat: Player) -> impl Iterator<Item = &Said> {
        self.turn.said.iter().filter(move |said| said.to.is_none_or(|to| to == seat))
    }

    fn table(&self, seat: Player) -> TableView {
        self.game.table_since(&self.state, Some(seat), &BTreeSet::new(), false)
    }

    /// The view with what is asked of the seat.
    fn sent(&self, mut table: TableView) -> String {
        self.game.look(&self.state, &self.turn, &mut table);
        serde_json::to_string(&table).expect("a view is plain data")
    }

    fn labels(&self) -> Vec<String> {
        self.game.labels(&self.state, &self.turn).collect()
    }

    fn heard(&self) -> Vec<String> {
        let moves = 0..self.turn.count();
        moves.map(|at| self.game.heard_label(&self.state, &self.turn, at)).collect()
    }

    fn has_read(&self) -> bool {
        let source = Source::new("reads", READS);
        let value = astragal::snippet::evaluate(self.game, &self.state, &self.turn, &source);
        value.is_ok_and(|reads| reads != "0")
    }
}

/// Plays a game twice, where nobody but the seat keeps to the same secrets. As long as the seat was
/// told and shown the same, who is asked and what the seat is offered must be the same.
pub(super) fn play(game: &Game, seat: Player, chances: [Seeded; 2]) -> Result<Ended, String> {
    let mut sides = chances.map(|chance| {
        let (state, turn) = (game.initial_state(), LegalMoves::new());
        Side { game, state, turn, chance }
    });
    let mut ended = Ended { decided_after_secret: false };
    while let Some(seen) = stops(&mut sides, seat)?
        && let Compared::Same(player) = compared(&seen, seat)?
    {
        ended.decided_after_secret |= sides[0].has_read();
        let made =
            if player == seat { Some(offered(&mut sides, seat)?) } else { heard(&mut sides) };
        // Others may decide by what they see, and be heard.
        let Some(made) = made else { break };
        let told = [0, 1].map(|at| {
            let Side { state, turn, .. } = &mut sides[at];
            let told = game.heard(state, turn, made[at]);
            game.choose(state, turn, made[at]);
            game.heard_by(&told, state, seat)
        });
        if told[0] != told[1] {
            break;
        }
    }
    Ok(ended)
}

/// Compares what a seat saw. What the rules say comes first, in its order: nothing that a made-up
/// game changes is seen without being said.
fn compared([a, b]: &[Seen; 2], seat: Player) -> Result<Compared, String> {
    let at = a.said.iter().zip(&b.said).take_while(|(a, b)| a == b).count();
    match (a.said.get(at), b.said.get(at)) {
        (Some(a), Some(b)) if a.declines && b.declines => {
            return Err(format!("{seat:?} hears `{}` or `{}`", a.text, b.text));
        }
        (Some(said), None) | (None, Some(said)) if said.declines => {
            return Err(format!(
                "{seat:?} hears `{}` or sees somebody asked, or the end",
                said.text
            ));
        }
        (None, None) => {}
        _ => return Ok(Compared::Over),
    }
    if a.key == b.key && a.sent != b.sent {
        return Err(format!("{seat:?} is sent\n{}\nor\n{}", a.sent, b.sent));
    }
    match (a.step, b.step) {
        (Step::End, Step::End) => Ok(Compared::Over),
        (Step::Decide { player }, Step::Decide { player: other }) if player == other => {
            Ok(if a.table == b.table { Compared::Same(player) } else { Compared::Over })
        }
        steps => Err(format!("{seat:?} sees the same, and then {steps:?}")),
    }
}

/// One of the moves that are offered to the seat: the same in both.
fn offered(sides: &mut [Side<'_>; 2], seat: Player) -> Result<[usize; 2], String> {
    let [a, b] = sides;
    let (offered, others) = (a.labels(), b.labels());
    if offered != others {
        return Err(format!("{seat:?} sees the same, and is offered {offered:?} or {others:?}"));
    }
    let asked = [&*a, &*b].map(|it| it.game.question(&it.state));
    if asked[0] != asked[1] {
        return Err(format!("{seat:?} sees the same, and is asked {asked:?}"));
    }
    let at = a.below(offered.len());
    Ok([at, at])
}

/// Moves of somebody else that the seat hears alike, if there are some.
fn heard(sides: &mut [Side<'_>; 2]) -> Option<[usize; 2]> {
    let [a, b] = sides;
    let (heard, others) = (a.heard(), b.heard());
    let at = a.below(heard.len());
    let same: Vec<usize> = (0..others.len()).filter(|it| others[*it] == heard[at]).collect();
    (!same.is_empty()).then(|| [at, same[b.below(same.len())]])
}

/// Runs both to where they stop, and gives what the seat sees of that; none if a draw that the seat
/// sees cannot come out alike.
fn stops(sides: &mut [Side<'_>; 2], seat: Player) -> Result<Option<[Seen; 2]>, String> {
    let mut said = [Vec::new(), Vec::new()];
    loop {
        let mut steps = Vec::new();
        for (side, said) in sides.iter_mut().zip(&mut said) {
            steps.push(side.advance()?);
            said.extend(side.said_to(seat).cloned());
        }
        let [a, b] = sides;
        match steps[..] {
            [Step::Draw { outcomes }, Step::Draw { outcomes: others }] => {
                let index = a.chance.below(outcomes);
                let wanted =
                    a.game.sees_draw(&a.state, seat).then(|| a.game.outcome(&a.state, index));
                let fits = |it: &u32| {
                    wanted.as_ref().is_none_or(|it_is| b.game.outcome(&b.state, *it) == *it_is)
                };
                let fitting: Vec<u32> = (0..others).filter(fits).collect();
                if fitting.is_empty() {
                    return Ok(None);
                }
                let beside = fitting[b.below(fitting.len())];
                a.game.draw(&mut a.state, index);
                b.game.draw(&mut b.state, beside);
            }
            [Step::Draw { outcomes }, _] => a.draw(outcomes),
            [_, Step::Draw { outcomes }] => b.draw(outcomes),
            _ => {
                let [first, second] = said;
                let seen = |side: &Side<'_>, said, step| {
                    let table = side.table(seat);
                    let key = side.game.observe(&side.state, seat).key();
                    let bytes = side.sent(table.clone());
                    Seen { said, step, table, key, sent: bytes }
                };
                return Ok(Some([seen(a, first, steps[0]), seen(b, second, steps[1])]));
            }
        }
    }
}
