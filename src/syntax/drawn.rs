//! Pairs to tree: kinds, tables and the state, with their drawn data.

use pest::iterators::Pair;

use crate::syntax::ast::{
    Cell, CellKind, Dim, Drawn, Faces, Has, Head, Kind, KindBody, Owner, Row, Table, TableBody,
    Var, VarForm, Visibility,
};
use crate::syntax::error::SyntaxError;
use crate::syntax::grammar::Rule;
use crate::syntax::naming::is_reserved;
use crate::syntax::tree::{Builder, Built, Parts};

impl Builder {
    /// `kind`: a finite type, its members between commas or drawn.
    pub(super) fn kind(self, parts: &mut Parts<'_>) -> Built<Kind> {
        let name = self.kind_name(parts)?;
        let title = self.perhaps_text(parts)?;
        let within = parts.optional(Rule::part_of);
        let within = within.map(|pair| self.name(&Parts::of(pair).one(Rule::name)));
        let body = parts.any();
        let body = match body.as_rule() {
            Rule::members => KindBody::Members(self.members(body)?),
            Rule::factors => KindBody::Product(self.names(body)),
            _ => KindBody::Drawn(self.drawn_members(body)?),
        };
        Ok(Kind { name, title, within, body })
    }

    /// Drawn data whose labels become names.
    fn drawn_members(self, pair: Pair<'_, Rule>) -> Built<Drawn> {
        let drawn = self.drawn(pair)?;
        if let Some(form) = comma_form(&drawn) {
            return Err(SyntaxError::MissingComma { form, span: drawn.heads[0].span });
        }
        for row in &drawn.rows {
            let word = match &row.label.kind {
                CellKind::Name(word) if is_reserved(word) => word.clone(),
                CellKind::None => "none".to_owned(),
                CellKind::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
                _ => continue,
            };
            let expected = "the name of a member".to_owned();
            return Err(SyntaxError::ReservedWord { word, span: row.label.span, expected });
        }
        Ok(drawn)
    }

    /// `table`: constants over finite types.
    pub(super) fn table(self, parts: &mut Parts<'_>) -> Built<Table> {
        let name = self.small_name("the table", parts)?;
        let dims = Self::each(parts, Rule::any_type, |pair| self.any_type(pair))?;
        let title = self.perhaps_text(parts)?;
        let body = parts.any();
        let body = if body.as_rule() == Rule::cell_rows {
            TableBody::Row(self.cells(&mut Parts::of(body))?)
        } else {
            TableBody::Drawn(self.drawn(body)?)
        };
        Ok(Table { name, dims, title, body })
    }

    fn drawn(self, pair: Pair<'_, Rule>) -> Built<Drawn> {
        let mut parts = Parts::of(pair);
        let heads = Self::each(&mut parts, Rule::head, |pair| self.head(pair))?;
        let rows = Self::each(&mut parts, Rule::row, |pair| self.row(pair))?;
        Ok(Drawn { heads, rows })
    }

    fn head(self, pair: Pair<'_, Rule>) -> Built<Head> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let label = self.cell(parts.one(Rule::head_label))?;
        let ty = self.perhaps_type(&mut parts)?;
        let default = parts.optional(Rule::cell).map(|pair| self.cell(pair)).transpose()?;
        Ok(Head { label, ty, default, span })
    }

    fn row(self, pair: Pair<'_, Rule>) -> Built<Row> {
        let mut span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let notes = Self::notes(&mut parts);
        let label = self.cell(parts.one(Rule::head_label))?;
        span.start = label.span.start;
        Ok(Row { notes, label, cells: self.cells(&mut parts)?, span })
    }

    pub(super) fn cells(self, parts: &mut Parts<'_>) -> Built<Vec<Cell>> {
        Self::each(parts, Rule::cell, |pair| self.cell(pair))
    }

    /// `cell`, `head_label`
    fn cell(self, pair: Pair<'_, Rule>) -> Built<Cell> {
        let span = self.span(&pair);
        let pair = Parts::of(pair).any();
        let written = pair.as_str();
        let kind =
            match pair.as_rule() {
                Rule::cell_none => CellKind::None,
                Rule::cell_number => CellKind::Number(written.parse().map_err(|_| {
                    SyntaxError::NumberTooLarge { found: written.to_owned(), span }
                })?),
                Rule::string => CellKind::Text(self.plain_words(pair)?),
                Rule::cell_set => CellKind::Set(self.names(pair)),
                _ => match written {
                    "none" => CellKind::None,
                    "yes" => CellKind::Bool(true),
                    "no" => CellKind::Bool(false),
                    name => CellKind::Name(name.to_owned()),
                },
            };
        Ok(Cell { kind, span })
    }

