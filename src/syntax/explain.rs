//! Explains the mistakes that pest finds.

use pest::error::{Error, ErrorVariant, InputLocation};

use crate::diagnostic::{Diagnostic, Fix, Help};
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::parser::{Rule, token};
use crate::syntax::slips::{self, Trial};
use crate::syntax::tokens::{RESERVED, leading_sign, leading_word};
use crate::syntax::{MAX_NESTING, error};

/// At which offset the grammar could not go on.
pub(super) fn error_offset(error: &Error<Rule>) -> usize {
    match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    }
}

/// Turns pest's error about `text`, which begins at the global offset `base`, into ours. `trial` reads another
/// text in its place.
pub(super) fn explain_error(
    error: &Error<Rule>,
    text: &str,
    base: usize,
    trial: &Trial,
) -> Diagnostic {
    let at = error_offset(error);
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        let span = Span::new(base + at, base + at + 1);
        return error::too_deep(MAX_NESTING, span);
    };
    let mistake = GrammarMistake::new(text, at, base, positives);
    if let Some(help) = slips::find_evident(&mistake, trial) {
        return mistake.unexpected(Some(help));
    }
    if mistake.line_before().is_empty()
        && mistake.expects(Rule::EOI)
        && let Some(help) = slips::missing_word(&text[mistake.start - base..], trial)
    {
        return mistake.unexpected(Some(help));
    }
    mistake.known_slip(trial).unwrap_or_else(|| mistake.unexpected(Some(mistake.find_help(trial))))
}

/// A place at which the grammar could not go on.
#[derive(Clone, Copy)]
pub(super) struct GrammarMistake<'a> {
    pub(super) base: usize,
    pub(super) text: &'a str,
    /// The declaration up to the mistake.
    pub(super) before: &'a str,
    /// The word or sign that does not fit; `\n` at the end of a line.
    pub(super) found: &'a str,
    /// The line from there on.
    pub(super) rest: &'a str,
    /// The global offset of `rest`.
    pub(super) start: usize,
    pub(super) span: Span,
    pub(super) expected: &'a [Rule],
}

