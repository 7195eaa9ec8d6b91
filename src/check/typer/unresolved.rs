//! Names that mean nothing or something else: the closest known name, words of other languages, and what to declare.

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::names::{Global, Meaning};
use crate::check::typer::lookup::Lookup;
use crate::check::typer::scope::Scope;
use crate::check::typer::strategies::slip_of_line;
use crate::check::words::{BASE, WrittenCall, quote_list};
use crate::diagnostic::{Diagnostic, Help};
use crate::rules::{Kind, KindId, Local, PLAYER, Type, VarForm, member_kind};
use crate::syntax::FUNCTIONS;
use crate::syntax::ast::{Expr, Name};
use crate::syntax::print_expression;

pub(crate) fn report_unknown_name(
    file: &mut FileContext,
    scope: &Scope,
    name: &Name,
    hint: Option<&Type>,
) {
    let slip = Lookup { file: &*file, scope }.slip_of_name(&name.text, hint);
    let declare = match (&file.seats, &scope.changed) {
        (Some(players), _) => {
            format!("use a name that is declared; the players are {}", quote_list(players))
        }
        (None, Some((place, _))) if *place == name.span => format!(
            "declare it: `var {0} = 0` in the rule, or `{0} = 0` under `the table has`",
            name.text
        ),
        _ => "declare it, or use a name that is declared".to_owned(),
    };
    let Some(help) = file.slip_or_declare(name, slip, declare) else { return };
    file.report_error(error::unknown_name(&name.text, help, name.span));
}

pub(crate) fn report_unknown_rule(
    file: &mut FileContext,
    scope: &Scope,
    WrittenCall { name, args, span }: WrittenCall,
) {
    if name.text == BASE && !file.names.globals.contains_key(BASE) {
        return file.report_error(error::no_replaced_rule(name.span));
    }
    let functions = FUNCTIONS.iter().map(|(name, ..)| *name);
    let names = file.names.rules.keys().map(String::as_str).chain(functions);
    let near = file.guesses.nearest(&name.text, names);
    let foreign = match name.text.as_str() {
        "length" | "len" | "size" | "number" => Some("how many there are is `count(…)`"),
        "rand" | "random" | "randint" => Some("to pick at random write `random 1..6`"),
        "print" | "write" | "message" => Some("show players a text with `say \"…\"`"),
        "edges" | "corners" if file.rules.kinds.iter().any(Kind::is_board) => Some(
            "a board has them if it names them: `board Field 4 by 4 with edges Edge, corners Corner`",
        ),
        _ => None,
    };
    let otherwise = Lookup { file: &*file, scope }
        .called_otherwise(&name.text, args)
        .map(|help| help.with_span(span));
    let slip = otherwise.or(foreign.map(Help::from)).or(near.map(Help::did_you_mean));
    let declare = format!("declare it: `rule {}(…) {{ … }}`", name.text);
    let Some(help) = file.slip_or_declare(name, slip, declare) else { return };
    file.report_error(error::unknown_rule(&name.text, help, name.span));
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_ascii_digit())
}

impl<'s> Lookup<'s> {
    /// The error about a new local whose name means something already.
    pub(crate) fn shadowing(self, new: &Local) -> Option<Diagnostic> {
        let meaning = self.meaning(&new.name)?;
        let (what, earlier, changes) = match meaning {
            Meaning::Local(local) if local.index() < self.scope.hideable => return None,
            Meaning::Local(local) => {
                let local = self.scope.local_at(local);
                ("a name that can be seen here", Some(local.span), local.mutable)
            }
            // The author of a base does not know the names of its variants.
            Meaning::Global(global)
                if self.file.file_at(self.file.declaration(global))
                    < self.file.file_at(new.span) =>
            {
                return None;
            }
            Meaning::Global(global) => {
                let what = match global {
                    Global::Var(_) => "a variable of the table",
                    Global::Option(_) => "an option",
                    Global::Constant(_) => "a constant",
                    Global::Table(_) => "a table",
                    Global::History(_) => "a history",
                };
                (what, Some(self.file.declaration(global)), matches!(global, Global::Var(_)))
            }
            Meaning::Players => ("the number of players", None, false),
            Meaning::Turn => ("the number of the turn", None, false),
            Meaning::Directions(_) => ("a set of directions", None, false),
            Meaning::Kind(_) => return None,
        };
        let help = if changes {
            format!("take another name; to change the earlier one write `{} = …` alone", new.name)
        } else {
            "take another name, so that each name means one thing".to_owned()
        };
        Some(error::shadowed(&new.name, what, help, new.span, earlier))
    }

