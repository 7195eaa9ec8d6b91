//! Boards as data: where the cells lie, and what lies on each.

use crate::bytecode::program::{NONE, ValueShape};
use crate::bytecode::vars::DimInfo;
use crate::game::view::ViewContext;
use crate::game::view::grouping::{Speaker, Speaks};
use crate::game::view::model::{
    Board, BoardCell, BoardLayout, Layer, LayerForm, Piece, SeenValue, Tag, WholeBoard,
};
use crate::rules::topology::{BoardTopology, CellLayout, JointPart, Lattice, Topology as _};
use crate::rules::{
    Column, Domain, Kind, KindId, Member, PrintManner, Type, Value, unwrap_maybe, value_words,
};

/// How many cells a ring has at least that lies in two rows, there and back.
const FEWEST_THERE_AND_BACK: usize = 6;

/// The digits of a number whose highest value the file does not say.
const USUAL_DIGITS: usize = 3;

/// All boards on which something can lie, in the order of the file: what lies there for all, then
/// what each player has in cells of an own copy.
pub(super) fn boards(view: ViewContext) -> Vec<Board> {
    let kinds = view.rules.kinds.iter().enumerate();
    let owners = || std::iter::once(None).chain((0..view.program.players).map(Some));
    let boards = kinds.flat_map(|(number, kind)| {
        owners().filter_map(move |owner| build_board(view, (number, kind), owner))
    });
    boards.collect()
}

fn build_board(
    view: ViewContext,
    (number, kind): (usize, &Kind),
    owner: Option<usize>,
) -> Option<Board> {
    let layout = kind.as_board()?.cell_layout();
    let over = DimInfo { kind: u16::try_from(number).ok(), low: 0, size: kind.members.len() };
    let drawn = |at: &usize| view.whole || !view.rules.vars[*at].undrawn;
    let speakers: Vec<Speaker> = (0..view.program.vars.len())
        .filter(drawn)
        .filter_map(|at| Speaker::for_variable(view, at, &over))
        .filter(|it| (it.var.of_player && it.says == Speaks::Array) == owner.is_some())
        .collect();
    if speakers.is_empty() {
        return None;
    }
    let (grounds, below) = grounds(view, kind);
    let mut cells = cells_of(kind)?;
    for (cell, below) in cells.iter_mut().zip(below) {
        cell.ground = below;
    }
    let mut layers = Vec::new();
    for speaker in &speakers {
        let at = layers.len();
        for (cell, pieces) in
            cells.iter_mut().zip(collect_pieces(view, *speaker, owner, kind.members.len()))
        {
            cell.pieces.extend(pieces.into_iter().map(|piece| Piece { layer: at, ..piece }));
        }
        layers.push(layer(view, *speaker));
    }
    let (mut columns, rows) = headings(kind, layout);
    if layout == CellLayout::Links {
        columns = add_facts(view, kind, &mut cells);
    }
    let (name, title) = (kind.name.clone(), kind.title.clone());
    let layout = layout_of(layout);
    let of = whole_board(view, number);
    Some(Board { name, title, owner, of, layout, columns, rows, cells, layers, grounds })
}

fn layout_of(layout: CellLayout) -> BoardLayout {
    match layout {
        CellLayout::Rows { .. } => BoardLayout::Grid,
        CellLayout::Slanted(_) => BoardLayout::Hex,
        CellLayout::Circle => BoardLayout::Ring,
        CellLayout::Between(JointPart::Edges, _) => BoardLayout::Edges,
        CellLayout::Between(JointPart::Corners, _) => BoardLayout::Corners,
        CellLayout::Links => BoardLayout::Map,
    }
}

/// The cells of a board, empty, where they lie.
pub(crate) fn cells_of(kind: &Kind) -> Option<Vec<BoardCell>> {
    let layout = kind.as_board()?.cell_layout();
    if let CellLayout::Between(part, plane) = layout {
        let joints =
            Lattice::of_plane(plane).into_joints(part).into_iter().map(|joint| joint.place);
        let places = kind.members.iter().zip(joints);
        return Some(places.map(|(member, (y, x))| cell_at(member, (x, y))).collect());
    }
    Some((0..kind.members.len()).map(|at| place_cell(kind, layout, at)).collect())
}

