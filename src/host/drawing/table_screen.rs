//! Draws a view on a whole screen: head, seats, table, what happened, the question, the moves.

use std::collections::BTreeSet;

use anstyle::Style;

use crate::game::{Card, CardColumn, LogEntry, Means, Status, TableView, Thing, ValueForm, What};
use crate::host::drawing::line::{
    BETWEEN, FAINT, STRONG, ScreenBlock, StyledLine, breadth, ink, text_width, wrap,
};
use crate::host::drawing::table_view::{drawing, flow, join_blocks};
use crate::host::drawing::{board_view, screen_moves, seat_table};

/// How much of the table is drawn.
#[derive(Clone, Copy, Debug)]
struct Extent {
    /// With what explains the drawings.
    explained: bool,
    /// With the drawings of the other players.
    everyone: bool,
}

/// How many lines of moves stand there, whatever else is drawn.
const FEWEST_MOVES: usize = 4;

/// What happened takes at most this part of the screen.
const LOG_PART: usize = 6;

/// How many lines stay free for the answer to a mistake, so that it pushes nothing off the screen.
const FREE: usize = 4;

/// How many lines of what happened stand there, whatever else is drawn.
const FEWEST_LOG: usize = 2;

/// A pile on the table names all its cards if they are no more than this, else only the first.
const MOST_CARDS: usize = 6;
const FIRST_CARDS: usize = 3;

/// What stands before each line of what happened.
const BAR: &str = "│ ";

/// How narrow the seats may become beside a board.
const NARROWEST_SIDE: usize = 24;

/// How many lines the seats may go on below a board that they stand beside.
const MOST_BELOW: usize = 4;

/// Draws the screen of a width and of at most so many lines; the prompt is one more. What is folded says which command
/// unfolds it. `notes` were told since the last line was typed and are no part of the view; `numbered` says whether
/// moves may be typed as their numbers.
pub(crate) fn render_screen(
    view: &TableView,
    notes: &[String],
    numbered: bool,
    (width, height): (usize, usize),
) -> Vec<StyledLine> {
    let question = render_question(view, width);
    let (log, moves) =
        (log(view, notes, width), screen_moves::render_moves(view, numbered, width, height));
    let fixed = 1 + question.len();
    let fewest = log.len().min(FEWEST_LOG) + moves.len().min(FEWEST_MOVES);
    let room = height.saturating_sub(fixed + fewest);
    let mut table = fitting(view, width, (room, moves.len()));
    let is_squeezed = table.len() > room;
    if is_squeezed {
        let room = height.saturating_sub(fixed + moves.len().min(1));
        table = squeezed(view, width, room, fewest.min(FEWEST_LOG));
    }
    // What the table leaves goes to the moves first: they are what the person came for.
    let left = height.saturating_sub(fixed + table.len());
    let most = left.saturating_sub(log.len().min(FEWEST_LOG) + FREE).max(FEWEST_MOVES.min(left));
    let shown = moves.len().min(most);
    let log_room = left.saturating_sub(shown).min((height / LOG_PART).max(FEWEST_LOG));
    let log = keep_last(log, log_room);
    let taken = fixed + table.len() + shown + log.len() + FREE;
    let unused = height.saturating_sub(taken);
    let mut lines = vec![render_header(view, width, is_squeezed)];
    lines.extend(table);
    lines.extend(render_cards(view, width, unused));
    lines.extend(log);
    lines.extend(question);
    lines.extend(fold_lines(moves, shown, ":moves"));
    lines
}

/// The table with as much as has room: the drawings of all players where the moves and an answer have
/// room as well, and what explains the drawings.
fn fitting(view: &TableView, width: usize, (room, moves): (usize, usize)) -> ScreenBlock {
    let spare = (room + FEWEST_MOVES.min(moves)).saturating_sub(moves + FREE);
    let ways = [(true, true, spare), (false, true, spare), (true, false, room)];
    let drawn =
        |(explained, everyone, _)| render_table(view, width, Extent { explained, everyone });
    let fits = |way: &(bool, bool, usize)| drawn(*way).len() <= way.2;
    ways.into_iter().find(fits).map_or_else(|| drawn((false, false, room)), drawn)
}

/// The table where it has no room: what is drawn, as far as it fits whole, then as many seats as fit above `below`
/// lines, the one that matters most in any case.
fn squeezed(view: &TableView, width: usize, room: usize, below: usize) -> ScreenBlock {
    let drawn = drawn_whole(view, width, room, room.saturating_sub(below));
    let mut lines = seats_within(view, width, room - drawn.len(), below);
    lines.extend(drawn);
    lines
}

