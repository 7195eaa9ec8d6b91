//! What is worth something, kind by kind.

use arbitrary::Result;

use super::{DEPTH, Grower, Kind, Rule};

impl Grower<'_, '_> {
    /// An expression of a kind, in parentheses where it has parts.
    pub(super) fn expression(&mut self, kind: Kind) -> Result<String> {
        if self.depth >= DEPTH {
            return self.atom(kind);
        }
        self.depth += 1;
        let text = match self.pick(8)? {
            0..=2 => self.atom(kind),
            3 => self.called(kind),
            4 => {
                let condition = self.expression(Kind::Flag)?;
                let (one, other) = (self.expression(kind)?, self.expression(kind)?);
                Ok(format!("(if {condition} then {one} else {other})"))
            }
            _ => self.made_of(kind),
        };
        self.depth -= 1;
        text
    }

    /// A name in sight, or a constant.
    fn atom(&mut self, kind: Kind) -> Result<String> {
        let names: Vec<String> = self
            .names
            .iter()
            .filter(|name| name.kind == kind)
            .map(|name| name.text.clone())
            .collect();
        let at = self.pick(names.len() + 2)?;
        if let Some(name) = names.get(at) {
            return Ok(name.clone());
        }
        let owned: Vec<String> = self
            .owned
            .iter()
            .filter(|name| name.kind == kind)
            .map(|name| name.text.clone())
            .collect();
        if at > names.len() && !owned.is_empty() {
            let who = ["Player.first", "Player.last"][self.pick(2)?];
            return Ok(format!("{who}.{}", owned[self.pick(owned.len())?]));
        }
        let constant = self.constant(kind)?;
        // Nothing says of what this one is empty.
        Ok(if constant == "{}" { "(Colour minus Colour)".to_owned() } else { constant })
    }

    fn called(&mut self, kind: Kind) -> Result<String> {
        let fits = |rule: &&Rule| rule.value == Some(kind);
        let fitting: Vec<Rule> = self.rules.iter().filter(fits).cloned().collect();
        if fitting.is_empty() {
            return self.atom(kind);
        }
        let rule = fitting[self.pick(fitting.len())?].clone();
        self.call_of(&rule)
    }

    /// A call of a rule.
    pub(super) fn call_of(&mut self, rule: &Rule) -> Result<String> {
        let given: Vec<String> =
            rule.parameters.iter().map(|kind| self.expression(*kind)).collect::<Result<_>>()?;
        Ok(format!("{}({})", rule.name, given.join(", ")))
    }

    fn made_of(&mut self, kind: Kind) -> Result<String> {
        match kind {
            Kind::Number => self.number(),
            Kind::Flag => self.flag(),
            Kind::Colour => self.atom(Kind::Colour),
            Kind::Player => {
                let other = self.expression(Kind::Player)?;
                Ok(format!("{}({other})", ["next", "previous"][self.pick(2)?]))
            }
            Kind::Colours => self.colours(),
            Kind::MaybeColour => {
                let end = ["first", "last"][self.pick(2)?];
                let (name, set, condition) = self.some()?;
                Ok(format!("{end}({name} in {set}: {condition})"))
            }
            Kind::Cell => self.atom(Kind::Cell),
        }
    }

    fn number(&mut self) -> Result<String> {
        Ok(match self.pick(9)? {
            0 => self.infix(Kind::Number, &["+", "-", "*"])?,
            1 => format!(
                "floor({} / {})",
                self.expression(Kind::Number)?,
                self.expression(Kind::Number)?
            ),
            2 => format!(
                "({} mod {})",
                self.expression(Kind::Number)?,
                self.expression(Kind::Number)?
            ),
            3 => format!("abs({})", self.expression(Kind::Number)?),
            4 => format!(
                "max({}, {})",
                self.expression(Kind::Number)?,
                self.expression(Kind::Number)?
            ),
            5 => format!("count({})", self.expression(Kind::Colours)?),
            6 => {
                let (name, set, condition) = self.some()?;
                format!("sum({name} in {set} where {condition}: {name}.weight)")
            }
            7 => format!("worth[{}]", self.expression(Kind::Colour)?),
            _ => format!(
                "count(part in subsets of Colour where count(part) > {}: yes)",
                self.pick(4)?
            ),
        })
    }

    fn flag(&mut self) -> Result<String> {
        Ok(match self.pick(9)? {
            0 => self.infix(Kind::Number, &["==", "!=", "<", "<=", ">", ">="])?,
            1 => self.infix(Kind::Flag, &["and", "or"])?,
            2 => format!("(not {})", self.expression(Kind::Flag)?),
            3 => self.infix(Kind::Colour, &["==", "!=", "<"])?,
            4 => format!(
                "({} in {})",
                self.expression(Kind::Colour)?,
                self.expression(Kind::Colours)?
            ),
            5 => self.infix(Kind::Colours, &["within", "==", "!="])?,
            6 => format!("({} == none)", self.made_of(Kind::MaybeColour)?),
            7 => {
                let word = ["any", "all"][self.pick(2)?];
                let (name, set, condition) = self.some()?;
                format!("{word}({name} in {set}: {condition})")
            }
            _ => self.infix(Kind::Player, &["==", "!="])?,
        })
    }

    fn colours(&mut self) -> Result<String> {
        Ok(match self.pick(4)? {
            0 => self.infix(Kind::Colours, &["union", "minus", "common"])?,
            1 => format!("{{{}}}", self.expression(Kind::Colour)?),
            2 => {
                let (name, set, condition) = self.some()?;
                format!("{{{name} in {set} where {condition}}}")
            }
            _ => {
                let (name, set, condition) = self.some()?;
                format!("highest({name} in {set} where {condition} by {name}.weight)")
            }
        })
    }

    fn infix(&mut self, kind: Kind, operators: &[&str]) -> Result<String> {
        let (one, other) = (self.expression(kind)?, self.expression(kind)?);
        Ok(format!("({one} {} {other})", operators[self.pick(operators.len())?]))
    }

    /// A name for the colours of a set, and a condition about it.
    fn some(&mut self) -> Result<(String, String, String)> {
        let set = self.expression(Kind::Colours)?;
        let name = self.fresh("one_");
        self.name(name.clone(), Kind::Colour, false);
        let condition = self.expression(Kind::Flag)?;
        self.forget(1);
        Ok((name, set, condition))
    }
}
