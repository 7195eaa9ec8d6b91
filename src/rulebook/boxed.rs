//! Lists the box: boards, cards, dice, pieces and counters, counted.

use std::collections::{BTreeMap, BTreeSet};
use std::ptr;

use crate::check::note_names::{akin, split_words};
use crate::rulebook::english::{append_note, capitalised, join_list, join_words, plural};
use crate::rulebook::pieces::{has_stocks, list_drawn_tables, pieces_of, stock_of};
use crate::rulebook::stocks::shared_stocks;
use crate::rulebook::{Book, has_own_title, title_or_name};
use crate::rules::printed::copies_of;
use crate::rules::topology::BoardTopology;
use crate::rules::visit::visit_choices;
use crate::rules::{
    Domain, ExprKind, Faces, Kind, KindId, KindShape, PLAYER, TextPart, Type, Value, Var, VarForm,
};
use crate::syntax::ast::Owner;

/// Nobody counts further: the end of a longer range is a guard.
pub(super) const MOST_COUNTED: i64 = 999;

/// More tokens than these are a number to write down.
const MOST_TOKENS: i64 = 60;

/// Most dice have so many sides.
const SIDES: usize = 6;

/// All that people must have before them; what the rules only write down for themselves is no part of it.
pub(super) fn components(book: &Book, told: &[&str]) -> String {
    let kinds = book.rules.kinds.iter().map(|kind| describe_kind(book, kind));
    let spoken = spoken_words(book);
    let told = names_told(book, told);
    let (stocks, sets) = (shared_stocks(book), sets_of_pieces(book));
    let is_shared = |var: &Var| {
        stocks.iter().any(|it| [it.supply, it.held].iter().any(|it| ptr::eq(*it, var)))
            || sets.iter().any(|kind| holds_set_of(var, *kind))
    };
    let is_met = |var: &&Var| {
        // Nobody writes down what is only so or not.
        let is_named = || {
            let name = title_or_name(&var.title, &var.name).to_lowercase();
            var.ty != Type::Bool && told.contains(&name)
        };
        let is_told = || is_spoken_of(var, &spoken) || is_named();
        !var.undrawn && !is_shared(var) && (is_thing(var) || is_told())
    };
    let drawn = || book.rules.vars.iter().filter(is_met);
    let pieces = drawn().filter_map(|var| pieces_of(book, var));
    let counted = drawn().map(|var| of_var(book, var));
    let counted = stocks.iter().map(|stock| stock.line(book)).chain(counted);
    let places = dice_places(book, &mut drawn());
    let is_written = |var: &&Var| !holds_dice(book, var) && pieces_of(book, var).is_none();
    let noted = [(Owner::Player, "for each player, "), (Owner::Table, "")].map(|(owner, whose)| {
        let is_noted = |var: &&Var| var.owner == owner && is_noted_down(var);
        let vars: Vec<&Var> = drawn().filter(is_noted).filter(is_written).collect();
        let sheet = if owner == Owner::Player && vars.iter().any(|var| is_on_sheet(var)) {
            "paper and pencil, or a printed sheet,"
        } else {
            "paper and pencil"
        };
        list_with_notes(&format!("{whose}{sheet} for "), &vars)
    });
    let sets = sets.iter().map(|kind| {
        let of = book.lookup_kind(*kind);
        let (name, count) = (title_or_name(&of.title, &of.name), of.own_members().len());
        let members = members_of(book, *kind);
        format!("- {count} pieces, **{}**: {members}\n", plural(&name))
    });
    let tables = [list_drawn_tables(book)];
    let things = kinds.chain(tables).chain(sets).chain(pieces);
    things.chain(counted).chain([places]).chain(noted).collect()
}

/// The kinds whose members go from the table to players: each member is a piece.
fn sets_of_pieces(book: &Book) -> Vec<KindId> {
    let kinds = (0..book.rules.kinds.len()).map(KindId::at);
    let is_plain = |kind: &KindId| matches!(book.lookup_kind(*kind).shape, KindShape::Plain);
    kinds
        .filter(|kind| {
            let held = |owner: Owner| {
                let vars = &mut book.rules.vars.iter();
                vars.any(|var| var.owner == owner && holds_set_of(var, *kind))
            };
            is_plain(kind) && *kind != PLAYER && held(Owner::Table) && held(Owner::Player)
        })
        .collect()
}

