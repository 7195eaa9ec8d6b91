//! Draws a view on a whole screen: head, seats, table, what happened, the question, the moves.

use std::collections::BTreeSet;

use anstyle::Style;

use super::board_view;
use super::line::{FAINT, Line, PROMPT, STRONG, ink, length, wrap};
use super::seat_table;
use super::table_view::{drawing, flow};
use crate::game::{Card, Column, Entry, Form, Status, TableView, Thing, What};

/// A view, and what the screen must still show besides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picture<'a> {
    pub(super) view: &'a TableView,
    /// What was told since the last line was typed and is no part of the view.
    pub(super) notes: &'a [String],
    /// Whether moves may be typed as their numbers.
    pub(super) numbered: bool,
    pub(super) width: usize,
    /// How many lines there are, that of the prompt aside.
    pub(super) height: usize,
}

type Block = Vec<Line>;

/// How many lines of moves stand there, whatever else is drawn.
const FEWEST_MOVES: usize = 4;

/// What happened takes at most this part of the screen.
const LOG_PART: usize = 6;

/// How many lines stay free for the answer to a mistake, so that it pushes nothing off the screen.
const FREE: usize = 4;

/// How many lines of what happened stand there, whatever else is drawn.
const FEWEST_LOG: usize = 2;

/// The space between two things in a line.
const BETWEEN: usize = 3;

/// A pile on the table names all its cards if they are no more than this, else only the first.
const MOST_CARDS: usize = 6;
const FIRST_CARDS: usize = 3;

/// What stands before each line of what happened.
const BAR: &str = "│ ";

/// How narrow the seats may become beside a board.
const NARROWEST_SIDE: usize = 24;

/// How many lines the seats may go on below a board that they stand beside.
const MOST_BELOW: usize = 4;

/// Draws the screen, never higher than it is; what is folded says which command unfolds it.
pub(super) fn draw(picture: &Picture) -> Vec<Line> {
    let Picture { view, width, height, .. } = *picture;
    let question = asked(view, width);
    let (log, moves) = (log(picture), moves(picture));
    let fixed = 1 + question.len();
    let fewest = log.len().min(FEWEST_LOG) + moves.len().min(FEWEST_MOVES);
    let room = height.saturating_sub(fixed + fewest);
    let explained = table(view, width, true);
    let table = if explained.len() <= room { explained } else { table(view, width, false) };
    let table = folded(table, room, ":state");
    // What the table leaves goes to the moves first: they are what the person came for.
    let left = height.saturating_sub(fixed + table.len());
    let most = left.saturating_sub(log.len().min(FEWEST_LOG) + FREE).max(FEWEST_MOVES.min(left));
    let shown = moves.len().min(most);
    let log_room = left.saturating_sub(shown).min((height / LOG_PART).max(FEWEST_LOG));
    let log = last(log, log_room);
    let taken = fixed + table.len() + shown + log.len() + FREE;
    let unused = height.saturating_sub(taken);
    let mut lines = vec![head(view, width)];
    lines.extend(table);
    lines.extend(cards(view, width).into_iter().take(unused));
    lines.extend(log);
    lines.extend(question);
    lines.extend(folded(moves, shown, ":moves"));
    lines
}

/// Title and result at the left; turn, options and seed at the right.
fn head(view: &TableView, width: usize) -> Line {
    let head = &view.head;
    let mut parts: Vec<String> = head.turn.iter().map(|turn| format!("turn {turn}")).collect();
    parts.extend(head.options.iter().map(|it| match it.value.as_str() {
        "yes" => it.name.replace('_', " "),
        "no" => format!("no {}", it.name.replace('_', " ")),
        value => format!("{} {}", it.name.replace('_', " "), value.replace('_', " ")),
    }));
    parts.extend(head.seed.iter().map(|seed| format!("seed {seed}")));
    parts.push(":help".to_owned());
    let right = parts.join(" · ");
    let mut line = Line::styled(&head.title, STRONG).cut(width);
    if line.length() + BETWEEN + length(&right) <= width {
        line.pad(width - length(&right));
        line.push(&right, FAINT);
    }
    line
}

