//! Phrases the setup: number of players, length, the table, who begins, options and variants.

use std::collections::BTreeSet;

use crate::rulebook::boxed::for_each;
use crate::rulebook::drawn::draw_boards;
use crate::rulebook::english::{
    append_note, capitalised, format_table, is_many, join_list, join_words, paragraph, plural,
};
use crate::rulebook::firsts::FirstUses;
use crate::rulebook::flow::{called, prose};
use crate::rulebook::optional::render_changes;
use crate::rulebook::pieces::stocked_pieces;
use crate::rulebook::results::goals;
use crate::rulebook::said::lay_out;
use crate::rulebook::starter::{first_player, seated_first};
use crate::rulebook::words::Phraser;
use crate::rulebook::{Book, has_own_title, title_or_name};
use crate::rules::visit::{any_stmt, visit_stmts};
use crate::rules::{
    Array, Domain, Expr, ExprKind, GameOption, Init, Kind, KindShape, LocalId, PLAYER, RuleId,
    Rules, Stmt, StmtKind, Type, Value, Var, VarForm, VarId, how_many,
};
use crate::syntax::ast::{Owner, TransferVerb, Visibility};

/// Who plays, how long, and what for.
pub(super) fn in_one_breath(book: &Book) -> String {
    let mut text = format!("- **Players**: {}\n", describe_players(book));
    let goals = goals(book);
    if !goals.is_empty() {
        text.extend([format!("- **Goal**: {}\n", goals.join(" "))]);
    }
    text
}

/// What the setup does, or its note.
pub(super) fn steps_by_hand(book: &Book) -> String {
    let steps = book.rules.setup.map(|id| prose(book, &book.rules.rules[id.index()]));
    steps.map_or_else(String::new, |steps| steps.trim_end().to_owned())
}

/// How the table is set up, by hand, in order; who begins comes last.
pub(super) fn setup(book: &Book, steps: &str, explained: String, asks_first: bool) -> String {
    let mut parts = Vec::new();
    let boards = draw_boards(book);
    if !boards.is_empty() {
        parts.push(format!("Lay out:\n\n{boards}"));
    }
    let (written, uses) = (written_by_setup(book), FirstUses::of_play(book));
    for (owner, heading) in
        [(Owner::Player, "Each player begins with:"), (Owner::Table, "On the table:")]
    {
        let vars = book.rules.vars.iter().enumerate();
        let vars = vars.filter(|(_, var)| var.owner == owner && !var.undrawn);
        let open = vars.filter(|(at, _)| !written.contains(&VarId::at(*at)));
        let (mut lines, mut lacked) = (String::new(), Vec::new());
        for (at, var) in open {
            let line = beginning_of(book, &uses, VarId::at(at), var);
            if line.is_none() && owner == Owner::Player && matches!(var.form, VarForm::Coin) {
                lacked.push(format!("no **{}**", title_or_name(&var.title, &var.name)));
            }
            lines.extend(line);
        }
        if !lines.is_empty() {
            if !lacked.is_empty() {
                lines.extend(["- ", &join_list(lacked, "and")]);
            }
            parts.push(format!("{heading}\n\n{}", lines.trim_end()));
        }
    }
    if !steps.is_empty() {
        let then = if parts.is_empty() { "" } else { "Then:\n\n" };
        parts.push(format!("{then}{steps}"));
    }
    let places = book.rules.vars.iter().filter_map(|var| place_of(book, var));
    let places: String = places.chain(open_piles(book)).collect();
    if !places.is_empty() {
        parts.push(format!("Places, and who may look:\n\n{}", places.trim_end()));
    }
    let is_told = steps.to_lowercase().contains("who begins");
    let first = if book.most_players() > 1 { first_player(book) } else { Vec::new() };
    let first = if is_told { Vec::new() } else { first };
    let seated = !book.lookup_kind(PLAYER).members.is_empty();
    let asks_first = asks_first || parts.concat().contains(seated_first(book));
    let agree = asks_first
        && book.most_players() > 1
        && !seated
        && (!is_told || book.draws_first)
        && !first.iter().any(|it| it.contains("first player"));
    if agree && book.draws_first {
        parts.push("Agree who sits in the first seat.".to_owned());
    }
    let agreed = (agree && !book.draws_first).then(|| "Agree on a first player.".to_owned());
    let first: Vec<String> = first.into_iter().chain(agreed).collect();
    if !first.is_empty() {
        let others = if book.most_players() > 2 { " The others follow to the left." } else { "" };
        parts.push(format!("Who begins: {}{others}", first.join(" ")));
    }
    parts.extend(Some(explained).filter(|it| !it.is_empty()));
    parts.join("\n\n")
}