/// The drawings that fit whole into the room; where none does, the first one, cut.
fn drawn_whole(view: &TableView, width: usize, room: usize, cut: usize) -> ScreenBlock {
    let extent = Extent { explained: false, everyone: false };
    let blocks = [boards(view, width, extent), render_drawings(view, width, extent)].concat();
    let (mut kept, mut drawn) = (Vec::new(), ScreenBlock::new());
    for block in &blocks {
        let more = flow([kept.as_slice(), std::slice::from_ref(block)].concat(), width);
        if more.len() <= room {
            kept.push(block.clone());
            drawn = more;
        }
    }
    match blocks.into_iter().next() {
        Some(first) if kept.is_empty() => match board_view::render_part(view, width, cut) {
            part if part.is_empty() => fold_lines(first, cut, ":state"),
            part => part,
        },
        _ => drawn,
    }
}

/// As many seats as fit above `below` lines, from the one on that matters most; this one alone may take all the room.
fn seats_within(view: &TableView, width: usize, room: usize, below: usize) -> ScreenBlock {
    let (count, first) = (view.seats.len(), focus(view).unwrap_or(0));
    let some = |seats: usize| {
        let is_shown = |seat: &usize| (seat + count - first) % count < seats;
        let shown: Vec<usize> = (0..count).filter(is_shown).collect();
        let seats = shown.iter().map(|seat| view.seats[*seat].clone()).collect();
        let players = shown.iter().filter_map(|seat| view.players.get(*seat).cloned()).collect();
        seat_table::render_seat_table(&TableView { seats, players, ..view.clone() }, width)
    };
    let all = std::iter::once_with(|| render_seats(view, width));
    let mut ways = all.chain((1..=count).rev().map(some));
    if let Some(way) = ways.find(|way| way.len() + below <= room) {
        return way;
    }
    let Some(seat) = view.seats.get(first) else { return ScreenBlock::new() };
    let mut one = some(1);
    one.truncate(room);
    // A heading without its row says nothing.
    let is_there = one.iter().any(|line| line.letters().contains(seat.name.as_str()));
    if is_there { one } else { ScreenBlock::new() }
}

/// Title and result at the left; turn, options and seed at the right, or how to see what has no room.
fn render_header(view: &TableView, width: usize, is_squeezed: bool) -> StyledLine {
    let head = &view.head;
    let mut parts: Vec<String> = head.turn.iter().map(|turn| format!("turn {turn}")).collect();
    parts.extend(head.options.iter().map(|it| match it.value.as_str() {
        "yes" => it.name.replace('_', " "),
        "no" => format!("no {}", it.name.replace('_', " ")),
        value => format!("{} {}", it.name.replace('_', " "), value.replace('_', " ")),
    }));
    parts.extend(head.seed.iter().map(|seed| format!("seed {seed}")));
    parts.push(":help".to_owned());
    let right = if is_squeezed { ":state shows more".to_owned() } else { parts.join(" · ") };
    let room = if is_squeezed { width.saturating_sub(BETWEEN + text_width(&right)) } else { width };
    let mut line = StyledLine::styled(&head.title, STRONG).cut(room);
    if line.display_width() + BETWEEN + text_width(&right) <= width {
        line.pad(width - text_width(&right));
        line.push_text(&right, FAINT);
    }
    line
}

/// The seats, the boards and whatever else lies on the table now: the boards at the left of the rest
/// where that fits.
fn render_table(view: &TableView, width: usize, extent: Extent) -> ScreenBlock {
    let boards = flow(boards(view, width, extent), width);
    let boards_width = breadth(&boards);
    let room = width.saturating_sub(boards_width + BETWEEN);
    if !boards.is_empty() && room >= NARROWEST_SIDE {
        let beside = rest(view, room, extent);
        if breadth(&beside) <= room && beside.len() <= boards.len() + MOST_BELOW {
            return join_blocks([boards, beside].into_iter(), BETWEEN);
        }
    }
    let mut lines = rest(view, width, extent);
    lines.extend(boards);
    lines
}

/// The seat whose things matter most.
fn focus(view: &TableView) -> Option<usize> {
    let decides = || view.seats.iter().position(|seat| seat.status == Status::Decides);
    view.head.viewer.or_else(decides)
}

