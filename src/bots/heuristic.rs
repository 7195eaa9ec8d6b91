//! Evaluates states that are not over: the ranking of the file, else its goals (leaf evaluation).

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::bots::Dealer;
use crate::bots::deals::deal_length;
use crate::bots::foretold::{Foretold, foretold};
use crate::bots::goals::{Aim, Wish, find_goals, free_locals};
use crate::bots::learned::Learned;
use crate::bots::learned_value::Prospects;
use crate::bots::payoff::{Payoff, WIN, final_worth};
use crate::bytecode::program::{ENDING, GameEnding, Program};
use crate::chance::Seed;
use crate::compile::{Compiled, Snippet, extend};
use crate::game::{Game, LegalMoves, State, Step};
use crate::rules::visit::visit_stmts;
use crate::rules::{Block, Effects, Rule, Rules, Stmt, StmtKind, Type};
use crate::vm::{Offers, UnviewedDriver, run};

/// A game as bots know it. What takes time is computed when somebody asks for it, and kept; all
/// clones share it.
#[derive(Clone, Debug)]
pub struct Analysis(Arc<Insights>);

#[derive(Debug)]
struct Insights {
    game: Game,
    standing: OnceLock<Option<LeadMeasure>>,
    prospects: OnceLock<Option<Prospects>>,
    foretold: OnceLock<Foretold>,
    deal: OnceLock<Option<u64>>,
    is_common: OnceLock<bool>,
    listed: OnceLock<[u64; 3]>,
    /// What the files of bots say that the game has.
    learned: OnceLock<Vec<Option<Arc<Learned>>>>,
}

impl Analysis {
    pub fn new(game: Game) -> Analysis {
        Analysis(Arc::new(Insights {
            game,
            standing: OnceLock::new(),
            prospects: OnceLock::new(),
            foretold: OnceLock::new(),
            deal: OnceLock::new(),
            is_common: OnceLock::new(),
            listed: OnceLock::new(),
            learned: OnceLock::new(),
        }))
    }

    pub fn game(&self) -> &Game {
        &self.0.game
    }

    /// The learned evaluation of a bot, by its position among those of the game; none if unreadable.
    pub(super) fn learned(&self, number: usize) -> Option<Arc<Learned>> {
        let read = || {
            let texts = self.game().bots().iter().map(|file| &file.text);
            texts.map(|text| Learned::from_text(text, self).ok().map(Arc::new)).collect()
        };
        self.0.learned.get_or_init(read).get(number).cloned().flatten()
    }

    /// What counts where a game ends: what the file ranks by, if it ranks.
    pub(super) fn payoff(&self) -> Payoff {
        let is_common = || is_common(self.game().rules());
        if *self.0.is_common.get_or_init(is_common) { Payoff::Common } else { Payoff::Margins }
    }

    /// How many decisions lie between two changes of the standing, where games are matches of deals that are
    /// only counted at their ends.
    pub(super) fn deal_length(&self) -> Option<u64> {
        let measure = || self.lead_measure();
        *self.0.deal.get_or_init(|| deal_length(self.game(), measure()?))
    }

    /// The cost of listing the moves of a few games, counted once.
    pub(crate) fn listing_cost(&self, count: impl FnOnce() -> [u64; 3]) -> [u64; 3] {
        *self.0.listed.get_or_init(count)
    }

    /// The scores of a game that runs, where there are any.
    pub(super) fn lead_measure(&self) -> Option<&LeadMeasure> {
        self.0.standing.get_or_init(|| LeadMeasure::find_measure(self.game())).as_ref()
    }

    /// Estimates of future payoff, for long games; learned once.
    fn prospects(&self) -> Option<&Prospects> {
        // What lies ahead of one partner lies ahead of the whole team: nothing tells how much of it.
        let has_teams = |measure: &&LeadMeasure| measure.shares;
        let measure = || self.lead_measure().filter(|measure| !has_teams(measure));
        let learn = || Prospects::learn_prospects(self.game(), measure()?);
        self.0.prospects.get_or_init(learn).as_ref()
    }

    /// True if the prospects predict the end of games better than random playouts.
    pub(super) fn looks_ahead(&self) -> bool {
        self.prospects().is_some() && self.foretold().ahead
    }

    /// True if the standing of a running game predicts its end.
    pub(super) fn standing_predicts_end(&self) -> bool {
        self.lead_measure().is_some() && self.foretold().now
    }

