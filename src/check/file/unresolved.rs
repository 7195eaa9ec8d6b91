//! Reports unknown kinds and fields of players, with the closest known name.

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::words::quote_list;
use crate::diagnostic::Help;
use crate::rules::PLAYER;
use crate::source::Span;
use crate::syntax::ast::Name;
use crate::syntax::{RESERVED, in_pascal_case};

/// So many names are listed.
const MOST_LISTED: usize = 8;

fn type_for_foreign_word(name: &str) -> Option<&'static str> {
    Some(match name {
        "maybe" => "maybe Player",
        "int" | "integer" | "Int" | "Integer" | "num" | "Number" | "float" => "number",
        "bool" | "boolean" | "Bool" | "Boolean" => "yes/no",
        "string" | "str" | "String" | "Text" => "text",
        "list" | "array" | "List" | "Array" => "set of …",
        _ => return None,
    })
}

impl FileContext<'_> {
    pub(crate) fn unknown_kind(&mut self, name: &Name) {
        let near = self.guesses.nearest(&name.text, self.names.named_kinds());
        let slip = match type_for_foreign_word(&name.text) {
            Some(ty) => Some(Help::form("write", ty)),
            None if near.is_none() && self.names.globals.contains_key(&name.text) => {
                let range = format!("1..{}", name.text);
                Some(Help::form("a number is not a kind; a range is", &range))
            }
            None => near.map(Help::did_you_mean),
        };
        let declare = if name.text.starts_with(|letter: char| letter.is_ascii_lowercase()) {
            let kind = in_pascal_case(&name.text);
            format!("kinds begin with a capital letter: `kind {kind} {{ … }}`")
        } else {
            format!("declare it: `kind {} {{ … }}`", name.text)
        };
        let Some(help) = self.slip_or_declare(name, slip, declare) else { return };
        self.report_error(error::unknown_kind(&name.text, help, name.span));
    }

    /// Reports something that no player has.
    pub(crate) fn unknown_of_player(&mut self, name: &Name, span: Span) {
        let columns = self.rules.kind_at(PLAYER).columns.iter().map(|column| column.name.as_str());
        let names = self
            .names
            .of_players
            .keys()
            .map(String::as_str)
            .chain(["seat", "turns"])
            .chain(columns);
        let is_word = RESERVED.contains(&name.text.as_str());
        let slip = match self.guesses.nearest(&name.text, names) {
            _ if is_word => {
                let names: Vec<_> = self.names.of_players.keys().take(MOST_LISTED).collect();
                let has = quote_list(&names);
                let help = format!(
                    "`{}` is a word of the language: a name is expected here, such as {has}",
                    name.text
                );
                Some(Help::from(help))
            }
            Some(near) => Some(Help::did_you_mean(near)),
            None if name.text == "name" => {
                Some("a player alone is printed as the name: `{me}`".into())
            }
            None if self.names.globals.contains_key(&name.text) => {
                let help = format!("the table has it: write `{}` alone", name.text);
                Some(Help::from(help).with(&name.text).with_span(span))
            }
            None => None,
        };
        let declare = "declare it under `each player has { … }`";
        let Some(help) = self.slip_or_declare(name, slip, declare) else { return };
        self.report_error(error::unknown_field("a player", &name.text, help, name.span));
    }

    /// The help for a slip, which is always reported, or for a missing declaration, which is
    /// reported once for each name.
    pub(crate) fn slip_or_declare(
        &mut self,
        name: &Name,
        slip: Option<Help>,
        declare: impl Into<Help>,
    ) -> Option<Help> {
        slip.or_else(|| self.reported_names.insert(name.text.clone()).then(|| declare.into()))
    }
}
