//! The table of operators, and expressions and types to text with as few parentheses as their meaning
//! allows.

use std::sync::LazyLock;

use pest::pratt_parser::{Assoc, Op, PrattParser};

use crate::syntax::ast::{
    Arm, BagsOf, BinaryOp, Binder, Expr, ExprKind, FoldWord, MemberDecl, Name, Param, Pattern,
    PileEnd, SubsetSize, Text, TextPart, TypeExpr, TypeKind, UnaryOp,
};
use crate::syntax::parser::Rule;

/// How tight an expression holds together; a looser one needs parentheses in a tighter place. The
/// printer of expressions and the rulebook share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tightness {
    /// `S from x`; in a rulebook whatever has a comma: `x if p, otherwise y`
    From,
    /// What takes all that follows: `if … then … else …`, `random S`, `the sum of … for each …`.
    Open,
    /// `p or q`
    Or,
    /// `p and q`
    And,
    /// `not p`
    Not,
    /// `a < b`, `a is less than b`
    Comparison,
    /// `A union B`, `A together with B`
    Sets,
    /// `a..b`, `a to b`
    Range,
    /// `a + b`
    Sum,
    /// `a * b`
    Product,
    /// `-a`
    Negation,
    /// `a.b`, `f(x)`, names and numbers; `the b of a`
    Operand,
}

impl Tightness {
    const ALL: [Tightness; 12] = [
        Tightness::From,
        Tightness::Open,
        Tightness::Or,
        Tightness::And,
        Tightness::Not,
        Tightness::Comparison,
        Tightness::Sets,
        Tightness::Range,
        Tightness::Sum,
        Tightness::Product,
        Tightness::Negation,
        Tightness::Operand,
    ];

    /// The next tighter place: for the right side, and for both sides of what cannot be chained.
    #[must_use]
    pub(crate) fn tighter(self) -> Tightness {
        Tightness::ALL.into_iter().find(|it| *it > self).unwrap_or(Tightness::Operand)
    }

    /// The text of an expression that holds together so tight, in parentheses if its place asks
    /// for more.
    pub(crate) fn placed(self, text: String, place: Tightness) -> String {
        if self < place { format!("({text})") } else { text }
    }
}

const OPERATORS: [(Rule, BinaryOp, Tightness, &str); 19] = [
    (Rule::op_or, BinaryOp::Or, Tightness::Or, "or"),
    (Rule::op_and, BinaryOp::And, Tightness::And, "and"),
    (Rule::op_equal, BinaryOp::Equal, Tightness::Comparison, "=="),
    (Rule::op_not_equal, BinaryOp::NotEqual, Tightness::Comparison, "!="),
    (Rule::op_less, BinaryOp::Less, Tightness::Comparison, "<"),
    (Rule::op_less_equal, BinaryOp::LessEqual, Tightness::Comparison, "<="),
    (Rule::op_greater, BinaryOp::Greater, Tightness::Comparison, ">"),
    (Rule::op_greater_equal, BinaryOp::GreaterEqual, Tightness::Comparison, ">="),
    (Rule::op_in, BinaryOp::In, Tightness::Comparison, "in"),
    (Rule::op_not_in, BinaryOp::NotIn, Tightness::Comparison, "not in"),
    (Rule::op_within, BinaryOp::Within, Tightness::Comparison, "within"),
    (Rule::op_union, BinaryOp::Union, Tightness::Sets, "union"),
    (Rule::op_minus, BinaryOp::Minus, Tightness::Sets, "minus"),
    (Rule::op_common, BinaryOp::Common, Tightness::Sets, "common"),
    (Rule::op_add, BinaryOp::Add, Tightness::Sum, "+"),
    (Rule::op_subtract, BinaryOp::Subtract, Tightness::Sum, "-"),
    (Rule::op_multiply, BinaryOp::Multiply, Tightness::Product, "*"),
    (Rule::op_divide, BinaryOp::Divide, Tightness::Product, "/"),
    (Rule::op_modulo, BinaryOp::Modulo, Tightness::Product, "mod"),
];

