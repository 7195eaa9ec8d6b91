//! Kinds made of others: a product has a member for each combination, a part some members of the whole.

use std::collections::BTreeSet;

use crate::check::collect::Collector;
use crate::check::error;
use crate::check::file::members::{MOST_MEMBERS, cell_word, plain_member};
use crate::check::recorder::{CompletionContext, Symbol};
use crate::check::words::quote_list;
use crate::rules::{Column, Domain, KindId, Member, PLAYER, Subkind, Type, Value, filler, to_int};
use crate::syntax::{ast, in_snake_case, print_expression};

/// A part of the printed form of a product.
enum FormPart {
    Words(String),
    /// What is printed of one of its kinds, by place.
    Factor(usize),
}

/// A kind that is made of others, those kinds, how its members print, and their first titles.
pub(crate) struct Product {
    id: KindId,
    factors: Vec<KindId>,
    form: Vec<FormPart>,
    titles: Vec<String>,
}

/// A kind, its declaration, and the kinds that it is made of.
type MadeKind<'k> = (KindId, &'k ast::KindDecl, Vec<KindId>);

/// Sorts kinds after those that they are made of; those that need themselves come apart.
fn sort_kinds(mut waiting: Vec<MadeKind>) -> (Vec<MadeKind>, Vec<MadeKind>) {
    let mut ready = Vec::new();
    while let Some(at) =
        waiting.iter().position(|(_, _, of)| !waiting.iter().any(|(id, _, _)| of.contains(id)))
    {
        ready.push(waiting.remove(at));
    }
    (ready, waiting)
}

/// The positions in each kind of a combination; the last kind runs fastest.
fn split_position(mut at: usize, sizes: &[usize]) -> Vec<usize> {
    let mut parts = Vec::new();
    for size in sizes.iter().rev() {
        parts.push(at % size);
        at /= size;
    }
    parts.reverse();
    parts
}

