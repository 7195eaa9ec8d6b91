//! Who can play, the box, what each player and the table have at the start, options and variants.

use std::collections::BTreeMap;

use crate::rulebook::english::{
    append_note, authored, capitalised, format_table, join_list, join_words, paragraph, sentence,
};
use crate::rulebook::flow::prose;
use crate::rulebook::words::Phraser;
use crate::rulebook::{Book, title_or_name};
use crate::rules::printed::copies_of;
use crate::rules::topology::BoardTopology;
use crate::rules::{
    Domain, Faces, GameOption, History, Init, Kind, KindShape, LocalId, PLAYER, Stmt, StmtKind,
    Type, Value, Var, VarForm, how_many,
};
use crate::syntax::ast::{Owner, Visibility};

/// All that can be touched: boards, cards, dice and coins, counted.
pub(super) fn components(book: &Book) -> String {
    let kinds = book.rules.kinds.iter().map(|kind| describe_kind(book, kind));
    let vars = book.rules.vars.iter().filter(|var| !var.undrawn);
    kinds.chain(vars.map(|var| of_var(book, var))).collect()
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
    let of = for_each(book, var);
    match &var.form {
        VarForm::Coin => {
            // The end of a range may be no more than a guard.
            let first = match book.known_value(&var.init.value) {
                Some(Value::Int(first)) if first > 0 => format!(", {first} at the start"),
                _ => String::new(),
            };
            format!("- {whose}coins or counters: **{name}**{of}{first}\n")
        }
        VarForm::Die(faces) => {
            format!(
                "- {whose}{} with {}\n",
                dice(book, var, &name),
                describe_faces(book, var, faces)
            )
        }
        _ => String::new(),
    }
}

/// What an array has an element for: ` for each colour and each place`.
fn for_each(book: &Book, var: &Var) -> String {
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

fn dice(book: &Book, var: &Var, name: &str) -> String {
    let counts = var.dims.iter().map(|dim| book.count_members(*dim));
    let counts = counts.reduce(|all, of| all?.checked_mul(of?)).flatten();
    match counts {
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
            format!("the faces {}", join_list(words, "and"))
        }
    }
}

pub(super) fn setup(book: &Book) -> String {
    let mut parts = Vec::new();
    for (owner, heading) in
        [(Owner::Player, "Each player has:"), (Owner::Table, "On the table there is:")]
    {
        // A die is in the box; where it has not been rolled there is nothing to say of it.
        let is_told = |var: &&Var| {
            let is_die = matches!(var.form, VarForm::Die(_));
            !var.undrawn && (!is_die || var.sight != Visibility::All || !var.notes.is_empty())
        };
        let vars = book.rules.vars.iter().filter(|var| var.owner == owner).filter(is_told);
        let lines: Vec<(String, String)> = vars.map(|var| describe_var(book, var)).collect();
        // What is as empty as the next is named beside it.
        let same = lines.chunk_by(|(_, before), (_, behind)| before == behind);
        let line = |same: &[(String, String)]| {
            let names = join_words(same.iter().map(|(name, _)| name.clone()), ", ");
            format!("- {names}: {}\n", same[0].1)
        };
        let mut lines: String = same.map(line).collect();
        if owner == Owner::Table {
            let told = book.rules.histories.iter().filter(|history| !history.undrawn);
            lines.extend(told.map(|history| positions(book, history)));
        }
        if !lines.is_empty() {
            parts.push(format!("{heading}\n\n{}", lines.trim_end()));
        }
    }
    if let Some(id) = book.rules.setup {
        let text = prose(book, &book.rules.rules[id.index()]);
        parts.push(format!("Then:\n\n{}", text.trim_end()));
    }
    parts.join("\n\n")
}

/// What a variable is called, and what it is at the start.
fn describe_var(book: &Book, var: &Var) -> (String, String) {
    book.budget.turn_to(var.span);
    let (name, of, first) =
        (title_or_name(&var.title, &var.name), for_each(book, var), describe_initial(book, var));
    let seen = match var.sight {
        Visibility::All => String::new(),
        Visibility::Owner => "; only this player sees it".to_owned(),
        Visibility::Others => "; the others see it, this player does not".to_owned(),
        Visibility::Named => describe_seers(book, var),
        Visibility::Nobody => "; nobody sees it".to_owned(),
    };
    let note = append_note(". ", &var.notes);
    (format!("**{name}**{of}"), format!("{first}{seen}{note}"))
}

/// `seen by PLAYERS`; the owner is `the player who has it`.
fn describe_seers(book: &Book, var: &Var) -> String {
    let Some(seers) = &var.seers else { return String::new() };
    let words = Phraser::for_locals(book, &seers.locals);
    let owner = seers.locals.iter().take(seers.binders.iter().flatten().count());
    let owner = owner.map(|_| {
        format!("for {} {}, ", words.noun_of(LocalId::at(0)), words.phrase_local(LocalId::at(0)))
    });
    let seen = words.phrase_value(&seers.value);
    format!("; {}seen by {seen} only", owner.collect::<String>())
}

