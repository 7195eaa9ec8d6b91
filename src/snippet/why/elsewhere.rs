//! Looks for a typed move among the decisions that do not wait here.

use std::collections::BTreeMap;

use crate::check::rules::{Choose, Decline, Expr, ExprKind, MoveOption, Pick, TextPart};
use crate::check::visit::visit_choices;
use crate::snippet::moment::Moment;
use crate::snippet::why::{Reason, Why, member_type};

impl Why<'_> {
    /// Whether a decision of the game has a move that is typed so. Nothing if none is called so;
    /// the reason if a word behind the name is misspelt, missing or too much.
    pub(super) fn elsewhere(&self, typed: &[&str]) -> Option<Result<(), Reason>> {
        let mut found: Option<Result<(), Reason>> = None;
        let mut note = |tried: Option<Result<(), Reason>>| {
            if !matches!(found, Some(Ok(()))) && tried.is_some() {
                found = tried;
            }
        };
        for rule in &self.moment.game.rules().rules {
            let why = Why { moment: Moment { locals: &rule.locals, ..self.moment }, ..*self };
            visit_choices(&rule.body, &mut |choose| note(why.of_choose(choose, typed)));
            rule.visit(&mut |expr| {
                if let ExprKind::Pick(pick) = &expr.kind {
                    note(why.of_pick(pick, typed));
                }
            });
        }
        found
    }

    /// The names of all moves of the game.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for rule in &self.moment.game.rules().rules {
            visit_choices(&rule.body, &mut |choose| {
                names.extend(choose.options.iter().map(|option| option.name.clone()));
                names.extend(choose.decline.iter().map(|decline| decline.name.clone()));
            });
            rule.visit(&mut |expr| {
                if let ExprKind::Pick(pick) = &expr.kind {
                    names.push(pick.name.clone());
                }
            });
        }
        names
    }

    fn of_choose(&self, choose: &Choose, typed: &[&str]) -> Option<Result<(), Reason>> {
        if choose.decline.as_ref().is_some_and(|decline| declines(decline, typed)) {
            return Some(Ok(()));
        }
        let options = choose.options.iter().filter_map(|option| self.of_option(option, typed));
        options.reduce(Result::or)
    }

    fn of_option(&self, option: &MoveOption, typed: &[&str]) -> Option<Result<(), Reason>> {
        // Why the moves of this decision do not fit was found before.
        if self.choose.options.iter().any(|here| here.span == option.span) {
            return None;
        }
        match &option.template {
            Some(template) => is_printed_so(template, typed).then_some(Ok(())),
            None if option.name == typed[0] => {
                Some(self.arguments(option, &typed[1..], &mut BTreeMap::new()))
            }
            None => None,
        }
    }

    /// `choose me discard from S`: its one argument is a member of what is picked from.
    fn of_pick(&self, pick: &Pick, typed: &[&str]) -> Option<Result<(), Reason>> {
        if pick.name != typed[0] {
            return None;
        }
        Some(match &typed[1..] {
            [] => Err(Reason::new(
                format!("`{}` also needs what is picked", pick.name),
                format!("it is typed `{} …`", pick.name),
            )),
            words => self.value(&member_type(&pick.set.ty), &words.join(" ")).map(|_| ()),
        })
    }
}

pub(super) fn declines(decline: &Decline, typed: &[&str]) -> bool {
    match &decline.template {
        Some(template) => is_printed_so(template, typed),
        None => typed == [decline.name.as_str()],
    }
}

/// Whether the words of a printed form stand in what was typed, in their order, with anything in
/// the place of its holes: what they hold at another decision nobody knows.
fn is_printed_so(template: &Expr, typed: &[&str]) -> bool {
    let typed = typed.join(" ").to_lowercase();
    let ExprKind::Text(parts) = &template.kind else { return false };
    let (mut rest, mut open) = (typed.as_str(), false);
    for part in parts {
        let TextPart::Words(words) = part else {
            open = true;
            continue;
        };
        let words = words.to_lowercase();
        let Some(at) = rest.find(words.trim()).filter(|at| open || *at == 0) else { return false };
        rest = rest[at + words.trim().len()..].trim_start();
        open = false;
    }
    open || rest.is_empty()
}
