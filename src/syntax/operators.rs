//! The one table of binary operators: how they are read, bind and are written.

use std::sync::LazyLock;

use pest::pratt_parser::{Assoc, Op, PrattParser};

use crate::syntax::ast::BinaryOp;
use crate::syntax::grammar::Rule;

/// How tight an expression holds together; a looser one needs parentheses in a tighter place. The
/// printer of expressions and the rulebook share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tightness {
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
    pub fn tighter(self) -> Tightness {
        Tightness::ALL.into_iter().find(|it| *it > self).unwrap_or(Tightness::Operand)
    }

    /// The text of an expression that holds together so tight, in parentheses if its place asks
    /// for more.
    pub fn placed(self, text: String, place: Tightness) -> String {
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
pub(super) fn binary(rule: Rule) -> Option<BinaryOp> {
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
