//! Builds statements, blocks of them, and decisions.

use crate::diagnostic::Help;
use crate::syntax::ast::{
    AssignOp, Binder, Block, CardAction, Choose, Clause, ClauseKind, Decline, Expr, ExprKind,
    Finish, MoveGroup, MoveLine, MoveOption, Name, PastVerb, Stmt, StmtKind, TransferVerb,
};
use crate::syntax::expressions::{MAX_BINDERS, naming, reversed, started};
use crate::syntax::parser::{Build, Built, Node, Rule};
use crate::syntax::slips::form_by_word;
use crate::syntax::{MAX_NESTING, error, print_expression};

impl Build for Block {
    const RULES: &'static [Rule] = &[Rule::block, Rule::statement, Rule::if_statement];

    /// One statement, such as the `if` after an `else`, makes a block of its own.
    fn build(mut node: Node<'_>) -> Built<Block> {
        let span = node.span;
        let stmts =
            if node.rule == Rule::block { node.build_all()? } else { vec![Stmt::build(node)?] };
        Ok(Block { stmts, span })
    }
}

impl Build for Stmt {
    const RULES: &'static [Rule] = &[Rule::statement, Rule::if_statement];
    fn build(mut node: Node<'_>) -> Built<Stmt> {
        let notes = node.notes();
        let node = if node.rule == Rule::statement { node.any() } else { node };
        let span = node.span;
        Ok(Stmt { notes, kind: statement(node)?, span })
    }
}

fn statement(mut node: Node<'_>) -> Built<StmtKind> {
    Ok(match node.rule {
        Rule::let_statement => StmtKind::Let { name: node.one()?, value: node.one()? },
        Rule::var_statement => StmtKind::Var {
            name: node.one()?,
            dims: node.build_list(Rule::dims)?,
            ty: node.maybe()?,
            value: node.one()?,
        },
        Rule::if_statement => StmtKind::If {
            condition: node.one()?,
            then: node.one()?,
            otherwise: node.build_inside(Rule::else_part)?,
        },
        Rule::match_statement => StmtKind::Match { subject: node.one()?, arms: node.build_all()? },
        Rule::for_statement => for_statement(node)?,
        Rule::repeat_statement => StmtKind::Repeat {
            times: node.maybe()?,
            body: node.one()?,
            until: node.build_inside(Rule::until_part)?,
        },
        Rule::while_statement => StmtKind::While { condition: node.one()?, body: node.one()? },
        Rule::return_statement => StmtKind::Return(node.maybe()?),
        Rule::break_statement => StmtKind::Break,
        Rule::continue_statement => StmtKind::Continue,
        Rule::choose_statement => StmtKind::Choose(Box::new(build_choose(node)?)),
        Rule::turns_statement => StmtKind::Turns {
            name: node.one()?,
            from: node.one()?,
            backwards: node.take_part(Rule::backwards).is_some(),
            condition: node.build_inside(Rule::where_part)?,
            body: node.one()?,
        },
        Rule::swap_statement => StmtKind::Swap(node.one()?, node.one()?),
        Rule::reset_statement => StmtKind::Reset(node.build_all()?),
        Rule::roll_statement => StmtKind::Roll { die: node.one()?, binder: node.maybe()? },
        Rule::reveal_statement => StmtKind::Show { places: node.build_all()?, to: None },
        Rule::show_statement => {
            let mut places: Vec<Expr> = node.build_all()?;
            let to = places.pop();
            StmtKind::Show { places, to }
        }
        Rule::look_statement => {
            StmtKind::Cards(CardAction::Look { what: node.one()?, by: node.one()? })
        }
        Rule::move_statement => StmtKind::Cards(build_move(node)?),
        Rule::shuffle_statement => StmtKind::Cards(CardAction::Shuffle(node.one()?)),
        Rule::remember_statement => StmtKind::Past(PastVerb::Remember, node.one()?),
        Rule::forget_statement => StmtKind::Past(PastVerb::Forget, node.one()?),
        Rule::say_statement => {
            StmtKind::Say { to: node.build_inside(Rule::say_to)?, text: node.one()? }
        }
        Rule::finish_statement => StmtKind::Finish(build_finish(node.any())?),
        Rule::place_statement => place_statement(node)?,
        rule => unreachable!("the grammar has no {rule:?} among the statements"),
    })
}