fn holds_set_of(var: &Var, kind: KindId) -> bool {
    let is_drawn = matches!(var.form, VarForm::Plain) && !var.undrawn && var.dims.is_empty();
    is_drawn && var.ty == Type::Set(Domain::Kind(kind))
}

/// Whether a variable of the table says which dice lie somewhere.
fn holds_dice(book: &Book, var: &Var) -> bool {
    let Type::Set(of @ Domain::Kind(_)) = var.ty else { return false };
    let is_dice = |it: &Var| matches!(it.form, VarForm::Die(_)) && it.dims.last() == Some(&of);
    var.owner == Owner::Table && var.dims.is_empty() && book.rules.vars.iter().any(is_dice)
}

fn dice_places(book: &Book, vars: &mut dyn Iterator<Item = &Var>) -> String {
    let vars: Vec<&Var> = vars.filter(|var| holds_dice(book, var)).collect();
    let what = if vars.len() == 1 { "a place" } else { "places" };
    list_with_notes(&format!("{what} on the table for dice: "), &vars)
}

/// A line for some variables, and their notes below it; nothing for none.
fn list_with_notes(what: &str, vars: &[&Var]) -> String {
    let name = |var: &&Var| format!("**{}**", title_or_name(&var.title, &var.name));
    let notes = vars.iter().map(|var| append_note(&format!("  - {}: ", name(var)), &var.notes));
    let notes: String = notes.filter(|note| !note.is_empty()).map(|note| note + "\n").collect();
    let names = join_list(vars.iter().map(name), "and");
    if names.is_empty() { names } else { format!("- {what}{names}\n{notes}") }
}

/// Whether a sheet has boxes for a variable: a number alone is only written down.
fn is_on_sheet(var: &Var) -> bool {
    matches!(var.ty, Type::Set(_)) || matches!(var.dims.len(), 1 | 2)
}

/// Whether a variable is a thing by itself: a die, a coin, a pile, what lies on a board, or what has a note.
fn is_thing(var: &Var) -> bool {
    !matches!(var.form, VarForm::Plain)
        || !var.notes.is_empty()
        || !var.dims.is_empty() && var.ty != Type::Bool
}

/// Whether people are told of a variable in words: others are bookkeeping.
fn is_spoken_of(var: &Var, spoken: &BTreeSet<String>) -> bool {
    if has_own_title(&var.title, &var.name) {
        return true;
    }
    let name = title_or_name(&var.title, &var.name).to_lowercase();
    name.split(' ').all(|word| spoken.iter().any(|it| akin(it, word)))
}

/// What the sentences of the book name: `storm` of `the storm`, `goods` of `your goods`.
fn names_told(book: &Book, told: &[&str]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for text in told {
        book.budget.charge(ARTICLES.len() * text.len());
        let behind =
            ARTICLES.iter().flat_map(|it| text.match_indices(it).map(|(at, _)| at + it.len()));
        for rest in behind.map(|at| &text[at..]) {
            let ends = rest.match_indices(|it: char| !it.is_alphanumeric()).map(|(at, _)| at);
            let ends = ends.chain([rest.len()]).take(MOST_WORDS_OF_A_NAME);
            names.extend(ends.map(|end| rest[..end].to_lowercase()));
        }
    }
    names
}

/// What stands before the name of a variable.
const ARTICLES: [&str; 6] = ["the ", "The ", "your ", "their ", "have ", "*"];

const MOST_WORDS_OF_A_NAME: usize = 4;

/// The words of the notes of the file, and what it says.
fn spoken_words(book: &Book) -> BTreeSet<String> {
    let rules = book.rules;
    let mut notes: Vec<&String> = rules.notes.iter().collect();
    notes.extend(rules.notes_inside.values().flatten());
    notes
        .extend(rules.options.iter().flat_map(|option| option.notes.iter().chain([&option.title])));
    for rule in &rules.rules {
        notes.extend(&rule.notes);
    }
    let mut words: BTreeSet<String> =
        notes.into_iter().flat_map(|note| split_words(note)).collect();
    for rule in &rules.rules {
        visit_choices(&rule.body, &mut |choose| {
            words.extend(
                choose.options.iter().flat_map(|it| &it.notes).flat_map(|it| split_words(it)),
            );
        });
        rule.visit_exprs(&mut |part| {
            if let ExprKind::Text(parts) = &part.kind {
                let said = parts.iter().filter_map(|part| match part {
                    TextPart::Words(text) => Some(text),
                    TextPart::Hole(_) => None,
                });
                words.extend(said.flat_map(|text| split_words(text)));
            }
        });
    }
    book.budget.charge(words.len() * rules.vars.len());
    words
}

