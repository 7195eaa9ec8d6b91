//! Values as the seat that looks sees them: numbers, members with their looks, piles.

use crate::bytecode::cards::CardsInfo;
use crate::bytecode::lists;
use crate::bytecode::program::{Format, Manner, NONE, ValueShape};
use crate::bytecode::vars::VarInfo;
use crate::game::view::model::{Element, SeenValue, Tag, Thing, ValueForm, ViewCell};
use crate::game::view::{
    Looks, Paint, UNROLLED, UNSEEN, ViewContext, all_tags, colour, positions, shortest,
};
use crate::rules::{self, KindId, Type, VarForm};
use crate::vm::{self, cards_from_top};

/// The kind of the players.
const PLAYERS: usize = 0;

impl<'a> ViewContext<'a> {
    /// A member of a kind with its looks.
    pub(in crate::game) fn tag(self, kind: usize, at: usize) -> Tag {
        let program = &self.program.kinds[kind];
        let name = match kind {
            PLAYERS => self.names.get(at).cloned(),
            _ => program.members.get(at).map(|(name, _)| name.clone()),
        };
        let name = name.unwrap_or_default();
        let title = program.members.get(at).map(|(_, title)| title.clone());
        let title = title.filter(|title| !title.is_empty() && kind != PLAYERS);
        let title = title.unwrap_or_else(|| name.clone());
        let whole = self.rules.whole_kind(KindId::at(kind)).index();
        let is_place = !matches!(
            self.rules.kinds[whole].shape,
            rules::KindShape::Plain | rules::KindShape::Cards(_)
        );
        let within = (whole != kind).then(|| self.program.kinds[whole].name.clone());
        let (short, colours) = if is_place {
            (name.clone(), Vec::new())
        } else {
            (self.short(kind, at), colour::colour_words(self, kind, at, &title))
        };
        Tag { kind: program.name.clone(), within, name, title, short, colours, copies: 1 }
    }