impl<'a> GrammarMistake<'a> {
    pub(super) fn new(
        text: &'a str,
        at: usize,
        base: usize,
        expected: &'a [Rule],
    ) -> GrammarMistake<'a> {
        let start = text.len() - text[at..].trim_start_matches([' ', '\t']).len();
        let found = leading_token(&text[start..]);
        // Nothing is found at the end: then what came last is the place to look at.
        let start = if found.is_empty() { text.trim_end().len() } else { start };
        let span = Span::new(base + start, base + start + found.trim_end().len());
        let rest = text[start..].lines().next().unwrap_or_default();
        GrammarMistake {
            base,
            text,
            before: &text[..at],
            found,
            rest,
            start: base + start,
            span,
            expected,
        }
    }

    pub(super) fn expects(&self, rule: Rule) -> bool {
        self.expected.contains(&rule)
    }

    fn known_slip(&self, trial: &Trial) -> Option<Diagnostic> {
        const ELSE_IFS: [&str; 3] = ["elseif", "elif", "elsif"];
        let line = self.line_before();
        let last_word = line.rsplit(|letter: char| !letter.is_ascii_alphanumeric()).next();
        if ELSE_IFS.contains(&self.found) {
            return Some(error::else_if(self.found, self.span));
        }
        if let Some(word) = last_word.filter(|word| ELSE_IFS.contains(word)) {
            let end = self.end_before();
            return Some(error::else_if(word, Span::new(end - word.len(), end)));
        }
        let note = self.found.starts_with("##").then_some(self.span);
        let is_alone = |span: &Span| self.is_cured_without(*span, trial);
        if let Some(span) = note.or_else(|| self.last_note()).filter(is_alone) {
            let start = span.start as usize;
            let fix = Fix { span: Span::new(start, start + 2), text: "#".to_owned() };
            return Some(error::stray_note(fix, span));
        }
        let compares = Help::default().with("==");
        if self.found == "=" && self.compares(line) && slips::is_sound(&compares, self, trial) {
            return Some(error::assignment_in_condition(self.span));
        }
        if let Some(help) = slips::known_help(self, trial) {
            return Some(self.unexpected(Some(help)));
        }
        self.move_without_body().or_else(|| self.missing_sign()).or_else(|| self.reserved_word())
    }

    /// A move that another one follows, or the end of the decision, where its body should stand.
    fn move_without_body(&self) -> Option<Diagnostic> {
        let blanks = [' ', '\t'];
        let line_is_over =
            self.before.trim_end_matches(blanks).ends_with('\n') || self.found == "}";
        let follows = may_be_name(self.found) || self.found == "}";
        if !(self.in_move() && self.expects_brace() && line_is_over && follows) {
            return None;
        }
        let breaks = self.before.rmatch_indices(['\n', '{', ';']).map(|(at, _)| at + 1);
        let (at, name) = breaks.chain([0]).find_map(|start| self.move_at(start))?;
        let span = Span::new(self.base + at, self.base + at + name.len());
        Some(error::move_without_body(name, span))
    }

    /// The name of a move that begins at an offset or after the blanks there, if no clause and no
    /// rest of a set does.
    fn move_at(&self, start: usize) -> Option<(usize, &'a str)> {
        let line = self.before[start..].split(['\n', '{', ';']).next()?;
        let at = start + line.len() - line.trim_start().len();
        let name = leading_word(line.trim_start());
        let begins_move = may_be_name(name) && !line.contains('}');
        begins_move.then_some((at, name))
    }

    /// Whether a note is all that is wrong here: without it the text is read, at least further than to what follows.
    fn is_cured_without(&self, note: Span, trial: &Trial) -> bool {
        let at = |offset: u32| (offset as usize).saturating_sub(self.base).min(self.text.len());
        let (start, end) = (at(note.start), at(note.end));
        let blank = " ".repeat(end - start);
        let behind = end + self.text[end..].find(|it: char| !it.is_whitespace()).unwrap_or(0);
        let without = [&self.text[..start], &blank, &self.text[end..]].concat();
        let is_last = self.text[end..].trim().is_empty();
        is_last || trial.read(&without).map_or_else(|(at, _)| at > behind, |()| true)
    }

    fn last_note(&self) -> Option<Span> {
        let line = self.before.trim_end().lines().next_back()?.trim_start();
        let ends = self.found.is_empty() || self.found == "}";
        let end = self.end_before();
        (ends && line.starts_with("##")).then(|| Span::new(end - line.len(), end))
    }

    /// True if `=` stands where a comparison is due.
    fn compares(&self, line: &str) -> bool {
        let mut words = line.split(|letter: char| !letter.is_ascii_alphanumeric());
        let conditions =
            ["if", "while", "until", "where", "when", "and", "or", "not", "any", "all"];
        let after_value = self.expects(Rule::EOI) && !line.trim_start().starts_with("let ");
        self.expects(Rule::operator)
            && (after_value || words.any(|word| conditions.contains(&word)))
    }

    fn missing_sign(&self) -> Option<Diagnostic> {
        let (word, span) = (leading_word(self.found), self.span);
        if self.expects(Rule::arrow) && !word.is_empty() {
            return Some(error::missing_arrow(word, span));
        }
        let without_words = GrammarMistake { found: "", rest: "", ..*self };
        let misses_brace = self.expects_brace()
            && !self.expects(Rule::equals)
            && !self.rest.contains(['{', '}'])
            && self.tail() != "moves"
            && slips::last_resort(&without_words).is_none()
            && !self.found.is_empty();
        misses_brace.then(|| error::missing_brace(self.found_words(), span))
    }

    pub(super) fn expects_brace(&self) -> bool {
        self.expects(Rule::open_brace) || self.expects(Rule::block)
    }

    /// A reserved word, or `from`, where a name is expected.
    fn reserved_word(&self) -> Option<Diagnostic> {
        let names = [Rule::name, Rule::word, Rule::member, Rule::parameter, Rule::variable];
        let expected = self.expected.iter().find(|rule| names.contains(rule))?;
        let above = self.before.trim_end().lines().next_back().unwrap_or_default();
        if self.found == "or" && above.trim_start().starts_with("##") {
            return Some(self.note_before_or());
        }
        let error = error::reserved_word(self.found, describe_rule(*expected)?, self.span);
        // With a value behind it, `from` is no name.
        (RESERVED.contains(&self.found) || self.found == "from").then_some(error)
    }

    fn note_before_or(&self) -> Diagnostic {
        let head = self.rest.split('{').next().unwrap_or_default().trim();
        let help =
            format!("write `or` and its note after the `}}` of the decision: `}} {head} {{ … }}`");
        self.unexpected(Some(help.into()))
    }

    fn unexpected(&self, help: Option<Help>) -> Diagnostic {
        error::unexpected(self.expected_words(), self.found_words(), help, self.span)
    }

    fn find_help(&self, trial: &Trial) -> Help {
        if self.found == "\n" && self.expects_brace() {
            if VALUES.iter().any(|value| self.expects(*value)) {
                return format!("write what follows `{}` on the same line", self.last_word())
                    .into();
            }
            return "put `{` on the line that it belongs to".into();
        }
        if self.found == "}" && self.before.ends_with('{') {
            return "a value is missing between `{` and `}`; a brace in a text is written `\\{`"
                .into();
        }
        if let Some(help) = self.early_title() {
            return help;
        }
        if let Some(help) = slips::intended_help(self, trial) {
            return help;
        }
        let expected = self.expected_words();
        if let Some(near) = nearest(self.found, expected.split('`').skip(1).step_by(2)) {
            return Help::did_you_mean(near);
        }
        let last = self.before.split_whitespace().next_back().unwrap_or_default();
        let is_cut = slips::OPERATORS.contains(&last) && ["", "\n", "}", ";"].contains(&self.found);
        slips::find_repair(self, trial).unwrap_or_else(|| match last {
            last if is_cut => {
                format!("write the right side of `{last}`, or remove `{last}`").into()
            }
            _ => slips::form_of(self).into(),
        })
    }

    /// `option heap "sticks": 5..40 = 15`: the title of an option ends its line.
    fn early_title(&self) -> Option<Help> {
        let (title, value) = self.rest.strip_prefix('"')?.split_once('"')?;
        let value = value.trim();
        let space = if value.starts_with('=') { " " } else { "" };
        let is_early = self.declares() == "option" && value.starts_with([':', '=']);
        let form = format!("{}{space}{value} \"{title}\"", self.line_before());
        is_early.then(|| format!("the title of an option ends its line: `{form}`").into())
    }

    /// What may stand here: the most telling words first, closing signs last, and what may stand
    /// after any operand only when there is nothing else.
    fn expected_words(&self) -> String {
        if self.expects(Rule::kw_mixin) {
            return "a declaration".to_owned();
        }
        let mut expected = self.expected.to_vec();
        expected.sort_by_key(|expected| rank(*expected));
        let best = expected.first().map_or(Rank::Usual, |best| rank(*best));
        let last = if best == Rank::Usual { Rank::End } else { best };
        let line_begins = self.before.trim_end_matches([' ', '\t']).ends_with(['\n', '{', ';']);
        expected.retain(|it| rank(*it) <= last && !(line_begins && *it == Rule::separator));
        let mut words: Vec<String> = Vec::new();
        for expected in expected {
            let sign = token(expected).map(|sign| format!("`{sign}`"));
            let spoken = describe_rule(expected).map(str::to_owned).or(sign).unwrap_or_default();
            for word in spoken.split(", ").filter(|word| !word.is_empty()) {
                if !words.iter().any(|known| known == word) {
                    words.push(word.to_owned());
                }
            }
        }
        // A sign that is known may stand where more of it is expected.
        words.retain(|word| *word != self.found_words());
        match words.as_slice() {
            [] => "something else".to_owned(),
            [one] => one.clone(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
        }
    }

    fn found_words(&self) -> String {
        match self.found {
            "" => "the end".to_owned(),
            "\n" => "the end of the line".to_owned(),
            found if found.starts_with('"') => "a text".to_owned(),
            found if found.starts_with("##") => "a note".to_owned(),
            found => format!("`{found}`"),
        }
    }
}