    // ---------------------------------------------------------------------- the state

    /// `has`: what each player or the table has.
    pub(super) fn has(self, parts: &mut Parts<'_>) -> Built<Has> {
        let owner = match parts.any().as_rule() {
            Rule::of_player => Owner::Player,
            _ => Owner::Table,
        };
        Ok(Has { owner, vars: Self::each(parts, Rule::variable, |pair| self.variable(pair))? })
    }

    fn variable(self, pair: Pair<'_, Rule>) -> Built<Var> {
        let mut parts = Parts::of(pair);
        let notes = Self::notes(&mut parts);
        let pair = parts.any();
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let mut parts = Parts::of(pair);
        let name = self.name(&parts.one(Rule::name));
        let title = self.perhaps_text(&mut parts)?;
        if matches!(rule, Rule::die | Rule::dice) {
            let dims = self.dice_dims(&mut parts)?;
            let form = VarForm::Die(self.faces(parts.one(Rule::faces))?);
            let sight = Self::sight(&mut parts);
            return Ok(Var { notes, form, name, title, dims, ty: None, init: None, sight, span });
        }
        if rule == Rule::pile {
            return self.pile((notes, name, title), &mut parts, span);
        }
        let form = if rule == Rule::coin { VarForm::Coin } else { VarForm::Plain };
        let dims = self.dims(&mut parts)?;
        let ty = self.perhaps_type(&mut parts)?;
        let init = Some(self.expression(parts.one(Rule::expression))?);
        let sight = Self::sight(&mut parts);
        Ok(Var { notes, form, name, title, dims, ty, init, sight, span })
    }

    /// `sight`: who sees it, if it is not everybody.
    pub(super) fn sight(parts: &mut Parts<'_>) -> Visibility {
        let written = parts.optional(Rule::sight).map(|pair| Parts::of(pair).any().as_rule());
        match written {
            None => Visibility::All,
            Some(Rule::seen_by_owner) => Visibility::Owner,
            Some(_) => Visibility::Nobody,
        }
    }

    /// `[1..5]` of a die, or the types behind `for` of dice.
    fn dice_dims(self, parts: &mut Parts<'_>) -> Built<Vec<Dim>> {
        let mut dims = self.dims(parts)?;
        let types = Self::each(parts, Rule::any_type, |pair| self.any_type(pair))?;
        dims.extend(types.into_iter().map(|ty| Dim { binder: None, ty }));
        Ok(dims)
    }

    fn faces(self, pair: Pair<'_, Rule>) -> Built<Faces> {
        let mut parts = Parts::of(pair);
        let Some(low) = parts.optional(Rule::arithmetic) else {
            let row = Parts::of(parts.one(Rule::cell_row));
            return Ok(Faces::List(self.cells(&mut { row })?));
        };
        Ok(Faces::Range(self.plain(low)?, self.plain(parts.one(Rule::arithmetic))?))
    }

    /// `dims`: `[h in Harbour, c in Cargo]`, if they are there.
    pub(super) fn dims(self, parts: &mut Parts<'_>) -> Built<Vec<Dim>> {
        let Some(dims) = parts.optional(Rule::dims) else { return Ok(Vec::new()) };
        Self::each(&mut Parts::of(dims), Rule::dim, |pair| {
            let mut parts = Parts::of(pair);
            let binder = parts.optional(Rule::name).map(|pair| self.name(&pair));
            Ok(Dim { binder, ty: self.any_type(parts.one(Rule::any_type))? })
        })
    }
}

/// Members that were to stand in a list: all in one line, or one below the other.
fn comma_form(drawn: &Drawn) -> Option<String> {
    let name = |cell: &Cell| match &cell.kind {
        CellKind::Name(name) => Some(name.clone()),
        _ => None,
    };
    let plain = drawn.heads.iter().all(|head| head.ty.is_none() && head.default.is_none());
    let in_line = drawn.rows.is_empty() && drawn.heads.len() > 1 && plain;
    let below = drawn.heads.len() == 1 && drawn.rows.iter().all(|row| row.cells.is_empty());
    let labels = drawn.heads.iter().map(|head| &head.label);
    let labels = labels.chain(drawn.rows.iter().map(|row| &row.label)).map(name);
    (in_line || below).then(|| labels.collect::<Option<Vec<String>>>()).flatten().map(|names| {
        if names.len() > 4 { format!("{}, …", names[..4].join(", ")) } else { names.join(", ") }
    })
}
