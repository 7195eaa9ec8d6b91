//! Finds the moves that a strategy of the file would make.

use crate::bytecode::program::OptionInfo;
use crate::compile::Storage;
use crate::game::Player;
use crate::rules::{LocalId, PLAYER, StrategyLine, Type, Value};
use crate::snippet::moment::{KnownLocals, LiveGame};
use crate::snippet::{WaitingGame, current_site, in_sight};
use crate::syntax::ast::Direction;

/// The legal moves that the first line picks which fits any; nothing if no line does.
///
/// # Panics
/// If the rules have no strategy of this number.
pub(crate) fn picked(waiting: WaitingGame, player: Player, strategy: usize) -> Vec<usize> {
    let WaitingGame { game, state, legal } = waiting;
    let Some(rule) = current_site(game, state).rule else { return Vec::new() };
    let locals = &game.rules().rules[rule.index()].locals;
    let moment = LiveGame { game, state, legal, locals, of_rules: true, eyes: &[] };
    let known = in_sight(game, state);
    let moves: Vec<StrategyMove> =
        (0..legal.count()).map(|index| game.bound(state, legal, index)).collect();
    let lines = game.rules().strategies[strategy].lines.iter();
    let picked = lines.map(|line| find_best_moves(&moment, &known, &moves, line, player));
    picked.into_iter().find(|picked| !picked.is_empty()).unwrap_or_default()
}

/// A legal move: its option, and the words of its arguments.
type StrategyMove<'a> = (&'a OptionInfo, Vec<Vec<i64>>);

/// The best of the moves that a line fits.
fn find_best_moves(
    moment: &LiveGame,
    known: &KnownLocals,
    moves: &[StrategyMove],
    line: &StrategyLine,
    player: Player,
) -> Vec<usize> {
    let (mut best, mut most) = (Vec::new(), None);
    for (index, (option, words)) in moves.iter().enumerate() {
        let Some(tactic) = line.tactics.get(&option.span).filter(|_| option.name == line.name)
        else {
            continue;
        };
        let mut known = known.clone();
        // The names that the line has for who decides and for the arguments.
        let me = moment.value_from_words(&Type::Kind(PLAYER), &[player.0.into()]);
        known.extend(me.map(|me| (tactic.me, Storage::Known(me))));
        let named = |(local, words): (&Option<LocalId>, &Vec<i64>)| {
            let local = (*local)?;
            let value = moment.value_from_words(&moment.locals[local.index()].ty, words)?;
            Some((local, Storage::Known(value)))
        };
        known.extend(tactic.arguments.iter().zip(words).filter_map(named));
        let holds = |condition| moment.compute_value(condition, &known) == Value::Int(1);
        if !tactic.condition.as_ref().is_none_or(holds) {
            continue;
        }
        let keys = tactic.keys.iter().map(|(direction, key)| {
            let Value::Int(key) = moment.compute_value(key, &known) else { return i64::MIN };
            if *direction == Direction::Lowest { key.saturating_neg() } else { key }
        });
        let keys = Some(keys.collect::<Vec<_>>());
        if keys > most {
            best.clear();
        }
        if keys >= most {
            most = keys;
            best.push(index);
        }
    }
    best
}