fn build_move(mut node: Node<'_>) -> Built<CardAction> {
    let what = node.one()?;
    let below = node.build_inside(Rule::to_bottom)?;
    let bottom = below.is_some();
    let to = below.map_or_else(|| node.one(), Ok)?;
    Ok(CardAction::Move { what, to, bottom })
}

fn for_statement(mut node: Node<'_>) -> Built<StmtKind> {
    let mut heads = Vec::new();
    while let Some(head) = node.take_part(Rule::for_head) {
        heads.push((head.span, for_head(head)?));
    }
    if let Some((span, _)) = heads.get(MAX_BINDERS) {
        return Err(error::too_deep(MAX_BINDERS, *span));
    }
    let mut body: Block = node.one()?;
    // Each loop is all that the one before it does.
    while let Some((span, (binder, from))) = heads.pop() {
        let joined = !heads.is_empty();
        let kind = StmtKind::For { binder, from, body, joined };
        if !joined {
            return Ok(kind);
        }
        let span = span.to(node.span);
        body = Block { stmts: vec![Stmt { notes: Vec::new(), kind, span }], span };
    }
    unreachable!("the grammar has a loop in each `for`")
}

fn for_head(mut node: Node<'_>) -> Built<(Binder, Option<Expr>)> {
    let (name, mut set): (_, Expr) = (node.one()?, node.one()?);
    let mut from = node.build_inside(Rule::from_part)?;
    if let Some(word) = node.take_part(Rule::backwards) {
        set = reversed(started(set, from.take()), word.span);
    }
    let condition = node.build_inside(Rule::where_part)?;
    Ok((Binder { set: Box::new(naming(set, &name)), name, condition }, from))
}

fn build_finish(mut node: Node<'_>) -> Built<Finish> {
    Ok(match node.rule {
        Rule::finish_draw => Finish::Draw,
        Rule::finish_win => Finish::Win(node.one()?),
        Rule::finish_team => Finish::Team(node.one()?),
        Rule::finish_lose => Finish::All { win: false },
        Rule::finish_together => match node.peek() {
            Some(Rule::finish_lose) => Finish::All { win: false },
            Some(Rule::together_win) => Finish::All { win: true },
            _ => Finish::Together(node.one()?),
        },
        _ => Finish::Ranking { name: node.one()?, keys: node.build_all()? },
    })
}

fn place_statement(mut node: Node<'_>) -> Built<StmtKind> {
    let place: Expr = node.one()?;
    if node.peek().is_none() {
        return match place.kind {
            ExprKind::Call(..) | ExprKind::Method(..) => Ok(StmtKind::Call(place)),
            _ => Err(error::idle_statement(help_for_idle_value(&place), place.span)),
        };
    }
    let mut change = node.any();
    if change.rule == Rule::assign {
        let op = match change.text.get(..2) {
            Some("+=") => AssignOp::Add,
            Some("-=") => AssignOp::Subtract,
            _ => AssignOp::Set,
        };
        return Ok(StmtKind::Assign { place, op, value: change.one()? });
    }
    let verb = match change.any().rule {
        Rule::gains => TransferVerb::Gains,
        Rule::loses => TransferVerb::Loses,
        _ => TransferVerb::Pays,
    };
    let (amount, coin, index) = (change.one()?, change.one()?, change.build_list(Rule::index)?);
    let verb = change.take_part(Rule::lose_rest).map_or(verb, |_| TransferVerb::GainsLosingRest);
    let from = change.build_inside(Rule::gained_from)?;
    let other = from.map_or_else(|| change.build_inside(Rule::paid_to), |it| Ok(Some(it)))?;
    Ok(StmtKind::Transfer { owner: place, verb, amount, coin, index, other })
}