/// The board whose edges or corners the members of a kind are.
fn whole_board(view: ViewContext, number: usize) -> Option<WholeBoard> {
    let of_it = Type::Set(Domain::Kind(KindId::at(number)));
    let joins = |kind: &&Kind| {
        let is_whole = !matches!(kind.as_board(), None | Some(BoardTopology::Joints(_)));
        is_whole && kind.columns.iter().any(|column| column.ty == of_it && column.is_computed())
    };
    let board = view.rules.kinds.iter().enumerate().filter(|(at, _)| *at != number);
    let board = board.map(|(_, kind)| kind).find(joins)?;
    let layout = layout_of(board.as_board()?.cell_layout());
    Some(WholeBoard { name: board.name.clone(), layout })
}

fn cell_at(member: &Member, (x, y): (usize, usize)) -> BoardCell {
    let (name, title) = (member.name.clone(), member.title.clone());
    BoardCell { name, title, x, y, ..BoardCell::default() }
}

fn place_cell(kind: &Kind, layout: CellLayout, at: usize) -> BoardCell {
    let (x, y) = match layout {
        CellLayout::Rows { columns } => (2 * (at % columns), at / columns),
        CellLayout::Slanted(hex) => {
            let (mut row, mut first) = (0, 0);
            while at >= first + hex.row_length(row) {
                first += hex.row_length(row);
                row += 1;
            }
            (hex.indent(row) + 2 * (at - first), row)
        }
        CellLayout::Circle => place_on_ring(at, kind.members.len()),
        CellLayout::Between(..) | CellLayout::Links => (2 * at, 0),
    };
    let links = kind.columns.iter().find(|column| column.name == "neighbours()");
    let beside = match links.and_then(|column| column.cells.get(at)) {
        Some(Value::Set(places)) if layout == CellLayout::Links => {
            let place = |it: &i64| kind.members.get(usize::try_from(*it).ok()?);
            places.iter().filter_map(place).map(|it| it.name.clone()).collect()
        }
        _ => Vec::new(),
    };
    BoardCell { beside, ..cell_at(&kind.members[at], (x, y)) }
}

/// Column and row on a ring: out in the lower row, back in the upper one; a short ring is one row.
fn place_on_ring(at: usize, count: usize) -> (usize, usize) {
    if count < FEWEST_THERE_AND_BACK {
        return (2 * at, 0);
    }
    let half = count.div_ceil(2);
    if at < half { (2 * at, 1) } else { (2 * (2 * half - 1 - at), 0) }
}

/// What stands above the columns and beside the rows: parts of the names of the cells. Beside a ring
/// stand the titles of its cells, or their numbers.
fn headings(kind: &Kind, whole: CellLayout) -> (Vec<String>, Vec<String>) {
    // Edges and corners have the headings of their board.
    let (layout, name): (_, &dyn Fn(usize) -> String) = match &whole {
        CellLayout::Between(_, plane) => (plane.cell_layout(), &|at| plane.cell_name("", at)),
        _ => (whole, &|at| kind.members[at].name.clone()),
    };
    let letters = |at: usize| name(at).trim_end_matches(|it: char| it.is_ascii_digit()).to_owned();
    let digits =
        |at: usize| name(at).trim_start_matches(|it: char| !it.is_ascii_digit()).to_owned();
    match layout {
        CellLayout::Rows { columns } => {
            let count = if let CellLayout::Between(_, plane) = whole {
                plane.cell_count()
            } else {
                kind.members.len()
            };
            let rows = (0..count).step_by(columns).map(digits).collect();
            ((0..columns).map(letters).collect(), rows)
        }
        CellLayout::Slanted(hex) => {
            let firsts = (0..hex.row_count()).scan(0, |first, row| {
                let here = *first;
                *first += hex.row_length(row);
                Some(name(here))
            });
            ((0..hex.row_length(0)).map(letters).collect(), firsts.collect())
        }
        CellLayout::Circle => {
            let is_titled = |it: &Member| it.title != it.name.replace('_', " ");
            let titled = kind.members.iter().any(is_titled);
            let title = |(at, member): (usize, &Member)| {
                if titled { member.title.clone() } else { at.to_string() }
            };
            ((1..).zip(&kind.members).map(title).collect(), Vec::new())
        }
        CellLayout::Between(..) | CellLayout::Links => (Vec::new(), Vec::new()),
    }
}

/// The first column of members, some of which may be missing, and their kind.
fn ground_column(kind: &Kind) -> Option<(&Column, usize)> {
    kind.named_columns().find_map(|column| match unwrap_maybe(&column.ty) {
        Type::Kind(kind) => Some((column, kind.index())),
        _ => None,
    })
}

