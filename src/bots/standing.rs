//! How a game would rank if it were over now: the ranking of the file, tried on a running game.

use std::collections::BTreeSet;

use crate::check::rules::{Block, Effects, Expr, ExprKind, LocalId, Rule, Stmt, StmtKind, Type};
use crate::compile::{Compiled, Snippet, extend};
use crate::game::{Game, State};
use crate::vm::{Driver, Offers, run};

/// The first ranking of a file whose score can be asked for at any time.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    compiled: Compiled,
    names: Vec<String>,
}

impl Standing {
    /// Finds the ranking; none where the file has none, or where its score reads what only the
    /// rule that finishes knows.
    pub(super) fn of(game: &Game) -> Option<Standing> {
        let piece = game.rules().rules.iter().find_map(piece)?;
        let pieces: Vec<Snippet> = game.pieces().iter().cloned().chain([piece]).collect();
        let compiled = extend(game.rules(), game.setting(), game.sources(), &pieces).ok()?;
        Some(Standing { compiled, names: game.names().to_vec() })
    }

    /// The scores of all players, if they can be computed.
    pub(super) fn scores(&self, state: &State) -> Option<Vec<i64>> {
        let program = &self.compiled.program;
        let mut state = state.grown(program);
        let site = program.sites.len() - 1;
        state.jump(u16::try_from(site).expect("verified: sites are counted with 16 bits"));
        run(program, &mut state, &mut Offers::new(), &self.names, &mut Silent).ok()?;
        Some(state.slice(program.scores(), program.players).to_vec())
    }
}

/// The ranking of a rule as a piece that can be run against any state.
fn piece(rule: &Rule) -> Option<Snippet> {
    let stmt = find(&rule.body)?;
    let rule = Rule {
        name: "standing".to_owned(),
        title: "standing".to_owned(),
        notes: Vec::new(),
        params: 0,
        locals: rule.locals.clone(),
        returns: Type::Nothing,
        effects: Effects { finishes: true, ..Effects::default() },
        body: vec![stmt],
        span: rule.span,
    };
    Some(Snippet { rule, locals: Vec::new(), moves: 0, printed: false })
}

/// The first ranking in a block that reads no local of the rule around it; only its score is kept.
fn find(block: &Block) -> Option<Stmt> {
    block.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::FinishRanking { local, keys } if stands_alone(*local, &keys[0]) => {
            let kind = StmtKind::FinishRanking { local: *local, keys: vec![keys[0].clone()] };
            Some(Stmt { kind, span: stmt.span })
        }
        kind => blocks(kind).into_iter().find_map(find),
    })
}

/// The blocks inside a statement.
fn blocks(kind: &StmtKind) -> Vec<&Block> {
    match kind {
        StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
        StmtKind::Match { arms, .. } => arms.iter().map(|arm| &arm.body).collect(),
        StmtKind::For { body, .. }
        | StmtKind::Times(_, body)
        | StmtKind::Repeat(body, _)
        | StmtKind::While(_, body)
        | StmtKind::Turns { body, .. } => vec![body],
        StmtKind::Choose(choose) => {
            let options = choose.options.iter().map(|option| &option.body);
            let decline = choose.decline.iter().map(|decline| &decline.body);
            options.chain(decline).chain(&choose.otherwise).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a score reads no local but the player it is of, and those that it binds itself.
fn stands_alone(player: LocalId, score: &Expr) -> bool {
    let (mut bound, mut read) = (BTreeSet::from([player]), BTreeSet::new());
    score.visit(&mut |part| match &part.kind {
        ExprKind::Local(local) | ExprKind::LocalElement(local, _) => {
            read.insert(*local);
        }
        ExprKind::Filter(binder) | ExprKind::Image(_, binder) | ExprKind::Fold { binder, .. } => {
            bound.insert(binder.local);
        }
        ExprKind::Turn => {
            // A turn is counted by the rule that is at work, and none is.
            read.insert(LocalId(u32::MAX));
        }
        _ => {}
    });
    read.is_subset(&bound)
}

/// A driver for a piece that neither asks nor says anything.
struct Silent;

impl Driver for Silent {
    fn listens(&self) -> bool {
        false
    }

    fn hear(&mut self, _to: Option<u8>, _text: &str) {}

    fn decide(&mut self, _offers: &Offers) -> Option<usize> {
        None
    }

    fn draw(&mut self, _outcomes: u32) -> Option<u32> {
        None
    }
}
