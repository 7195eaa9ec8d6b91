//! Signs in texts and comments that nobody sees, or that show the letters in another order.

use crate::diagnostic::{Diagnostics, diagnostics};
use crate::source::{Source, Span, hidden_signs};

diagnostics! {
    /// A sign in a text or a comment that shows another file than the one that is read.
    #[derive(Debug)]
    struct
    syntax::hidden_sign => HiddenSign { sign: u32, what: &'static str, help: String, span: Span },
        "U+{sign:04X} {what}", span: "here",
        severity: Warning, help: help, fix: "";
}

/// In how many lines of a file such signs are told.
const MOST_TOLD: usize = 20;

/// Longer lines are not written out.
const LONGEST: usize = 200;

/// Warns of each line of a game or a script with such signs.
pub fn hidden_signs_in(source: &Source) -> Diagnostics {
    let (mut diagnostics, mut last) = (Diagnostics::new(), None);
    let signs = hidden_signs(&source.text).filter(|(at, _)| {
        let line = source.text[..*at].rfind('\n');
        let is_first = last.replace(line) != Some(line);
        // A mark of the byte order at the beginning belongs to the file.
        is_first && *at > 0
    });
    for (at, sign) in signs.take(MOST_TOLD) {
        let (start, end) = (source.base + at, source.base + at + sign.len_utf8());
        let (help, span) = (help(&source.text, at), Span::new(start, end));
        let (what, sign) = (what(sign), u32::from(sign));
        diagnostics.push(HiddenSign { sign, what, help, span });
    }
    diagnostics
}

fn what(sign: char) -> &'static str {
    match sign {
        sign if sign.is_control() => "steers a terminal",
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}' => {
            "turns the order in which letters are shown"
        }
        _ => "cannot be seen",
    }
}

fn help(text: &str, at: usize) -> String {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    if line.len() > LONGEST {
        return "remove it".to_owned();
    }
    let hidden: Vec<usize> = hidden_signs(line).map(|(at, _)| at).collect();
    let seen = line.char_indices().filter(|(at, _)| !hidden.contains(at));
    let seen: String = seen.map(|(_, letter)| letter).collect();
    format!("write the line without it: `{}`", seen.trim())
}
