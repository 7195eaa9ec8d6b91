//! Questions about kinds, boards and cards of checked rules.

use crate::rules::topology::BoardTopology;
use crate::rules::{
    Domain, Kind, KindId, KindShape, PLAYER, Rule, RuleId, Rules, Type, Var, VarForm, VarId,
    join_types, literal, member_kind, to_int, with_kind,
};
use crate::syntax::ast;

impl Rules {
    /// The kind of the directions, when there is a board that has any.
    pub(crate) fn directions_kind(&self) -> Option<KindId> {
        let mut kinds = self.kinds.iter();
        kinds.position(|kind| kind.shape == KindShape::Directions).map(KindId::at)
    }

    pub(crate) fn direction_names(&self, positions: &[i64]) -> Vec<&str> {
        let Some(kind) = self.directions_kind() else { return Vec::new() };
        let members = &self.kind_at(kind).members;
        let member = |at: &i64| usize::try_from(*at).ok().and_then(|at| members.get(at));
        positions.iter().filter_map(member).map(|member| member.name.as_str()).collect()
    }

    pub(crate) fn board_of(&self, id: KindId) -> BoardTopology {
        self.kind_at(id).as_board().expect("asked only of kinds that are boards")
    }

    /// The first of some directions that a board does not have.
    pub(crate) fn missing_direction(&self, board: KindId, directions: &[i64]) -> Option<String> {
        let here = self.board_of(board).directions();
        let mut words = self.direction_names(directions).into_iter();
        words.find(|word| !here.contains(word)).map(str::to_owned)
    }