/// The seats, the boards and whatever else lies on the table now: the boards at the left of the rest
/// where that fits. What explains the drawings is left out where there is no room for it.
fn table(view: &TableView, width: usize, explained: bool) -> Block {
    let boards = boards(view, width, explained);
    let boards_width = breadth(&boards);
    let room = width.saturating_sub(boards_width + BETWEEN);
    if !boards.is_empty() && room >= NARROWEST_SIDE {
        let beside = rest(view, room, explained);
        if breadth(&beside) <= room && beside.len() <= boards.len() + MOST_BELOW {
            return super::table_view::beside([boards, beside].into_iter(), BETWEEN);
        }
    }
    let mut lines = rest(view, width, explained);
    lines.extend(boards);
    lines
}

fn breadth(block: &[Line]) -> usize {
    block.iter().map(Line::length).max().unwrap_or(0)
}

/// The seat whose things matter most.
fn focus(view: &TableView) -> Option<usize> {
    let decides = || view.seats.iter().position(|seat| seat.status == Status::Decides);
    view.head.viewer.or_else(decides)
}

/// The boards, side by side as far as they fit.
fn boards(view: &TableView, width: usize, explained: bool) -> Block {
    let mut blocks = board_view::of(view, None, width, explained);
    if let Some(seat) = focus(view) {
        blocks.extend(board_view::of(view, Some(seat), width, explained));
    }
    flow(blocks, width)
}

/// The seats, and what lies on no board.
fn rest(view: &TableView, width: usize, explained: bool) -> Block {
    let mut lines = seat_table::draw(view, width);
    let words: Vec<&Thing> = view.table.iter().filter(|it| is_worded(it)).collect();
    // What is in few words stands beside the seats.
    let room = width.saturating_sub(breadth(&lines) + 2 * BETWEEN);
    let few = packed(&words, room.max(NARROWEST_SIDE));
    if few.len() <= lines.len() && breadth(&few) <= room {
        lines = super::table_view::beside([lines, few].into_iter(), 2 * BETWEEN);
    } else {
        lines.extend(packed(&words, width));
    }
    let mine = focus(view).and_then(|seat| view.players.get(seat)).into_iter().flatten();
    let drawings = view.table.iter().chain(mine).filter(|it| it.drawn && !it.grid.is_empty());
    let blocks = drawings.map(|thing| drawing(&without_empty_rows(thing), width, explained));
    lines.extend(flow(blocks.collect(), width));
    lines
}

/// A sheet without the rows in which nothing stands.
fn without_empty_rows(thing: &Thing) -> Thing {
    let mut thing = thing.clone();
    if thing.form == Form::Sheet {
        let mut at = 0;
        thing.grid.retain(|row| {
            at += 1;
            at == 1 || row.iter().skip(1).any(|cell| !matches!(cell.text.as_str(), "" | "." | "0"))
        });
    }
    thing
}

/// Things in words, one after the other.
fn packed(things: &[&Thing], width: usize) -> Block {
    let mut lines: Block = Vec::new();
    for thing in things {
        let Some(words) = seat_table::words(&shortened(thing)) else { continue };
        let mut part = Line::styled(&thing.title, FAINT);
        part.push(" ", Style::new());
        part.extend(words.clone());
        match lines.last_mut() {
            Some(line) if line.length() + BETWEEN + part.length() <= width => {
                line.pad(line.length() + BETWEEN);
                line.extend(part);
            }
            _ if part.length() <= width => lines.push(part),
            _ => lines.extend(hanging(&thing.title, FAINT, &words.letters(), width)),
        }
    }
    lines
}

/// A thing whose long piles name their first cards alone.
fn shortened(thing: &Thing) -> Thing {
    let mut thing = thing.clone();
    for value in thing.elements.iter_mut().map(|element| &mut element.value) {
        let (Some(count), true) = (value.count, value.members.len() > MOST_CARDS) else { continue };
        let first: Vec<&str> =
            value.members.iter().take(FIRST_CARDS).map(|tag| tag.title.as_str()).collect();
        value.text = format!("{}, … ({count} cards)", first.join(", "));
    }
    thing
}

/// A heading with words that go on below themselves.
pub(super) fn hanging(heading: &str, style: Style, words: &str, width: usize) -> Block {
    let column = (length(heading) + 1).min(width / 2);
    let wrapped = wrap(words, width - column);
    let line = |(at, words): (usize, &String)| {
        let mut line = if at == 0 { Line::styled(heading, style) } else { Line::default() };
        line.pad(column);
        line.push(words, Style::new());
        line
    };
    wrapped.iter().enumerate().map(line).collect()
}

