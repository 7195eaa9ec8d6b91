//! Texts and comments of neighbouring lines below each other.

/// A line as it is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Put {
    pub(super) indent: usize,
    pub(super) text: String,
    pub(super) comment: Option<String>,
}

impl Put {
    pub(super) fn new(indent: usize, text: String, comment: Option<String>) -> Put {
        Put { indent, text, comment }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.text.is_empty() && self.comment.is_none()
    }

    pub(super) fn width(&self) -> usize {
        self.indent + self.text.chars().count()
    }

    /// Where the text behind an option begins.
    fn title(&self) -> Option<usize> {
        let titled = self.text.starts_with("option ") && self.text.ends_with('"');
        let body = self.text.strip_suffix('"').filter(|_| titled)?;
        body.rfind('"').filter(|at| *at > 0)
    }
}

/// A line that is longer does not push what stands behind others to the right.
const LONG: usize = 72;

/// How many spaces stand between a line and what is put behind it.
const BETWEEN: usize = 2;

/// The lines with what stands behind them in columns.
pub(super) fn columns(mut lines: Vec<Put>) -> Vec<String> {
    for group in groups(&lines, |line| line.title().is_some()) {
        let widths = lines[group.clone()].iter().filter_map(Put::title);
        let texts = lines[group.clone()].iter().map(|line| line.text.clone());
        let lengths = texts.zip(widths).map(|(text, at)| text[..at].trim_end().chars().count());
        let column = column(lengths);
        for line in &mut lines[group] {
            let at = line.title().expect("the group has titles");
            let (body, title) = line.text.split_at(at);
            line.text = format!("{}{title}", padded(body.trim_end(), 0, column));
        }
    }
    for group in groups(&lines, |line| line.comment.is_some() && !line.text.is_empty()) {
        let column = column(lines[group.clone()].iter().map(Put::width));
        for line in &mut lines[group] {
            let comment = line.comment.take().expect("the group has comments");
            line.text = format!("{}{comment}", padded(&line.text, line.indent, column));
        }
    }
    lines.into_iter().map(shown).collect()
}

fn shown(line: Put) -> String {
    let text = if line.text.is_empty() { line.comment.unwrap_or_default() } else { line.text };
    let indent = if text.is_empty() { 0 } else { line.indent };
    format!("{}{text}", " ".repeat(indent))
}

/// Neighbouring lines that are alike and indented alike.
fn groups(lines: &[Put], alike: impl Fn(&Put) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    for at in (0..lines.len()).filter(|at| alike(&lines[*at])) {
        match groups.last_mut() {
            Some(last) if last.end == at && lines[at - 1].indent == lines[at].indent => {
                last.end = at + 1;
            }
            _ => groups.push(at..at + 1),
        }
    }
    groups
}

/// Where what stands behind lines of these widths begins.
fn column(widths: impl Iterator<Item = usize>) -> usize {
    widths.filter(|width| *width <= LONG).max().unwrap_or(0) + BETWEEN
}

fn padded(text: &str, indent: usize, column: usize) -> String {
    let width = indent + text.chars().count();
    format!("{text}{}", " ".repeat(column.saturating_sub(width).max(BETWEEN)))
}
