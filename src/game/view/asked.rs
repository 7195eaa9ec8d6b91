//! Adds the question and the legal moves of a seat to its view.

use crate::bytecode::program::{Manner, OptionInfo, Shown, ValueShape};
use crate::game::numbering::ActionTable;
use crate::game::view::model::{ActionGroup, ActionView, Means, MoveArgument, Parameter};
use crate::game::view::slots::{IndexedPlaces, SlotOwner, slots_of};
use crate::game::view::{Tag, ViewContext, cards};
use crate::game::wording::{Wording, bind_move};
use crate::game::{Game, LegalMoves, Player, State, TableView};
use crate::rules::visit::visit_choices;
use crate::rules::{Choose, KindId, KindShape, LocalId, Rules};

/// How many names of moves a question made of them lists.
const MOST_NAMED: usize = 4;

impl Game {
    /// What a seat sees of a state where somebody decides, with what is asked of the seat that decides.
    /// `legal` is what [`Game::advance`] brought.
    pub fn add_question(&self, state: &State, legal: &LegalMoves, view: &mut TableView) {
        let asked = self.current_player(state).map(Player::index);
        if view.head.viewer.is_some() && view.head.viewer != asked {
            return;
        }
        let Some(seat) = asked else { return };
        let (context, labels) = (self.view(state, None), self.label_moves(state, legal));
        view.actions = context.action_groups(legal, asked, labels, self.action_table().ok());
        view.cards.extend(cards::cards_in_moves(context, &view.actions));
        let written = self.question(state);
        view.question = Some(written.unwrap_or_else(|| {
            let titles: Vec<&str> = view.actions.iter().map(|it| it.title.as_str()).collect();
            question_of(&self.names()[seat], &titles)
        }));
    }
}

impl ViewContext<'_> {
    fn action_groups(
        self,
        legal: &LegalMoves,
        asked: Option<usize>,
        labels: impl Iterator<Item = String>,
        table: Option<&ActionTable>,
    ) -> Vec<ActionGroup> {
        let program = self.program;
        let mut groups: Vec<(u16, ActionGroup, Vec<Option<IndexedPlaces>>)> = Vec::new();
        let mut words = self.state.clone();
        for (index, label) in labels.enumerate() {
            let option = bind_move(program, &mut words, legal, index);
            let info = &program.options[usize::from(option)];
            let at = groups.iter().position(|(_, group, _)| group.name == info.name);
            let at = at.unwrap_or_else(|| {
                let (group, slots) = build_group(self.rules, info);
                groups.push((option, group, slots));
                groups.len() - 1
            });
            let (_, group, slots) = &mut groups[at];
            let mut arguments = Vec::new();
            for (position, part) in info.shown.iter().enumerate() {
                let mut argument = self.argument_of(&words, *part);
                if argument.means == Means::Number
                    && let Some(Some(slots)) = slots.get(position)
                {
                    let owner = match slots.owner {
                        SlotOwner::Table => None,
                        SlotOwner::Chooser => asked,
                        SlotOwner::Argument(at) => seat_in(&words, info.shown.get(at)),
                    };
                    let number = words.word(part.slot.into());
                    argument.members.extend(slots.tag(self, owner, number));
                }
                if group.parameters.len() == position {
                    group.parameters.push(Parameter::default());
                }
                let values = &mut group.parameters[position].values;
                let known = values.iter().position(|value| *value == argument);
                arguments.push(known.unwrap_or_else(|| {
                    values.push(argument);
                    values.len() - 1
                }));
            }
            let numbers = |table: &ActionTable| {
                table.numbers_of_move(program, option, |slot| words.word(slot.into())).into()
            };
            let action = table.map(numbers);
            group.actions.push(ActionView { number: index + 1, label, arguments, action });
        }
        groups.into_iter().map(|(_, group, _)| group).collect()
    }

    fn argument_of(self, words: &State, shown: Shown) -> MoveArgument {
        let wording = Wording { program: self.program, names: self.names };
        let Some(text) = wording.argument(words, shown, Manner::Argument) else {
            return MoveArgument { text: "none".to_owned(), ..MoveArgument::default() };
        };
        let format = &self.program.formats[usize::from(shown.format)];
        let value = words.slice(shown.slot.into(), shown.width.into());
        let members: Vec<Tag> = self.see_value(format, Some(value)).members;
        let means = match format.shape {
            ValueShape::Member(0) | ValueShape::Members(0) | ValueShape::MemberList(0, _) => {
                Means::Seat
            }
            ValueShape::Member(kind)
            | ValueShape::Members(kind)
            | ValueShape::MemberList(kind, _) => {
                let whole = self.rules.whole_kind(KindId::at(kind.into()));
                match self.rules.kinds[whole.index()].shape {
                    KindShape::Board(_) => Means::Cell,
                    KindShape::Cards(_) => Means::Card,
                    _ => Means::Member,
                }
            }
            ValueShape::Number | ValueShape::Numbers(_) | ValueShape::NumberList(..) => {
                Means::Number
            }
            ValueShape::Bool => Means::YesNo,
            ValueShape::Text => Means::Nothing,
        };
        MoveArgument { text, means, members }
    }
}

/// A group without moves, and the places that the numbers of its moves name.
fn build_group(rules: &Rules, info: &OptionInfo) -> (ActionGroup, Vec<Option<IndexedPlaces>>) {
    let (names, slots) = parameters(rules, info);
    let parameter = |name: String| Parameter { name, values: Vec::new() };
    let group = ActionGroup {
        name: info.name.clone(),
        title: info.name.replace('_', " "),
        notes: info.notes.join(" "),
        parameters: names.into_iter().take(info.shown.len()).map(parameter).collect(),
        actions: Vec::new(),
    };
    (group, slots)
}

/// The player that an argument is, if it is one.
fn seat_in(words: &State, shown: Option<&Shown>) -> Option<usize> {
    usize::try_from(words.word(shown?.slot.into())).ok()
}

/// The names of what a move prints after its own, as the file has them, and the places that it names.
fn parameters(rules: &Rules, info: &OptionInfo) -> (Vec<String>, Vec<Option<IndexedPlaces>>) {
    let mut found = None;
    for rule in &rules.rules {
        visit_choices(&rule.body, &mut |choose: &Choose| {
            let Some(option) = choose.options.iter().find(|it| it.span == info.span) else {
                return;
            };
            let name = |it: &LocalId| rule.locals[it.index()].name.clone();
            let names = option.params.iter().map(name).collect();
            found = Some((names, slots_of(rules, &choose.chooser, option)));
        });
        if let Some(found) = found {
            return found;
        }
    }
    Default::default()
}

/// A question made of the names of the moves: `Ann, attack or revive?`
fn question_of(name: &str, titles: &[&str]) -> String {
    let listed = match titles {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] if titles.len() <= MOST_NAMED => {
            format!("{} or {last}", first.join(", "))
        }
        _ => return format!("{name}, what do you do?"),
    };
    format!("{name}, {listed}?")
}