/// The levels of operators from the loosest to the tightest. What follows an operand (`.x`, `[i]`,
/// `(a)`) binds tighter than all of them.
pub(super) static PRECEDENCE: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    let left = |rule| Op::infix(rule, Assoc::Left);
    let level = |tightness| match tightness {
        Tightness::Not => Some(Op::prefix(Rule::op_not)),
        Tightness::Negation => Some(Op::prefix(Rule::negate)),
        Tightness::Range => Some(left(Rule::op_range)),
        _ => {
            let alike = OPERATORS.iter().filter(|(_, _, it, _)| *it == tightness);
            alike.map(|(rule, ..)| left(*rule)).reduce(|one, other| one | other)
        }
    };
    Tightness::ALL.into_iter().filter_map(level).fold(PrattParser::new(), PrattParser::op)
});

/// What an operator between two operands means; `None` for `..`, which makes a range.
pub(super) fn binary_op(rule: Rule) -> Option<BinaryOp> {
    OPERATORS.iter().find(|(it, ..)| *it == rule).map(|(_, op, ..)| *op)
}

pub(super) fn compares(rule: Rule) -> bool {
    OPERATORS.iter().any(|(it, _, tightness, _)| (*it, *tightness) == (rule, Tightness::Comparison))
}

/// How tight an operator binds, and how it is written.
pub(super) fn operator(op: BinaryOp) -> (Tightness, &'static str) {
    let entry = OPERATORS.iter().find(|(_, it, ..)| *it == op);
    let (_, _, tightness, written) = entry.expect("the table holds all operators");
    (*tightness, written)
}

/// An expression as it is written where any may stand.
pub fn print_expression(expr: &Expr) -> String {
    placed(expr, Tightness::From)
}

/// An expression, in parentheses if it is looser than its place.
fn placed(expr: &Expr, place: Tightness) -> String {
    tightness(expr).placed(format_bare(expr), place)
}

/// What stands before `.`, `[` and where only an operand may stand.
fn print_operand(expr: &Expr) -> String {
    placed(expr, Tightness::Operand)
}

fn print_list(exprs: &[Expr]) -> String {
    join_texts(exprs.iter().map(print_expression))
}

fn join_texts(texts: impl IntoIterator<Item = String>) -> String {
    texts.into_iter().collect::<Vec<_>>().join(", ")
}

/// Something after a space, if it is there.
fn print_after<T>(it: Option<&T>, print: impl Fn(&T) -> String) -> String {
    it.map_or_else(String::new, |it| format!(" {}", print(it)))
}

fn tightness(expr: &Expr) -> Tightness {
    match &expr.kind {
        ExprKind::From(..) | ExprKind::Backwards(_) => Tightness::From,
        ExprKind::If(..)
        | ExprKind::Suppose(..)
        | ExprKind::Random(_)
        | ExprKind::Subsets(..)
        | ExprKind::Lists(_)
        | ExprKind::Bags(_)
        | ExprKind::Roll(_)
        | ExprKind::End(_)
        | ExprKind::Pick { .. } => Tightness::Open,
        ExprKind::Unary(UnaryOp::Not, _) => Tightness::Not,
        ExprKind::Unary(UnaryOp::Negate, _) => Tightness::Negation,
        ExprKind::Number(number) if *number < 0 => Tightness::Negation,
        ExprKind::Range(..) => Tightness::Range,
        ExprKind::Binary(op, ..) => operator(*op).0,
        _ => Tightness::Operand,
    }
}

fn print_subsets(set: &Expr, size: Option<&SubsetSize>) -> String {
    let size = size.map(|SubsetSize { up_to, size }| {
        let up_to = if *up_to { "up to " } else { "" };
        format!(" of size {up_to}{}", placed(size, Tightness::Sum))
    });
    format!("subsets of {}{}", placed(set, Tightness::Open), size.unwrap_or_default())
}

