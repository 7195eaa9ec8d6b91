//! Symbol table of a file: what each name means.

use std::collections::BTreeMap;

use crate::rules::{
    ConstantId, HistoryId, KindId, KindShape, LocalId, OptionId, RuleId, Rules, TableId, VarId,
};
use crate::syntax::ast::{Name, Owner};

#[derive(Default)]
pub(crate) struct Names {
    /// State of the table, histories, options, constants and tables.
    pub(crate) globals: BTreeMap<String, Global>,
    pub(crate) of_players: BTreeMap<String, VarId>,
    /// Kinds, the unnamed ones by their text.
    pub(crate) kinds: BTreeMap<String, KindId>,
    pub(crate) computed: BTreeMap<String, TableId>,
    pub(crate) rules: BTreeMap<String, RuleId>,
    /// Groups of moves, by position.
    pub(crate) groups: BTreeMap<String, usize>,
    /// Members of all kinds, with their positions.
    pub(crate) members: BTreeMap<String, Vec<(KindId, usize)>>,
}

impl Names {
    pub(crate) fn from_rules(rules: &Rules) -> Names {
        let mut names = Names::default();
        for (at, kind) in rules.kinds.iter().enumerate() {
            names.kinds.entry(kind.name.clone()).or_insert(KindId::at(at));
            let computed = matches!(
                kind.shape,
                KindShape::Lines(_) | KindShape::Cards(_) | KindShape::Bags(_)
            );
            if !computed && kind.within.is_none() {
                names.add_members(rules, KindId::at(at));
            }
        }
        names.add_globals(rules);
        for (at, rule) in rules.rules.iter().enumerate() {
            let limit = rules.limit.as_ref().map(|limit| limit.body);
            let flow = [rules.setup, Some(rules.play), limit, rules.teams];
            if !flow.contains(&Some(RuleId::at(at))) {
                names.rules.entry(rule.name.clone()).or_insert(RuleId::at(at));
            }
        }
        names
    }

    fn add_globals(&mut self, rules: &Rules) {
        for (at, option) in rules.options.iter().enumerate() {
            self.globals.insert(option.name.clone(), Global::Option(OptionId::at(at)));
        }
        for (at, constant) in rules.constants.iter().enumerate() {
            self.globals.insert(constant.name.clone(), Global::Constant(ConstantId::at(at)));
        }
        for (at, table) in rules.tables.iter().enumerate() {
            let (name, id) = (table.name.clone(), TableId::at(at));
            if table.is_computed() {
                self.computed.entry(name).or_insert(id);
            } else {
                self.globals.insert(name, Global::Table(id));
            }
        }
        for (at, history) in rules.histories.iter().enumerate() {
            self.globals.insert(history.name.clone(), Global::History(HistoryId::at(at)));
        }
        for (at, var) in rules.vars.iter().enumerate() {
            let id = VarId::at(at);
            match var.owner {
                Owner::Player => self.of_players.insert(var.name.clone(), id).is_none(),
                Owner::Table => self.globals.insert(var.name.clone(), Global::Var(id)).is_none(),
            };
        }
    }

    pub(crate) fn add_members(&mut self, rules: &Rules, kind: KindId) {
        for (position, member) in rules.kinds[kind.index()].members.iter().enumerate() {
            self.members.entry(member.name.clone()).or_default().push((kind, position));
        }
    }

    pub(crate) fn owners(&self, name: &str) -> &[(KindId, usize)] {
        self.members.get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn kinds_with(&self, word: &Name) -> impl Iterator<Item = KindId> {
        self.owners(&word.text).iter().map(|(kind, _)| *kind)
    }

    pub(crate) fn named_kinds(&self) -> impl Iterator<Item = &str> {
        let kinds = self.kinds.keys().map(String::as_str);
        kinds.filter(|kind| !kind.contains(['{', '(', ' ']))
    }
}

/// What a name of the file means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Global {
    Option(OptionId),
    Constant(ConstantId),
    Table(TableId),
    Var(VarId),
    History(HistoryId),
}

/// What a bare name means where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Local(LocalId),
    Global(Global),
    Players,
    Turn,
    Kind(KindId),
    /// `orthogonal` or `diagonal`: these directions.
    Directions(&'static str),
}