    fn foretold(&self) -> Foretold {
        let now: &dyn Fn(&State) -> Vec<i64> = &|it| self.running(it, Payoff::Wins);
        let compare = || foretold(self.game(), [now, &|it| self.ahead(it)]);
        *self.0.foretold.get_or_init(compare)
    }

    /// What a game that is over is worth to each player, in parts of a win. Where all lose together, it is the less
    /// bad the nearer they came: a search that only knows lost games has to tell them apart.
    pub(super) fn ended(&self, state: &State, payoff: Payoff) -> Vec<i64> {
        let worth = final_worth(self.game(), state, payoff);
        let is_lost = worth.iter().all(|worth| *worth == -WIN);
        let is_alone = worth.len() == 1;
        let is_shared = |it: &LeadMeasure| (it.together || is_alone) && !it.ranks;
        if !is_lost || !self.lead_measure().is_some_and(is_shared) || !self.standing_predicts_end()
        {
            return worth;
        }
        self.running(state, payoff).iter().map(|near| near / 6 - WIN / 8 * 7).collect()
    }

    /// The payoff that a running game promises each player: a lead is at most three quarters of a win; alone, or all
    /// together, the score so far; nothing where nobody can tell.
    pub(super) fn running(&self, state: &State, payoff: Payoff) -> Vec<i64> {
        self.leading(state, payoff, None)
    }

    /// The payoff that a running game promises, with the prospects of each player.
    pub(super) fn ahead(&self, state: &State) -> Vec<i64> {
        self.leading(state, Payoff::Wins, self.prospects())
    }

    fn leading(&self, state: &State, payoff: Payoff, prospects: Option<&Prospects>) -> Vec<i64> {
        let standing = self.lead_measure();
        match standing.and_then(|standing| Some((standing, standing.scores(state)?))) {
            None => vec![0; self.game().info().players],
            Some((standing, scores))
                if scores.len() == 1 || standing.together || payoff == Payoff::Common =>
            {
                standing.shared_worth(&scores)
            }
            Some((standing, mut scores)) => {
                let teams = standing.teams(state, scores.len());
                let unit = standing.fine(standing.unit(&scores));
                scores.iter_mut().for_each(|score| *score = standing.fine(*score));
                if let Some(prospects) = prospects {
                    prospects.add_prospects(state, &mut scores);
                }
                leads(&scores, &teams, unit)
            }
        }
    }
}

/// The lead of each player over the best opponent, at most three quarters of a win, which a lead of `unit` is.
pub(super) fn leads(scores: &[i64], teams: &[usize], unit: i64) -> Vec<i64> {
    let most = i128::from(WIN * 3 / 4);
    let share = |player| {
        let share = i128::from(lead(scores, teams, player)) * most / i128::from(unit);
        i64::try_from(share.clamp(-most, most)).expect("it is less than a win")
    };
    (0..scores.len()).map(share).collect()
}

/// The lead of a player over the best opponent outside of the own team.
pub(super) fn lead(scores: &[i64], teams: &[usize], player: usize) -> i64 {
    let others = scores.iter().enumerate().filter(|(other, _)| teams[*other] != teams[player]);
    let best = others.map(|(_, score)| *score).max().unwrap_or(0);
    scores[player].saturating_sub(best)
}

/// How much the way of one number from the beginning of a game to its goal counts.
const WAY: i64 = 1 << 16;

/// The expressions that show who leads in a running game.
#[derive(Clone, Debug)]
pub(super) struct LeadMeasure {
    numbers: Vec<GoalNumber>,
    /// Whether it is the ranking, so that its number is a score.
    ranks: bool,
    /// Whether teams share it, or all together.
    shares: bool,
    together: bool,
    names: Vec<String>,
}

#[derive(Clone, Debug)]
struct GoalNumber {
    compiled: Arc<Compiled>,
    /// How far it is away from its goal at the beginning, and at least 1; negative if it should fall.
    way: i64,
    /// States that nobody uses now: to make one takes longer than to compute a number.
    free: Arc<Mutex<Vec<State>>>,
}

