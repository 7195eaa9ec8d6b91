//! The ends of a game: who wins, alone, as a team, or all together.

use crate::bytecode::{GameEnding, Op};
use crate::compile::compiled::Storage;
use crate::compile::emit::Emitter;
use crate::compile::scope::SlotRange;
use crate::rules::{Block, Expr, ExprKind, LocalId, StmtKind, UnaryOp, Value};

/// A statement that ends the game.
pub(super) fn emit_end(out: &mut Emitter, end: &StmtKind) {
    match end {
        StmtKind::FinishWin(set) => {
            let SlotRange { at: set, width } = out.operand(set);
            out.code.emit(Op::FinishWin { set, width });
        }
        StmtKind::FinishRanking { local, keys } => emit_ranking(out, *local, keys),
        StmtKind::FinishTeams { local, team, end } => emit_teams(out, (*local, team), end),
        StmtKind::FinishTogether(score) => {
            let score = out.operand(score).at;
            emit_same(out, &[score], GameEnding::Together);
        }
        StmtKind::FinishAll { win } => {
            let all = out.all_players();
            let keys: &[u16] = if *win { &[all] } else { &[] };
            emit_same(out, keys, GameEnding::TeamReturns);
        }
        _ => out.code.emit(Op::FinishDraw {}),
    }
}

/// The keys of all players, one key after the other, then the end.
fn emit_ranking(out: &mut Emitter, local: LocalId, keys: &[Expr]) {
    let (players, count) = (out.plan.players(), out.code.fit(keys.len(), "keys"));
    let base = out.allocate(count * players).at;
    emit_rows(out, local, keys, base);
    out.code.emit(Op::FinishRanking {
        base,
        count,
        lowest: is_lowest(keys).into(),
        width: players,
    });
}

fn is_lowest(keys: &[Expr]) -> bool {
    matches!(keys[0].kind, ExprKind::Unary(UnaryOp::Reverse, _))
}

/// One row after the other, each with the values of all players.
fn emit_rows(out: &mut Emitter, local: LocalId, rows: &[Expr], base: u16) {
    let players = out.plan.players();
    for seat in 0..players {
        out.keep_local(local, Storage::Known(Value::Int(seat.into())));
        for (row, at) in rows.iter().zip(0..) {
            let mark = out.mark();
            let dst = SlotRange { at: base + at * players + seat, width: 1 };
            out.compute(row, dst);
            out.release(mark);
        }
    }
}

/// The end of a game with teams: the team of each player, then the keys or the winners.
fn emit_teams(out: &mut Emitter, (local, team): (LocalId, &Expr), end: &Block) {
    let players = out.plan.players();
    let ranking = end.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::FinishRanking { local, keys } => Some((*local, keys)),
        _ => None,
    });
    let count = out.code.fit(1 + ranking.map_or(1, |(_, keys)| keys.len()), "keys");
    let base = out.allocate(count * players).at;
    emit_rows(out, local, std::slice::from_ref(team), base);
    let ending = match ranking {
        Some((local, keys)) => {
            emit_rows(out, local, keys, base + players);
            if is_lowest(keys) { GameEnding::TeamLowScores } else { GameEnding::TeamScores }
        }
        None => {
            if let Some(StmtKind::FinishWin(winners)) = end.first().map(|end| &end.kind) {
                out.compute(winners, SlotRange { at: base + players, width: 1 });
            }
            GameEnding::TeamReturns
        }
    };
    out.code.emit(Op::FinishTeams { base, count, ending: ending as u16, width: players });
}

/// The end of all as one team, with the same keys for everybody.
fn emit_same(out: &mut Emitter, keys: &[u16], ending: GameEnding) {
    let players = out.plan.players();
    let count = out.code.fit(1 + keys.len(), "keys");
    let (base, zero) = (out.allocate(count * players).at, out.code.constant(0));
    for (row, src) in (0..).zip(std::iter::once(&zero).chain(keys)) {
        let row = base + row * players;
        (row..row + players).for_each(|dst| out.code.emit(Op::Move { dst, src: *src }));
    }
    out.code.emit(Op::FinishTeams { base, count, ending: ending as u16, width: players });
}