    /// The ways in which the lines of a board can run; none of what is no board.
    pub(crate) fn board_axes(&self, board: KindId) -> &'static [&'static str] {
        self.kind_at(board).as_board().map_or(&[], |board| board.axes())
    }

    /// The board whose cells the members of a kind are sets of.
    pub(crate) fn board_of_lines(&self, ty: &Type) -> Option<KindId> {
        let Type::Kind(kind) = ty else { return None };
        match self.kind_at(*kind).shape {
            KindShape::Lines(board) => Some(board),
            _ => None,
        }
    }

    /// The kind of the goods of a bag.
    pub(crate) fn bag_of(&self, ty: &Type) -> Option<KindId> {
        match ty {
            Type::Bag(goods) => Some(*goods),
            Type::Kind(kind) => match self.kind_at(*kind).shape {
                KindShape::Bags(goods) => Some(goods),
                _ => None,
            },
            _ => None,
        }
    }

    pub(crate) fn face_of(&self, kind: KindId) -> Option<KindId> {
        match self.kind_at(kind).shape {
            KindShape::Cards(face) => Some(face),
            _ => None,
        }
    }

    pub(crate) fn is_pile(&self, var: VarId) -> bool {
        matches!(self.var_at(var).form, VarForm::Pile(_))
    }

    pub(crate) fn kind_at(&self, kind: KindId) -> &Kind {
        &self.kinds[kind.index()]
    }

    pub(crate) fn var_at(&self, var: VarId) -> &Var {
        &self.vars[var.index()]
    }

    pub(crate) fn rule(&self, rule: RuleId) -> &Rule {
        &self.rules[rule.index()]
    }

    pub(crate) fn part_depth(&self, kind: KindId) -> usize {
        self.kind_at(kind).within.as_ref().map_or(0, |part| 1 + self.part_depth(part.of))
    }

    /// The kind that a kind is a part of in the end; itself if it is none.
    pub(crate) fn whole_kind(&self, kind: KindId) -> KindId {
        self.kind_at(kind).within.as_ref().map_or(kind, |part| self.whole_kind(part.of))
    }

    pub(crate) fn is_part(&self, part: KindId, of: KindId) -> bool {
        let within = self.kind_at(part).within.as_ref();
        within.is_some_and(|within| within.of == of || self.is_part(within.of, of))
    }

    /// A type with whole kinds in place of parts.
    pub(crate) fn whole_type(&self, ty: &Type) -> Type {
        match member_kind(ty) {
            Some(kind) => with_kind(ty, self.whole_kind(kind)),
            None => ty.clone(),
        }
    }

    /// The type that both fit; a part and its whole meet in the whole.
    pub(crate) fn join_kinds(&self, a: &Type, b: &Type) -> Option<Type> {
        if let (Some(one), Some(other)) = (self.bag_of(a), self.bag_of(b))
            && one == other
            && a != b
        {
            return Some(Type::Bag(one));
        }
        for (bag, other) in [(a, b), (b, a)] {
            if let (Some(one), Type::EmptySet) = (self.bag_of(bag), other) {
                return Some(Type::Bag(one));
            }
        }
        let (Some(one), Some(other)) = (member_kind(a), member_kind(b)) else {
            return join_types(a, b);
        };
        if self.is_part(one, other) {
            join_types(&with_kind(a, other), b)
        } else if self.is_part(other, one) {
            join_types(a, &with_kind(b, one))
        } else if one != other && self.whole_kind(one) == self.whole_kind(other) {
            join_types(&self.whole_type(a), &self.whole_type(b))
        } else {
            join_types(a, b)
        }
    }

    /// The variable of the table that holds something for each member of a kind.
    pub(crate) fn array_over(&self, kind: KindId) -> Option<&str> {
        let dims = [Domain::Kind(kind)];
        let mut vars = self.vars.iter();
        vars.find(|var| var.owner == ast::Owner::Table && var.dims == dims)
            .map(|var| var.name.as_str())
    }

    pub(crate) fn cell_by_number(&self, board: KindId) -> Option<String> {
        let kind = self.kind_at(board);
        kind.as_board()?.number_lookup(&kind.name)
    }

    pub(crate) fn are_cards(&self, domain: Domain) -> bool {
        matches!(domain, Domain::Kind(kind) if self.face_of(kind).is_some())
    }

    pub(crate) fn has_parts(&self, kind: KindId) -> bool {
        let whole = self.whole_kind(kind);
        let mut parts = self.kinds.iter().filter_map(|kind| kind.within.as_ref());
        parts.any(|part| self.whole_kind(part.of) == whole)
    }

    /// The position of a seat by the name that the file gives it.
    pub(crate) fn listed_seat(&self, name: &str) -> Option<usize> {
        self.kind_at(PLAYER).members.iter().position(|seat| seat.name == name)
    }

    /// How many members a finite type has, if that is known; for players, the most.
    pub(crate) fn domain_size(&self, domain: Domain) -> Option<usize> {
        match domain {
            Domain::Kind(PLAYER) => Some(self.players.1),
            Domain::Kind(kind) => Some(self.kind_at(kind).members.len()),
            Domain::Range(range) => {
                let range = &self.ranges[range.index()];
                let (low, high) = (literal(&range.low)?, literal(range.high.as_ref()?)?);
                usize::try_from(high.checked_sub(low)?.checked_add(1)?).ok()
            }
        }
    }

    /// The positions of the members that a table has cells for: of a part of a kind only its own.
    pub(crate) fn table_members(&self, domain: Domain) -> Option<Vec<usize>> {
        match domain {
            Domain::Kind(PLAYER) | Domain::Range(_) => {
                Some((0..self.domain_size(domain)?).collect())
            }
            Domain::Kind(kind) => Some(self.kind_at(kind).own_members()),
        }
    }

    /// What a member of a finite type with a known size is called.
    pub(crate) fn domain_member(&self, domain: Domain, position: usize) -> String {
        match domain {
            Domain::Kind(kind) => match self.kind_at(kind).members.get(position) {
                Some(member) => member.name.clone(),
                None => format!("seat {}", position + 1),
            },
            Domain::Range(range) => {
                let low = literal(&self.ranges[range.index()].low);
                (low.expect("a table is over literal ranges") + to_int(position)).to_string()
            }
        }
    }
}
