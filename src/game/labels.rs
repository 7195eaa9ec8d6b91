//! The labels of moves, draws and outcomes of a game; `wording` decides the words of one move.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use crate::bytecode::Program;
use crate::bytecode::program::{Manner, OptionInfo, Shown, Site, ValueShape, Wait};
use crate::game::wording::{Wording, bind_move};
use crate::game::{Game, LegalMoves, State, Trap};
use crate::rules::{Choose, ExprKind, KindId, KindShape, PLAYER, Rules, TextPart, Type, Value};
use crate::source::fault;
use crate::vm::{capitalised, text, waits};

/// The column in which members say what they do.
const TEXT: &str = "text";

/// How many outcomes of a draw are put into words.
const MOST_WORDED: i64 = 10_000;

/// What a move shows: the number of its option, then words; and what it binds.
#[derive(Debug, Default)]
pub(crate) struct ShownWords {
    bound: Vec<(u16, i64)>,
    pub(crate) words: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DrawEvent {
    /// The event: `roll cube`. What it names may differ in play, as in `roll die[red]`.
    pub(crate) event: String,
    /// Its outcomes, where they are always the same.
    pub(crate) outcomes: Option<Vec<String>>,
}

impl Game {
    pub(super) fn wording(&self) -> Wording<'_> {
        Wording { program: self.program(), names: &self.names }
    }

    /// What the players are called where nobody sits there: the titles of their seats, or their numbers.
    pub(crate) fn seat_names(&self) -> Vec<String> {
        let seats = self.program().kinds[PLAYER.index()].members.iter();
        let named = |(number, (name, (_, title))): (usize, (&String, &(String, String)))| {
            let is_titled = !title.is_empty() && *name == format!("P{}", number + 1);
            if is_titled { title.clone() } else { name.clone() }
        };
        self.names().iter().zip(seats).enumerate().map(named).collect()
    }

    /// The names of the players with the titles of their seats: `Ann (Black)`.
    #[doc(hidden)]
    pub fn titled_names(&self) -> Vec<String> {
        let seats = self.program().kinds[PLAYER.index()].members.iter();
        let titled = |(name, (_, title)): (&String, &(String, String))| match title.as_str() {
            "" => name.clone(),
            title => format!("{name} ({title})"),
        };
        self.names().iter().zip(seats).map(titled).collect()
    }

    /// A legal move in words: `invite heron wren early`.
    pub fn label_move(&self, state: &State, legal: &LegalMoves, index: usize) -> String {
        self.wording().label(&mut state.clone(), legal, index)
    }

    /// The words of all legal moves, in their order.
    pub(crate) fn label_moves(
        &self,
        state: &State,
        legal: &LegalMoves,
    ) -> impl Iterator<Item = String> {
        // One copy for all: each move brings the values that its words are made of.
        let mut words = state.clone();
        (0..legal.count()).map(move |index| self.label_on(&mut words, state, legal, index))
    }

    /// The option of a legal move. Its number and all words that the move shows are put into `shown`: these tell the
    /// label of a move that has no printed form.
    pub(crate) fn load_shown(
        &self,
        state: &State,
        (legal, index): (&LegalMoves, usize),
        shown: &mut ShownWords,
    ) -> &OptionInfo {
        let (program, ShownWords { bound, words }) = (self.program(), shown);
        bound.clear();
        let option = legal.offers.bind(program, index, |slot, word| bound.push((slot, word)));
        let info = &program.options[usize::from(option)];
        words.clear();
        words.push(option.into());
        for slot in info.shown.iter().flat_map(|part| part.slot..part.slot + part.width) {
            let bound = bound.iter().find(|(place, _)| *place == slot);
            words.push(bound.map_or_else(|| state.word(slot.into()), |(_, word)| *word));
        }
        info
    }

    /// The words of a move, put together on a state that is a copy, and one again afterwards.
    pub(crate) fn label_on(
        &self,
        copy: &mut State,
        state: &State,
        legal: &LegalMoves,
        index: usize,
    ) -> String {
        let label = self.wording().label(copy, legal, index);
        copy.set_locals(self.program(), state);
        label
    }

    /// Whether the words of moves may begin with a number at this decision, be such a move legal now
    /// or not.
    pub(crate) fn prints_numbers(&self, state: &State, legal: &LegalMoves) -> bool {
        if state.has_ended() {
            return false;
        }
        let choose = &self.compiled().sites[state.site_number()].choose;
        choose.as_ref().is_some_and(|choose| may_begin_with_number(self.rules(), choose))
            || self.label_moves(state, legal).any(|label| begins_with_number(&label))
    }

