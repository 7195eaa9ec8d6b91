//! Overlays the declarations of a variant on those of its base.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Diagnostics, Help};
use crate::load::error;
use crate::load::extend::{apply_extension, more_drawn, put_notes, splice_base, with_base};
use crate::load::names::{
    Identity, declared_members, find_rule, first_word, identity, item_head, keep_below, plain_text,
};
use crate::load::noted::{Changed, constant_number};
use crate::load::removal::remove_declaration;
use crate::source::Span;
use crate::suggest::Guesses;
use crate::syntax::ast::{
    Cell, CellKind, Dim, DrawnRow, Expr, Extension, GameDecl, Has, Item, ItemKind, KindBody,
    KindDecl, MemberDecl, MoveLine, MovesDecl, Name, OptionItem, Owner, Removal, TableBody,
    TableDecl, Text, TextPart, TypeExpr, TypeKind, VarDecl, Variant,
};

/// The declarations of a file that is no variant, those that go on with others put after them.
pub(super) fn alone(own: Vec<Item>, diagnostics: &mut Diagnostics) -> Vec<Item> {
    let (mut items, mut more) = (Vec::new(), Vec::new());
    for item in own {
        match item.kind {
            ItemKind::Replace(_)
            | ItemKind::Remove(_)
            | ItemKind::More(Extension::Cells { .. }) => {
                let is_removal = matches!(item.kind, ItemKind::Remove(_));
                let word = if is_removal { "remove" } else { "replace" };
                diagnostics.push(error::no_base(word, first_word(item.span, word)));
            }
            ItemKind::More(extension) => more.push((item.notes, extension)),
            _ => items.push(item),
        }
    }
    for (notes, extension) in more {
        diagnostics.extend(apply_extension(&mut items, notes, extension).err());
    }
    items
}

fn cells_of(name: &Name, indices: &[Cell]) -> String {
    let words = indices.iter().map(|index| match &index.kind {
        CellKind::Name(name) => name.clone(),
        CellKind::Number(number) => number.to_string(),
        _ => String::new(),
    });
    format!("`table {}[{}]`", name.text, words.collect::<Vec<_>>().join(", "))
}

/// A move that a decision or a group has more, as messages call it.
fn added(to: &Name, line: &MoveLine) -> Option<(String, Span)> {
    let MoveLine::Option(option) = line else { return None };
    Some((move_of(&option.name, to), option.name.span))
}

fn move_of(option: &Name, to: &Name) -> String {
    format!("the move `{}` of `{}`", option.text, to.text)
}

/// The cells that `replace table face[1..2] = a b` changes, where the table of the base has more of them.
fn some_cells(items: &[Item], kind: &ItemKind) -> Option<Vec<Extension>> {
    let ends = |table: &TableDecl| match table.dims.as_slice() {
        [Dim { ty: TypeExpr { kind: TypeKind::Range(low, Some(high)), span }, .. }] => {
            Some((constant_number(items, low)?, constant_number(items, high)?, *span))
        }
        _ => None,
    };
    let ItemKind::Table(own) = kind else { return None };
    let base = items.iter().find_map(|item| match &item.kind {
        ItemKind::Table(table) if table.name.text == own.name.text => Some(table),
        _ => None,
    })?;
    let ((low, high, span), (first, last, _)) = (ends(own)?, ends(base)?);
    let TableBody::Row(cells) = &own.body else { return None };
    let is_part = first <= low && high <= last && (low, high) != (first, last);
    let is_whole = (low..=high).count() == cells.len();
    let cell = |(at, cell): (i64, &Cell)| Extension::Cells {
        name: own.name.clone(),
        indices: vec![Cell { kind: CellKind::Number(at), span }],
        cells: vec![cell.clone()],
    };
    (is_part && is_whole).then(|| (low..).zip(cells).map(cell).collect())
}

/// What a variant replaces, as messages call it.
pub(super) fn replaced(own: &[Item]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for item in own {
        match &item.kind {
            ItemKind::Replace(kind) => match kind.as_ref() {
                ItemKind::Has(has) => {
                    all.extend(has.vars.iter().map(|var| format!("`{}`", var.name.text)));
                }
                kind => all.extend(identity(kind, item.span).map(|own| own.quoted_name())),
            },
            ItemKind::More(Extension::Cells { name, indices, .. }) => {
                all.insert(cells_of(name, indices));
            }
            ItemKind::Remove(Removal::Named { words, name: Some(name), parts })
                if matches!(words.as_str(), "choose" | "moves") =>
            {
                all.extend(parts.iter().map(|part| move_of(part, name)));
            }
            _ => {}
        }
    }
    all
}

