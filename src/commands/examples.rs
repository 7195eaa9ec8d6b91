//! A stretch of play in sentences, as somebody tells it who sits by: the example of a rulebook.

use crate::commands::args::BookFormat;
use crate::game::{LogEntry, SeatView, TableView, Thing, ValueForm, What};
use crate::host::drawing::seat_table::thing_words;
use crate::host::drawing::table_screen::render_screen;
use crate::rulebook::english::{capitalised, join_list, join_words, plural};
use crate::rulebook::setup::unseen_piles;
use crate::rulebook::{authored, set_in_play, standing_players, title_or_name};
use crate::rules::{Rules, Var};
use crate::session::{FORCED, Stretch};

/// How wide and high a table is drawn in an example.
const PICTURE: (usize, usize) = (78, 200);

/// Of more cards that come from a pile at once, an example tells how many.
const NAMED_CARDS: usize = 3;

/// An example in sentences, with the table before and after it; a page draws the tables itself.
pub(super) fn tell(rules: &Rules, stretch: &Stretch, format: BookFormat) -> String {
    let Stretch { before, log, after } = stretch;
    let (mut text, mut is_told) = (String::new(), false);
    for (at, entry) in log.iter().enumerate() {
        let told = is_told;
        is_told = log.get(at + 1).is_some_and(|next| tells_again(entry, next));
        if !is_told {
            let line = tell_entry(rules, entry, before);
            let line = if is_of_next(log, at) { line.trim_start().to_owned() } else { line };
            // The words that stand for a move stand where it would.
            text.push_str(if told { line.trim_start() } else { &line });
        }
    }
    if format == BookFormat::Html {
        return text;
    }
    // Dice that are rolled in it lay there from before.
    let mut before = before.clone();
    if log.iter().any(|entry| entry.what == What::Draw && entry.text.contains("roll")) {
        let rows = before.players.iter_mut().chain([&mut before.table]);
        rows.for_each(|things| things.retain(|thing| thing.form != ValueForm::Die));
    }
    format!("{}\n{}\n{}", picture("Before", &before), text.trim_start(), picture("After", after))
}

/// Whether what is rolled belongs to the turn that follows it: somebody else moves next, and something was said of the
/// move before.
fn is_of_next(log: &[LogEntry], at: usize) -> bool {
    let is_move = |it: &&LogEntry| matches!(it.what, What::Move | What::Forced | What::Pass);
    let before = log[..at].iter().rposition(|it| is_move(&it));
    let (Some(before), Some(next)) = (before, log.get(at + 1).filter(is_move)) else {
        return false;
    };
    log[at].what == What::Draw
        && log[at].text.contains("roll")
        && next.seat != log[before].seat
        && log[before..at].iter().any(|it| it.what == What::Said)
}

/// Whether the rules say with all its words what a player did.
fn tells_again(entry: &LogEntry, next: &LogEntry) -> bool {
    let said = next.text.to_lowercase();
    let is_move = matches!(entry.what, What::Move | What::Forced);
    is_move
        && next.what == What::Said
        && entry.text.to_lowercase().split([' ', '_']).all(|word| said.contains(word))
}

fn tell_entry(rules: &Rules, entry: &LogEntry, view: &TableView) -> String {
    let seat = entry.seat.and_then(|seat| view.seats.get(seat));
    let words = entry.text.strip_suffix(FORCED).unwrap_or(&entry.text);
    let words = match entry.what {
        What::Move | What::Forced => name_members(rules, words),
        _ => words.to_owned(),
    };
    // A seat may have its name for a title, too.
    let once =
        |words: String, it: &SeatView| words.replace(&format!("{0} ({0})", it.name), &it.name);
    let words = view.seats.iter().fold(words, once);
    let words = authored(&words.replace('_', " "));
    let words = words.trim_end_matches('.');
    let end = if words.ends_with(['!', '?']) { "" } else { "." };
    let depth = if seat.is_some() { "" } else { "  " };
    match (seat, entry.what) {
        (Some(seat), What::Move | What::Forced | What::Pass) => {
            format!("- {}{end}\n", tell_move(&authored(&seat.name), words))
        }
        (_, What::Draw) => format!("{depth}- {}.\n", tell_draw(rules, words)),
        _ => format!("{depth}- {}{end}\n", capitalised(words)),
    }
}

/// The words of a move with the titles of the members that it names, where only one is named so.
fn name_members(rules: &Rules, words: &str) -> String {
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    let rest = rest.split(' ').map(|word| member_title(rules, word).unwrap_or(word).to_owned());
    join_words([verb.to_owned()].into_iter().chain(rest), " ").trim_end().to_owned()
}