    /// What else the legal moves may be typed as: their names and arguments where they are printed
    /// differently, and the titles of what they name. Each with the index of its move.
    pub(crate) fn other_forms(&self, state: &State, legal: &LegalMoves) -> Vec<(usize, String)> {
        let (wording, mut words, mut forms) = (self.wording(), state.clone(), Vec::new());
        for index in 0..legal.count() {
            let label = self.label_on(&mut words, state, legal, index);
            let option = bind_move(self.program(), &mut words, legal, index);
            let typed = wording.whole_move(&words, option, Manner::Argument);
            let titled = wording.whole_move(&words, option, Manner::Said).replace(',', "");
            let titled = Some(titled).filter(|titled| *titled != typed);
            let others = [Some(typed), titled].into_iter().flatten();
            forms.extend(others.filter(|form| *form != label).map(|form| (index, form)));
        }
        forms
    }

    /// The name of a legal move's option: the first word of most labels.
    #[doc(hidden)]
    pub fn option_name(&self, legal: &LegalMoves, index: usize) -> &str {
        let option = legal.offers.bind(self.program(), index, |_, _| {});
        &self.program().options[usize::from(option)].name
    }

    /// The option of a legal move, and the words of its arguments.
    pub(crate) fn bound(
        &self,
        state: &State,
        legal: &LegalMoves,
        index: usize,
    ) -> (&OptionInfo, Vec<Vec<i64>>) {
        let mut shown = ShownWords::default();
        let option = self.load_shown(state, (legal, index), &mut shown);
        let mut words = shown.words.into_iter().skip(1);
        let argument = |part: &Shown| words.by_ref().take(part.width.into()).collect();
        (option, option.shown.iter().map(argument).collect())
    }

    /// What is wrong with the words of the legal moves, if anything is: a mistake in the rules, for
    /// nobody could type one of them, or say which of two is meant.
    #[doc(hidden)]
    pub fn wrong_words(&self, state: &State, legal: &LegalMoves) -> Option<Trap> {
        let mut known = BTreeSet::new();
        let mut labels = self.label_moves(state, legal).enumerate();
        labels.find_map(|(index, label)| {
            let fault = fault(&label);
            let words = fold_case(&label);
            if fault.is_none() && known.insert(words.clone()) {
                return None;
            }
            let option = legal.offers.bind(self.program(), index, |_, _| {});
            let span = self.program().options[usize::from(option)].span;
            Some(match fault {
                Some(why) => Trap::UnreadableMove {
                    words: label.escape_debug().to_string(),
                    why: why.to_owned(),
                    span,
                },
                None => Trap::SameWords { words, span },
            })
        })
    }

    /// The question that stands at the decision: `Which stones leave row 1?`
    pub fn question(&self, state: &State) -> Option<String> {
        match waits(self.program(), state) {
            Wait::Decision { question: Some(at), .. } => {
                text(self.program(), state, *at, &self.names, |_| {}).ok().map(capitalised)
            }
            _ => None,
        }
    }