/// The base of a variant, as far as it is changed.
#[derive(Default)]
pub(super) struct Overlay {
    header: Span,
    pub(super) items: Vec<Item>,
    /// Names and places of what the variant replaces or extends.
    pub(super) changes: Vec<(String, Span)>,
    replaced: Vec<(String, Span)>,
    /// What the files below it replace or extend.
    below: Vec<(String, Span)>,
    /// What may be replaced twice, because the variant itself replaces it then.
    settled: BTreeSet<String>,
    /// The constants and options that have another number now.
    pub(super) numbers: Vec<Changed>,
    guesses: Guesses,
    pub(super) diagnostics: Diagnostics,
}

impl Overlay {
    /// The base, called as the variant is.
    pub(super) fn new(item: &Item, variant: &Variant, mut items: Vec<Item>) -> Overlay {
        for base in &mut items {
            if let (ItemKind::Game(game), Some(own)) = (&mut base.kind, &variant.title) {
                game.title = game.title.as_ref().map(|title| join_titles(title, own));
            }
        }
        Overlay { header: item.span, items, ..Overlay::default() }
    }

    /// Records what the variant replaces: there, the files below it may differ.
    pub(super) fn settle_replaced(&mut self, own: &[Item]) {
        self.settled = replaced(own);
        let ranges = own.iter().filter_map(|item| match &item.kind {
            ItemKind::Replace(kind) => some_cells(&self.items, kind),
            _ => None,
        });
        let cells = ranges.flatten().filter_map(|cells| match cells {
            Extension::Cells { name, indices, .. } => Some(cells_of(&name, &indices)),
            _ => None,
        });
        self.settled.extend(cells);
    }

    /// Puts the variant's own declarations over the base.
    pub(super) fn apply_variant(&mut self, own: Vec<Item>) {
        self.below.append(&mut self.replaced);
        let (mut more, mut removals, mut extended) = (Vec::new(), Vec::new(), Vec::new());
        for item in own {
            match item.kind {
                ItemKind::Variant(_) => {
                    let is_game = |it: &&mut Item| matches!(it.kind, ItemKind::Game(_));
                    let game = self.items.iter_mut().find(is_game);
                    game.into_iter()
                        .for_each(|game| put_notes(&mut game.notes, item.notes.clone(), false));
                }
                ItemKind::More(extension) => more.push((item.notes, extension)),
                ItemKind::Remove(removal) => removals.push((removal, item.span)),
                ItemKind::Replace(kind) => match some_cells(&self.items, &kind) {
                    Some(cells) => {
                        let none = std::iter::repeat_with(Vec::new);
                        more.extend(std::iter::once(item.notes).chain(none).zip(cells));
                    }
                    None => self.replace(Item { kind: ItemKind::Replace(kind), ..item }),
                },
                _ => self.add_item(item),
            }
        }
        for (removal, span) in removals {
            if let Removal::Named { name, parts, .. } = &removal {
                let names = parts.iter().chain(name);
                self.changes.extend(names.map(|it| (it.text.clone(), it.span)));
            }
            let done = remove_declaration(&mut self.items, removal, span);
            self.diagnostics.extend(done.err());
        }
        for (notes, extension) in more {
            let (word, name) = extension.target();
            self.changes.push((name.text.clone(), name.span));
            let own = match &extension {
                Extension::Cells { name, indices, .. } => {
                    vec![(cells_of(name, indices), name.span)]
                }
                Extension::Choice { options, .. } | Extension::Moves(MovesDecl { options, .. }) => {
                    options.iter().filter_map(|line| added(name, line)).collect()
                }
                _ => Vec::new(),
            };
            for (spoken, span) in own {
                self.differs(spoken.clone(), span, false);
                extended.push((spoken, span));
            }
            extended.push((format!("`{word} {}`", name.text), name.span));
            let done = apply_extension(&mut self.items, notes, extension);
            self.diagnostics.extend(done.err());
        }
        self.below.append(&mut extended);
    }