/// The variables that the setup gives a value, itself or by what it follows: what they hold before nobody sees.
fn written_by_setup(book: &Book) -> BTreeSet<VarId> {
    let (mut written, mut met) = (BTreeSet::new(), BTreeSet::new());
    let mut next: Vec<RuleId> = book.rules.setup.into_iter().collect();
    while let Some(id) = next.pop().filter(|_| book.has_room(0)) {
        if !met.insert(id) {
            continue;
        }
        let rule = &book.rules.rules[id.index()];
        visit_stmts(&rule.body, &mut |stmt| match &stmt.kind {
            StmtKind::Assign(place, _) => {
                if let ExprKind::Element(Array::Var(id), _) = &place.kind {
                    written.insert(*id);
                }
            }
            StmtKind::Call(Expr { kind: ExprKind::Call(id, _), .. }) => next.push(*id),
            _ => {}
        });
    }
    written
}

/// What there is of a variable when the game begins, if it is more than nothing.
fn beginning_of(book: &Book, uses: &FirstUses, id: VarId, var: &Var) -> Option<String> {
    book.budget.turn_to(var.span);
    if let Some((count, pieces)) = stocked_pieces(book, var) {
        return Some(format!("- all {count} **{pieces}**\n"));
    }
    let (mut name, of) = (title_or_name(&var.title, &var.name), for_each(book, var));
    name = book.place_of_piece(var).unwrap_or(name);
    match (&var.form, &var.ty) {
        (VarForm::Die(_), _) | (_, Type::Bool) => return None,
        (VarForm::Pile(pile), _) => {
            let words = Phraser::for_first_value(book, var).phrase_value(&var.init.value);
            let shuffled = if pile.ordered { ", shuffled" } else { "" };
            let words = all_of_kind(book, var).filter(|_| words == "all cards").unwrap_or(words);
            return (words != "nothing").then(|| format!("- **{name}**{of}: {words}{shuffled}\n"));
        }
        (_, Type::Kind(_)) if var.dims.is_empty() && !uses.is_read(id) => return None,
        (_, Type::Kind(PLAYER)) => {
            let first = describe_formula(Phraser::for_first_value(book, var), &var.init);
            return Some(format!("- **{name}**{of}: {first}\n"));
        }
        _ => {}
    }
    let amount = book.describe_amount(&var.init.value);
    if let Some(amount) = &amount {
        let number = amount.parse::<i64>();
        let is_nothing = ["none", "nothing", "an empty list"].contains(&amount.as_str());
        let is_small = number.as_ref().is_ok_and(|number| *number < least_told(book, uses, id));
        if is_nothing || is_small {
            return None;
        }
        if number.is_ok() && var.dims.is_empty() && is_many(&format!("the {name}")) {
            return Some(format!("- {amount} **{name}**\n"));
        }
    }
    let first =
        amount.unwrap_or_else(|| describe_formula(Phraser::for_first_value(book, var), &var.init));
    Some(format!("- **{name}**{of}: {first}\n"))
}

/// The least number that is more than nothing: a count of rounds begins with 1, and is never less.
fn least_told(book: &Book, uses: &FirstUses, id: VarId) -> i64 {
    let var = &book.rules.vars[id.index()];
    let is_it =
        |place: &Expr| matches!(place.kind, ExprKind::Element(Array::Var(it), _) if it == id);
    let falls = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Change { place, add: false, .. }
        | StmtKind::Transfer { place, verb: TransferVerb::Loses | TransferVerb::Pays, .. } => {
            is_it(place)
        }
        _ => false,
    };
    if !var.dims.is_empty() && called(book).iter().any(|rule| any_stmt(&rule.body, falls)) {
        return if uses.is_read(id) || matches!(var.form, VarForm::Coin) { 1 } else { 2 };
    }
    let ends = var.range.and_then(|range| book.range_ends(range));
    let is_several =
        var.dims.is_empty() && is_many(&format!("the {}", title_or_name(&var.title, &var.name)));
    let counts = is_several || ends.map_or(var.owner == Owner::Table, |(low, _)| low > 0);
    let is_coin = matches!(var.form, VarForm::Coin);
    if is_coin || !counts && uses.is_read(id) { 1 } else { 2 }
}

