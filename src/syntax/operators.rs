//! The one table of operators between two operands: how they are read, bind and are written.

use std::sync::LazyLock;

use pest::pratt_parser::{Assoc, Op, PrattParser};

use crate::syntax::ast::BinaryOp;
use crate::syntax::grammar::Rule;
use crate::syntax::tightness::Tightness;

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

/// How tight operators bind: the loosest level first, those of one level alike. What follows an
/// operand (`.x`, `[i]`, `(a)`) binds tighter than all of them.
pub(super) static PRECEDENCE: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    let left = |rule| Op::infix(rule, Assoc::Left);
    let all = |tightness| {
        let rules = OPERATORS.iter().filter(|(_, _, it, _)| *it == tightness);
        let alike = rules.map(|(rule, ..)| left(*rule)).reduce(|one, other| one | other);
        alike.expect("each level has an operator")
    };
    PrattParser::new()
        .op(all(Tightness::Or))
        .op(all(Tightness::And))
        .op(Op::prefix(Rule::op_not))
        .op(all(Tightness::Comparison))
        .op(all(Tightness::Sets))
        .op(left(Rule::op_range))
        .op(all(Tightness::Sum))
        .op(all(Tightness::Product))
        .op(Op::prefix(Rule::negate))
});

/// What an operator between two operands means; `None` for `..`, which makes a range.
pub(super) fn binary(rule: Rule) -> Option<BinaryOp> {
    OPERATORS.iter().find(|(it, ..)| *it == rule).map(|(_, op, ..)| *op)
}

/// Whether an operator compares.
pub(super) fn compares(rule: Rule) -> bool {
    OPERATORS.iter().any(|(it, _, tightness, _)| (*it, *tightness) == (rule, Tightness::Comparison))
}

/// How tight an operator binds, and how it is written.
pub(super) fn operator(op: BinaryOp) -> (Tightness, &'static str) {
    let entry = OPERATORS.iter().find(|(_, it, ..)| *it == op);
    let (_, _, tightness, written) = entry.expect("the table holds all operators");
    (*tightness, written)
}