/// The title of the members with a name, if they have one title.
fn member_title<'r>(rules: &'r Rules, name: &str) -> Option<&'r str> {
    let members = rules.kinds.iter().flat_map(|kind| &kind.members);
    let same = |it: &str| it == name || it.replace('_', " ") == name;
    let mut titles = members.filter(|it| same(&it.name)).map(|it| it.title.as_str());
    let first = titles.next().filter(|it| !it.is_empty())?;
    titles.all(|it| it == first).then_some(first)
}

/// What chance did: `The Tice shows 4`, `The dice show 2, 3, 1 and 1`, `7 cards come from the deck`.
fn tell_draw(rules: &Rules, words: &str) -> String {
    if let Some(cards) = words.strip_prefix("drawn from ") {
        let (pile, cards) = cards.split_once(": ").unwrap_or((cards, ""));
        let mut piles = rules.vars.iter().filter(|var| var.name.replace('_', " ") == pile);
        let pile = match piles.next() {
            Some(var) => format!("the {}", title_or_name(&var.title, &var.name)),
            None if pile.contains('\u{27}') => pile.to_owned(),
            None => format!("the {pile}"),
        };
        let card = |name: &str| member_title(rules, name).map_or_else(|| name.to_owned(), authored);
        let cards: Vec<String> = cards.split(", ").map(card).collect();
        return match cards.len() {
            1 => format!("A card comes from {pile}: {}", cards[0]),
            count if count > NAMED_CARDS => format!("{count} cards come from {pile}"),
            _ => format!("From {pile} come {}", join_list(cards, "and")),
        };
    }
    let Some(faces) = words.strip_prefix("rolled ").or(words.strip_prefix("the roll: ")) else {
        return capitalised(words);
    };
    let mut rows: Vec<(Option<String>, Vec<&str>)> = Vec::new();
    for piece in faces.split(", ") {
        let (named, shown) = split_die(rules, piece);
        // Of an array of dice no index is the name; numbers are told apart by where they lie.
        let is_row = shown.split(' ').all(|face| face.trim_end_matches(':').parse::<i64>().is_ok());
        let faces = if is_row {
            shown.split(' ').filter(|it| !it.ends_with(':')).collect()
        } else {
            vec![shown]
        };
        match (named, rows.last_mut()) {
            (None, Some((_, shown))) => shown.extend(faces),
            (named, _) => rows.push((named.map(|die| title_or_name(&die.title, &die.name)), faces)),
        }
    }
    if let [(die, faces)] = rows.as_slice() {
        let faces = faces.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        return match die {
            Some(die) if faces.len() == 1 && !die.ends_with("dice") => {
                format!("The {die} shows {}", faces[0])
            }
            _ => format!("The dice show {}", join_list(faces, "and")),
        };
    }
    // One die that is rolled again and again.
    if let Some((Some(die), _)) = rows.first()
        && rows.iter().all(|(name, _)| name.as_ref() == Some(die))
    {
        let faces = rows.iter().map(|(_, faces)| faces.join(" "));
        return format!("The {die} shows {}", join_words(faces, ", then "));
    }
    let each = rows
        .iter()
        .map(|(die, faces)| format!("{} {}", die.as_deref().unwrap_or_default(), faces.join(" ")));
    format!("The dice show {}", join_list(each.map(|it| it.trim().to_owned()), "and"))
}

/// The die that some faces begin with, and what follows its name.
fn split_die<'r, 'f>(rules: &'r Rules, faces: &'f str) -> (Option<&'r Var>, &'f str) {
    let named = |var: &'r Var| {
        let shown = faces.strip_prefix(&var.name.replace('_', " "))?.strip_prefix(' ')?;
        Some((Some(var), shown))
    };
    let named = rules.vars.iter().filter_map(named).min_by_key(|(_, shown)| shown.len());
    named.unwrap_or((None, faces))
}

/// A move as somebody tells it who sits by: `Ann buys mill`, or, where it is called by no verb, `Ann: red`.
fn tell_move(name: &str, words: &str) -> String {
    let (verb, rest) = words.split_once(' ').map_or((words, ""), |(verb, rest)| (verb, rest));
    if !VERBS.split(' ').any(|it| it == verb) {
        return format!("**{name}**: {words}");
    }
    let is_verb = |word: &str| VERBS.split(' ').any(|it| it == word);
    let does = |verb: &str| if verb == "go" { "goes".to_owned() } else { plural(verb) };
    // `pays red and spins again`
    let parts = rest.split(" and ").enumerate().map(|(at, part)| match part.split_once(' ') {
        Some((verb, rest)) if at > 0 && is_verb(verb) => format!("{} {rest}", does(verb)),
        _ => part.to_owned(),
    });
    let rest = join_words(parts, " and ");
    format!("**{name}** {} {rest}", does(verb)).trim_end().to_owned()
}