    fn looks(self) -> &'a Looks {
        self.loaded.looks.get_or_init(|| Looks {
            shorts: all_tags(self.rules),
            colours: colour::assign_colours(self.rules),
        })
    }

    /// The colour of a member of a kind.
    pub(super) fn paint(self, kind: usize, at: usize) -> Paint {
        let colours = self.looks().colours.get(kind);
        // Players need no members in the file.
        colours
            .and_then(|colours| colours.get(at))
            .copied()
            .unwrap_or_else(|| colour::palette_colour(at))
    }

    /// What stands for a member where there is little room: its glyph, or a letter or a few.
    fn short(self, kind: usize, at: usize) -> String {
        if let Some(glyph) = colour::glyph(self.rules, kind, at) {
            return glyph;
        }
        if kind == PLAYERS {
            let members = self.program.kinds[PLAYERS].members.iter();
            let titles: Vec<&str> = members.map(|(_, title)| title.as_str()).collect();
            let has_titles = titles.iter().all(|title| !title.is_empty());
            let names: Vec<&str> =
                if has_titles { titles } else { self.names.iter().map(String::as_str).collect() };
            return shortest(&names).into_iter().nth(at).unwrap_or_default();
        }
        let Some(of) = self.rules.kinds.get(kind) else { return String::new() };
        let parts: Vec<(usize, usize)> = colour::parts_of(self.rules, kind, at);
        if !parts.is_empty() {
            return parts.iter().map(|(kind, at)| self.short(*kind, *at)).collect();
        }
        match &of.shape {
            rules::KindShape::Cards(face) => match face_of(of, at) {
                Some(face_at) => self.short(face.index(), face_at),
                None => String::new(),
            },
            _ => {
                let shorts = &self.looks().shorts;
                shorts[kind].get(at).unwrap_or(&of.members[at].name).clone()
            }
        }
    }

    /// The player that a member belongs to: itself, or what a column of its kind says.
    pub(super) fn owner_of(self, kind: usize, at: usize) -> Option<usize> {
        if kind == PLAYERS {
            return Some(at);
        }
        let mut columns = self.rules.kinds.get(kind)?.columns.iter();
        let column = columns.find(|it| it.ty == Type::Kind(rules::PLAYER))?;
        column.cells.get(at)?.member()
    }

    /// A value of some format, given by its words; none: the seat does not see it.
    pub(super) fn see_value(self, format: &Format, words: Option<&[i64]>) -> SeenValue {
        let Some(words) = words else {
            return SeenValue { text: UNSEEN.to_owned(), ..SeenValue::default() };
        };
        let said = Format { manner: Manner::Said, ..format.clone() };
        let text = self.print_words(words, &said);
        let one = words.first().copied().filter(|word| *word != NONE);
        let number = match format.shape {
            ValueShape::Number | ValueShape::Bool => one,
            _ => None,
        };
        let members = match format.shape {
            ValueShape::Member(kind) => one
                .and_then(|at| usize::try_from(at).ok())
                .map(|at| self.tag(kind.into(), at))
                .into_iter()
                .collect(),
            ValueShape::Members(kind) => self.tags(kind.into(), words),
            ValueShape::MemberList(kind, bits) => lists::elements(words, bits)
                .filter_map(|at| usize::try_from(at).ok())
                .map(|at| self.tag(kind.into(), at))
                .collect(),
            _ => Vec::new(),
        };
        SeenValue { text, number, members, count: None }
    }

    /// The members of a set; equal ones, such as cards of one face, once with how many there are.
    fn tags(self, kind: usize, set: &[i64]) -> Vec<Tag> {
        let mut tags: Vec<Tag> = Vec::new();
        for at in vm::members(set).filter_map(|at| usize::try_from(at).ok()) {
            let tag = self.tag(kind, at);
            match tags.iter_mut().find(|it| it.title == tag.title) {
                Some(same) => same.copies += 1,
                None => tags.push(tag),
            }
        }
        tags
    }

    /// Members in a row; equal ones beside each other once, with how many there are.
    fn runs(self, kind: usize, row: &[usize]) -> Vec<Tag> {
        let mut tags: Vec<Tag> = Vec::new();
        for tag in row.iter().map(|at| self.tag(kind, *at)) {
            match tags.last_mut().filter(|it| it.title == tag.title) {
                Some(same) => same.copies += 1,
                None => tags.push(tag),
            }
        }
        tags
    }

    pub(super) fn seen_pile(self, cards: &CardsInfo, pile: usize) -> SeenValue {
        let set = self.state.slice(cards.set_of(pile), cards.width.into());
        let count: usize = set.iter().map(|word| word.count_ones() as usize).sum();
        let kind = cards.kind.into();
        let order = cards_from_top(cards, self.state, pile);
        let mut seats = 0..self.names.len();
        let is_open = seats.all(|seat| cards.piles[pile].is_seen_by(seat));
        let members = match (self.known_cards(cards, pile), order) {
            // A row that all see lies as it was laid; a hand is held as its owner likes.
            (None, Some(order)) if is_open => self.runs(kind, &order),
            (known, order) => {
                let mut members = self.tags(kind, known.as_deref().unwrap_or(set));
                let names = order.unwrap_or_default();
                let names: Vec<String> =
                    names.iter().map(|card| self.tag(kind, *card).name).collect();
                members.sort_by_key(|tag| names.iter().position(|name| *name == tag.name));
                members
            }
        };
        let named: usize = members.iter().map(|tag| tag.copies).sum();
        let words = |tag: &Tag| tag.how_many() + &tag.title;
        let mut parts: Vec<String> = members.iter().map(words).collect();
        match count - named {
            0 => {}
            1 => parts.push("1 card".to_owned()),
            unknown => parts.push(format!("{unknown} cards")),
        }
        let text = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
        SeenValue { text, number: None, members, count: Some(count) }
    }

    /// The elements of a variable of one owner.
    pub(super) fn elements_of(self, var: &VarInfo, seat: usize) -> Vec<Element> {
        let own = |element: &usize| {
            let positions = positions(&var.dims, *element);
            var.dims.iter().zip(positions).all(|(dim, at)| self.is_own(dim, at))
        };
        (0..var.count()).filter(own).map(|element| self.element_of(var, seat, element)).collect()
    }

    /// What stands at an index; a number is a place of an array of somebody or of the table.
    pub(super) fn index_tag(
        self,
        (var, number): (&VarInfo, usize),
        at: usize,
        seat: Option<usize>,
    ) -> Tag {
        let dim = &var.dims[number];
        if let Some(kind) = dim.kind {
            return self.tag(kind.into(), at);
        }
        let (kind, text) = (self.slots_kind((var, number), seat), self.print_index(dim, at));
        let (name, title) = (text.clone(), text.clone());
        Tag { kind, name, title, short: text, copies: 1, ..Tag::default() }
    }

    /// The heading of what stands at an index.
    pub(super) fn index_heading(
        self,
        (var, number): (&VarInfo, usize),
        at: usize,
        seat: Option<usize>,
    ) -> ViewCell {
        let tag = Some(self.index_tag((var, number), at, seat));
        ViewCell { tag, ..ViewCell::from_text(&self.print_index(&var.dims[number], at)) }
    }

    fn element_of(self, var: &VarInfo, seat: usize, element: usize) -> Element {
        let owner = var.of_player.then_some(seat);
        let index = positions(&var.dims, element).into_iter().enumerate();
        let index = index.map(|(dim, at)| self.index_tag((var, dim), at, owner)).collect();
        if let Some((cards, pile)) = self.pile_at(var, (seat, element)) {
            let value = self.seen_pile(cards, pile);
            let unchanged = value.count == Some(0);
            return Element { index, value, unchanged };
        }
        let words = self.visible_words(var, (seat, element));
        let value = if self.is_unrolled(var, (seat, element)) {
            SeenValue { text: UNROLLED.to_owned(), ..SeenValue::default() }
        } else {
            self.see_value(&var.format, words.as_deref())
        };
        let at = seat * var.count() + element;
        let first = var.element(self.program.players, at, |slot| self.program.initial[slot]);
        // A die that was rolled is news, even if it shows its first face.
        let is_die = self.is_die(var) && self.rolled.is_some();
        let is_first = words.is_none_or(|words| words == first);
        let unchanged = self.is_unrolled(var, (seat, element)) || is_first && !is_die;
        Element { index, value, unchanged }
    }

    /// A thing that shows one variable, with its values as data.
    pub(super) fn describe_thing(self, thing: Thing, number: usize, seat: usize) -> Thing {
        let var = &self.program.vars[number];
        let ranges = &self.loaded.compiled.ranges;
        let range = self.rules.vars[number].range.and_then(|it| ranges.get(it.index()));
        let over = match (var.dims.as_slice(), &var.format.shape) {
            ([dim], _) => dim.kind,
            ([], ValueShape::Member(kind) | ValueShape::Members(kind)) if var.secret.is_none() => {
                Some(*kind)
            }
            _ => None,
        };
        let board = over.and_then(|kind| self.rules.kinds.get(usize::from(kind)));
        let board = board.filter(|kind| kind.is_board()).map(|kind| kind.name.clone());
        let elements = if board.is_some() { Vec::new() } else { self.elements_of(var, seat) };
        Thing {
            variables: vec![var.name.clone()],
            form: self.value_form(number),
            range: range.copied(),
            drawn: board.is_some() || self.is_drawn(number),
            elements,
            board,
            ..thing
        }
    }

    /// Whether a variable belongs on the table now, for any of its owners.
    pub(super) fn is_drawn(self, number: usize) -> bool {
        let var = &self.program.vars[number];
        let owners = if var.of_player { self.program.players } else { 1 };
        let elements = || (0..owners).flat_map(|seat| self.elements_of(var, seat));
        // A yes/no that is as it was says nothing, even if it counts.
        let counts = self.is_counted(number) && self.value_form(number) != ValueForm::YesNo;
        // What begins with different numbers is a position, like men on their points.
        let first =
            |at: usize| var.element(self.program.players, at, |slot| self.program.initial[slot]);
        let is_position = matches!(self.value_form(number), ValueForm::Number | ValueForm::Coin)
            && (1..var.count()).any(|at| first(at) != first(0));
        // Coins that players begin with are there to be spent.
        let is_purse =
            self.value_form(number) == ValueForm::Coin && var.count() == 1 && first(0) != [0];
        counts || is_position || is_purse || elements().any(|element| !element.unchanged)
    }

    /// The form in which a variable is shown.
    pub(super) fn value_form(self, number: usize) -> ValueForm {
        let var = &self.rules.vars[number];
        match (&var.form, &self.program.vars[number].format.shape) {
            (VarForm::Coin, _) => ValueForm::Coin,
            (VarForm::Die(_), _) => ValueForm::Die,
            (VarForm::Pile(_), _) => ValueForm::Pile,
            (_, ValueShape::Bool) => ValueForm::YesNo,
            (_, ValueShape::Text) => ValueForm::Text,
            (_, ValueShape::Member(_)) => ValueForm::Member,
            (_, ValueShape::Members(_) | ValueShape::Numbers(_)) => ValueForm::Set,
            (_, ValueShape::MemberList(..) | ValueShape::NumberList(..)) => ValueForm::List,
            (_, ValueShape::Number) => ValueForm::Number,
        }
    }
}

/// The face of a card, as a position in the kind of the faces.
pub(super) fn face_of(kind: &rules::Kind, at: usize) -> Option<usize> {
    kind.columns.first()?.cells.get(at)?.member()
}