impl LeadMeasure {
    /// Finds what there is; none where the file ranks nobody and compares no numbers, or where
    /// these read what only a rule at work knows.
    pub(super) fn find_measure(game: &Game) -> Option<LeadMeasure> {
        let names = game.names().to_vec();
        let rules = &game.rules().rules;
        let ranking = rules.iter().find_map(|rule| Some((rule, ranking_in(&rule.body)?)));
        if let Some((rule, end)) = ranking {
            let together = matches!(end, StmtKind::FinishTogether(_));
            let shares = together || matches!(end, StmtKind::FinishTeams { .. });
            if let Some(number) = GoalNumber::new(game, piece(rule, end)) {
                let numbers = vec![number];
                return Some(LeadMeasure { numbers, ranks: true, shares, together, names });
            }
        }
        let mut start = game.initial_state();
        let decides = game.advance_with(
            &mut start,
            &mut LegalMoves::new(),
            &mut Dealer::unwatched(&mut Seed(0).stream(0)),
        );
        let start = matches!(decides, Ok(Step::Decide { .. })).then_some(start)?;
        let aims = find_goals(game.rules(), game.info().players == 1);
        let numbers = aims.into_iter().filter_map(|aim| GoalNumber::of_aim(game, aim, &start));
        let numbers: Vec<GoalNumber> = numbers.collect();
        let (shares, together) = (false, is_common(game.rules()));
        (!numbers.is_empty()).then_some(LeadMeasure {
            numbers,
            ranks: false,
            shares,
            together,
            names,
        })
    }

    /// The scores of all players, if they can be computed: those of the ranking, else how far each
    /// is on all ways together.
    pub(super) fn scores(&self, state: &State) -> Option<Vec<i64>> {
        if self.ranks {
            return self.numbers[0].compute_values(state, &self.names);
        }
        let mut scores = Vec::new();
        for number in &self.numbers {
            let values = number.compute_values(state, &self.names)?;
            scores.resize(values.len(), 0_i64);
            for (score, value) in scores.iter_mut().zip(values) {
                *score += number.scale_value(value);
            }
        }
        Some(scores)
    }

    /// True if the file ranks by it.
    pub(super) fn ranks(&self) -> bool {
        self.ranks
    }

    /// What scores are worth to players who all have the same aim: the score of a ranking, else how far they are on
    /// the ways of all numbers, at most as three quarters of a win.
    fn shared_worth(&self, scores: &[i64]) -> Vec<i64> {
        if self.ranks {
            return scores.iter().map(|score| score.saturating_mul(WIN)).collect();
        }
        let ways = i64::try_from(self.numbers.len() * scores.len()).expect("numbers are few");
        let share = scores.iter().sum::<i64>() / ways * (WIN / 4 * 3) / WAY;
        vec![share.clamp(-WIN / 4 * 3, WIN / 4 * 3); scores.len()]
    }

    /// The first partner of each player.
    fn teams(&self, state: &State, players: usize) -> Vec<usize> {
        let read = |program: &Program, state: &State| {
            let teams = &state.slice(program.teams().start, players);
            teams.iter().filter_map(|team| usize::try_from(*team).ok()).collect()
        };
        let found: Option<Vec<usize>> = self
            .numbers
            .first()
            .filter(|_| self.shares)
            .and_then(|it| it.run(state, &self.names, read));
        found.unwrap_or_else(|| (0..players).collect())
    }

    /// The scores with a fraction: in parts of [`WAY`] where they are those of the ranking, too.
    pub(super) fn fine(&self, score: i64) -> i64 {
        if self.ranks { score.saturating_mul(WAY) } else { score }
    }

    /// The lead that counts as a whole one.
    pub(super) fn unit(&self, scores: &[i64]) -> i64 {
        if !self.ranks {
            return 2 * WAY;
        }
        scores.iter().map(|score| score.saturating_abs()).max().unwrap_or(0).max(1)
    }
}

impl GoalNumber {
    fn new(game: &Game, piece: Snippet) -> Option<GoalNumber> {
        let pieces: Vec<Snippet> = game.snippets().iter().cloned().chain([piece]).collect();
        let compiled =
            extend(game.rules(), game.setting(), game.sources(), &pieces, game.compiled().off)
                .ok()?;
        Some(GoalNumber { compiled: Arc::new(compiled), way: 1, free: Arc::default() })
    }

    /// The number of an aim, if it can be computed where a game starts.
    fn of_aim(game: &Game, aim: Aim, start: &State) -> Option<GoalNumber> {
        let end = match aim.player {
            Some(local) => StmtKind::FinishRanking { local, keys: vec![aim.value] },
            None => StmtKind::FinishTogether(aim.value),
        };
        let number = GoalNumber::new(game, piece(&game.rules().rules[aim.rule.index()], end))?;
        let values = number.compute_values(start, game.names())?;
        let most = values.iter().copied().max_by_key(|value| value.saturating_abs())?;
        let falls = match aim.wish {
            Wish::High => false,
            Wish::Zero => most > 0,
            Wish::NotZero => most < 0,
        };
        let way = most.saturating_abs().max(1);
        Some(GoalNumber { way: if falls { -way } else { way }, ..number })
    }