    fn slip_of_name(self, name: &str, hint: Option<&Type>) -> Option<Help> {
        if let Some(help) = slip_of_line(self.scope, name) {
            return Some(help);
        }
        if self.scope.later.contains(name) {
            let help =
                format!("a later clause introduces `{name}`: move that clause before this one");
            return Some(help.into());
        }
        if self.file.names.of_players.contains_key(name) {
            let who = self.scope.somebody().unwrap_or("me");
            let whose = "each player has one: write whose, as in";
            return Some(Help::form(whose, &format!("{who}.{name}")));
        }
        let kind = hint.and_then(member_kind);
        if let Some(help) = self.foreign_name(name, kind) {
            return Some(help);
        }
        let built_in = FUNCTIONS.iter().find(|(function, ..)| *function == name);
        if let Some((_, head, _)) = built_in {
            let help = format!(
                "`{name}` is a rule of the language, `{head}`: call it, or use a name of another thing"
            );
            return Some(help.into());
        }
        if self.file.names.rules.contains_key(name) {
            let rule = self.file.tree.rules.iter().find(|rule| rule.item.name.text == name);
            let params = rule.iter().flat_map(|rule| &rule.item.params);
            let params: Vec<&str> = params.map(|param| param.name.text.as_str()).collect();
            let form = format!("{name}({})", params.join(", "));
            let help = Help::form("it is a rule: call it,", &form);
            return Some(if params.is_empty() { help } else { help.to_string().into() });
        }
        let kind = kind.filter(|_| self.file.guesses.are_left());
        let members = kind.map_or(Vec::new(), |kind| self.file.member_names(kind));
        let near = self
            .file
            .guesses
            .nearest(name, members.iter().map(String::as_str))
            .or_else(|| self.file.guesses.nearest(name, self.visible_names()));
        if let Some(near) = near {
            return Some(Help::did_you_mean(near));
        }
        let kind =
            &self.file.rules.kind_at(kind.filter(|_| (1..=12).contains(&members.len()))?).name;
        Some(format!("the members of `{kind}` are {}", quote_list(&members)).into())
    }

    /// The word of this language for one of others; of a kind, where its members are expected.
    fn foreign_name(self, name: &str, kind: Option<KindId>) -> Option<Help> {
        let seat = name.strip_prefix(['P', 'p']).is_some_and(is_digits);
        Some(match (name, kind) {
            ("null" | "nil" | "undefined" | "None" | "NULL", _) => {
                Help::form("a missing value is", "none")
            }
            ("first", Some(PLAYER)) => Help::form("the first player is", "Player.first"),
            ("me" | "player" | "current_player" | "active_player", _) => {
                match self.scope.somebody() {
                    Some(who) => Help::did_you_mean(who),
                    None => {
                        "name the player: a rule has parameters, `rule act(me: Player)`, and a \
                         turn its player, `turns me from Player.first`"
                            .into()
                    }
                }
            }
            ("die" | "dice", _) => {
                let die =
                    self.file.rules.vars.iter().find(|var| matches!(var.form, VarForm::Die(_)));
                match die {
                    Some(die) => Help::form("name the die:", &die.name),
                    None => "declare a die under `the table has`: `die cube = 1..6`".into(),
                }
            }
            ("more" | "less" | "fewer", _) => "`>=` says at least, and `<=` at most".into(),
            _ if seat && self.file.seats.is_none() => {
                "rules do not know who plays: `Player.first`, `next(p)`, `Player.last`".into()
            }
            _ if name.strip_prefix('d').is_some_and(is_digits) => {
                let sides = &name[1..];
                format!("declare a die under `the table has`: `die {name} = 1..{sides}`").into()
            }
            ("turns", _) => {
                let who = self.scope.somebody().unwrap_or("p");
                Help::form("the turns that a player has had are", &format!("{who}.turns"))
            }
            ("top" | "bottom", _) => format!("name the pile: `{name} of deck`").into(),
            ("all" | "every" | "everything", Some(kind)) => {
                Help::form("a whole kind is its name:", &self.file.rules.kind_at(kind).name)
            }
            ("empty" | "nothing", Some(_)) => Help::form("the empty set is", "{}"),
            _ => return None,
        })
    }

    fn visible_names(self) -> impl Iterator<Item = &'s str> {
        let locals =
            self.scope.visible.iter().map(|local| self.scope.local_at(local).name.as_str());
        locals
            .chain(self.file.names.globals.keys().map(String::as_str))
            .chain(self.file.names.members.keys().map(String::as_str))
            .chain(self.file.names.named_kinds())
            .chain(["players", "turn"])
            .chain(self.file.seats.iter().flatten().map(String::as_str))
    }

    /// Help for a name that is called like a rule and is none.
    fn called_otherwise(self, name: &str, args: &[Expr]) -> Option<Help> {
        let all = args.iter().map(print_expression).collect::<Vec<_>>().join(", ");
        if let Some(Meaning::Local(_)) = self.meaning(name) {
            let help = format!(
                "`{name}` is a value here, and no rule: the name of a rule belongs in its place"
            );
            return Some(help.into());
        }
        let index = |of: &str| Help::form("write indices in `[ ]`:", &format!("{of}{name}[{all}]"));
        if self.file.names.globals.contains_key(name) {
            return Some(index(""));
        }
        if self.file.names.of_players.contains_key(name) {
            let who = self.scope.somebody().unwrap_or("me");
            if args.len() == 1 && all == who {
                let field = format!("{who}.{name}");
                return Some(Help::form("write what a player has after a dot:", &field));
            }
            return Some(index(&format!("{who}.")));
        }
        if let Some(kind) = self.file.names.kinds.get(name) {
            let numbered = args.first().and_then(|_| self.file.rules.cell_by_number(*kind));
            return Some(
                numbered.map_or("members are called by their names alone".into(), Help::from),
            );
        }
        Some(match name {
            "draw" | "tie" => Help::form("if nobody wins, write", "finish draw"),
            "win" | "finish" | "end" | "end_game" => {
                "a game ends with `finish win me`, `finish draw` or `finish ranking p by p.points`"
                    .into()
            }
            "subsets" => Help::form("all parts of a set are", &format!("subsets of {all}")),
            "roll" => {
                match self.file.rules.vars.iter().find(|var| matches!(var.form, VarForm::Die(_))) {
                    Some(die) => {
                        Help::form("a die is rolled by its name:", &format!("roll {}", die.name))
                    }
                    None => "declare a die, `die cube = 1..6`, and roll it: `roll cube`".into(),
                }
            }
            _ => return None,
        })
    }
}