    /// Reports what a file below replaces or extends, too, unless the one calls the other, or the variant settles it.
    fn differs(&mut self, spoken: String, span: Span, calls: bool) {
        let earlier = self.below.iter().find(|(known, _)| *known == spoken);
        if let Some((_, earlier)) = earlier.filter(|_| !calls && !self.settled.contains(&spoken)) {
            self.diagnostics.push(error::differ(spoken, span, *earlier));
        }
    }

    /// A new declaration, or a new default of an option.
    fn add_item(&mut self, mut item: Item) {
        match &mut item.kind {
            ItemKind::Has(has) => self.without_known(has),
            ItemKind::Option(own) if self.find_option(&own.name.text).is_some() => {
                let option = self.find_option(&own.name.text).expect("it was just found");
                let old = std::mem::replace(&mut option.default, own.default.clone());
                option.ty = own.ty.take().or(option.ty.take());
                option.title = own.title.take().or(option.title.take());
                self.changed_number(&own.name, &old, &own.default);
                return self.changes.push((own.name.text.clone(), own.name.span));
            }
            ItemKind::Extend(kind) => {
                let (name, span) = (kind.name.text.clone(), kind.name.span);
                self.changes.push((name, span));
                let part = self.items.iter_mut().find_map(|it| part_of_another(it, kind));
                let added = part.map(|part| add_members(part, kind));
                if let Some(added) = added {
                    return self.diagnostics.extend(added.err());
                }
                self.changes
                    .extend(declared_members(&item.kind).map(|(name, ..)| (name.to_owned(), span)));
            }
            kind => {
                if let Some(own) = identity(kind, item.span)
                    && let Some(at) = self.find_declaration(&own)
                {
                    let (earlier, span) = (shown_span(&self.items[at]), shown_span(&item));
                    let (what, help) = (own.quoted_name(), replacement(&own));
                    let error = error::declared_again(what, help, span, earlier);
                    return self.diagnostics.push(error);
                }
            }
        }
        self.items.push(item);
    }

    fn changed_number(&mut self, name: &Name, old: &Expr, new: &Expr) {
        let [old, new] = [old, new].map(|it| constant_number(&self.items, it));
        let old = old.filter(|_| old != new);
        let (name, span) = (name.text.clone(), name.span);
        self.numbers.extend(old.map(|old| Changed { name, span, old }));
    }

    fn find_option(&mut self, name: &str) -> Option<&mut OptionItem> {
        self.items.iter_mut().find_map(|item| match &mut item.kind {
            ItemKind::Option(option) if option.name.text == name => Some(option),
            _ => None,
        })
    }

    /// Reports the variables that the base has, and takes them out.
    fn without_known(&mut self, has: &mut Has) {
        let who = has.owner.as_str();
        has.vars.retain(|var| {
            let known =
                variables(&mut self.items, has.owner).find(|it| it.name.text == var.name.text);
            let Some(base) = known else { return true };
            self.diagnostics.push(error::declared_again(
                format!("`{}`", var.name.text),
                in_its_place(&format!("replace {who} {{ {} … }}", var.name.text)),
                var.name.span,
                base.name.span,
            ));
            false
        });
    }

    fn find_declaration(&self, own: &Identity) -> Option<usize> {
        let mut ids = self.items.iter().map(|item| identity(&item.kind, item.span));
        ids.position(|id| id.is_some_and(|id| id.word == own.word && id.name == own.name))
    }

    fn replace(&mut self, item: Item) {
        let Item { notes, kind: ItemKind::Replace(kind), span } = item else {
            unreachable!("only what replaces comes here")
        };
        match *kind {
            ItemKind::Has(has) => {
                has.vars.into_iter().for_each(|var| self.replace_var(has.owner, var));
            }
            ItemKind::Game(game) => self.replace_game(game, notes, span),
            kind => self.replace_named(Item { notes, kind, span }),
        }
    }

