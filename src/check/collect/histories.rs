//! Collects histories and finds the variables that they remember.

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::names::Global;
use crate::check::recorder::Symbol;
use crate::check::words::to_spaced;
use crate::diagnostic::Help;
use crate::rules::{History, HistoryId, VarForm, VarId};
use crate::syntax::ast::{self, Visibility};

pub(crate) fn collect_history<'a>(
    file: &mut FileContext<'a>,
    owner: ast::Owner,
    var: &'a ast::VarDecl,
    of: &'a [ast::Name],
) {
    let name = &var.name;
    if owner == ast::Owner::Player {
        let problem = "a history belongs to the table";
        let help = format!(
            "declare it under `the table has`: `history {} of …` may name what each player has",
            name.text
        );
        file.report_error(error::history(problem, help, name.span));
    }
    let id = HistoryId::at(file.rules.histories.len());
    file.take_global(name, Global::History(id), "a history");
    let title = file.title_or(var.title.as_ref(), to_spaced(&name.text));
    file.tree.histories.push(of);
    let (name, notes, span) = (name.text.clone(), var.notes.clone(), name.span);
    let (vars, undrawn) = (Vec::new(), var.undrawn);
    file.rules.histories.push(History { name, title, notes, vars, undrawn, span });
}

/// Looks at what each history names; after the variables.
pub(crate) fn check_histories(file: &mut FileContext) {
    for at in 0..file.tree.histories.len() {
        for name in file.tree.histories[at] {
            let Some(var) = remembered(file, name) else { continue };
            if file.rules.histories[at].vars.contains(&var) {
                let problem = format!("this history names `{}` twice", name.text);
                file.report_error(error::history(problem, "remove one of them", name.span));
            } else {
                file.rules.histories[at].vars.push(var);
            }
        }
    }
}

/// The variable that a history names, if its values can be remembered.
pub(crate) fn remembered(file: &mut FileContext, name: &ast::Name) -> Option<VarId> {
    let span = name.span;
    let word = name.text.as_str();
    let var = match file.names.globals.get(word) {
        Some(Global::Var(var)) => *var,
        Some(_) => {
            let problem = format!("`{word}` is no variable");
            let help = "a history names variables of the table or of the players";
            return file.refuse_with(error::history(problem, help, span));
        }
        None => match file.names.of_players.get(word) {
            Some(var) => *var,
            None => return nothing_to_remember(file, name),
        },
    };
    file.recorder.note_use(span, Symbol::Global(Global::Var(var)));
    let found = file.rules.var_at(var);
    let problem = match (&found.form, found.sight) {
        (VarForm::Pile(_), _) => "is a pile: a history cannot remember cards",
        (_, Visibility::All) => return Some(var),
        _ => "is not seen by everybody, and a history is",
    };
    let problem = format!("`{word}` {problem}");
    let help = "name variables that everybody sees, with numbers, members or sets";
    file.refuse_with(error::history(problem, help, span))
}

fn nothing_to_remember(file: &mut FileContext, name: &ast::Name) -> Option<VarId> {
    let vars = file.rules.vars.iter().map(|var| var.name.as_str());
    let near = file.guesses.nearest(&name.text, vars).map(Help::did_you_mean);
    let help = near.unwrap_or_else(|| {
        "a history names variables, which are declared under `the table has` or `each player \
         has`"
            .into()
    });
    file.refuse_with(error::unknown_name(&name.text, help, name.span))
}