/// Whether a variable is neither a number nor a thing that lies somewhere.
fn is_noted_down(var: &Var) -> bool {
    matches!(var.form, VarForm::Plain)
        && !is_seen(&var.notes)
        && match &var.ty {
            Type::Bool | Type::Set(_) | Type::List(..) => true,
            _ => var.owner == Owner::Player && !var.dims.is_empty() && !names_material(&var.notes),
        }
}

pub(super) fn members_of(book: &Book, kind: KindId) -> String {
    let kind = book.lookup_kind(kind);
    let own = kind.own_members();
    let names =
        own.iter().map(|at| title_or_name(&kind.members[*at].title, &kind.members[*at].name));
    join_list(names.map(|name| book.write_piece(|| name)), "and")
}

fn describe_kind(book: &Book, kind: &Kind) -> String {
    let name = title_or_name(&kind.title, &kind.name);
    let count = kind.members.len();
    let note = append_note(" ", &kind.notes);
    let what = match kind.shape {
        KindShape::Board(BoardTopology::Joints(joints)) => {
            format!("the {} **{name}**: {count}", joints.part.word())
        }
        KindShape::Board(board) => format!("the board **{name}**: {}", board.describe_shape()),
        KindShape::Cards(id) => {
            let face = book.lookup_kind(id);
            let (faces, kinds) =
                (capitalised(&title_or_name(&face.title, &face.name)), face.own_members().len());
            let copies = copies_of(book.rules, id.index()).filter(|it| it.first() > Some(&1));
            let copies = copies.filter(|it| it.iter().all(|count| *count == it[0]));
            let each = copies.map_or_else(String::new, |it| format!(", {} of each", it[0]));
            format!("{count} cards, **{name}**: {kinds} different ones (see *{faces}*){each}")
        }
        _ => return String::new(),
    };
    format!("- {what}.{note}\n")
}

fn of_var(book: &Book, var: &Var) -> String {
    let name = title_or_name(&var.title, &var.name);
    let whose = if var.owner == Owner::Player { "for each player, " } else { "" };
    match &var.form {
        VarForm::Die(faces) => {
            let (dice, faces) = (describe_dice(book, var, &name), describe_faces(book, var, faces));
            format!("- {whose}{dice} with {faces}{}\n", append_note(". ", &var.notes))
        }
        VarForm::Plain
            if let Some(board) = var.dims.iter().find_map(|dim| board_of(book, *dim)) =>
        {
            let is_stocked = var
                .dims
                .iter()
                .any(|dim| matches!(dim, Domain::Kind(kind) if has_stocks(book, *kind)));
            if var.ty != Type::Number || is_stocked {
                return String::new();
            }
            let (on, note) =
                (title_or_name(&board.title, &board.name), append_note(". ", &var.notes));
            format!("- {whose}counters for **{name}** on the board **{on}**{note}\n")
        }
        VarForm::Plain if is_seen(&var.notes) => {
            append_note(&format!("- {whose}**{name}**: "), &var.notes) + "\n"
        }
        VarForm::Coin | VarForm::Plain if var.ty == Type::Number && !is_noted_down(var) => {
            if stock_of(book, var).is_some() {
                return String::new();
            }
            let (of, most) = (for_each(book, var), most_of(book, var));
            let note = append_note(". ", &var.notes);
            let first = match book.known_value(&var.init.value) {
                Some(Value::Int(first @ 2..=MOST_TOKENS)) => Some(first),
                _ => None,
            };
            match (&var.form, first, var.owner) {
                (VarForm::Coin, ..) => {
                    let most = if of.is_empty() { "" } else { &most };
                    format!("- {whose}coins or tokens for **{name}**{of}{most}{note}\n")
                }
                (_, Some(first), Owner::Table) if of.is_empty() => {
                    format!("- {first} tokens for **{name}**{note}\n")
                }
                // A note that says with what people count is told alone.
                _ if names_material(&var.notes) => format!("- {whose}**{name}**{note}\n"),
                _ => format!("- {whose}something to count **{name}**{of} with{most}{note}\n"),
            }
        }
        _ => String::new(),
    }
}