/// The seats whose drawings are shown: first the one whose things matter most.
fn drawn_seats(view: &TableView, everyone: bool) -> Vec<usize> {
    let focus = focus(view);
    let others = (0..view.seats.len()).filter(|seat| everyone && Some(*seat) != focus);
    focus.into_iter().chain(others).collect()
}

fn boards(
    view: &TableView,
    width: usize,
    Extent { explained, everyone }: Extent,
) -> Vec<ScreenBlock> {
    let mut blocks = board_view::render_boards(view, None, width, explained);
    for (at, seat) in drawn_seats(view, everyone).into_iter().enumerate() {
        let boards = board_view::render_boards(view, Some(seat), width, explained && at == 0);
        blocks.extend(boards.into_iter().map(|board| {
            let name = StyledLine::styled(&view.seats[seat].name, ink(view.seats[seat].colour));
            [name].into_iter().chain(board).collect()
        }));
    }
    blocks
}

/// The seats, and what lies on no board.
fn rest(view: &TableView, width: usize, extent: Extent) -> ScreenBlock {
    let mut lines = render_seats(view, width);
    lines.extend(flow(render_drawings(view, width, extent), width));
    lines
}

/// The seats, and what is in words.
fn render_seats(view: &TableView, width: usize) -> ScreenBlock {
    let mut lines = seat_table::render_seat_table(view, width);
    let words: Vec<&Thing> = view.table.iter().filter(|it| is_worded(it)).collect();
    // What is in few words stands beside the seats.
    let room = width.saturating_sub(breadth(&lines) + 2 * BETWEEN);
    let few = pack_words(&words, room.max(NARROWEST_SIDE));
    if !few.is_empty() && few.len() <= lines.len() && breadth(&few) <= room {
        lines = join_blocks([lines, few].into_iter(), 2 * BETWEEN);
    } else {
        lines.extend(pack_words(&words, width));
    }
    lines
}

fn render_drawings(
    view: &TableView,
    width: usize,
    Extent { explained, everyone }: Extent,
) -> Vec<ScreenBlock> {
    let is_drawing = |it: &&Thing| it.drawn && !it.grid.is_empty();
    let draw = |thing: &Thing, explained| drawing(&without_empty_rows(thing), width, explained);
    let mut blocks: Vec<ScreenBlock> =
        view.table.iter().filter(is_drawing).map(|thing| draw(thing, explained)).collect();
    for (at, seat) in drawn_seats(view, everyone).into_iter().enumerate() {
        let own = view.players.get(seat).into_iter().flatten().filter(is_drawing);
        // The drawings of all players explain the same letters.
        blocks.extend(own.map(|thing| draw(&owned(thing, view, seat), explained && at == 0)));
    }
    blocks
}

/// A drawing of a player, with the name before its title.
fn owned(thing: &Thing, view: &TableView, seat: usize) -> Thing {
    let is_alone = view.seats.len() == 1;
    let name = &view.seats[seat].name;
    let title = if is_alone { thing.title.clone() } else { format!("{name}: {}", thing.title) };
    Thing { title, ..thing.clone() }
}

/// A sheet without the rows in which nothing stands.
fn without_empty_rows(thing: &Thing) -> Thing {
    let mut thing = thing.clone();
    if thing.form == ValueForm::Sheet {
        let mut at = 0;
        thing.grid.retain(|row| {
            at += 1;
            at == 1 || row.iter().skip(1).any(|cell| !matches!(cell.text.as_str(), "" | "." | "0"))
        });
    }
    thing
}

/// Things in words, one after the other.
fn pack_words(things: &[&Thing], width: usize) -> ScreenBlock {
    let mut lines: ScreenBlock = Vec::new();
    for thing in things {
        let Some(words) = seat_table::thing_words(&shortened(thing)) else { continue };
        let mut part = StyledLine::styled(&thing.title, FAINT);
        part.push_text(" ", Style::new());
        part.append_line(words.clone());
        match lines.last_mut() {
            Some(line) if line.display_width() + BETWEEN + part.display_width() <= width => {
                line.pad(line.display_width() + BETWEEN);
                line.append_line(part);
            }
            _ if part.display_width() <= width => lines.push(part),
            _ => lines.extend(hanging(&thing.title, &words.letters(), width)),
        }
    }
    lines
}

