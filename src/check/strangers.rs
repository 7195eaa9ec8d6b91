//! Names that mean nothing: what comes near them, and what is said only once.

use crate::check::context::Checker;
use crate::check::error::NameError;
use crate::check::rules::Type;
use crate::check::scope::list;
use crate::check::types::kind_of;
use crate::syntax::ast::Name;

/// What to do about a name that means nothing.
enum Advice {
    /// It looks like a slip; each is reported.
    Other(String),
    /// It looks like a missing declaration, which is reported once for each name.
    Declare(String),
}

impl Checker<'_> {
    /// Reports a bare name that means nothing.
    pub(super) fn unknown_name(&mut self, name: &Name, hint: Option<&Type>) {
        let advice = self.advice_for_name(&name.text, hint);
        self.stranger(name, advice, |name, help, span| NameError::UnknownName { name, help, span });
    }

    fn advice_for_name(&self, name: &str, hint: Option<&Type>) -> Advice {
        if self.names.of_players.contains_key(name) {
            let help = format!("each player has one: write whose, as in `me.{name}`");
            return Advice::Other(help);
        }
        if ["top", "bottom"].contains(&name) {
            return Advice::Other(format!("say of which pile: `{name} of deck`"));
        }
        let kind = hint.and_then(kind_of).map(|kind| self.kind(kind).name.clone());
        match (name, kind) {
            ("all" | "every" | "everything", Some(kind)) => {
                return Advice::Other(format!("a whole kind is its name: `{kind}`"));
            }
            ("empty" | "nothing", Some(_)) => {
                return Advice::Other("the empty set is `{}`".to_owned());
            }
            _ => {}
        }
        if self.names.rules.contains_key(name) {
            return Advice::Other(format!("it is a rule: call it, `{name}(…)`"));
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
                Advice::Other(format!("the members of `{kind}` are {members}"))
            }
            _ => Advice::Declare("declare it, or use a name that is declared".to_owned()),
        }
    }

    fn visible_names(&self) -> impl Iterator<Item = &str> {
        let locals = self.body.visible.iter().map(|local| self.local(*local).name.as_str());
        let kinds = self.names.kinds.keys().map(String::as_str);
        let seats = self.seats.iter().flatten().map(String::as_str);
        locals
            .chain(self.names.globals.keys().map(String::as_str))
            .chain(self.names.members.keys().map(String::as_str))
            .chain(kinds.filter(|kind| !kind.contains(['{', '('])))
            .chain(["players", "turn"])
            .chain(seats)
    }

    /// Reports a kind that does not exist.
    pub(super) fn unknown_kind(&mut self, name: &Name) {
        let kinds = self.names.kinds.keys().map(String::as_str);
        let advice = match self
            .guesses
            .nearest(&name.text, kinds.filter(|kind| !kind.contains(['{', '('])))
        {
            Some(near) => guess(near),
            None if self.names.globals.contains_key(&name.text) => {
                Advice::Other(format!("a number is no kind: a range is, `1..{}`", name.text))
            }
            None if name.text.starts_with(|letter: char| letter.is_ascii_lowercase()) => {
                let kind = capitalised(&name.text);
                Advice::Declare(format!("kinds begin with a capital letter: `kind {kind} {{ … }}`"))
            }
            None => Advice::Declare(format!("declare it: `kind {} {{ … }}`", name.text)),
        };
        self.stranger(name, advice, |name, help, span| NameError::UnknownKind { name, help, span });
    }

    /// Reports a rule that does not exist.
    pub(super) fn unknown_rule(&mut self, name: &Name) {
        let functions =
            ["next", "previous", "others", "abs", "min", "max", "ceil", "floor", "count"];
        let names = self.names.rules.keys().map(String::as_str).chain(functions);
        let advice = match self.guesses.nearest(&name.text, names) {
            _ if ["length", "len", "size", "number"].contains(&name.text.as_str()) => {
                Advice::Other("how many there are is `count(…)`".to_owned())
            }
            _ if ["rand", "random", "randint"].contains(&name.text.as_str()) => {
                Advice::Other("chance takes a member of a set: `random 1..6`".to_owned())
            }
            _ if ["print", "write", "message"].contains(&name.text.as_str()) => {
                Advice::Other("players are told with `say \"…\"`".to_owned())
            }
            Some(near) => guess(near),
            None if self.names.globals.contains_key(&name.text) => {
                Advice::Other(format!("`{}` is not a rule: indices stand in `[ ]`", name.text))
            }
            None => Advice::Declare(format!("declare it: `rule {}(…) {{ … }}`", name.text)),
        };
        self.stranger(name, advice, |name, help, span| NameError::UnknownRule { name, help, span });
    }

    /// Reports something that no player has.
    pub(super) fn unknown_of_player(&mut self, name: &Name) {
        let names = self.names.of_players.keys().map(String::as_str).chain(["seat"]);
        let advice = match self.guesses.nearest(&name.text, names) {
            Some(near) => guess(near),
            None if name.text == "name" => {
                let help = "a player alone is printed as the name: `{me}`";
                Advice::Other(help.to_owned())
            }
            None if self.names.globals.contains_key(&name.text) => {
                Advice::Other(format!("the table has it: write `{}` alone", name.text))
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
        error: impl FnOnce(String, String, crate::source::Span) -> NameError,
    ) {
        let help = match advice {
            Advice::Other(help) => help,
            Advice::Declare(help) if self.strangers.insert(name.text.clone()) => help,
            Advice::Declare(_) => return,
        };
        self.report(error(name.text.clone(), help, name.span));
    }
}

fn guess(near: &str) -> Advice {
    Advice::Other(format!("did you mean `{near}`?"))
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