fn format_bare(expr: &Expr) -> String {
    let open = |expr| placed(expr, Tightness::Open);
    match &expr.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        ExprKind::None => "none".to_owned(),
        ExprKind::Text(words) => print_text(words),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Field(base, name) => format!("{}.{}", print_operand(base), name.text),
        ExprKind::Index(base, index) => format!("{}[{}]", print_operand(base), print_list(index)),
        ExprKind::Call(name, arguments) => format!("{}({})", name.text, print_list(arguments)),
        ExprKind::Method(base, name, arguments) => {
            format!("{}.{}({})", print_operand(base), name.text, print_list(arguments))
        }
        ExprKind::Unary(UnaryOp::Not, inner) => format!("not {}", placed(inner, Tightness::Not)),
        // `--` would be hard to read.
        ExprKind::Unary(UnaryOp::Negate, inner) => format!("-{}", print_operand(inner)),
        ExprKind::Binary(op, left, right) => {
            let (place, written) = operator(*op);
            let chained = place != Tightness::Comparison;
            let left = placed(left, if chained { place } else { place.tighter() });
            format!("{left} {written} {}", placed(right, place.tighter()))
        }
        ExprKind::Range(low, high) => {
            format!("{}..{}", placed(low, Tightness::Sum), placed(high, Tightness::Sum))
        }
        ExprKind::From(set, from) => format!("{} from {}", open(set), open(from)),
        ExprKind::Backwards(set) => print_backwards(set),
        ExprKind::Set(elements) => format!("{{{}}}", print_list(elements)),
        ExprKind::Filter(it) => format!("{{{}}}", print_binder(it)),
        ExprKind::Image(value, over) => {
            format!("{{{} for {}}}", print_expression(value), binders(over))
        }
        ExprKind::Fold { word, binders, body } => print_fold(*word, binders, body),
        ExprKind::If(condition, then, otherwise) => {
            let (condition, then) = (print_expression(condition), print_expression(then));
            format!("if {condition} then {then} else {}", open(otherwise))
        }
        ExprKind::Match(subject, arms) => match_value(subject, arms),
        // Statements do not fit on the line of a message.
        ExprKind::Suppose(_, value) => format!("suppose {{ … }}: {}", open(value)),
        ExprKind::Random(set) => format!("random {}", random_set(set)),
        ExprKind::Subsets(set, size) => print_subsets(set, size.as_ref()),
        ExprKind::Goods(goods, over) => print_goods(goods, over),
        ExprKind::Bags(bags) => print_bags(bags),
        ExprKind::List(elements) => format!("[{}]", print_list(elements)),
        ExprKind::Lists(lists) => {
            let most = placed(&lists.most, Tightness::Sum);
            format!("lists of {} up to {most} by {}", print_type(&lists.of), open(&lists.next))
        }
        ExprKind::End(end) => print_pile_end(end),
        ExprKind::Roll(die) => format!("roll {}", print_operand(die)),
        ExprKind::Directed(key, direction) => {
            format!("{} {}", print_expression(key), direction.keyword())
        }
        ExprKind::Pick { chooser, prompt, name, set } => {
            let prompt = print_after(prompt.as_ref(), print_text);
            print_pick(&print_operand(chooser), &prompt, name, set)
        }
    }
}

/// `choose me "Which?" c from hand`
fn print_pick(chooser: &str, prompt: &str, name: &Name, set: &Expr) -> String {
    // A word behind `from` would make it no name.
    let is_bare = chooser != "from" || !prompt.is_empty();
    let chooser = if is_bare { chooser.to_owned() } else { format!("({chooser})") };
    format!("choose {chooser}{prompt} {} from {}", name.text, print_expression(set))
}

/// `{2 red 1 blue}`, `{cost[c] g for g in Gem}`
fn print_goods(goods: &[(Expr, Name)], over: &[Binder]) -> String {
    let good =
        |(amount, name): &(Expr, Name)| format!("{} {}", placed(amount, Tightness::Sum), name.text);
    let over = if over.is_empty() { String::new() } else { format!(" for {}", binders(over)) };
    format!("{{{}{over}}}", join_texts(goods.iter().map(good)))
}

/// `bags of Gem up to 3 within me.gems`
fn print_bags(bags: &BagsOf) -> String {
    let most = placed(&bags.most, Tightness::Sum);
    let within =
        print_after(bags.within.as_ref(), |it| format!("within {}", placed(it, Tightness::Open)));
    format!("bags of {} up to {most}{within}", bags.of.text)
}

fn print_pile_end(end: &PileEnd) -> String {
    let word = if end.bottom { "bottom" } else { "top" };
    let count = print_after(end.count.as_ref(), print_operand);
    format!("{word}{count} of {}", print_operand(&end.pile))
}

fn match_value(subject: &Expr, arms: &[Arm<Expr>]) -> String {
    let arm =
        |it: &Arm<Expr>| format!("{}: {}", patterns(&it.patterns), print_expression(&it.body));
    let arms = arms.iter().map(arm).collect::<Vec<_>>().join("; ");
    format!("match {} {{ {arms} }}", print_expression(subject))
}

/// `random` looks like a name before a sign, so only some sets may follow it bare.
fn random_set(set: &Expr) -> String {
    let text = placed(set, Tightness::Or);
    let bare = text.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '{');
    let reserved = matches!(
        leftmost(set),
        ExprKind::Unary(..) | ExprKind::Match(..) | ExprKind::Bool(_) | ExprKind::None
    );
    if text.starts_with('(') || bare && !reserved { text } else { format!("({text})") }
}