/// A thing whose long piles name their first cards alone.
pub(crate) fn shortened(thing: &Thing) -> Thing {
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
pub(crate) fn hanging(heading: &str, words: &str, width: usize) -> ScreenBlock {
    let column = (text_width(heading) + 1).min(width / 2);
    hang_words(StyledLine::styled(heading, FAINT), column, words, Style::new(), width)
}

/// Appends words to a line at a column, wrapped below themselves.
fn hang_words(
    line: StyledLine,
    column: usize,
    words: &str,
    style: Style,
    width: usize,
) -> ScreenBlock {
    let mut lines = vec![line];
    for (at, words) in wrap(words, width.saturating_sub(column)).iter().enumerate() {
        if at > 0 {
            lines.push(StyledLine::default());
        }
        let line = lines.last_mut().expect("there is always a line");
        line.pad(column);
        line.push_text(words, style);
    }
    lines
}

/// What is printed on the cards in sight, as many as there is room for: those that moves name first.
fn render_cards(view: &TableView, width: usize, mut room: usize) -> ScreenBlock {
    let groups = view.actions.iter().flat_map(|group| &group.parameters);
    let named: BTreeSet<&str> = groups
        .flat_map(|parameter| &parameter.values)
        .flat_map(|value| &value.members)
        .map(|tag| tag.title.as_str())
        .collect();
    let mut cards: Vec<&Card> = view.cards.iter().filter(|card| says_much(view, card)).collect();
    let focus = focus(view);
    let own = titles_in(focus.and_then(|seat| view.players.get(seat)).into_iter().flatten());
    let offered = titles_in(view.table.iter());
    cards.sort_by_key(|card| {
        let title = card.title.as_str();
        let places = [&named, &own, &offered];
        places.iter().position(|it| it.contains(title)).unwrap_or(places.len())
    });
    let titles = cards.iter().map(|card| text_width(&card.title)).max().unwrap_or(0);
    let column = (2 + titles + 2).min(width / 2);
    let (mut lines, mut known) = (ScreenBlock::new(), Vec::new());
    for card in cards {
        // The face of a card may be a member of a kind of its own, with the same words.
        let words = (&card.title, &card.columns);
        if known.contains(&words) {
            continue;
        }
        known.push(words);
        let block = printed(card, column, width);
        if block.len() > room {
            break;
        }
        room -= block.len();
        lines.extend(block);
    }
    lines
}

/// The cards of the piles that are not long: these are there to be chosen from.
fn titles_in<'a>(things: impl Iterator<Item = &'a Thing>) -> BTreeSet<&'a str> {
    let values = things.flat_map(|thing| &thing.elements).map(|element| &element.value);
    let short = values.filter(|value| value.count.is_some() && value.members.len() <= MOST_CARDS);
    short.flat_map(|value| &value.members).map(|tag| tag.title.as_str()).collect()
}

/// What is printed on a card: its sentences first, then what has a name.
fn printed(card: &Card, column: usize, width: usize) -> ScreenBlock {
    let texts = card.columns.iter().filter(|it| it.is_text).map(|it| it.value.clone());
    let named = card.columns.iter().filter(|it| !it.is_text);
    let named = named.map(|CardColumn { title, value, .. }| format!("{title} {value}"));
    let words = texts.chain([card.notes.clone()]).chain(named).filter(|it| !it.is_empty());
    let words = words.collect::<Vec<_>>().join(" · ");
    let mut line = StyledLine::from_text("  ");
    line.append_line(StyledLine::inked(&card.title, &card.colours).cut(column.saturating_sub(4)));
    hang_words(line, column, &words, FAINT, width)
}

/// Whether a card says something in a sentence, or a member that moves name has a number.
fn says_much(view: &TableView, card: &Card) -> bool {
    let values = view.actions.iter().flat_map(|group| &group.parameters);
    let mut values = values.flat_map(|it| &it.values).filter(|it| it.means == Means::Member);
    let is_number = |column: &CardColumn| column.value.parse::<i64>().is_ok();
    let mut is_named = || {
        values.any(|it| it.members.iter().any(|tag| tag.kind == card.kind && tag.name == card.name))
    };
    !card.notes.is_empty()
        || card.columns.iter().any(|column| column.is_text)
        || card.columns.iter().any(is_number) && is_named()
}