/// The cards of a pile that has all of one kind, where there are several kinds of cards.
fn all_of_kind(book: &Book, var: &Var) -> Option<String> {
    let (Type::Set(Domain::Kind(kind)) | Type::Kind(kind)) = var.init.value.ty else { return None };
    let kinds = book.rules.kinds.iter();
    let has_several = kinds.filter(|it| matches!(it.shape, KindShape::Cards(_))).count() > 1;
    let Kind { title, name, .. } = book.lookup_kind(kind);
    let called = title_or_name(title, name);
    has_several.then(|| match has_own_title(title, name) {
        true => format!("all {}", plural(&called)),
        false if name.ends_with("ard") => format!("all *{}*", plural(&called)),
        false => format!("all *{called}* cards"),
    })
}

/// The piles, by their names, that nobody looks through.
pub(crate) fn unseen_piles(rules: &Rules) -> BTreeSet<String> {
    let is_pile = |var: &&Var| matches!(var.form, VarForm::Pile(_));
    let unseen = |var: &&Var| is_pile(var) && var.sight == Visibility::Nobody;
    rules.vars.iter().filter(unseen).map(|var| var.name.clone()).collect()
}

/// Where cards lie and secrets are kept, and who sees them. An open place without a word of its own needs no line.
fn place_of(book: &Book, var: &Var) -> Option<String> {
    // What lies in the middle is named where it is laid.
    let is_told =
        !var.notes.is_empty() || var.owner == Owner::Player && has_own_title(&var.title, &var.name);
    if var.undrawn {
        return None;
    }
    let seen = match var.sight {
        Visibility::All if is_told && matches!(var.form, VarForm::Pile(_)) => {
            "all may look".to_owned()
        }
        Visibility::All => return None,
        Visibility::Owner => "only you look at yours".to_owned(),
        Visibility::Others => "all others look at yours, you do not".to_owned(),
        Visibility::Named => describe_seers(book, var),
        Visibility::Nobody => "nobody looks".to_owned(),
    };
    let each = if var.owner == Owner::Player { ", each player's own" } else { "" };
    let each = if var.sight == Visibility::All { each } else { "" };
    let name = title_or_name(&var.title, &var.name);
    Some(format!("- **{name}**{each}: {seen}{}\n", append_note(". ", &var.notes)))
}

/// The other piles, through which all may look: those of each player, and those in the middle.
fn open_piles(book: &Book) -> Vec<String> {
    let is_open = |var: &&Var| {
        let is_pile = matches!(var.form, VarForm::Pile(_));
        is_pile && !var.undrawn && var.sight == Visibility::All && place_of(book, var).is_none()
    };
    let lines = [(Owner::Player, ", for each player"), (Owner::Table, "")].map(|(owner, each)| {
        let piles = book.rules.vars.iter().filter(|var| var.owner == owner).filter(is_open);
        let name = |var: &Var| {
            format!("**{}**{}", title_or_name(&var.title, &var.name), for_each(book, var))
        };
        // A place for each of several things is a line of its own.
        let (several, single): (Vec<&Var>, Vec<&Var>) = piles.partition(|it| !it.dims.is_empty());
        let single = join_list(single.into_iter().map(name), "and");
        let lines = several.into_iter().map(name).chain([single]).filter(|it| !it.is_empty());
        lines.map(|names| format!("- {names}{each}: all may look\n")).collect::<Vec<_>>()
    });
    lines.concat()
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
    format!("{}seen by {seen} only", owner.collect::<String>())
}