/// Help for a value alone: only a call does something.
fn help_for_idle_value(value: &Expr) -> Help {
    if let ExprKind::Match(subject, _) = &value.kind {
        let subject = print_expression(subject);
        return format!(
            "a rule gives its value back with `return`: `return match {subject} {{ … }}`; cases that do \
             something have no values, but statements"
        )
        .into();
    }
    let ExprKind::Name(name) = &value.kind else {
        return "a statement gives a value (`a = 1`), calls a rule (`deal(me)`), or begins with a word \
                such as `say`; a rule gives its value back with `return`"
            .into();
    };
    match name.text.as_str() {
        "finish" | "end" | "win" => {
            "say how it ends: `finish win me`, `finish draw` or `finish ranking p by p.points`"
                .into()
        }
        "say" | "move" | "show" | "reveal" | "shuffle" | "swap" | "look" | "reset" => {
            form_by_word(&name.text).unwrap_or_default().into()
        }
        "draw" | "tie" => Help::form("if nobody wins, say", "finish draw"),
        "roll" => "say which die: `roll cube`".into(),
        "pass" | "skip" | "nothing" => "where nothing happens the braces are empty: `{ }`".into(),
        "stop" | "exit" | "quit" => {
            "`break` leaves a loop, `return` a rule, `finish` the game".into()
        }
        name => {
            format!("a rule is called with parentheses: `{name}()`; a value is given: `{name} = …`")
                .into()
        }
    }
}

fn build_choose(mut node: Node<'_>) -> Built<Choose> {
    let label = node.build_inside(Rule::label)?;
    let each: Option<Binder> = node.build_inside(Rule::choose_each)?;
    let chooser = match &each {
        Some(each) => Expr { kind: ExprKind::Name(each.name.clone()), span: each.name.span },
        None => node.one()?,
    };
    Ok(Choose {
        label,
        each,
        chooser,
        order: node.take_part(Rule::in_order).is_some(),
        prompt: node.maybe()?,
        options: node.build_all()?,
        decline: node.maybe()?,
        otherwise: node.build_inside(Rule::nothing_legal)?,
    })
}

impl Build for MoveLine {
    const RULES: &'static [Rule] = &[Rule::move_option, Rule::move_group];
    fn build(mut node: Node<'_>) -> Built<MoveLine> {
        let mut span = node.span;
        if node.rule == Rule::move_group {
            let (name, args) = (node.one()?, node.build_list(Rule::arguments)?);
            return Ok(MoveLine::Group(MoveGroup { name, args, span }));
        }
        let (notes, name) = (node.notes(), node.one::<Name>()?);
        span.start = name.span.start;
        let (params, template) = (node.build_list(Rule::move_names)?, node.maybe()?);
        let clauses: Vec<Clause> = node.build_all()?;
        // Each clause stands inside of those before it.
        if clauses.len() > MAX_NESTING {
            return Err(error::too_deep(MAX_NESTING, name.span));
        }
        let body = node.one()?;
        Ok(MoveLine::Option(MoveOption { notes, name, params, template, clauses, body, span }))
    }
}

impl Build for Clause {
    const RULES: &'static [Rule] = &[Rule::clause];
    fn build(mut node: Node<'_>) -> Built<Clause> {
        let (notes, mut node) = (node.notes(), node.any());
        let kind = match node.rule {
            Rule::for_clause => ClauseKind::For(node.one()?),
            Rule::maybe_clause => ClauseKind::Maybe(node.one()?),
            Rule::when_clause => ClauseKind::When(node.one()?),
            _ => ClauseKind::Let(node.one()?, node.one()?),
        };
        Ok(Clause { notes, kind })
    }
}

impl Build for Decline {
    const RULES: &'static [Rule] = &[Rule::decline];
    fn build(mut node: Node<'_>) -> Built<Decline> {
        let (mut span, notes) = (node.span, node.notes());
        let name: Name = node.one()?;
        let (template, alone) = (node.maybe()?, node.take_part(Rule::when_alone).is_some());
        let condition = node.build_inside(Rule::when_clause)?;
        if !notes.is_empty() {
            span.start = name.span.start;
        }
        Ok(Decline { notes, name, template, alone, condition, body: node.one()?, span })
    }
}
