//! The legal moves on a whole screen: under their names, those that begin alike in a line.

use anstyle::Style;

use crate::game::{ActionGroup, ActionView, TableView};
use crate::host::drawing::line::{
    BETWEEN, FAINT, PROMPT, ScreenBlock, StyledLine, text_width, wrap,
};

/// So few moves need no headings.
const FEW: usize = 3;

/// The part of the screen that the moves may take: one of so many.
const MOVES_PART: usize = 3;

/// So few moves stand one after the other where they have no columns.
const MOST_FLOWING: usize = 6;

/// More names are not told beside their titles.
const MOST_NAMED: usize = 12;

/// What keeps the moves of two names apart in a line.
const APART: &str = "  ·";

/// A move as it stands in the list: its number, and its words after those of the heading.
type MoveEntry = (String, String);

/// The moves: all in a line or two if they are few, else each name with its moves. Where these would take more than a
/// part of the screen, moves that begin alike are a line, and what is typed of them brings the others.
pub(crate) fn render_moves(
    view: &TableView,
    numbered: bool,
    width: usize,
    height: usize,
) -> ScreenBlock {
    let all = render_listing(view, numbered, width, false);
    let mut lines = if all.len() > height / MOVES_PART {
        render_listing(view, numbered, width, true)
    } else {
        all
    };
    lines.extend(wrap(&legend(view), width).iter().map(|line| StyledLine::styled(line, FAINT)));
    lines
}

/// What is typed for titles that the table shows, where nobody can guess it: `t1 Ashby to Tarn`.
fn legend(view: &TableView) -> String {
    let parameters = view.actions.iter().flat_map(|group| &group.parameters);
    let tags = parameters.flat_map(|it| &it.values).flat_map(|it| &it.members);
    let mut named: Vec<String> = Vec::new();
    for tag in tags.filter(|tag| !is_guessed(&tag.name, &tag.title)) {
        let entry = format!("{} {}", tag.name, tag.title);
        if !named.contains(&entry) {
            named.push(entry);
        }
    }
    if named.len() > MOST_NAMED { String::new() } else { named.join(" · ") }
}

/// True if a name evidently means a title: they share a word or a beginning.
fn is_guessed(name: &str, title: &str) -> bool {
    let [name, title] = [name, title].map(|it| it.replace(['_', '-'], " ").to_lowercase());
    let is_part = |word: &str| title.contains(word);
    title.is_empty() || name.split(' ').any(is_part) || name.contains(&title)
}

fn render_listing(view: &TableView, numbered: bool, width: usize, short: bool) -> ScreenBlock {
    let all = || view.actions.iter().flat_map(|group| &group.actions);
    if view.actions.is_empty() {
        return ScreenBlock::new();
    }
    let list = ListingForm { short, ..ListingForm::for_moves(view, numbered, width) };
    let alone = view.actions.iter().all(|group| group.actions.len() == 1);
    if alone || all().count() <= FEW {
        let whole = |group: &ActionGroup| {
            let label =
                |it: &ActionView| (list.number_prefix(it.number), display_label(group, &it.label));
            group.actions.iter().map(label).collect::<Vec<MoveEntry>>()
        };
        return render_entries("", &view.actions.iter().flat_map(whole).collect::<Vec<_>>(), width);
    }
    let mut lines = ScreenBlock::new();
    // How the last line ends: after a move alone, or after the only line of a name.
    let (mut after_one, mut after_line, mut after_branches) = (false, false, false);
    for group in &view.actions {
        let (part, is_branched) = list.render_group(group);
        let is_one = group.actions.len() == 1;
        match (lines.last_mut(), part.as_slice()) {
            (Some(line), [only])
                if (is_one && !after_branches || after_line)
                    && line.display_width() + BETWEEN + only.display_width() <= width =>
            {
                line.push_text(if after_one && is_one { " " } else { APART }, FAINT);
                line.push_text(if is_one { "" } else { "  " }, Style::new());
                line.append_line(only.clone());
            }
            _ => lines.extend(part.iter().cloned()),
        }
        after_one = is_one;
        (after_line, after_branches) = (part.len() == 1 && !is_one, is_branched);
    }
    lines
}

/// How a list is written.
struct ListingForm {
    /// Whether the moves have numbers.
    numbered: bool,
    /// The mark after each number.
    behind: &'static str,
    width: usize,
    /// Whether moves that begin alike have no more than a line.
    short: bool,
}

impl ListingForm {
    /// Numbers are left out where each move reads like its own; `)` follows them where words begin with digits.
    fn for_moves(view: &TableView, numbered: bool, width: usize) -> ListingForm {
        let groups = || view.actions.iter();
        let words = || groups().flat_map(|group| group.actions.iter().map(move |it| (group, it)));
        let rest = |(group, it): (&'_ ActionGroup, &'_ ActionView)| {
            rest(group, &it.label).unwrap_or_default().to_owned()
        };
        // A move that reads like its number needs none.
        let same = |(group, it)| rest((group, it)) == it.number.to_string();
        let numbered = numbered && !words().all(same);
        let begins = |text: &str| text.starts_with(|it: char| it.is_ascii_digit());
        let confusing = words().any(|it| begins(&rest(it)) || begins(&it.1.label));
        ListingForm { numbered, behind: if confusing { ") " } else { " " }, width, short: false }
    }

    fn number_prefix(&self, at: usize) -> String {
        if self.numbered { format!("{at}{}", self.behind) } else { String::new() }
    }

