//! Checks names and titles of declarations: duplicates, case, length.

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::names::Global;
use crate::source::Span;
use crate::syntax::ast;

/// How many bytes a title may have.
const MAX_TITLE: usize = 1000;

/// Words that are there without being declared.
pub(crate) const WORDS: [&str; 2] = ["players", "turn"];

impl FileContext<'_> {
    pub(crate) fn take_global(&mut self, name: &ast::Name, global: Global, what: &str) {
        let earlier = self.names.globals.get(&name.text).map(|it| self.declaration(*it));
        if self.claim_name(name, what, WORDS.contains(&name.text.as_str()), earlier) {
            self.names.globals.insert(name.text.clone(), global);
        }
    }

    /// Reports a name that the language or another declaration has. Returns whether it is free.
    pub(crate) fn claim_name(
        &mut self,
        name: &ast::Name,
        what: &str,
        built_in: bool,
        earlier: Option<Span>,
    ) -> bool {
        self.check_case(name, what, what == "a kind");
        if built_in {
            self.report_error(error::built_in(&name.text, name.span));
        } else if let Some(earlier) = earlier {
            self.duplicate(name, earlier);
        }
        !built_in && earlier.is_none()
    }

    pub(crate) fn duplicate(&mut self, name: &ast::Name, earlier: Span) {
        self.report_error(error::duplicate(&name.text, name.span, earlier));
    }

    /// Reports a name that begins with the wrong letter.
    pub(crate) fn check_case(&mut self, name: &ast::Name, what: &str, capital: bool) {
        let first = name.text.chars().next().unwrap_or('_');
        if first.is_uppercase() == capital {
            return;
        }
        let rest = &name.text[first.len_utf8()..];
        let (wanted, better) = if capital {
            ("capital", format!("{}{rest}", first.to_uppercase()))
        } else {
            ("small", format!("{}{rest}", first.to_lowercase()))
        };
        self.report_error(error::Naming {
            what,
            name: &name.text,
            wanted,
            better,
            span: name.span,
        });
    }

    /// The words of a title, or others if there is none.
    pub(crate) fn title_or(&mut self, title: Option<&ast::Text>, otherwise: String) -> String {
        let Some(title) = title else { return otherwise };
        let mut words = String::new();
        for part in &title.parts {
            match part {
                ast::TextPart::Words(part) => words.push_str(part),
                ast::TextPart::Hole(hole) => {
                    self.report_error(error::holes_in_title(hole.span));
                }
            }
        }
        self.short_title(words, title.span)
    }

    /// A title that is not too long; nothing of one that is.
    pub(crate) fn short_title(&mut self, title: String, span: Span) -> String {
        let (found, most) = (title.len(), MAX_TITLE);
        if found <= most {
            return title;
        }
        self.report_error(error::long_title(found, most, span));
        String::new()
    }
}
