//! Levels of precedence, shared by all that writes expressions: canonical text and the rulebook.

/// How tight an expression holds together; a looser one needs parentheses in a tighter place.
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
    /// The next tighter place: for the right side, and for both sides of what cannot be chained.
    #[must_use]
    pub fn tighter(self) -> Tightness {
        match self {
            Tightness::From => Tightness::Open,
            Tightness::Open => Tightness::Or,
            Tightness::Or => Tightness::And,
            Tightness::And => Tightness::Not,
            Tightness::Not => Tightness::Comparison,
            Tightness::Comparison => Tightness::Sets,
            Tightness::Sets => Tightness::Range,
            Tightness::Range => Tightness::Sum,
            Tightness::Sum => Tightness::Product,
            Tightness::Product => Tightness::Negation,
            Tightness::Negation | Tightness::Operand => Tightness::Operand,
        }
    }

    /// The text of an expression that holds together so tight, in parentheses if its place asks
    /// for more.
    pub fn placed(self, text: String, place: Tightness) -> String {
        if self < place { format!("({text})") } else { text }
    }
}