/// What is printed on the cards in sight: those that moves name first.
fn cards(view: &TableView, width: usize) -> Block {
    let groups = view.actions.iter().flat_map(|group| &group.parameters);
    let named: BTreeSet<&str> = groups
        .flat_map(|parameter| &parameter.values)
        .flat_map(|value| &value.members)
        .map(|tag| tag.title.as_str())
        .collect();
    let mut cards: Vec<&Card> =
        view.cards.iter().filter(|card| !card.notes.is_empty() || has_text(card)).collect();
    cards.sort_by_key(|card| !named.contains(card.title.as_str()));
    let line = |card: &&Card| {
        let mut line = Line::default();
        line.push("  ", Style::new());
        line.extend(Line::inked(&card.title, &card.colours));
        let columns = card.columns.iter().map(|column| {
            let Column { title, value, is_text } = column;
            if *is_text { value.clone() } else { format!("{title} {value}") }
        });
        let words: Vec<String> =
            columns.chain([card.notes.clone()]).filter(|it| !it.is_empty()).collect();
        line.push(&format!("  {}", words.join(" · ")), FAINT);
        line.cut(width)
    };
    cards.iter().map(line).collect()
}

/// Whether a card says something in a sentence.
fn has_text(card: &Card) -> bool {
    card.columns.iter().any(|column| column.is_text)
}

/// What happened since the seat that looks moved last, without its own move.
fn log(picture: &Picture) -> Block {
    let Picture { view, width, notes, .. } = *picture;
    let own = |entry: &Entry| entry.what == What::Move && entry.seat == view.head.viewer;
    let names = |seat: usize| view.seats.get(seat).map_or("", |seat| seat.name.as_str());
    let entries: Vec<&Entry> = view.log.iter().filter(|entry| !own(entry)).collect();
    let mut lines: Block = Vec::new();
    let mut add = |part: Line| match lines.last_mut() {
        Some(line) if line.length() + BETWEEN + part.length() <= width => {
            line.pad(line.length() + BETWEEN);
            line.extend(part);
        }
        _ => {
            let mut line = Line::styled(BAR, FAINT);
            line.extend(part.cut(width - length(BAR)));
            lines.push(line);
        }
    };
    for (at, entry) in entries.iter().enumerate() {
        let mut part = Line::default();
        match entry.seat {
            Some(seat) => {
                part.push(names(seat), ink(view.seats[seat].colour));
                part.push(&format!(": {}", entry.text), Style::new());
            }
            None if entry.what == What::Draw => {
                if entries.get(at + 1).is_some_and(|next| repeats(next, entry)) {
                    continue;
                }
                part.push(&entry.text, FAINT);
            }
            None => {
                let lines = wrap(&entry.text, width - length(BAR));
                lines.iter().for_each(|line| add(Line::plain(line)));
                continue;
            }
        }
        add(part);
    }
    for note in notes {
        wrap(note, width - length(BAR)).iter().for_each(|line| add(Line::plain(line)));
    }
    lines
}

/// Whether words of the rules tell all that chance decided before them.
fn repeats(said: &Entry, drawn: &Entry) -> bool {
    let words: Vec<&str> = said.text.split(|it: char| !it.is_alphanumeric()).collect();
    let (_, outcomes) = drawn.text.split_once(' ').unwrap_or(("", &drawn.text));
    let last = |outcome: &str| outcome.split(' ').next_back().unwrap_or("").to_owned();
    said.what == What::Said && outcomes.split(", ").all(|it| words.contains(&last(it).as_str()))
}

/// The question, or how the game ended.
fn asked(view: &TableView, width: usize) -> Block {
    let words = match (&view.head.result, &view.question) {
        (Some(result), _) => format!("= {result}"),
        (None, Some(question)) => question.clone(),
        (None, None) => return Vec::new(),
    };
    wrap(&words, width).iter().map(|line| Line::styled(line, STRONG)).collect()
}