/// What makes up the positions that a history remembers.
fn positions(book: &Book, history: &History) -> String {
    book.budget.turn_to(history.span);
    let name = title_or_name(&history.title, &history.name);
    let of = history.vars.iter().map(|var| {
        let var = &book.rules.vars[var.index()];
        format!("*{}*", title_or_name(&var.title, &var.name))
    });
    let note = append_note(". ", &history.notes);
    format!("- **{name}**: none yet; a position is made of {}{note}\n", join_list(of, "and"))
}

fn describe_initial(book: &Book, var: &Var) -> String {
    let init = &var.init;
    if let VarForm::Pile(_) = var.form {
        let words = Phraser::for_first_value(book, var).phrase_value(&init.value);
        return if words == "nothing" { "empty".to_owned() } else { format!("{words}, shuffled") };
    }
    if let VarForm::Die(_) = var.form {
        return "not rolled yet".to_owned();
    }
    if let Some(amount) = book.describe_amount(&init.value) {
        let empty = amount == "none" || amount == "nothing";
        return if empty { "empty".to_owned() } else { amount };
    }
    describe_formula(Phraser::for_first_value(book, var), init)
}

/// What the elements of an array are: `for square s, …`.
pub(super) fn describe_formula(words: Phraser, init: &Init) -> String {
    let called = |id: &LocalId| format!("{} {}", words.noun_of(*id), words.phrase_local(*id));
    let bound = join_words(
        init.binders.iter().flatten().filter(|id| words.you != Some(**id)).map(called),
        ", ",
    );
    let value = if init.value.ty == Type::Bool {
        format!("yes if {}", words.phrase_condition(&init.value))
    } else {
        words.phrase_value(&init.value)
    };
    if bound.is_empty() { value } else { format!("for {bound}, {value}") }
}

// Who can play, options and variants.

pub(super) fn describe_players(book: &Book) -> String {
    let seats = book.rules.kinds[PLAYER.index()].members.iter();
    let seats: Vec<String> = seats.map(|seat| title_or_name(&seat.title, &seat.name)).collect();
    let mut text = say_players(book);
    if !seats.is_empty() {
        let seats = join_words(seats, ", ");
        text.extend([format!(" They are called, in the order of their seats: {seats}.")]);
    }
    text.extend(partners(book));
    text
}

/// Who plays together.
fn partners(book: &Book) -> Option<String> {
    let rule = &book.rules.rules[book.rules.teams?.index()];
    let [Stmt { kind: StmtKind::Return(Some(team)), .. }] = rule.body.as_slice() else {
        return None;
    };
    let words = Phraser::for_rule(book, rule);
    let (team_of, name) = (words.phrase_value(team), words.phrase_local(LocalId(0)));
    let own = team_of.replace(&format!(" of {name}"), "");
    let same =
        if own.contains(&name) { format!("{team_of} (where {name} is the player)") } else { own };
    let same = same.strip_prefix("the ").unwrap_or(&same);
    let alone = if matches!(team.ty, Type::Maybe(_)) { " Who has none plays alone." } else { "" };
    Some(format!(" Players with the same {same} are a team: they win and lose together.{alone}"))
}

fn say_players(book: &Book) -> String {
    if book.fixed {
        let count = book.settings[0].players;
        return format!("This book is for {}.", how_many([count]));
    }
    let players = how_many(book.rules.player_counts());
    match book.rules.usual_players {
        usual if usual == book.rules.players.0 => format!("{players}."),
        usual => format!("{players}, usually {usual}."),
    }
}

pub(super) fn render_options(book: &Book) -> String {
    if book.rules.options.is_empty() {
        return String::new();
    }
    let last = if book.fixed { "In this book" } else { "Unless agreed otherwise" };
    let heading = ["Option", "What it means", "It can be", last].map(str::to_owned).to_vec();
    let mut rows = vec![heading];
    rows.extend(book.rules.options.iter().enumerate().map(|(at, it)| option_row(book, at, it)));
    format!("Before the game you may agree on these.\n\n{}", format_table(&rows))
}

fn option_row(book: &Book, at: usize, option: &GameOption) -> Vec<String> {
    let value = if book.fixed {
        book.describe_value(&book.settings[0].options[at], &option.ty)
    } else {
        book.describe_amount(&option.default).unwrap_or_default()
    };
    let value = value.replace(" (options may change this)", "");
    let meaning = format!("{} {}", sentence(&authored(&option.title)), paragraph(&option.notes));
    let allowed = allowed(book, option, &option.ty);
    vec![title_or_name("", &option.name), meaning.trim_end().to_owned(), allowed, value]
}

fn allowed(book: &Book, option: &GameOption, ty: &Type) -> String {
    match ty {
        Type::Bool => "yes or no".to_owned(),
        Type::Maybe(inner) => format!("{} or none", allowed(book, option, inner)),
        Type::Kind(kind) => {
            let own = book.lookup_kind(*kind).own_members().into_iter();
            let value =
                |at: usize| book.describe_value(&Value::Int(i64::try_from(at).unwrap_or(0)), ty);
            join_list(own.map(value), "or")
        }
        _ => match option.range.and_then(|range| book.range_ends(range)) {
            Some((low, Some(high))) => format!("{low} to {high}"),
            Some((low, None)) => format!("{low} or more"),
            None => "a number".to_owned(),
        },
    }
}

pub(super) fn render_variants(lines: &[String]) -> String {
    lines.iter().flat_map(|line| ["- ", line, "\n"]).collect()
}