fn may_be_name(word: &str) -> bool {
    let clauses = ["for", "let", "maybe", "when"];
    word.starts_with(|letter: char| letter.is_ascii_lowercase()) && !clauses.contains(&word)
}

/// The word, number or sign that `text` begins with.
fn leading_token(text: &str) -> &str {
    let word = leading_word(text);
    if !word.is_empty() {
        return word;
    }
    if text.starts_with("##") {
        return text.lines().next().unwrap_or(text);
    }
    let letter = text.chars().next().map_or(0, char::len_utf8);
    leading_sign(text).unwrap_or(&text[..letter])
}

/// The rules that a plain value fits.
pub(super) const VALUES: [Rule; 7] = [
    Rule::expression,
    Rule::plain,
    Rule::operand,
    Rule::arithmetic,
    Rule::bound,
    Rule::op_not,
    Rule::negate,
];

/// What a rule is called where it is expected; nothing for what is seldom meant.
pub(super) fn describe_rule(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::separator => "a new line",
        Rule::EOI => "the end",
        Rule::name | Rule::word => "a name",
        Rule::member => "the name of a member",
        Rule::parameter => "a parameter",
        Rule::variable => "a variable",
        Rule::number | Rule::cell_number => "a number",
        Rule::string => "a text in quotes",
        rule if VALUES.contains(&rule) => "an expression",
        Rule::condition | Rule::suppose | Rule::brace => "an expression",
        Rule::operator | Rule::arithmetic_operator => "an operator",
        Rule::op_in => "`in`",
        Rule::statement | Rule::one_statement => "a statement",
        Rule::block => "`{`",
        Rule::move_option | Rule::move_group => "a move",
        Rule::patterns | Rule::pattern | Rule::value_arm | Rule::statement_arm => "a case",
        Rule::clause => "`for`, `let`, `maybe`, `when`",
        Rule::any_type => "a type",
        Rule::shape_word => "`ring`, `hex`",
        Rule::joint_word => "`edges`, `corners`",
        Rule::board_size => "a size",
        Rule::attribute => "the name of a column",
        Rule::chain | Rule::place => "a place",
        Rule::cell | Rule::cell_row | Rule::cell_rows | Rule::drawn_cells => "a cell",
        Rule::head | Rule::head_label => "a heading",
        Rule::row | Rule::row_label | Rule::link_row => "a row",
        Rule::faces => "the faces of a die",
        Rule::sight | Rule::seen_by | Rule::seen_by_nobody => {
            "`seen by owner`, `seen by others`, `hidden`"
        }
        Rule::copies | Rule::copy => "how often there is a card",
        Rule::to_bottom => "`bottom of`",
        Rule::game_clause => "`players`, `teams`, `limit`",
        Rule::declaration => "a declaration",
        Rule::side => "`before`, `after`",
        Rule::game_name | Rule::with_file => "a game",
        _ => return None,
    })
}

/// Ranks an expected rule for messages: lowest first.
pub(super) fn rank(expected: Rule) -> Rank {
    match expected {
        Rule::kw_draw | Rule::kw_win | Rule::kw_ranking => Rank::Only,
        Rule::separator | Rule::EOI | Rule::close_brace => Rank::End,
        Rule::open_bracket
        | Rule::open_paren
        | Rule::dot
        | Rule::kw_from
        | Rule::kw_backwards
        | Rule::string => Rank::Behind,
        _ => Rank::Usual,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// Nothing else is meant when one of these is possible.
    Only,
    Usual,
    /// What ends a statement, a block, a text.
    End,
    /// What may follow any operand: named only when there is nothing else.
    Behind,
}