/// The moves: all in a line or two, else each name with its moves.
fn moves(picture: &Picture) -> Block {
    let Picture { view, numbered, width, .. } = *picture;
    let number = |at: usize| if numbered { format!("{at} ") } else { String::new() };
    let alone = view.actions.iter().all(|group| group.actions.len() == 1);
    let all = || view.actions.iter().flat_map(|group| &group.actions);
    if view.actions.is_empty() {
        return Block::new();
    }
    if alone || all().count() <= 3 {
        let parts = all().map(|it| (number(it.number), it.label.clone())).collect();
        return entries("", parts, width);
    }
    let mut lines = Block::new();
    // Moves without parameters share a line; a point keeps them apart from those of a name.
    let mut is_shared = false;
    for group in &view.actions {
        let begin = format!("{} ", group.name);
        let shared = group.actions.iter().all(|it| it.label.starts_with(&begin));
        let short = |label: &str| label.strip_prefix(&begin).unwrap_or(label).to_owned();
        let is_one = group.actions.len() == 1;
        let heading = if shared && !is_one { group.name.as_str() } else { "" };
        let words = |label: &String| if heading.is_empty() { label.clone() } else { short(label) };
        let mut parts: Vec<(String, String)> =
            group.actions.iter().map(|it| (number(it.number), words(&it.label))).collect();
        if !numbered && parts.iter().all(|(_, words)| words.parse::<i64>().is_ok()) {
            parts.sort_by_key(|(_, words)| words.parse::<i64>().ok());
        }
        let part = entries(heading, parts, width);
        match (lines.last_mut(), part.as_slice()) {
            (Some(line), [only]) if is_one && line.length() + BETWEEN + only.length() <= width => {
                line.push(if is_shared { " " } else { "  ·" }, FAINT);
                line.extend(only.clone());
            }
            _ => lines.extend(part),
        }
        is_shared = is_one;
    }
    lines
}

/// Moves after their name, in columns as far as they take more than a line.
fn entries(heading: &str, parts: Vec<(String, String)>, width: usize) -> Block {
    let begin = if heading.is_empty() { 2 } else { length(heading) + 2 };
    let digits = parts.iter().map(|(number, _)| length(number)).max().unwrap_or(0);
    let whole: usize = parts.iter().map(|(a, b)| length(a) + length(b) + BETWEEN).sum();
    let widest = parts.iter().map(|(_, words)| digits + length(words)).max().unwrap_or(0);
    let cell = (begin + whole > width + BETWEEN).then_some(widest);
    let mut lines: Block = Vec::new();
    let first = |is_first: bool| {
        let mut line = if is_first { Line::styled(heading, PROMPT) } else { Line::default() };
        line.pad(begin);
        line
    };
    let (mut line, mut end) = (first(true), begin);
    for (number, words) in parts {
        let mut part = Line::default();
        let pad = if cell.is_some() { digits - length(&number) } else { 0 };
        part.push(&" ".repeat(pad), Style::new());
        part.push(&number, FAINT);
        part.push(&words, Style::new());
        if end > begin && end + part.length() > width {
            lines.push(std::mem::replace(&mut line, first(false)));
            end = begin;
        }
        line.pad(end);
        line.extend(part.clone().cut(width.saturating_sub(begin)));
        end += cell.unwrap_or(part.length()) + BETWEEN;
    }
    lines.push(line);
    lines
}

/// As many lines as there is room for; what is left out says how to see it.
fn folded(mut lines: Block, room: usize, command: &str) -> Block {
    if lines.len() <= room {
        return lines;
    }
    let more = lines.len() - room.saturating_sub(1);
    lines.truncate(room.saturating_sub(1));
    if room > 0 {
        let unit = if more == 1 { "line" } else { "lines" };
        lines.push(Line::styled(&format!("… {more} more {unit}: {command}"), FAINT));
    }
    lines
}

/// The last lines of what happened, as far as there is room.
fn last(mut lines: Block, room: usize) -> Block {
    if lines.len() <= room {
        return lines;
    }
    if room == 1 {
        return lines.split_off(lines.len() - 1);
    }
    let more = lines.len() - room.saturating_sub(1);
    lines.drain(..more);
    if room > 0 {
        lines.insert(0, Line::styled(&format!("… {more} more before: :log"), FAINT));
    }
    lines
}

/// Whether a thing is worth a column or a line beside the drawings.
pub(super) fn is_worded(thing: &Thing) -> bool {
    thing.drawn && thing.grid.is_empty() && thing.board.is_none()
}