/// What moves are often called that is said of a player.
const VERBS: &str = "accept activate add agree aim allow answer ask assign attach attack beat bet bid block bluff break bring build \
    burn buy call capture carry cast castle challenge change charge chase check choose claim clear climb close \
    collect combine confirm consult continue control convert cook count counter cover cross cut deal decide \
    decline defend deliver dig discard dismiss dive double draw drink drop eat end enter exchange explore extend \
    fall feed fetch fight fill find finish flip fly fold follow fortify gain gather give go grab grow guess hand \
    harvest heal hire hit hold hunt ignore improve insert invest join jump keep kill kneel know lay lead leave \
    lend let lie lift look lose make march match meet mortgage move name nominate offer open override paint pass pay peek \
    pick place plant play plough pray produce pull push put quit raise reach reap recruit refuse reject release \
    remove repair replace reply reroll reserve rest retreat return reveal ride rob roll run sail save say score \
    scout scry search sell send set settle shift shine shoot shout show shuffle skip sleep slide sow spend spin stand \
    start stay steal stop strike study surrender swap swim take teach tell tend test think throw trade trap trash \
    travel turn upgrade use visit vote wait walk wash watch win withdraw work write yield";

fn picture(heading: &str, view: &TableView) -> String {
    // The book has told of the cards.
    let bare = TableView {
        head: view.head.clone(),
        seats: view.seats.clone(),
        boards: view.boards.clone(),
        table: view.table.clone(),
        players: view.players.clone(),
        ..TableView::default()
    };
    let lines = render_screen(&bare, &[], false, PICTURE);
    // The first line is for somebody who plays.
    let lines: Vec<String> =
        lines.iter().skip(1).map(|line| line.letters().trim_end().to_owned()).collect();
    format!("{heading}:\n\n```text\n{}\n```\n", lines.join("\n").trim_end())
}

/// Makes the two tables of a stretch such as people have before them: piles that nobody looks through lie face down;
/// and a value that is as at the start stands there where the other table has another one, or where it is a player.
pub(super) fn arrange_tables(rules: &Rules, stretch: &mut Stretch) {
    let Stretch { before, log, after } = stretch;
    let (players, unseen) = (standing_players(rules), unseen_piles(rules));
    let late = set_in_play(rules);
    let is_late = |thing: &Thing| thing.variables.iter().all(|it| late.contains(it));
    let is_set = |it: &Thing| is_late(it) && it.elements.iter().any(|it| !it.unchanged);
    for (view, log) in [(&mut *before, &[][..]), (&mut *after, log)] {
        // Who has not acted yet has no such values.
        for (seat, things) in view.players.iter_mut().enumerate() {
            if !log.iter().any(|it| it.seat == Some(seat)) && !things.iter().any(is_set) {
                things.retain(|it| !is_late(it));
            }
        }
        let things = view.table.iter_mut().chain(view.players.iter_mut().flatten());
        for thing in things {
            thing.drawn |= thing.variables.iter().any(|it| players.contains(it));
            let is_unseen = thing.variables.iter().all(|it| unseen.contains(it));
            if thing.form == ValueForm::Pile && is_unseen {
                turn_face_down(thing);
            }
        }
    }
    show_alike(&before.table, &mut after.table);
    for (before, after) in before.players.iter().zip(&mut after.players) {
        show_alike(before, after);
    }
}

/// What was told before stands there after, too, if it is as at the start again.
fn show_alike(before: &[Thing], after: &mut [Thing]) {
    let values = [ValueForm::Member, ValueForm::Set, ValueForm::Coin, ValueForm::YesNo];
    for one in before.iter().filter(|it| it.drawn && values.contains(&it.form)) {
        if let Some(other) = after.iter_mut().find(|it| it.variables == one.variables) {
            other.drawn = true;
            if thing_words(one).is_some() && thing_words(other).is_none() {
                let nothing = if one.form == ValueForm::YesNo { "no" } else { "none" };
                (other.value, other.elements) = (nothing.to_owned(), Vec::new());
            }
        }
    }
}

/// Of such a pile everybody sees how many cards there are.
fn turn_face_down(thing: &mut Thing) {
    let count = |cards: usize| if cards == 1 { "1 card".into() } else { format!("{cards} cards") };
    let piles = thing.elements.iter_mut().map(|pile| {
        let text = count(pile.value.count.unwrap_or(0));
        let which: Vec<&str> = pile.index.iter().map(|tag| tag.title.as_str()).collect();
        let words =
            if which.is_empty() { text.clone() } else { format!("{}: {text}", which.join(" ")) };
        pile.value.members.clear();
        pile.value.text = text;
        words
    });
    thing.value = piles.collect::<Vec<String>>().join("; ");
    thing.inks.clear();
}
