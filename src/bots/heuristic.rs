//! Heuristic score of a running game: the ranking of the file, else its goals.

use super::goals::{aims, free_locals};
use crate::chance::{Chance, Seed};
use crate::check::rules::{Block, Effects, Expr, LocalId, Rule, Stmt, StmtKind, Type};
use crate::compile::{Compiled, Snippet, extend};
use crate::game::{Game, LegalMoves, State, Step};
use crate::vm::{Offers, Unheard, run};

/// How much the way of one number from the beginning of a game to its goal counts.
const WAY: i64 = 1 << 16;

/// What can be asked of a running game to tell who leads.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    numbers: Vec<Number>,
    /// Whether it is the ranking, so that its number is a score.
    ranks: bool,
    names: Vec<String>,
}

/// A number that each player has.
#[derive(Clone, Debug)]
struct Number {
    compiled: Compiled,
    /// How far it is away from its goal at the beginning; at least 1.
    way: i64,
}

impl Standing {
    /// Finds what there is; none where the file ranks nobody and compares no numbers, or where
    /// these read what only a rule at work knows.
    pub(super) fn of(game: &Game) -> Option<Standing> {
        let names = game.names().to_vec();
        let rules = &game.rules().rules;
        let ranking = rules.iter().find_map(|rule| Some((rule, ranking_in(&rule.body)?)));
        let ranking = ranking.map(|(rule, (player, key))| piece(rule, player, key));
        if let Some(number) = ranking.and_then(|piece| Number::new(game, piece)) {
            return Some(Standing { numbers: vec![number], ranks: true, names });
        }
        let aims = aims(game.rules()).into_iter();
        let pieces = aims.map(|aim| piece(&rules[aim.rule.index()], aim.player, aim.value));
        let mut numbers: Vec<Number> =
            pieces.filter_map(|piece| Number::new(game, piece)).collect();
        let start = first_decision(game);
        numbers.retain_mut(|number| number.measure(start.as_ref(), &names).is_some());
        (!numbers.is_empty()).then_some(Standing { numbers, ranks: false, names })
    }

    /// The scores of all players, if they can be computed: those of the ranking, else how far each
    /// is on all ways together.
    pub(super) fn scores(&self, state: &State) -> Option<Vec<i64>> {
        if self.ranks {
            return self.numbers[0].values(state, &self.names);
        }
        let mut scores = Vec::new();
        for number in &self.numbers {
            let values = number.values(state, &self.names)?;
            scores.resize(values.len(), 0_i64);
            for (score, value) in scores.iter_mut().zip(values) {
                *score += number.share(value);
            }
        }
        Some(scores)
    }

    /// The scores with a fraction: in parts of [`WAY`] where they are those of the ranking, too.
    pub(super) fn fine(&self, score: i64) -> i64 {
        if self.ranks { score.saturating_mul(WAY) } else { score }
    }

    /// How much more than the others is a whole lead.
    pub(super) fn unit(&self, scores: &[i64]) -> i64 {
        if !self.ranks {
            return 2 * WAY;
        }
        scores.iter().map(|score| score.saturating_abs()).max().unwrap_or(0).max(1)
    }
}

impl Number {
    fn new(game: &Game, piece: Snippet) -> Option<Number> {
        let pieces: Vec<Snippet> = game.pieces().iter().cloned().chain([piece]).collect();
        let compiled = extend(game.rules(), game.setting(), game.sources(), &pieces).ok()?;
        Some(Number { compiled, way: 1 })
    }

    /// Measures the way from where the game begins.
    fn measure(&mut self, start: Option<&State>, names: &[String]) -> Option<()> {
        let values = self.values(start?, names)?;
        self.way = values.iter().map(|value| value.saturating_abs()).max()?.max(1);
        Some(())
    }

    /// What a value counts, in parts of [`WAY`]. What goes beyond a whole way, as the health of
    /// somebody who has more than he began with, counts a quarter: it is no nearer to a win.
    fn share(&self, value: i64) -> i64 {
        let way = i128::from(self.way);
        // Below the goal by twice the way nothing is worse, and far beyond it nothing better.
        let value = i128::from(value).clamp(-2 * way, 5 * way);
        let counts = if value > way { way + (value - way) / 4 } else { value };
        i64::try_from(counts * i128::from(WAY) / way).expect("it is at most twice the way")
    }

    /// The number of each player in a state.
    fn values(&self, state: &State, names: &[String]) -> Option<Vec<i64>> {
        let program = &self.compiled.program;
        let mut state = state.grown(program);
        let site = program.sites.len() - 1;
        state.jump(u16::try_from(site).expect("verified: sites are counted with 16 bits"));
        run(program, &mut state, &mut Offers::new(), names, &mut Unheard).ok()?;
        Some(state.slice(program.scores(), program.players).to_vec())
    }
}

/// How far a player is before the best of the others.
pub(super) fn lead(scores: &[i64], player: usize) -> i64 {
    let others = scores.iter().enumerate().filter(|(other, _)| *other != player);
    let best = others.map(|(_, score)| *score).max().unwrap_or(0);
    scores[player].saturating_sub(best)
}

/// Where somebody first decides; what is drawn before is drawn somehow.
fn first_decision(game: &Game) -> Option<State> {
    let (mut state, mut legal) = (game.initial_state(), LegalMoves::new());
    let mut chance = Seed(0).stream(0);
    loop {
        match game.advance(&mut state, &mut legal).ok()? {
            Step::Draw { outcomes } => game.draw(&mut state, chance.below(outcomes)),
            Step::Decide { .. } => return Some(state),
            Step::End => return None,
        }
    }
}

/// A ranking by one number, with the locals of the rule that it is written in.
fn piece(rule: &Rule, player: LocalId, key: Expr) -> Snippet {
    let span = key.span;
    let body =
        vec![Stmt { kind: StmtKind::FinishRanking { local: player, keys: vec![key] }, span }];
    let rule = Rule {
        name: "standing".to_owned(),
        title: "standing".to_owned(),
        notes: Vec::new(),
        params: 0,
        locals: rule.locals.clone(),
        returns: Type::Nothing,
        effects: Effects { finishes: true, ..Effects::default() },
        body,
        span: rule.span,
    };
    Snippet { rule, locals: Vec::new(), moves: 0, params: Vec::new(), printed: false }
}

/// The first score in a block that reads no local but the player it is of, and that player.
fn ranking_in(block: &Block) -> Option<(LocalId, Expr)> {
    block.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::FinishRanking { local, keys }
            if free_locals(&keys[0]).iter().all(|free| free == local) =>
        {
            Some((*local, keys[0].clone()))
        }
        _ => stmt.blocks().into_iter().find_map(ranking_in),
    })
}