    /// The moves of a name, and whether those that begin alike have lines of their own.
    fn render_group(&self, group: &ActionGroup) -> (ScreenBlock, bool) {
        let rests: Option<Vec<&str>> =
            group.actions.iter().map(|it| rest(group, &it.label)).collect();
        let number = |it: &ActionView| self.number_prefix(it.number);
        let Some(rests) = rests.filter(|_| group.actions.len() > 1) else {
            let label = |it: &ActionView| (number(it), display_label(group, &it.label));
            let parts: Vec<MoveEntry> = group.actions.iter().map(label).collect();
            return (render_entries("", &parts, self.width), false);
        };
        let part = |(it, rest): (&ActionView, &&str)| (number(it), (*rest).to_owned());
        let mut parts: Vec<MoveEntry> = group.actions.iter().zip(&rests).map(part).collect();
        if !self.numbered && parts.iter().all(|(_, words)| words.parse::<i64>().is_ok()) {
            parts.sort_by_key(|(_, words)| words.parse::<i64>().ok());
        }
        let name = group.name.replace('_', " ");
        let flat = render_entries(&name, &parts, self.width);
        match self.branches(group, &name, &rests) {
            Some(branches) if branches.len() < flat.len() => (branches, true),
            _ => (flat, false),
        }
    }

    /// The moves of a name, those in lines of their own that begin with the same value; none where
    /// the moves are not printed so.
    fn branches(&self, group: &ActionGroup, name: &str, rests: &[&str]) -> Option<ScreenBlock> {
        let first = group.parameters.first()?;
        let mut branches: Vec<(&str, Vec<MoveEntry>)> = Vec::new();
        for (it, rest) in group.actions.iter().zip(rests) {
            let value = first.values.get(*it.arguments.first()?)?.text.as_str();
            let after = rest.strip_prefix(value)?.strip_prefix(' ')?;
            let part = (self.number_prefix(it.number), after.to_owned());
            match branches.iter_mut().find(|(branch, _)| *branch == value) {
                Some((_, parts)) => parts.push(part),
                None => branches.push((value, vec![part])),
            }
        }
        let widest = branches.iter().map(|(branch, _)| text_width(branch)).max().unwrap_or(0);
        let begin = text_width(name) + 2;
        let room = self.width.checked_sub(begin)?;
        let lines = branches.into_iter().flat_map(|(branch, parts)| {
            let mut heading = StyledLine::from_text(branch);
            heading.pad(widest);
            let lines = flow_entries(&heading, &parts, room);
            if self.short && lines.len() > 1 {
                vec![first_of(&heading, &parts, room)]
            } else {
                lines
            }
        });
        let whole = |(at, line): (usize, StyledLine)| {
            let mut whole = StyledLine::styled(if at == 0 { name } else { "" }, PROMPT);
            whole.pad(begin);
            whole.append_line(line);
            whole
        };
        Some(lines.enumerate().map(whole).collect())
    }
}

/// As many moves as have room in a line, and how many more there are.
fn first_of(heading: &StyledLine, parts: &[MoveEntry], room: usize) -> StyledLine {
    let mut count = parts.len();
    loop {
        count -= 1;
        let more = format!("  … {} more", parts.len() - count);
        let mut lines =
            flow_entries(heading, &parts[..count], room.saturating_sub(text_width(&more)));
        if lines.len() == 1 || count == 1 {
            let mut line = lines.swap_remove(0);
            line.push_text(&more, FAINT);
            return line;
        }
    }
}

/// The words of a move after its name; none if it is printed otherwise.
fn rest<'a>(group: &ActionGroup, label: &'a str) -> Option<&'a str> {
    label.strip_prefix(group.name.as_str())?.strip_prefix(' ')
}

/// A move with its name as people write it.
fn display_label(group: &ActionGroup, label: &str) -> String {
    match label.strip_prefix(group.name.as_str()) {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => {
            group.name.replace('_', " ") + rest
        }
        _ => label.to_owned(),
    }
}

/// Moves after their name, in columns as far as they take more than a line.
pub(crate) fn render_entries(heading: &str, parts: &[MoveEntry], width: usize) -> ScreenBlock {
    flow_entries(&StyledLine::styled(heading, PROMPT), parts, width)
}

fn flow_entries(heading: &StyledLine, parts: &[MoveEntry], width: usize) -> ScreenBlock {
    let begin = if heading.display_width() == 0 { 2 } else { heading.display_width() + 2 };
    let digits = parts.iter().map(|(number, _)| text_width(number)).max().unwrap_or(0);
    let whole: usize = parts.iter().map(|(a, b)| text_width(a) + text_width(b) + BETWEEN).sum();
    let widest = parts.iter().map(|(_, words)| digits + text_width(words)).max().unwrap_or(0);
    let room = width.saturating_sub(begin);
    let most = ((room + BETWEEN) / (widest + BETWEEN)).max(1);
    // A few moves that differ in length stand one after the other.
    let is_flowing = whole <= room + BETWEEN || most == 1 && parts.len() <= MOST_FLOWING;
    let (mut lines, mut end) = (vec![heading.clone()], begin);
    for (at, (number, words)) in parts.iter().enumerate() {
        let pad = if is_flowing { 0 } else { digits - text_width(number) };
        let mut part = StyledLine::from_text(&" ".repeat(pad));
        part.push_text(number, FAINT);
        part.push_text(words, Style::new());
        let is_full = if is_flowing { end + part.display_width() > width } else { at % most == 0 };
        if at > 0 && is_full {
            lines.push(StyledLine::default());
            end = begin;
        }
        let line = lines.last_mut().expect("there is always a line");
        line.pad(end);
        end += if is_flowing { part.display_width() } else { widest } + BETWEEN;
        line.append_line(part.cut(room));
    }
    lines
}