/// What the elements of an array are: `for square s, …`.
pub(super) fn describe_formula(words: Phraser, init: &Init) -> String {
    if let (ExprKind::Match(..), Some(Some(good))) = (&init.value.kind, init.binders.last())
        && let Some(goods) = words.goods(&init.value, *good)
    {
        return goods;
    }
    let called =
        |id: &LocalId| format!("each {}{}", words.noun_of(*id), words.phrase_introduced(*id));
    let bound = init.binders.iter().flatten().filter(|id| words.you != Some(**id));
    let bound = join_words(bound.map(called), ", ");
    let value = if init.value.ty == Type::Bool {
        format!("yes if {}", words.phrase_condition(&init.value))
    } else {
        words.phrase_value(&init.value)
    };
    if bound.is_empty() { value } else { format!("for {bound}, {value}") }
}

// Who can play, options and variants.

fn describe_players(book: &Book) -> String {
    let seats = book.rules.kinds[PLAYER.index()].members.iter().take(book.most_players());
    let seats: Vec<String> = seats.map(|seat| title_or_name(&seat.title, &seat.name)).collect();
    let mut text = say_players(book);
    if !seats.is_empty() {
        let seats = join_words(seats, ", ");
        text.extend([format!(" They are called, in the order of their seats: {seats}.")]);
    }
    text.extend(partners(book));
    text
}

fn partners(book: &Book) -> Option<String> {
    let rule = &book.rules.rules[book.rules.teams?.index()];
    let [Stmt { kind: StmtKind::Return(Some(team)), .. }] = rule.body.as_slice() else {
        return None;
    };
    let words = Phraser::for_rule(book, rule);
    let (team_of, name) = (words.phrase_value(team), words.phrase_local(LocalId(0)));
    let same = team_of.replace(&format!(" of {name}"), "").replace(&name, "a player");
    let same = same.strip_prefix("the ").unwrap_or(&same);
    let alone = if matches!(team.ty, Type::Maybe(_)) { " Who has none plays alone." } else { "" };
    Some(format!(" Players with the same {same} are a team: they win and lose together.{alone}"))
}

fn say_players(book: &Book) -> String {
    let players = how_many(book.settings.iter().map(|setting| setting.players));
    if book.fixed && book.settings.len() == 1 {
        return format!("This book is for {players}.");
    }
    match book.rules.usual_players {
        usual if usual == book.rules.players.0 => format!("{players}."),
        usual => format!("{players}, usually {usual}."),
    }
}

pub(super) fn render_options(book: &Book, variants: &[String]) -> String {
    let parts = [options_table(book), lay_out(&render_changes(book)), render_variants(variants)];
    let parts = parts.into_iter().filter(|text| !text.is_empty());
    join_words(parts.map(|text| text.trim_end().to_owned()), "\n\n")
}

fn options_table(book: &Book) -> String {
    if book.rules.options.is_empty() {
        return String::new();
    }
    let last = if book.fixed { "In this book" } else { "Unless agreed otherwise" };
    let heading = ["Option", "What it means", "It can be", last].map(str::to_owned).to_vec();
    let mut rows = vec![heading];
    rows.extend(book.rules.options.iter().enumerate().map(|(at, it)| option_row(book, at, it)));
    // Where the names say all, nothing stands below what they mean.
    if rows.iter().skip(1).all(|row| row[1].is_empty()) {
        rows.iter_mut().for_each(|row| drop(row.remove(1)));
    }
    format!("Before the game you may agree on these.\n\n{}", format_table(&rows))
}

fn option_row(book: &Book, at: usize, option: &GameOption) -> Vec<String> {
    let mut values = book.settings.iter().map(|setting| &setting.options[at]);
    let first = values.next().expect("a book has a setting");
    // What follows from the number of players is told as where nothing is agreed.
    let value = if book.fixed && values.all(|it| it == first) {
        book.describe_value(first, &option.ty)
    } else {
        book.describe_amount(&option.default).unwrap_or_default()
    };
    let value = value.split([';', '(']).next().unwrap_or_default().trim_end().to_owned();
    let (name, meaning) = (book.option_title(at).replace('*', ""), paragraph(&option.notes));
    vec![capitalised(&name), meaning, allowed(book, option, &option.ty), value]
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

fn render_variants(lines: &[String]) -> String {
    let lines: String = lines.iter().flat_map(|line| ["- ", line, "\n"]).collect();
    if lines.is_empty() { lines } else { format!("### Variants\n\n{lines}") }
}