/// What people put on a table to count with.
const MATERIALS: [&str; 16] = [
    "bead", "card", "chip", "coin", "counter", "cube", "disc", "figure", "marker", "meeple",
    "pawn", "peg", "piece", "stone", "token", "track",
];

/// Whether a note tells what people look at in place of something written: `your number tells it`.
fn is_seen(notes: &[String]) -> bool {
    let words = notes.iter().flat_map(|note| split_words(note));
    let note = join_words(words.chain([String::new()]), " ");
    let shows =
        ["nothing to write ", "tells it ", "tell it ", "shows it ", "show it ", "show them "];
    shows.iter().any(|it| note.contains(it))
}

/// Whether a note names the things that it is about.
fn names_material(notes: &[String]) -> bool {
    let words = notes.iter().flat_map(|note| split_words(note));
    words.into_iter().any(|word| MATERIALS.iter().any(|it| word.trim_end_matches('s') == *it))
}

fn board_of<'a>(book: &Book<'a>, dim: Domain) -> Option<&'a Kind> {
    let Domain::Kind(kind) = dim else { return None };
    Some(book.lookup_kind(kind)).filter(|it| it.is_board())
}

/// How far people count, if a table has to be ready for it.
fn most_of(book: &Book, var: &Var) -> String {
    let range = var.range.filter(|range| {
        let high = book.rules.ranges[range.index()].high.as_ref();
        book.fixed || !high.is_some_and(|high| book.reads_options(high))
    });
    let ends = range.and_then(|range| book.range_ends(range));
    match ends {
        Some((low, Some(last))) if last <= MOST_COUNTED && low < 0 => {
            format!(", from −{} to {last}", low.unsigned_abs())
        }
        Some((_, Some(last))) if last <= MOST_COUNTED => format!(", up to {last}"),
        _ => String::new(),
    }
}

/// What an array has an element for: ` for each colour and each place`.
pub(super) fn for_each(book: &Book, var: &Var) -> String {
    let ends = |dim: &Domain| match dim {
        Domain::Range(range) => book.range_ends(*range),
        Domain::Kind(_) => None,
    };
    let noun = |dim| match ends(dim) {
        Some((low, Some(high))) => format!("number from {low} to {high}"),
        _ => book.noun(*dim),
    };
    let nouns = join_words(var.dims.iter().map(noun), " and each ");
    if nouns.is_empty() { nouns } else { format!(" for each {nouns}") }
}

fn describe_dice(book: &Book, var: &Var, name: &str) -> String {
    let counts = var.dims.iter().map(|dim| book.count_members(*dim));
    let counts = counts.reduce(|all, of| all?.checked_mul(of?)).flatten();
    match counts {
        Some(count) if name == "die" || name == "dice" => match &*for_each(book, var) {
            each if each == " for each die" || each.starts_with(" for each number") => {
                format!("{count} dice")
            }
            each => format!("{count} dice, one{each},"),
        },
        _ if var.dims.is_empty() => format!("a die, **{name}**,"),
        // Numbers, and members that are dice, say no more than how many there are.
        Some(count) if matches!(var.dims[..], [dim] if ["number", "die"].contains(&&*book.noun(dim))) =>
        {
            format!("{count} dice, **{name}**,")
        }
        Some(count) => format!("{count} dice, **{name}**, one{},", for_each(book, var)),
        None => format!("a die, **{name}**,{},", for_each(book, var)),
    }
}

fn describe_faces(book: &Book, var: &Var, faces: &Faces) -> String {
    match faces {
        Faces::Range(range) => match book.range_ends(*range) {
            Some((low, Some(high))) => format!("the faces {low} to {high}"),
            _ => "numbers".to_owned(),
        },
        Faces::List(faces) => {
            let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
            for face in faces {
                *counts.entry(face).or_default() += 1;
            }
            let words = counts.iter().map(|(face, count)| {
                let word = book.describe_value(face, &var.ty);
                if *count == 1 { word } else { format!("{count} times {word}") }
            });
            let sides = match faces.len() {
                few @ (2 | 3) if counts.len() == few => format!(", {} sides each", SIDES / few),
                _ => String::new(),
            };
            format!("the faces {}{sides}", join_list(words, "and"))
        }
    }
}
