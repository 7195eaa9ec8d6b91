//! Words that are missing or stand for others: the first of a statement, that of a call, and titles and values out of place.

use crate::diagnostic::Help;
use crate::suggest::nearest;
use crate::syntax::parser::Rule;
use crate::syntax::slips::context::statement_words;
use crate::syntax::slips::parts::quoted_list;
use crate::syntax::slips::repair::{Near, Repair, Trial, quoted};
use crate::syntax::tokens::TokenKind;

impl Near<'_> {
    /// `table span "length" [Line]` and `wins[Suit] "tricks": 0..9`: a title on the wrong side of the brackets.
    pub(super) fn moved_title(&self) -> Vec<Repair> {
        let title = self.token_at(0).filter(|it| it.kind == TokenKind::Text);
        let moved = title.and_then(|title| {
            let place = self.tokens.iter().position(|it| it.start == title.start)?;
            let (before, behind) = (&self.tokens[..place], &self.tokens[place + 1..]);
            let (range, brackets) = if before.last()?.text == "]" {
                let open = before.iter().rfind(|it| it.text == "[")?.start;
                let brackets = &self.mistake.text[open..before.last()?.end()];
                (open..title.end(), format!(" {} {brackets}", title.text))
            } else {
                let open = behind.first().filter(|it| it.text == "[")?.start;
                let close = behind.iter().find(|it| it.text == "]")?.end();
                (title.start..close, format!("{} {}", &self.mistake.text[open..close], title.text))
            };
            let words = "the title stands on the other side of the brackets:".to_owned();
            Some(Repair::new(range, brackets, words).shown())
        });
        moved.into_iter().collect()
    }

    /// `others win others(me)`, `a == b { … }`: the first word of a statement is another, or missing.
    pub(super) fn first_words(&self, trial: &Trial) -> Option<Help> {
        let begun = self.mistake.line_before().rsplit(['{', ';']).next().unwrap_or_default().trim();
        let start = self.mistake.before.trim_end().len().saturating_sub(begun.len());
        let first = match begun {
            "" => self.token_at(0).filter(|_| self.mistake.expects(Rule::statement))?,
            _ => self.tokens.iter().find(|it| it.start == start).copied()?,
        };
        // `turns` takes the fewest things, so it is the surest.
        let mut words = statement_words();
        words.sort_by_key(|word| word != "turns");
        let meant = nearest(first.text, words.iter().map(String::as_str)).map(|word| {
            let help = format!("did you mean `{word}`?");
            Repair::new(first.start..first.end(), word, help)
        });
        let reads = |repair: &Repair| self.reads(repair, trial);
        if let Some(meant) = meant.filter(|it| reads(it)) {
            return Some(self.help(&meant));
        }
        let at = |end| move |word: &String| Repair::new(first.start..end, word, String::new());
        let before = |word: &String| at(first.start)(&format!("{word} "));
        if reads(&before(&"x".to_owned())) {
            return Some(format!("a name is missing before {}", quoted(first.text)).into());
        }
        let fit: Vec<_> = words.iter().filter(|word| reads(&before(word))).take(3).collect();
        let all: Vec<_> = fit.iter().map(|it| it.as_str()).collect();
        if let Some(word) = fit.first() {
            let words = format!("{} is missing before {}:", quoted_list(&all), quoted(first.text));
            return Some(self.help(&Repair { words, ..before(word) }.shown()));
        }
        let is_twin = self.tokens.iter().any(|it| it.start > first.end() && it.text == first.text);
        let ends = self.mistake.text[first.end()..].starts_with([' ', '\n', '(']);
        let alone = ends && (begun.is_empty() || begun == first.text || is_twin);
        let word = words.iter().find(|word| alone && reads(&at(first.end())(word)))?;
        let words = format!("{} begins no statement:", quoted(first.text));
        Some(self.help(&Repair { words, ..at(first.end())(word) }.shown()))
    }
}