/// Notes what the file says of the places or the links of a map, but for their grounds; gives the headings.
fn add_facts(view: ViewContext, kind: &Kind, cells: &mut [BoardCell]) -> Vec<String> {
    let ground = ground_column(kind).map(|(column, _)| column.name.as_str());
    let is_short =
        |column: &&Column| column.ty != Type::Text && Some(column.name.as_str()) != ground;
    let mut headings = Vec::new();
    for column in kind.named_columns().filter(is_short) {
        headings.push(column.name.replace('_', " "));
        for (cell, value) in cells.iter_mut().zip(&column.cells) {
            let shown = (&column.ty, value);
            cell.facts.push(value_words(view.rules, view.names, shown, PrintManner::Said));
        }
    }
    headings
}

/// The members of the first column of members, and for each cell which of them it is.
fn grounds(view: ViewContext, kind: &Kind) -> (Vec<Tag>, Vec<Option<usize>>) {
    let Some((column, of)) = ground_column(kind) else { return Default::default() };
    let below: Vec<Option<usize>> = column.cells.iter().map(Value::member).collect();
    let grounds = (0..view.rules.kinds[of].members.len()).map(|at| view.tag(of, at)).collect();
    (grounds, below)
}

/// The pieces that a variable puts on each cell.
fn collect_pieces(
    view: ViewContext,
    speaker: Speaker,
    of: Option<usize>,
    cells: usize,
) -> Vec<Vec<Piece>> {
    let Speaker { var, says, .. } = speaker;
    let seats = match of {
        Some(seat) => seat..seat + 1,
        None if var.of_player => 0..view.program.players,
        None => 0..1,
    };
    let mark = |owner: Option<usize>| {
        let members = owner.iter().map(|seat| view.tag(0, *seat)).collect();
        let value = SeenValue { text: var.title.clone(), members, ..SeenValue::default() };
        Piece { owner, value, ..Piece::default() }
    };
    let piece = |at: usize, seat: usize| {
        let owner = var.of_player.then_some(seat);
        if says != Speaks::Array {
            return (speaker.has_member(view, seat, at) == Some(true)).then(|| mark(owner));
        }
        let words = view.visible_words(var, (seat, at));
        match (&var.format.shape, words.as_deref()) {
            (ValueShape::Bool | ValueShape::Number, Some([0])) | (_, Some([NONE])) => None,
            (ValueShape::Bool, Some(_)) => Some(mark(owner)),
            (shape, Some(words)) if shape.is_set() && words.iter().all(|word| *word == 0) => None,
            (shape, words) => {
                let owner = owner.or_else(|| match (shape, words) {
                    (ValueShape::Member(kind), Some([member])) => {
                        view.owner_of((*kind).into(), usize::try_from(*member).ok()?)
                    }
                    _ => None,
                });
                let value = view.see_value(&var.format, words);
                Some(Piece { owner, value, ..Piece::default() })
            }
        }
    };
    (0..cells).map(|at| seats.clone().filter_map(|seat| piece(at, seat)).collect()).collect()
}

fn layer(view: ViewContext, speaker: Speaker) -> Layer {
    let Speaker { var, says, number } = speaker;
    let form = match (says, &var.format.shape) {
        (Speaks::Array, ValueShape::Bool) | (Speaks::Set, _) => LayerForm::Mark,
        (Speaks::Place, _) => LayerForm::Place,
        (Speaks::Array, _) => LayerForm::Piece,
    };
    let seats = || (0..view.program.players).map(|seat| view.tag(0, seat)).collect();
    let pieces = match (form, &var.format.shape) {
        (LayerForm::Piece, ValueShape::Member(0)) => seats(),
        (LayerForm::Place, _) if var.of_player => seats(),
        (LayerForm::Piece, ValueShape::Member(kind)) => {
            let kind = usize::from(*kind);
            let own = view.rules.kinds[kind].own_members();
            own.into_iter().map(|at| view.tag(kind, at)).collect()
        }
        _ => Vec::new(),
    };
    let ranges = &view.loaded.compiled.ranges;
    let range = view.rules.vars[number].range.and_then(|it| ranges.get(it.index()));
    let digits = match (form, &var.format.shape, range) {
        (LayerForm::Piece, ValueShape::Number, Some((low, Some(high)))) => {
            low.to_string().len().max(high.to_string().len())
        }
        (LayerForm::Piece, ValueShape::Number, _) => USUAL_DIGITS,
        _ => 0,
    };
    Layer { variable: var.name.clone(), title: var.title.clone(), form, pieces, digits }
}
