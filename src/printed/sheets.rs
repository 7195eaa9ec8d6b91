//! Writes player sheets, boards, tokens and backs of cards.

use crate::compile::constant;
use crate::game::{Board, Game, stated_colour};
use crate::gate::html;
use crate::printed::{hex, is_light};
use crate::rulebook::english::capitalised;
use crate::rules::visit::any_stmt;
use crate::rules::{
    Domain, KindId, KindShape, PLAYER, Rules, Stmt, StmtKind, Table, Type, Value, Var, VarForm,
    value_text,
};
use crate::syntax::ast::Owner;

/// So many boxes stand in a row at most.
const MOST_BOXES: i64 = 18;

/// So many things are crossed out one by one; more are written as numbers.
const MOST_CROSSED: i64 = 12;

/// So many tokens of a kind are printed.
const MOST_TOKENS: usize = 60;

/// The sheets of a game, each a section of a page; none where nothing is written, laid or moved.
pub(super) fn sheets(game: &Game, figure: impl Fn(&Board) -> String) -> Vec<String> {
    let printer = SheetPrinter { game, rules: game.rules() };
    let empty = game.table(&game.initial_state());
    let boards = empty.boards.into_iter().map(|board| {
        let bare = board.emptied();
        format!(
            "<section class=\"printed wide-board\">\n<h2>{}</h2>\n{}</section>\n",
            html(&bare.title),
            figure(&bare)
        )
    });
    printer.player_sheet().into_iter().chain(boards).chain(printer.tokens()).collect()
}

/// The backs of so many cards.
pub(super) fn backs(title: &str, count: usize) -> String {
    let back = format!("<article class=\"card back\"><span>{}</span></article>\n", html(title));
    back.repeat(count)
}

struct SheetPrinter<'a> {
    game: &'a Game,
    rules: &'a Rules,
}