/// What happened since the seat that looks moved last, without its own move.
fn log(view: &TableView, notes: &[String], width: usize) -> ScreenBlock {
    let own = |entry: &LogEntry| entry.what == What::Move && entry.seat == view.head.viewer;
    let names = |seat: usize| view.seats.get(seat).map_or("", |seat| seat.name.as_str());
    let entries: Vec<&LogEntry> = view.log.iter().filter(|entry| !own(entry)).collect();
    let mut lines: ScreenBlock = Vec::new();
    let mut add = |part: StyledLine| match lines.last_mut() {
        Some(line) if line.display_width() + BETWEEN + part.display_width() <= width => {
            line.pad(line.display_width() + BETWEEN);
            line.append_line(part);
        }
        _ => {
            let mut line = StyledLine::styled(BAR, FAINT);
            line.append_line(part.cut(width - text_width(BAR)));
            lines.push(line);
        }
    };
    for (at, entry) in entries.iter().enumerate() {
        let mut part = StyledLine::default();
        match entry.seat {
            Some(seat) => {
                if entries.get(at + 1).is_some_and(|next| tells(next, entry, names(seat))) {
                    continue;
                }
                part.push_text(names(seat), ink(view.seats[seat].colour));
                part.push_text(&format!(": {}", display_move(&entry.text)), Style::new());
            }
            None if entry.what == What::Draw => {
                if entries.get(at + 1).is_some_and(|next| repeats(next, entry)) {
                    continue;
                }
                part.push_text(&entry.text, FAINT);
            }
            None => {
                let lines = wrap(&entry.text, width - text_width(BAR));
                lines.iter().for_each(|line| add(StyledLine::from_text(line)));
                continue;
            }
        }
        add(part);
    }
    for note in notes {
        wrap(note, width - text_width(BAR))
            .iter()
            .for_each(|line| add(StyledLine::from_text(line)));
    }
    lines
}

/// A move with its name as people write it: `end turn` for `end_turn`.
fn display_move(made: &str) -> String {
    let (name, rest) = made.split_at(made.find(' ').unwrap_or(made.len()));
    name.replace('_', " ") + rest
}

/// True if a text of `say` repeats the draws before it.
fn repeats(said: &LogEntry, drawn: &LogEntry) -> bool {
    let words: Vec<&str> = said.text.split(|it: char| !it.is_alphanumeric()).collect();
    let (_, outcomes) = drawn.text.split_once(' ').unwrap_or(("", &drawn.text));
    let last = |outcome: &str| outcome.split(' ').next_back().unwrap_or("").to_owned();
    said.what == What::Said && outcomes.split(", ").all(|it| words.contains(&last(it).as_str()))
}

/// True if a text of `say` repeats a move: its player, and all that it names.
fn tells(said: &LogEntry, made: &LogEntry, name: &str) -> bool {
    let folded = |text: &str| text.to_lowercase().replace('_', " ");
    let text = folded(&said.text);
    let words: Vec<&str> = text.split(|it: char| !it.is_alphanumeric()).collect();
    let Some((_, named)) = made.text.split_once(' ') else { return false };
    // A number may stand in the words for other reasons.
    let is_named = named.split_whitespace().any(|it| it.chars().all(char::is_alphabetic));
    is_named
        && said.what == What::Said
        && said.seat.is_none()
        && made.what == What::Move
        && said.text.starts_with(&format!("{name} "))
        && folded(named).split_whitespace().all(|it| words.contains(&it))
}

/// The question, or how the game ended.
fn render_question(view: &TableView, width: usize) -> ScreenBlock {
    let words = match (&view.head.result, &view.question) {
        (Some(result), _) => format!("= {result}"),
        (None, Some(question)) => question.clone(),
        (None, None) => return Vec::new(),
    };
    wrap(&words, width).iter().map(|line| StyledLine::styled(line, STRONG)).collect()
}

/// As many lines as there is room for; what is left out says how to see it.
fn fold_lines(mut lines: ScreenBlock, room: usize, command: &str) -> ScreenBlock {
    if lines.len() <= room {
        return lines;
    }
    let more = lines.len() - room.saturating_sub(1);
    lines.truncate(room.saturating_sub(1));
    if room > 0 {
        let unit = if more == 1 { "line" } else { "lines" };
        lines.push(StyledLine::styled(&format!("… {more} more {unit}: {command}"), FAINT));
    }
    lines
}

/// The last lines of what happened, as far as there is room.
fn keep_last(mut lines: ScreenBlock, room: usize) -> ScreenBlock {
    if lines.len() <= room {
        return lines;
    }
    if room == 1 {
        return lines.split_off(lines.len() - 1);
    }
    let more = lines.len() - room.saturating_sub(1);
    lines.drain(..more);
    if room > 0 {
        lines.insert(0, StyledLine::styled(&format!("… {more} more before: :log"), FAINT));
    }
    lines
}

/// Whether a thing is worth a column or a line beside the drawings.
pub(crate) fn is_worded(thing: &Thing) -> bool {
    thing.drawn && thing.grid.is_empty() && thing.board.is_none()
}