impl Collector<'_> {
    /// Finds the members of all products; a product of products comes after those.
    pub(crate) fn check_products(&mut self, kinds: &[(KindId, &ast::KindDecl)]) -> Vec<Product> {
        let mut made: Vec<MadeKind> = Vec::new();
        for (id, kind) in kinds {
            if let ast::KindBody::Product(factors) = &kind.body
                && self.check_factors(factors)
            {
                let factor = |name: &ast::Name| self.file.names.kinds.get(&name.text).copied();
                made.push((*id, kind, factors.iter().filter_map(factor).collect()));
            }
        }
        let (made, circular) = sort_kinds(made);
        let made = made.into_iter().filter_map(|made| self.make_product(made)).collect();
        for (_, kind, _) in circular {
            let problem = format!("`{}` is a product of itself", kind.name.text);
            let help = "make it of kinds that are made without it";
            self.file.report_error(error::product(problem, help, kind.name.span));
        }
        made
    }

    /// Gives the members of products the titles that columns of their kinds hold, unless they are given others.
    pub(crate) fn title_products(&mut self, products: &[Product]) {
        for Product { id, factors, form, titles } in products {
            let sizes = self.sizes_of(factors);
            for (at, first) in titles.iter().enumerate() {
                let places = split_position(at, &sizes);
                let title = self.join_parts(form, factors, &places, |it| &it.title);
                let member = &mut self.file.rules.kinds[id.index()].members[at];
                if member.title == *first && title != *first {
                    self.file.budget.hold_memory(4 * title.len());
                    member.title = title;
                }
            }
        }
    }

    fn sizes_of(&self, factors: &[KindId]) -> Vec<usize> {
        factors.iter().map(|it| self.file.rules.kind_at(*it).members.len()).collect()
    }

    /// What is printed of a combination of members, of which `pick` gives the words.
    fn join_parts(
        &self,
        form: &[FormPart],
        factors: &[KindId],
        places: &[usize],
        pick: fn(&Member) -> &str,
    ) -> String {
        let word = |at: usize| pick(&self.file.rules.kind_at(factors[at]).members[places[at]]);
        let parts = form.iter().map(|part| match part {
            FormPart::Words(words) => words,
            FormPart::Factor(at) => word(*at),
        });
        parts.collect()
    }

    /// Reports factors that are not different kinds which may be combined; true if there are none.
    fn check_factors(&mut self, factors: &[ast::Name]) -> bool {
        let mut fine = true;
        for (at, factor) in factors.iter().enumerate() {
            self.file.recorder.see(&factor.text, CompletionContext::Type);
            let (problem, help) = match self.file.kind_named(factor) {
                None => {
                    fine = false;
                    continue;
                }
                Some(PLAYER) if self.file.rules.players.0 < self.file.rules.players.1 => (
                    "players cannot be part of a product where their number changes".to_owned(),
                    "write one number of players, `players 2 { … }`; or index an array by both",
                ),
                Some(PLAYER) if self.file.rules.kind_at(PLAYER).members.is_empty() => (
                    "players are part of a product only where the seats have names".to_owned(),
                    "name the seats: `players 2 { white, black }`",
                ),
                _ if factors[..at].iter().any(|earlier| earlier.text == factor.text) => (
                    format!("`{}` is in the product twice", factor.text),
                    "both columns would have the same name; declare a second kind for the other part",
                ),
                _ if self.is_declared_part(&factor.text) => (
                    format!("`{}` is a part of a kind", factor.text),
                    "make the product of the whole kind, and test for the part",
                ),
                _ if factors.len() < 2 => (
                    "a product is made of at least two kinds".to_owned(),
                    "write two kinds: `kind Flag = Colour, Cloth`",
                ),
                Some(_) => continue,
            };
            fine = false;
            self.file.report_error(error::product(problem, help, factor.span));
        }
        fine
    }

    fn is_declared_part(&self, name: &str) -> bool {
        let mut kinds = self.file.tree.kinds.iter();
        kinds.any(|(_, kind)| kind.name.text == name && kind.within.is_some())
    }

    fn make_product(&mut self, (id, kind, factors): MadeKind) -> Option<Product> {
        let span = kind.name.span;
        let sizes = self.sizes_of(&factors);
        let count = sizes.iter().fold(1, |all: usize, size| all.saturating_mul(*size));
        if count > MOST_MEMBERS {
            let name = format!("the product `{}`", kind.name.text);
            return self.file.refuse_with(error::TooManyMembers {
                name,
                found: count,
                most: MOST_MEMBERS,
                span,
            });
        }
        self.file.budget.turn_to(span);
        if !self.file.reserve_members(count, span) || self.file.budget.is_spent() {
            return None;
        }
        let parts: Vec<Vec<usize>> = (0..count).map(|at| split_position(at, &sizes)).collect();
        let before = self.file.diagnostics.count();
        let form = self.product_form(kind, &factors);
        let member = |places: &Vec<usize>| {
            let of = |pick| self.join_parts(&form, &factors, places, pick);
            plain_member(of(|it| &it.name), of(|it| &it.title), span)
        };
        let members: Vec<Member> = parts.iter().map(member).collect();
        self.file.pay_for_members(&members);
        if self.file.diagnostics.count() == before {
            self.check_form(kind, &members);
        }
        let titles = members.iter().map(|member| member.title.clone()).collect();
        self.file.rules.kinds[id.index()].members = members;
        for (place, factor) in factors.iter().enumerate() {
            let cells = parts.iter().map(|parts| Value::Int(to_int(parts[place]))).collect();
            let (name, ty) =
                (in_snake_case(&self.file.rules.kind_at(*factor).name), Type::Kind(*factor));
            self.file.add_column(id, Column { name, ty, cells, span });
        }
        // The table that leads from the parts to the combination.
        let name = format!("{}()", self.file.rules.kind_at(id).name);
        let dims = factors.iter().map(|factor| Domain::Kind(*factor)).collect();
        let cells = (0..count).map(|at| Value::Int(to_int(at))).collect::<Vec<_>>().into();
        self.file.add_computed(name, dims, Type::Kind(id), cells, self.file.rules.kind_at(id).span);
        Some(Product { id, factors, form, titles })
    }

    /// How the members of a product print: the words of their parts, unless the file says otherwise.
    fn product_form(&mut self, kind: &ast::KindDecl, factors: &[KindId]) -> Vec<FormPart> {
        let columns: Vec<String> =
            factors.iter().map(|it| in_snake_case(&self.file.rules.kind_at(*it).name)).collect();
        let Some(text) = &kind.form else {
            let spaced = |at| [FormPart::Words(" ".to_owned()), FormPart::Factor(at)];
            return (0..factors.len()).flat_map(spaced).skip(1).collect();
        };
        let mut form = Vec::new();
        for part in &text.parts {
            let hole = match part {
                ast::TextPart::Words(words) => {
                    form.push(FormPart::Words(words.clone()));
                    continue;
                }
                ast::TextPart::Hole(hole) => hole,
            };
            let found = print_expression(hole);
            match columns.iter().position(|column| *column == found) {
                Some(at) => form.push(FormPart::Factor(at)),
                None => {
                    let problem = format!("`{found}` is no part of `{}`", kind.name.text);
                    let holes: Vec<String> = columns.iter().map(|it| format!("{{{it}}}")).collect();
                    let help = format!("its parts are {}", quote_list(&holes));
                    self.file.report_error(error::product(problem, help, hole.span));
                }
            }
        }
        form
    }

    /// Looks whether the printed form tells all members apart, and can be typed.
    fn check_form(&mut self, kind: &ast::KindDecl, members: &[Member]) {
        let Some(text) = &kind.form else { return };
        let mut seen = BTreeSet::new();
        let twice = members.iter().find(|member| !seen.insert(member.name.to_lowercase()));
        let signs = |member: &&Member| member.name.contains([',', '{', '}', '"', '#', '\n']);
        let (problem, help) = if let Some(twice) = twice {
            (
                format!("two members of `{}` print as `{}`", kind.name.text, twice.name),
                "name every part, with words or spaces between: `\"{rank} of {suit}\"`",
            )
        } else if let Some(member) = members.iter().find(signs) {
            (
                format!("`{}` cannot be typed in a move", member.name),
                "print words without commas, braces, quotes and `#`",
            )
        } else {
            return;
        };
        self.file.report_error(error::product(problem, help, text.span));
    }

    /// Finds the members of all parts; a part of a part comes after that.
    pub(crate) fn check_parts(&mut self, kinds: &[(KindId, &ast::KindDecl)]) {
        let parts = kinds.iter().filter_map(|(id, kind)| {
            let of = self.file.names.kinds.get(&kind.within.as_ref()?.text);
            Some((*id, *kind, of.copied().into_iter().collect()))
        });
        let (parts, circular) = sort_kinds(parts.collect());
        for (id, kind, _) in parts {
            self.make_part(id, kind);
        }
        for (_, kind, _) in circular {
            let problem = format!("`{}` is a part of itself", kind.name.text);
            let help = "write the kind that has all members after `within`";
            self.file.report_error(error::part(problem, help, kind.name.span));
        }
    }

    fn make_part(&mut self, id: KindId, kind: &ast::KindDecl) {
        let Some(name) = &kind.within else { return };
        let Some(of) = self.file.kind_named(name) else { return };
        if of == PLAYER {
            let problem = "players cannot be divided before a game begins";
            let help = "keep a set of players: `team: set of Player = {}`";
            return self.file.report_error(error::part(problem, help, name.span));
        }
        let mut members = BTreeSet::new();
        for word in self.part_words(kind) {
            match self.file.member_of(of, &word.text) {
                None => self.file.no_member(of, &word),
                Some(at) if !members.insert(at) => self.file.duplicate(&word, kind.name.span),
                Some(at) => self.file.recorder.note_use(word.span, Symbol::Member(of, at)),
            }
        }
        self.file.budget.turn_to(kind.name.span);
        if !self.file.reserve_members(self.file.rules.kind_at(of).members.len(), kind.name.span)
            || self.file.budget.is_spent()
        {
            return;
        }
        let whole = self.file.rules.kind_at(of).members.clone();
        self.file.pay_for_members(&whole);
        let part = &mut self.file.rules.kinds[id.index()];
        part.members = whole;
        part.within = Some(Subkind { of, members: members.into_iter().collect() });
    }

    fn part_words(&mut self, kind: &ast::KindDecl) -> Vec<ast::Name> {
        match &kind.body {
            ast::KindBody::Members(members) => members.iter().map(|it| it.name.clone()).collect(),
            ast::KindBody::Drawn(drawn) => {
                let labels = drawn.rows.iter().map(|row| &row.label);
                labels.map(|it| ast::Name { text: cell_word(it), span: it.span }).collect()
            }
            ast::KindBody::Product(_) => {
                let problem = "a part of a kind lists its members";
                let help = "write them in braces: `kind Part within Whole { a, b }`";
                self.file.report_error(error::part(problem, help, kind.name.span));
                Vec::new()
            }
        }
    }

    /// Gives parts the columns of the whole, and those that they draw themselves.
    pub(crate) fn check_part_columns(&mut self, mut parts: Vec<(KindId, &ast::KindDecl)>) {
        parts.retain(|(id, _)| self.file.rules.kind_at(*id).within.is_some());
        // A part of a part comes after it.
        parts.sort_by_key(|(id, _)| self.file.rules.part_depth(*id));
        for (id, kind) in parts {
            let Some(Subkind { of, .. }) = self.file.rules.kind_at(id).within else { continue };
            let inherited = self.file.rules.kind_at(of).columns.clone();
            let cells = inherited.iter().flat_map(|column| &column.cells);
            self.file.budget.hold_memory(cells.map(|cell| 32 + 8 * cell.item_count()).sum());
            if self.file.budget.is_spent() {
                return;
            }
            // Their titles are known now.
            let members = self.file.rules.kind_at(of).members.clone();
            self.file.rules.kinds[id.index()].members = members;
            self.check_columns(id, &[&kind.body]);
            let drawn = std::mem::take(&mut self.file.rules.kinds[id.index()].columns);
            let words = self.part_words(kind);
            let order: Vec<Option<usize>> =
                words.iter().map(|word| self.file.member_of(id, &word.text)).collect();
            self.file.rules.kinds[id.index()].columns = inherited;
            drawn.into_iter().for_each(|column| self.add_sparse_column(id, column, &order));
        }
    }

    /// Adds a column that is drawn for some members; nobody reads the cells of the others.
    fn add_sparse_column(&mut self, id: KindId, column: Column, order: &[Option<usize>]) {
        let known = self.file.rules.kind_at(id).columns.iter().find(|it| it.name == column.name);
        if let Some(earlier) = known.map(|known| known.span) {
            let name = ast::Name { text: column.name, span: column.span };
            return self.file.duplicate(&name, earlier);
        }
        let mut cells = vec![filler(&column.ty); self.file.rules.kind_at(id).members.len()];
        for (cell, at) in column.cells.into_iter().zip(order) {
            at.iter().for_each(|at| cells[*at] = cell.clone());
        }
        self.file.add_column(id, Column { cells, ..column });
    }
}