impl SheetPrinter<'_> {
    /// The sheet of a player: what they write down, with the entries of tables.
    fn player_sheet(&self) -> Option<String> {
        let own = self.rules.vars.iter().filter(|var| var.owner == Owner::Player && !var.undrawn);
        let own: Vec<(&Var, String)> =
            own.filter_map(|var| Some((var, self.boxes_of(var)?))).collect();
        // Nobody needs a sheet for coins alone.
        let is_written = |(var, boxes): &(&Var, String)| {
            !matches!(var.form, VarForm::Coin) && boxes.contains("<table")
        };
        if !own.iter().any(is_written) {
            return None;
        }
        let boxes: String = own.into_iter().map(|(_, boxes)| boxes).collect();
        let same = |table: &&Table| {
            self.rules.vars.iter().any(|var| {
                let crossed = match (&var.ty, var.dims.as_slice()) {
                    (Type::Set(domain), []) if var.owner == Owner::Player => self.table_of(*domain),
                    _ => None,
                };
                is_filled_by(var, table) || crossed.is_some_and(|it| std::ptr::eq(it, *table))
            })
        };
        let tables = self.rules.tables.iter().filter(|table| !table.is_computed() && !same(table));
        let tables: String = tables.filter_map(|table| self.reference(table)).collect();
        Some(format!(
            "<section class=\"printed written\">\n<h2>{}</h2>\n<p class=\"name\">Name</p>\n{boxes}{}\
             <div class=\"reference\">\n{tables}</div>\n</section>\n",
            html(&self.game.info().title),
            self.totals(),
        ))
    }

    /// A variable of a player as boxes to cross out or to write in.
    fn boxes_of(&self, var: &Var) -> Option<String> {
        let title = if var.title.is_empty() { &var.name } else { &var.title };
        let title = html(&capitalised(&title.replace('_', " ")));
        let body = match (&var.form, var.dims.as_slice(), &var.ty) {
            (VarForm::Die(_) | VarForm::Pile(_), ..) => return None,
            (_, [], Type::Set(domain)) => match self.table_of(*domain) {
                Some(table) => self.crossed_table(&title, table)?,
                None => row(&title, &self.labels(*domain)?),
            },
            (VarForm::Coin, [], _) => match self.last_of(var) {
                Some(last @ 1..=MOST_CROSSED) => {
                    row(&title, &(1..=last).map(|_| String::new()).collect::<Vec<_>>())
                }
                _ => blank_line(&title),
            },
            (VarForm::Plain, [], Type::Number) => blank_line(&title),
            (_, [only], _) => row(&title, &self.labels(*only)?),
            (_, [down, across], _) => self.grid(var, &title, *down, *across)?,
            _ => return None,
        };
        Some(body)
    }

    /// The table in which each number of a range stands once: there people cross them out.
    fn table_of(&self, domain: Domain) -> Option<&Table> {
        let Domain::Range(_) = domain else { return None };
        let labels = self.labels(domain)?;
        self.rules.tables.iter().find(|table| {
            let filled = table.cells.iter().filter(|cell| **cell != Value::None);
            let mut told: Vec<String> = filled.map(|cell| self.words(cell, &table.ty)).collect();
            let is_whole = told.len() == labels.len();
            told.sort_unstable();
            told.dedup();
            table.dims.len() == 2 && is_whole && labels.iter().all(|label| told.contains(label))
        })
    }

    /// A table of numbers as boxes to cross out.
    fn crossed_table(&self, title: &str, table: &Table) -> Option<String> {
        let [down, across] = table.dims[..] else { return None };
        self.boxed_grid(title, (down, across), |place| match &table.cells[place] {
            Value::None => None,
            value => Some(self.words(value, &table.ty)),
        })
    }

    fn last_of(&self, var: &Var) -> Option<i64> {
        let high = self.rules.ranges[var.range?.index()].high.as_ref()?;
        match constant(self.rules, self.game.setting(), high)? {
            Value::Int(last) => Some(last),
            _ => None,
        }
    }

    fn grid(&self, var: &Var, title: &str, down: Domain, across: Domain) -> Option<String> {
        let tables: Vec<&Table> =
            self.rules.tables.iter().filter(|table| is_filled_by(var, table)).collect();
        self.boxed_grid(title, (down, across), |place| {
            let values = tables.iter().filter_map(|table| self.cell(table, place));
            let values: Vec<String> = values.collect();
            let is_void = !tables.is_empty() && values.is_empty() && var.ty == Type::Bool;
            (!is_void).then(|| values.join("<br>"))
        })
    }

    /// Rows of boxes with what stands in them; where nothing can be written, a box is filled.
    fn boxed_grid(
        &self,
        title: &str,
        (down, across): (Domain, Domain),
        text: impl Fn(usize) -> Option<String>,
    ) -> Option<String> {
        let (rows, columns) = (self.labels(down)?, self.labels(across)?);
        let heads = tagged("th", &columns);
        let row = |(at, label): (usize, &String)| {
            let cells = (0..columns.len()).map(|column| {
                let place =
                    self.place(down, at) * self.domain_size(across) + self.place(across, column);
                let (class, text) = match text(place) {
                    Some(text) => ("", text),
                    None => (" class=\"void\"", String::new()),
                };
                format!("<td{class}><small>{text}</small></td>")
            });
            format!("<tr><th>{label}</th>{}</tr>\n", cells.collect::<String>())
        };
        let rows: String = rows.iter().enumerate().map(row).collect();
        Some(format!(
            "<table class=\"boxes\"><caption>{title}</caption>\n<tr><th></th>{heads}</tr>\n{rows}</table>\n"
        ))
    }

    /// An entry of a table, unless it is nothing or a factor of 1.
    fn cell(&self, table: &Table, place: usize) -> Option<String> {
        let value = &table.cells[place];
        let text = html(&self.words(value, &table.ty));
        let is_small = |it: &Value| matches!(it, Value::None | Value::Int(0..=9));
        let is_factor = table.ty == Type::Number
            && table.cells.iter().all(is_small)
            && table.cells.contains(&Value::Int(1));
        match value {
            Value::None => None,
            Value::Int(1) if is_factor => None,
            _ if is_factor => Some(format!("× {text}")),
            _ => Some(text),
        }
    }

    fn words(&self, value: &Value, ty: &Type) -> String {
        let inner = if let Type::Maybe(inner) = ty { inner } else { ty };
        match (value, inner) {
            (Value::None, _) => "–".to_owned(),
            (Value::Int(at), Type::Kind(kind)) => {
                self.member(*kind, usize::try_from(*at).unwrap_or(0))
            }
            _ => value_text(self.rules, ty, value),
        }
    }

    fn member(&self, kind: KindId, at: usize) -> String {
        let member = self.rules.kinds[kind.index()].members.get(at);
        member.map_or_else(String::new, |it| {
            if it.title.is_empty() { it.name.replace('_', " ") } else { it.title.clone() }
        })
    }

    /// A table in numbers that players look things up in.
    fn reference(&self, table: &Table) -> Option<String> {
        let title =
            html(if table.title.is_empty() { &table.name } else { &table.title }).replace('_', " ");
        let (last, first) = table.dims.split_last()?;
        let columns = self.labels(*last)?;
        let rows = match first {
            [] => vec![String::new()],
            [down] => self.labels(*down)?,
            _ => return None,
        };
        let heads = tagged("th", &columns);
        let row = |(at, label): (usize, &String)| {
            let start =
                first.first().map_or(0, |down| self.place(*down, at) * self.domain_size(*last));
            let cells = (0..columns.len()).map(|column| {
                let value = &table.cells[start + self.place(*last, column)];
                format!("<td>{}</td>", html(&self.words(value, &table.ty)))
            });
            format!("<tr><th>{label}</th>{}</tr>\n", cells.collect::<String>())
        };
        let rows: String = rows.iter().enumerate().map(row).collect();
        Some(format!(
            "<table><caption>{title}</caption>\n<tr><th></th>{heads}</tr>\n{rows}</table>\n"
        ))
    }

    /// The members of a type that is short enough for a sheet.
    fn labels(&self, domain: Domain) -> Option<Vec<String>> {
        match domain {
            Domain::Kind(PLAYER) => None,
            Domain::Kind(kind) => {
                let of = &self.rules.kinds[kind.index()];
                let own = of.own_members();
                let is_short = own.len() <= 24 && matches!(of.shape, KindShape::Plain);
                is_short.then(|| own.iter().map(|at| self.labelled(kind, *at)).collect())
            }
            Domain::Range(range) => {
                let range = &self.rules.ranges[range.index()];
                let number = |expr| match constant(self.rules, self.game.setting(), expr)? {
                    Value::Int(number) => Some(number),
                    _ => None,
                };
                let (low, high) = (number(&range.low)?, number(range.high.as_ref()?)?);
                (high - low < MOST_BOXES).then(|| (low..=high).map(|it| it.to_string()).collect())
            }
        }
    }

    /// A member with what its columns say, as a heading.
    fn labelled(&self, kind: KindId, at: usize) -> String {
        let of = &self.rules.kinds[kind.index()];
        let told =
            of.named_columns().filter(|column| column.ty != Type::Text).filter_map(|column| {
                let value = &column.cells[at];
                let words = self.words(value, &column.ty);
                let is_told = *value != Value::None;
                is_told
                    .then(|| format!("<br><small>{} {}</small>", html(&column.name), html(&words)))
            });
        self.swatch(kind, at) + &html(&self.member(kind, at)) + &told.collect::<String>()
    }

    /// The colour of a member, by which people find its row.
    fn swatch(&self, kind: KindId, at: usize) -> String {
        let member = self.rules.kinds[kind.index()].members.get(at);
        member.and_then(stated_colour).map_or_else(String::new, |paint| {
            format!("<i class=\"swatch\" style=\"background:{}\"></i>", hex(paint))
        })
    }

    /// Room for what the ranking at the end compares.
    fn totals(&self) -> String {
        let ranks = |stmt: &Stmt| matches!(stmt.kind, StmtKind::FinishRanking { .. });
        let is_ranked = self.rules.rules.iter().any(|rule| any_stmt(&rule.body, ranks));
        if is_ranked { blank_line("Points in all") } else { String::new() }
    }

    /// Where the element stands whose label has this number: a part of a kind has places of the whole.
    fn place(&self, domain: Domain, at: usize) -> usize {
        match domain {
            Domain::Kind(kind) => {
                self.rules.kinds[kind.index()].own_members().get(at).copied().unwrap_or(at)
            }
            Domain::Range(_) => at,
        }
    }

    fn domain_size(&self, domain: Domain) -> usize {
        match domain {
            Domain::Kind(kind) => self.rules.kinds[kind.index()].members.len(),
            Domain::Range(_) => self.labels(domain).map_or(0, |it| it.len()),
        }
    }

    /// Pieces that lie on a board, to cut out.
    fn tokens(&self) -> Option<String> {
        let mut drawn = String::new();
        for (at, kind) in self.rules.kinds.iter().enumerate() {
            let id = KindId::at(at);
            if id == PLAYER || !self.lies_on_a_board(id) {
                continue;
            }
            let each = self.stock_of(id).unwrap_or(1);
            for member in kind.own_members() {
                drawn.push_str(&self.token_svg(id, member).repeat(each.min(MOST_TOKENS)));
            }
        }
        let section =
            || format!("<section class=\"printed tokens\">\n<h2>Tokens</h2>\n{drawn}</section>\n");
        (!drawn.is_empty()).then(section)
    }

    fn lies_on_a_board(&self, kind: KindId) -> bool {
        let is_board = |dim: &Domain| matches!(dim, Domain::Kind(it) if self.rules.kinds[it.index()].is_board());
        let holds = |ty: &Type| match ty {
            Type::Kind(it) => *it == kind,
            Type::Maybe(inner) => **inner == Type::Kind(kind),
            _ => false,
        };
        self.rules
            .vars
            .iter()
            .any(|var| !var.undrawn && var.dims.iter().any(is_board) && holds(&var.ty))
    }

    fn stock_of(&self, kind: KindId) -> Option<usize> {
        let counts = |var: &&Var| var.dims == [Domain::Kind(kind)] && var.ty == Type::Number;
        let var = self.rules.vars.iter().find(counts)?;
        match constant(self.rules, self.game.setting(), &var.init.value)? {
            Value::Int(count) => usize::try_from(count).ok().filter(|count| *count > 0),
            _ => None,
        }
    }

    fn token_svg(&self, kind: KindId, at: usize) -> String {
        let tag = self.game.member_tag(kind.index(), at);
        let light = if is_light(&tag.colours) || tag.colours.is_empty() { " light" } else { "" };
        let colours: Vec<String> = tag.colours.iter().map(|paint| hex(*paint)).collect();
        let band = match colours.as_slice() {
            [] => "#fff".to_owned(),
            [one] => one.clone(),
            [first, second, ..] => format!("linear-gradient(90deg,{first} 50%,{second} 50%)"),
        };
        format!(
            "<span class=\"token{light}\" style=\"--band:{band}\"><b>{}</b>{}</span>\n",
            html(&tag.short),
            html(&tag.title)
        )
    }
}

/// Whether a table says something of each element of a variable of players.
fn is_filled_by(var: &Var, table: &Table) -> bool {
    let is_own = var.owner == Owner::Player && !table.is_computed();
    is_own && table.dims.len() > 1 && table.dims == var.dims
}

fn tagged(tag: &str, texts: &[String]) -> String {
    texts.iter().flat_map(|text| ["<", tag, ">", text, "</", tag, ">"]).collect()
}

/// Boxes in a row, each with its label.
fn row(title: &str, labels: &[String]) -> String {
    let cells = tagged("small", labels)
        .replace("<small>", "<td><small>")
        .replace("</small>", "</small></td>");
    format!("<table class=\"boxes\"><caption>{title}</caption>\n<tr>{cells}</tr></table>\n")
}

/// A line to write a number on.
fn blank_line(title: &str) -> String {
    format!("<p class=\"line\">{title}</p>\n")
}