    /// What a value counts, in parts of [`WAY`]. What goes beyond a whole way, as the health of
    /// somebody who has more than he began with, counts a quarter: it is no nearer to a win.
    fn scale_value(&self, value: i64) -> i64 {
        let way = i128::from(self.way.abs());
        let value = i128::from(self.way.signum()) * i128::from(value);
        // Below the goal by twice the way nothing is worse, and far beyond it nothing better.
        let value = value.clamp(-2 * way, 5 * way);
        let counts = if value > way { way + (value - way) / 4 } else { value };
        i64::try_from(counts * i128::from(WAY) / way).expect("it is at most twice the way")
    }

    /// The number of each player in a state; its negative where the lowest is best.
    fn compute_values(&self, state: &State, names: &[String]) -> Option<Vec<i64>> {
        self.run(state, names, |program, grown| {
            let ending = GameEnding::from_word(grown.word(ENDING));
            let sign = if ending.is_some_and(GameEnding::is_lowest) { -1 } else { 1 };
            let scores = grown.slice(program.scores(), program.players);
            scores.iter().map(|it| sign * it).collect()
        })
    }

    /// Reads the end that the number gives in a state.
    fn run<T>(
        &self,
        state: &State,
        names: &[String],
        read: impl FnOnce(&Program, &State) -> T,
    ) -> Option<T> {
        let program = &self.compiled.program;
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = free().pop();
        let mut grown = kept.unwrap_or_else(|| State::new(program));
        grown.set_to(state);
        let site = program.sites.len() - 1;
        grown.jump(u16::try_from(site).expect("verified: sites are counted with 16 bits"));
        let ran = run(program, &mut grown, &mut Offers::new(), names, &mut UnviewedDriver);
        let found = ran.ok().map(|_| read(program, &grown));
        free().push(grown);
        found
    }
}

/// An end by one number, with the locals of the rule that it is written in.
fn piece(rule: &Rule, end: StmtKind) -> Snippet {
    let body = vec![Stmt { kind: end, span: rule.span }];
    let rule = Rule {
        locals: rule.locals.clone(),
        returns: Type::Nothing,
        effects: Effects { finishes: true, ..Effects::default() },
        body,
        ..Rule::empty("standing", rule.span)
    };
    Snippet { rule, locals: Vec::new(), moves: 0, params: Vec::new(), printed: false }
}

/// True if all players have the same payoff at every end.
fn is_common(rules: &Rules) -> bool {
    let (mut is_shared, mut differs) = (false, false);
    for rule in &rules.rules {
        visit_stmts(&rule.body, &mut |stmt| match &stmt.kind {
            StmtKind::FinishRanking { local, keys } => {
                is_shared = true;
                differs |= keys.iter().any(|key| key.any(|part| part.is_local(*local)));
            }
            StmtKind::FinishTogether(_) | StmtKind::FinishAll { .. } => is_shared = true,
            StmtKind::FinishWin(_) | StmtKind::FinishTeams { .. } => differs = true,
            _ => {}
        });
    }
    is_shared && !differs
}

/// The first end by a score in a block that reads no local but the player it is of, by this score alone.
fn ranking_in(block: &Block) -> Option<StmtKind> {
    block.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::FinishRanking { local, keys }
            if free_locals(&keys[0]).iter().all(|free| free == local) =>
        {
            Some(StmtKind::FinishRanking { local: *local, keys: vec![keys[0].clone()] })
        }
        StmtKind::FinishTogether(score) if free_locals(score).is_empty() => Some(stmt.kind.clone()),
        StmtKind::FinishTeams { local, team, end } => {
            let end = vec![Stmt { kind: ranking_in(end)?, span: stmt.span }];
            Some(StmtKind::FinishTeams { local: *local, team: team.clone(), end })
        }
        _ => stmt.blocks().into_iter().find_map(ranking_in),
    })
}

#[cfg(test)]
mod tests {
    use super::{WIN, leads};

    #[test]
    fn a_lead_is_less_than_a_win() {
        assert_eq!(leads(&[3, 1, 2], &[0, 1, 2], 4), [WIN * 3 / 16, -WIN * 3 / 8, -WIN * 3 / 16]);
        assert_eq!(leads(&[3, 3, 1], &[0, 0, 2], 4), [WIN * 3 / 8, WIN * 3 / 8, -WIN * 3 / 8]);
        assert_eq!(leads(&[i64::MAX, i64::MIN], &[0, 1], 1), [WIN * 3 / 4, -WIN * 3 / 4]);
    }
}
