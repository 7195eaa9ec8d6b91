//! Names that mean nothing: what comes near them, and what is said only once.

use crate::check::calls::FUNCTIONS;
use crate::check::context::{Checker, player};
use crate::check::error::NameError;
use crate::check::rules::{Type, VarForm};
use crate::check::scope::list;
use crate::check::types::kind_of;
use crate::diagnostic::Help;
use crate::source::Span;
use crate::syntax::ast::{Expr, Name};
use crate::syntax::print_expression;

/// What to do about a name that means nothing.
enum Advice {
    /// It looks like a slip; each is reported.
    Other(Help),
    /// It looks like a missing declaration, which is reported once for each name.
    Declare(String),
}

/// A field that its owner does not have.
pub(super) fn unknown_field(
    owner: impl Into<String>,
    name: &Name,
    help: impl Into<Help>,
) -> NameError {
    let (owner, help) = (owner.into(), help.into());
    NameError::UnknownField { owner, name: name.text.clone(), help, span: name.span }
}

impl Checker<'_> {
    pub(super) fn unknown_name(&mut self, name: &Name, hint: Option<&Type>) {
        let advice = self.advice_for_name(&name.text, hint);
        self.stranger(name, advice, |name, help, span| NameError::UnknownName { name, help, span });
    }

    fn advice_for_name(&self, name: &str, hint: Option<&Type>) -> Advice {
        if self.body.later.contains(name) {
            let help = format!("`{name}` is bound by a later clause: put that one in front");
            return Advice::Other(help.into());
        }
        if self.names.of_players.contains_key(name) {
            let who = self.somebody().unwrap_or("me");
            let whose = "each player has one: write whose, as in";
            return Advice::Other(Help::form(whose, &format!("{who}.{name}")));
        }
        if let Some(help) = self.foreign_name(name) {
            return Advice::Other(help);
        }
        if ["top", "bottom"].contains(&name) {
            return Advice::Other(format!("say of which pile: `{name} of deck`").into());
        }
        let kind = hint.and_then(kind_of).map(|kind| self.kind(kind).name.clone());
        match (name, kind) {
            ("all" | "every" | "everything", Some(kind)) => {
                return Advice::Other(Help::form("a whole kind is its name:", &kind));
            }
            ("empty" | "nothing", Some(_)) => {
                return Advice::Other(Help::form("the empty set is", "{}"));
            }
            _ => {}
        }
        if self.names.rules.contains_key(name) {
            let rules = self.tree.rules.iter().filter(|rule| rule.item.name.text == name);
            let bare = rules.clone().next().is_some_and(|rule| rule.item.params.is_empty());
            let behind = if bare { "" } else { "…" };
            return Advice::Other(Help::form(
                "it is a rule: call it,",
                &format!("{name}({behind})"),
            ));
        }
        let kind = hint.and_then(kind_of);
        let kind = kind.filter(|_| self.guesses.are_left());
        let members = kind.map_or(Vec::new(), |kind| self.member_names(kind));
        let near = self
            .guesses
            .nearest(name, members.iter().map(String::as_str))
            .or_else(|| self.guesses.nearest(name, self.visible_names()));
        match (near, kind) {
            (Some(near), _) => guess(near),
            (None, Some(kind)) if !members.is_empty() && members.len() <= 12 => {
                let (kind, members) = (&self.kind(kind).name, list(&members));
                Advice::Other(format!("the members of `{kind}` are {members}").into())
            }
            _ => Advice::Declare("declare it, or use a name that is declared".to_owned()),
        }
    }

    fn somebody(&self) -> Option<&str> {
        let mut visible = self.body.visible.iter().rev().map(|local| self.local(local));
        visible.find(|local| local.ty == player()).map(|local| local.name.as_str())
    }

    fn foreign_name(&self, name: &str) -> Option<Help> {
        let seat = name.strip_prefix(['P', 'p']).is_some_and(is_digits);
        Some(match name {
            "null" | "nil" | "undefined" | "None" | "NULL" => {
                Help::form("what is missing is", "none")
            }
            "player" | "current_player" | "active_player" => match self.somebody() {
                Some(who) => Help::did_you_mean(who),
                None => {
                    "say which player: a rule has parameters, `rule act(me: Player)`, and a turn \
                         its player, `turns me from Player.first`"
                        .into()
                }
            },
            "more" | "less" | "fewer" => "`>=` says at least, and `<=` at most".into(),
            _ if seat && self.seats.is_none() => {
                "rules do not know who plays: `Player.first`, `next(p)`, `Player.last`".into()
            }
            _ if name.strip_prefix('d').is_some_and(is_digits) => {
                format!("declare a die under `the table has`: `die {name} = 1..{}`", &name[1..])
                    .into()
            }
            _ => return None,
        })
    }

    fn visible_names(&self) -> impl Iterator<Item = &str> {
        let locals = self.body.visible.iter().map(|local| self.local(local).name.as_str());
        let kinds = self.names.kinds.keys().map(String::as_str);
        let seats = self.seats.iter().flatten().map(String::as_str);
        locals
            .chain(self.names.globals.keys().map(String::as_str))
            .chain(self.names.members.keys().map(String::as_str))
            .chain(kinds.filter(|kind| !kind.contains(['{', '('])))
            .chain(["players", "turn"])
            .chain(seats)
    }

    pub(super) fn unknown_kind(&mut self, name: &Name) {
        let kinds = self.names.kinds.keys().map(String::as_str);
        let foreign = foreign_type(&name.text).map(|ty| Advice::Other(Help::form("write", ty)));
        let near =
            self.guesses.nearest(&name.text, kinds.filter(|kind| !kind.contains(['{', '('])));
        let advice = match near {
            _ if foreign.is_some() => foreign.unwrap_or_else(|| guess("number")),
            Some(near) => guess(near),
            None if self.names.globals.contains_key(&name.text) => {
                let range = format!("1..{}", name.text);
                Advice::Other(Help::form("a number is no kind: a range is,", &range))
            }
            None if name.text.starts_with(|letter: char| letter.is_ascii_lowercase()) => {
                let kind = capitalised(&name.text);
                Advice::Declare(format!("kinds begin with a capital letter: `kind {kind} {{ … }}`"))
            }
            None => Advice::Declare(format!("declare it: `kind {} {{ … }}`", name.text)),
        };
        self.stranger(name, advice, |name, help, span| NameError::UnknownKind { name, help, span });
    }

    pub(super) fn unknown_rule(&mut self, name: &Name, args: &[Expr], call: Span) {
        let functions = FUNCTIONS.iter().map(|(name, ..)| *name);
        let names = self.names.rules.keys().map(String::as_str).chain(functions);
        let known = self.called_otherwise(&name.text, args);
        let known = known.map(|help| Advice::Other(help.at(call)));
        let near = self.guesses.nearest(&name.text, names);
        let advice = match near {
            _ if known.is_some() => known.unwrap_or_else(|| guess("count")),
            _ if ["length", "len", "size", "number"].contains(&name.text.as_str()) => {
                Advice::Other("how many there are is `count(…)`".into())
            }
            _ if ["rand", "random", "randint"].contains(&name.text.as_str()) => {
                Advice::Other("chance takes a member of a set: `random 1..6`".into())
            }
            _ if ["print", "write", "message"].contains(&name.text.as_str()) => {
                Advice::Other("players are told with `say \"…\"`".into())
            }
            Some(near) => guess(near),
            None => Advice::Declare(format!("declare it: `rule {}(…) {{ … }}`", name.text)),
        };
        self.stranger(name, advice, |name, help, span| NameError::UnknownRule { name, help, span });
    }

    fn called_otherwise(&self, name: &str, args: &[Expr]) -> Option<Help> {
        let args: Vec<String> = args.iter().map(print_expression).collect();
        let index = |of: &str| {
            Help::form("indices stand in `[ ]`:", &format!("{of}{name}[{}]", args.join(", ")))
        };
        if self.names.globals.contains_key(name) {
            return Some(index(""));
        }
        if self.names.of_players.contains_key(name) {
            let who = self.somebody().unwrap_or("me");
            return Some(match args.as_slice() {
                [one] if one == who => {
                    Help::form("write what a player has after a dot:", &format!("{one}.{name}"))
                }
                _ => index(&format!("{who}.")),
            });
        }
        if let Some(kind) = self.names.kinds.get(name) {
            let numbered = args.first().and_then(|_| self.cell_by_number(*kind));
            let known = numbered.map(Help::from);
            return known.or_else(|| Some("members are called by their names alone".into()));
        }
        Some(match name {
            "draw" | "tie" => Help::form("if nobody wins, say", "finish draw"),
            "win" | "finish" | "end" | "end_game" => {
                "a game ends with `finish win me`, `finish draw` or `finish ranking p by p.points`"
                    .into()
            }
            "subsets" => {
                Help::form("all parts of a set are", &format!("subsets of {}", args.join(", ")))
            }
            "roll" => {
                match self.rules.vars.iter().find(|var| matches!(var.form, VarForm::Die(_))) {
                    Some(die) => {
                        Help::form("a die is rolled by its name:", &format!("roll {}", die.name))
                    }
                    None => "declare a die, `die cube = 1..6`, and roll it: `roll cube`".into(),
                }
            }
            _ => return None,
        })
    }

    pub(super) fn unknown_of_player(&mut self, name: &Name, span: Span) {
        let names = self.names.of_players.keys().map(String::as_str).chain(["seat"]);
        let advice = match self.guesses.nearest(&name.text, names) {
            Some(near) => guess(near),
            None if name.text == "name" => {
                let help = "a player alone is printed as the name: `{me}`";
                Advice::Other(help.into())
            }
            None if self.names.globals.contains_key(&name.text) => {
                let help = format!("the table has it: write `{}` alone", name.text);
                Advice::Other(Help::from(help).with(&name.text).at(span))
            }
            None => Advice::Declare("declare it under `each player has { … }`".to_owned()),
        };
        self.stranger(name, advice, |name, help, span| NameError::UnknownField {
            owner: "a player".to_owned(),
            name,
            help,
            span,
        });
    }

    fn stranger(
        &mut self,
        name: &Name,
        advice: Advice,
        error: impl FnOnce(String, Help, Span) -> NameError,
    ) {
        let help = match advice {
            Advice::Other(help) => help,
            Advice::Declare(help) if self.strangers.insert(name.text.clone()) => help.into(),
            Advice::Declare(_) => return,
        };
        self.report(error(name.text.clone(), help, name.span));
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_ascii_digit())
}

fn foreign_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "int" | "integer" | "Int" | "Integer" | "num" | "Number" | "float" => "number",
        "bool" | "boolean" | "Bool" | "Boolean" => "yes/no",
        "string" | "str" | "String" | "Text" => "text",
        "list" | "array" | "List" | "Array" => "set of …",
        _ => return None,
    })
}

fn guess(near: &str) -> Advice {
    Advice::Other(Help::did_you_mean(near))
}

fn capitalised(word: &str) -> String {
    let parts = word.split('_').map(|part| {
        let mut letters = part.chars();
        letters.next().map_or_else(String::new, |first| {
            first.to_uppercase().chain(letters).collect::<String>()
        })
    });
    parts.collect()
}