    fn replace_named(&mut self, item: Item) {
        let own = identity(&item.kind, item.span).expect("what can be replaced has a name");
        let has_name = !own.name.is_empty();
        let place = if has_name { own.span } else { first_word(item.span, "replace") };
        let calls = match &item.kind {
            ItemKind::Rule(rule) => rule.base.is_some(),
            ItemKind::Flow(flow) => splice_base(&mut flow.body.clone(), &flow.body),
            _ => false,
        };
        if self.report_second_change(own.quoted_name(), place, calls) {
            return;
        }
        if let Some(at) = self.find_declaration(&own) {
            let base = self.put_at(at, item);
            let lost = declared_members(&base.kind).map(|(name, ..)| (name.to_owned(), place));
            self.changes.extend(lost);
            return self.changes.push((own.name, place));
        }
        let guess = self.guesses.are_left();
        let ids = self.items.iter().filter(|_| guess);
        let ids: Vec<Identity> = ids.filter_map(|it| identity(&it.kind, it.span)).collect();
        let elsewhere = ids.iter().find(|id| id.name == own.name && has_name).map(|id| {
            format!("the base has a {}: write `replace {} …`", id.quoted_name(), id.word).into()
        });
        let alike = ids.iter().filter(|id| id.word == own.word).map(|id| id.name.as_str());
        let near = self.guesses.nearest(&own.name, alike).map(Help::did_you_mean);
        self.nothing_to_replace(own.quoted_name(), elsewhere.or(near), place);
    }

    /// Puts a declaration in the place of another. A rule that is called by the one in its place stays,
    /// under a name that nobody can write.
    fn put_at(&mut self, at: usize, mut item: Item) -> Item {
        let mut base = self.items[at].clone();
        let mut goes_on = false;
        match (&mut item.kind, &base.kind) {
            (ItemKind::Rule(own), ItemKind::Rule(_))
                if own.base.is_some() && find_rule(&self.items, "base").is_none() =>
            {
                own.base = Some(keep_below(&mut self.items, at));
                goes_on = true;
            }
            (ItemKind::Flow(own), ItemKind::Flow(old)) => {
                goes_on = splice_base(&mut own.body, &old.body);
            }
            (ItemKind::Let(own), ItemKind::Let(old)) => {
                self.changed_number(&own.name, &old.value, &own.value);
            }
            _ => {}
        }
        keep_title(&mut item.kind, &base.kind);
        let kept = std::mem::take(&mut base.notes);
        item.notes = with_base(item.notes, &kept);
        if item.notes.is_empty() && !goes_on && !kept.is_empty() {
            match &item.kind {
                // It may do something else than the notes say.
                ItemKind::Rule(rule) => {
                    let (name, span) = (rule.name.text.clone(), rule.name.span);
                    let earlier = shown_span(&base);
                    self.diagnostics.push(error::no_notes(name, span, earlier));
                }
                _ => item.notes = kept,
            }
        }
        self.items[at] = item;
        base
    }

    /// Notes what the variant changes; reports a second change of the same. Returns whether it is a second.
    fn report_second_change(&mut self, spoken: String, span: Span, calls: bool) -> bool {
        if let Some((_, earlier)) = self.replaced.iter().find(|(known, _)| *known == spoken) {
            let earlier = *earlier;
            self.diagnostics.push(error::replaced_twice(spoken, span, earlier));
            return true;
        }
        self.differs(spoken.clone(), span, calls);
        self.replaced.push((spoken, span));
        false
    }

    fn nothing_to_replace(&mut self, what: String, help: Option<Help>, span: Span) {
        let help = help.unwrap_or_else(|| "leave out `replace` if it is new".into());
        let error = error::nothing_to_replace(what, help, span, self.header);
        self.diagnostics.push(error);
    }

    fn replace_var(&mut self, who: Owner, var: VarDecl) {
        let (name, span) = (var.name.text.clone(), var.name.span);
        if self.report_second_change(format!("`{name}`"), span, false) {
            return;
        }
        if let Some(base) = variables(&mut self.items, who).find(|it| it.name.text == name) {
            let notes = if var.notes.is_empty() { base.notes.clone() } else { var.notes.clone() };
            *base = VarDecl { notes, ..var };
            return self.changes.push((name, span));
        }
        let names = variables(&mut self.items, who).map(|it| it.name.text.as_str());
        let near = self.guesses.nearest(&name, names).map(Help::did_you_mean);
        self.nothing_to_replace(format!("`{}` with `{name}`", who.as_str()), near, span);
    }