fn leftmost(expr: &Expr) -> &ExprKind {
    match &expr.kind {
        ExprKind::Field(left, _)
        | ExprKind::Index(left, _)
        | ExprKind::Method(left, ..)
        | ExprKind::Binary(_, left, _)
        | ExprKind::Range(left, _) => leftmost(left),
        kind => kind,
    }
}

/// `from` may stand before `backwards` without parentheses.
fn print_backwards(set: &Expr) -> String {
    let place =
        if matches!(set.kind, ExprKind::From(..)) { Tightness::From } else { Tightness::Open };
    format!("{} backwards", placed(set, place))
}

/// `count(x in S)`, `highest(x in S by E)`
fn print_fold(word: FoldWord, over: &[Binder], body: &[Expr]) -> String {
    let (name, over) = (word.word(), binders(over));
    if body.is_empty() {
        return format!("{name}({over})");
    }
    format!("{name}({over}{} {})", word.sign(), print_list(body))
}

fn binders(all: &[Binder]) -> String {
    all.iter().map(print_binder).collect::<Vec<_>>().join(" for ")
}

/// `x in S where P`
fn print_binder(binder: &Binder) -> String {
    let condition = print_after(binder.condition.as_ref(), |it| {
        format!("where {}", placed(it, Tightness::Open))
    });
    format!("{} in {}{condition}", binder.name.text, print_expression(&binder.set))
}

/// `a, 2..4`, or `else`.
fn patterns(patterns: &[Pattern]) -> String {
    if patterns.is_empty() {
        return "else".to_owned();
    }
    let bound = |expr| placed(expr, Tightness::Negation);
    join_texts(patterns.iter().map(|pattern| match pattern {
        Pattern::Value(value) => bound(value),
        Pattern::Range(low, high) => format!("{}..{}", bound(low), bound(high)),
    }))
}

fn print_text(text: &Text) -> String {
    let mut written = String::from('"');
    for part in &text.parts {
        match part {
            TextPart::Words(words) => words.chars().for_each(|letter| match letter {
                '\n' => written.push_str("\\n"),
                '\\' | '"' | '{' | '}' => written.extend(['\\', letter]),
                letter => written.push(letter),
            }),
            TextPart::Hole(hole) => written.extend(["{", &print_expression(hole), "}"]),
        }
    }
    written.push('"');
    written
}

pub(crate) fn print_type(ty: &TypeExpr) -> String {
    match &ty.kind {
        TypeKind::Number => "number".to_owned(),
        TypeKind::Bool => "yes/no".to_owned(),
        TypeKind::Text => "text".to_owned(),
        TypeKind::Kind(name) => name.text.clone(),
        TypeKind::Of(board, method, args) => {
            format!("{}.{}({})", board.text, method.text, print_list(args))
        }
        TypeKind::Members(all) => {
            let member = |it: &MemberDecl| {
                format!("{}{}", it.name.text, print_after(it.title.as_ref(), print_text))
            };
            format!("{{{}}}", join_texts(all.iter().map(member)))
        }
        TypeKind::Range(low, high) => {
            let high = high.as_deref().map_or_else(String::new, |high| {
                let text = placed(high, Tightness::Sum);
                // The grammar takes the dots for open above unless a letter, a digit, `-` or `(`
                // follows them.
                if text.starts_with(['"', '{']) { format!("({text})") } else { text }
            });
            format!("{}..{high}", placed(low, Tightness::Sum))
        }
        TypeKind::Cards(of) => {
            format!("cards{}", print_after(of.as_ref(), |of| format!("of {}", of.text)))
        }
        TypeKind::Set(inner) => format!("set of {}", print_type(inner)),
        TypeKind::List(inner, most) => {
            format!("list of {} up to {}", print_type(inner), placed(most, Tightness::Sum))
        }
        TypeKind::Bag(of, most) => {
            let most =
                print_after(most.as_deref(), |it| format!("up to {}", placed(it, Tightness::Sum)));
            format!("bag of {}{most}", of.text)
        }
        TypeKind::Maybe(inner) => format!("maybe {}", print_type(inner)),
    }
}

pub(crate) fn print_param(param: &Param) -> String {
    format!("{}: {}", param.name.text, print_type(&param.ty))
}
