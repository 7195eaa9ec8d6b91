//! Types the ends of games: who wins, alone, as a team, or all together.

use crate::check::block::BlockTyper;
use crate::check::error;
use crate::check::typer::hints::joined_winners;
use crate::check::typer::sets::check_directed_key;
use crate::rules::{
    BinaryOp, Binder, Domain, ExprKind, PLAYER, Stmt, StmtKind, Type, player, players_type, typed,
    unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast::{self, Direction};

impl BlockTyper<'_, '_, '_> {
    /// Checks `finish`. In games of teams the team gets what a member gets.
    pub(super) fn check_finish(&mut self, finish: &ast::Finish, span: Span) -> StmtKind {
        self.typer.effects.finishes = true;
        let end = self.check_end(finish, span);
        let shares = matches!(end, StmtKind::FinishWin(_) | StmtKind::FinishRanking { .. });
        match self.typer.file.rules.teams.filter(|_| shares) {
            Some(teams) => {
                let (local, team) = self.typer.team_of_player(teams, span);
                StmtKind::FinishTeams { local, team, end: vec![Stmt { kind: end, span }] }
            }
            None => end,
        }
    }

    fn check_end(&mut self, finish: &ast::Finish, span: Span) -> StmtKind {
        match finish {
            ast::Finish::All { win } => StmtKind::FinishAll { win: *win },
            ast::Finish::Together(score) => {
                StmtKind::FinishTogether(self.typer.infer_as(score, &Type::Number))
            }
            ast::Finish::Team(team) => {
                let Some(teams) = self.typer.file.rules.teams else {
                    let team = self.typer.infer(team, None);
                    self.typer.file.report_error(error::no_teams(span));
                    return StmtKind::FinishWin(unknown_expr(team.span));
                };
                let kind = unwrap_maybe(&self.typer.file.rules.rule(teams).returns).clone();
                let team = self.in_condition("a team", |steps| steps.typer.infer_as(team, &kind));
                let (local, own) = self.typer.team_of_player(teams, span);
                let equal = ExprKind::new_binary(BinaryOp::Equal, own, team);
                let condition = Some(Box::new(typed(equal, Type::Bool, span)));
                let all = typed(ExprKind::Whole(Domain::Kind(PLAYER)), players_type(), span);
                let kind = ExprKind::Filter(Binder { local, set: Box::new(all), condition });
                StmtKind::FinishWin(typed(kind, players_type(), span))
            }
            ast::Finish::Draw => StmtKind::FinishDraw,
            ast::Finish::Win(winners) => {
                if let Some(error) = joined_winners(winners) {
                    return StmtKind::FinishWin(self.typer.file.report_as_expr(error));
                }
                StmtKind::FinishWin(self.typer.infer_as(winners, &players_type()))
            }
            ast::Finish::Ranking { name, keys } => self.scoped(|steps| {
                if name.text.starts_with(char::is_uppercase) {
                    // The keys need a name for the player.
                    let help = "name the player whose keys these are: `ranking p by p.points`";
                    let error = error::unknown_name(&name.text, help, name.span);
                    steps.typer.file.report_error(error);
                    return StmtKind::FinishDraw;
                }
                let local = steps.typer.declare(name, player());
                let mut number = |key: &ast::Expr| {
                    steps.in_condition("a key", |steps| steps.typer.infer_as(key, &Type::Number))
                };
                let keys = keys
                    .iter()
                    .map(|key| check_directed_key(key, Direction::Highest, &mut number))
                    .collect();
                StmtKind::FinishRanking { local, keys }
            }),
        }
    }
}