    /// The clauses that are given take the place of their likes; the others stay.
    fn replace_game(&mut self, own: GameDecl, notes: Vec<String>, span: Span) {
        let place = first_word(span, "replace");
        if self.report_second_change("`game`".to_owned(), place, true) {
            return;
        }
        let game = self.items.iter_mut().find_map(|item| match &mut item.kind {
            ItemKind::Game(game) => Some((game, &mut item.notes)),
            _ => None,
        });
        let Some((game, base)) = game else { return };
        if !notes.is_empty() {
            *base = with_base(notes, base);
        }
        game.title = own.title.or(game.title.take());
        for clause in &own.clauses {
            let like = std::mem::discriminant(clause);
            game.clauses.retain(|it| std::mem::discriminant(it) != like);
        }
        game.clauses.extend(own.clauses);
        self.changes.push((String::new(), place));
    }
}

fn variables(items: &mut [Item], who: Owner) -> impl Iterator<Item = &mut VarDecl> {
    let blocks = items.iter_mut().filter_map(move |item| match &mut item.kind {
        ItemKind::Has(has) if has.owner == who => Some(&mut has.vars),
        _ => None,
    });
    blocks.flatten()
}

/// Copies the title of a replaced declaration to one without.
fn keep_title(own: &mut ItemKind, base: &ItemKind) {
    let (own, base) = match (own, base) {
        (ItemKind::Table(own), ItemKind::Table(base)) => (&mut own.title, &base.title),
        (ItemKind::Kind(own), ItemKind::Kind(base)) => (&mut own.title, &base.title),
        (ItemKind::Cards(own), ItemKind::Cards(base)) => (&mut own.title, &base.title),
        (ItemKind::Board(own), ItemKind::Board(base)) => (&mut own.title, &base.title),
        (ItemKind::Rule(own), ItemKind::Rule(base)) => (&mut own.title, &base.title),
        _ => return,
    };
    *own = own.take().or_else(|| base.clone());
}

/// The kind that an extension adds members to, if it is a part of another kind.
fn part_of_another<'i>(item: &'i mut Item, more: &KindDecl) -> Option<&'i mut KindBody> {
    match &mut item.kind {
        ItemKind::Kind(kind) if kind.name.text == more.name.text && kind.within.is_some() => {
            Some(&mut kind.body)
        }
        _ => None,
    }
}

/// Adds members to those of a kind. Where these are drawn, a title is their only cell.
fn add_members(body: &mut KindBody, more: &KindDecl) -> Result<(), Diagnostic> {
    match (body, more.body.clone()) {
        (KindBody::Members(members), KindBody::Members(more)) => members.extend(more),
        (KindBody::Drawn(drawn), KindBody::Drawn(rows)) => {
            return more_drawn(drawn, more.name.clone(), rows);
        }
        (KindBody::Drawn(drawn), KindBody::Members(more)) => {
            for MemberDecl { name: Name { text, span }, title } in more {
                let title = title.as_ref().and_then(|title| {
                    Some(Cell { kind: CellKind::Text(plain_text(title)?), span: title.span })
                });
                let label = Cell { kind: CellKind::Name(text), span };
                let cells = title.into_iter().collect();
                drawn.rows.push(DrawnRow { notes: Vec::new(), label, cells, span });
            }
        }
        (KindBody::Members(_) | KindBody::Product(_), _) | (_, KindBody::Product(_)) => {
            let Name { text, span } = more.name.clone();
            return Err(error::drawn_otherwise(text, span, span));
        }
    }
    Ok(())
}

/// `Base: Variant`
fn join_titles(base: &Text, variant: &Text) -> Text {
    let between = vec![TextPart::Words(": ".to_owned())];
    Text {
        parts: [base.parts.clone(), between, variant.parts.clone()].concat(),
        span: variant.span,
    }
}

/// What to do with a declaration that the base has too.
fn replacement(own: &Identity) -> String {
    match (own.word, own.name.as_str()) {
        ("game", _) => "a variant has the game of its base; write `replace game { … }` to change \
                        how many play, the limit or the title"
            .to_owned(),
        (word, "") => format!("write `replace {word} {{ … }}` to put this one in its place"),
        (word, name) => in_its_place(&format!("replace {word} {name} …")),
    }
}

fn in_its_place(replacement: &str) -> String {
    format!("write `{replacement}` to put this one in its place, or take another name")
}

/// What is underlined of a declaration: its name, or its first word.
fn shown_span(item: &Item) -> Span {
    match item_head(&item.kind) {
        (_, Some(name)) => name.span,
        (word, None) => first_word(item.span, word),
    }
}