    /// The chance event that waits, in words: `random Player`, `roll cube`, `roll die[red]`.
    #[doc(hidden)]
    pub fn event(&self, state: &State) -> String {
        match waits(self.program(), state) {
            Wait::Draw { event, .. } => {
                text(self.program(), state, *event, &self.names, |_| {}).unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// An outcome of the chance event that waits, in words: `Ann`, `14`.
    #[doc(hidden)]
    pub fn outcome(&self, state: &State, index: u32) -> String {
        match waits(self.program(), state) {
            Wait::Draw { dst, low, outcome, .. } => {
                let drawn = state.word((*low).into()).saturating_add(index.into());
                let set = |write: &mut dyn FnMut(u16, i64)| write(*dst, drawn);
                text(self.program(), state, *outcome, &self.names, set).unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// What the members that a legal move names say of themselves, in their column `text`; nothing
    /// where none of them says anything.
    pub(crate) fn remark(&self, state: &State, legal: &LegalMoves, index: usize) -> Option<String> {
        let mut words = state.clone();
        let option = bind_move(self.program(), &mut words, legal, index);
        let shown = self.program().options[usize::from(option)].shown.iter();
        let text = |shown: &Shown| {
            let ValueShape::Member(kind) = self.program().formats[usize::from(shown.format)].shape
            else {
                return None;
            };
            if usize::from(shown.slot) >= self.program().slots {
                return None;
            }
            let member = usize::try_from(words.word(shown.slot.into())).ok()?;
            let mut columns = self.rules().kinds.get(usize::from(kind))?.named_columns();
            let column = columns.find(|it| it.name == TEXT && it.ty == Type::Text)?;
            match column.cells.get(member)? {
                Value::Text(text) => Some(text.as_str()),
                _ => None,
            }
        };
        let texts: Vec<&str> = shown.filter_map(text).collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    }

    /// The draws that the rules contain.
    pub(crate) fn chances(&self) -> Vec<DrawEvent> {
        let draw = |(number, site): (u16, &Site)| {
            if !matches!(site.wait, Wait::Draw { .. }) {
                return None;
            }
            let mut state = self.initial_state();
            state.jump(number);
            let outcomes = fixed_outcomes(self.program(), site)
                .map(|count| (0..count).map(|index| self.outcome(&state, index)).collect());
            Some(DrawEvent { event: self.event(&state), outcomes })
        };
        (0..).zip(&self.program().sites).filter_map(draw).collect()
    }

    /// Whether the draw at which a state waits has the same outcomes whenever it happens.
    pub(crate) fn is_fixed_draw(&self, state: &State) -> bool {
        fixed_outcomes(self.program(), &self.program().sites[state.site_number()]).is_some()
    }

    /// Whether words can be a value: numbers, and names of players and members.
    pub(crate) fn is_value(&self, words: &str) -> bool {
        let is_name = |word: &str| {
            let kinds = self.program().kinds.iter().flat_map(|kind| &kind.members);
            word.parse::<i64>().is_ok()
                || ["yes", "no", "none"].contains(&word)
                || self.names().iter().any(|name| name == word)
                || kinds.into_iter().any(|(name, title)| name == word || title == word)
        };
        is_name(words) || words.split([' ', ',']).filter(|it| !it.is_empty()).all(is_name)
    }
}

/// How many outcomes a draw has, where it always has the same and they are few.
fn fixed_outcomes(program: &Program, site: &Site) -> Option<u32> {
    let Wait::Draw { outcomes, low, .. } = &site.wait else { return None };
    // The word of a slot that never changes.
    let constant =
        |slot: &u16| program.constants.get(usize::from(*slot).checked_sub(program.slots)?).copied();
    let count = constant(outcomes).filter(|count| *count <= MOST_WORDED);
    count.filter(|_| constant(low).is_some()).and_then(|count| u32::try_from(count).ok())
}

fn may_begin_with_number(rules: &Rules, choose: &Choose) -> bool {
    let titled = |kind: KindId| {
        rules.kinds[kind.index()].members.iter().any(|member| begins_with_number(&member.title))
    };
    let options = choose.options.iter().map(|option| &option.template);
    let declining = choose.decline.iter().map(|decline| &decline.template);
    options.chain(declining).flatten().any(|template| match &template.kind {
        ExprKind::Text(parts) => match parts.first() {
            Some(TextPart::Words(words)) => begins_with_number(words),
            Some(TextPart::Hole(hole)) => match hole.ty {
                Type::Number => true,
                Type::Kind(kind) => titled(kind),
                _ => false,
            },
            None => false,
        },
        ExprKind::Value(Value::Text(words)) => begins_with_number(words),
        _ => false,
    })
}

/// Returns the words of a text with one space between them. Letters with the same marks become the
/// same, whether they were typed as one character or as several.
pub fn fold_case(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_ascii() { words } else { words.nfc().collect() }
}

fn begins_with_number(words: &str) -> bool {
    words.trim_start_matches(['-', '+']).starts_with(|first: char| first.is_ascii_digit())
}

/// Typed words with the goods of each bag in the order of their kind: `1 blue 2 red` is `2 red 1 blue`.
pub(crate) fn goods_in_order(rules: &Rules, words: &str) -> String {
    let goods = rules.kinds.iter().filter_map(|kind| match kind.shape {
        KindShape::Bags(goods) => Some(goods),
        _ => None,
    });
    let members = goods.flat_map(|kind| &rules.kinds[kind.index()].members);
    let names: Vec<[&str; 2]> = members.map(|it| [it.name.as_str(), it.title.as_str()]).collect();
    let place = |word: &str| names.iter().position(|it| it.contains(&word));
    let (mut sorted, mut bag) = (Vec::new(), Vec::new());
    let mut words = words.split_whitespace().peekable();
    let close = |bag: &mut Vec<(usize, String)>, sorted: &mut Vec<String>| {
        bag.sort_by_key(|(place, _)| *place);
        sorted.extend(bag.drain(..).map(|(_, words)| words));
    };
    while let Some(word) = words.next() {
        let next = words.peek().map(|next| next.trim_end_matches(','));
        match next.and_then(place).filter(|_| word.parse::<i64>().is_ok()) {
            Some(place) => {
                let good = words.next().unwrap_or_default();
                bag.push((place, format!("{word} {}", good.trim_end_matches(','))));
                if good.ends_with(',') {
                    close(&mut bag, &mut sorted);
                    sorted.iter_mut().last().into_iter().for_each(|last| last.push(','));
                }
            }
            None => {
                close(&mut bag, &mut sorted);
                sorted.push(word.to_owned());
            }
        }
    }
    close(&mut bag, &mut sorted);
    sorted.join(" ")
}
