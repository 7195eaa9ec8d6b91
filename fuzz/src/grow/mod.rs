//! Bytes to rules that make sense: the grammar, walked by choices that the bytes make.
//!
//! Where the bytes are at their end every choice is the first one, which is the plainest: so
//! growing ends, and few bytes make few rules.

mod expressions;
mod statements;

use std::fmt::Write as _;

use arbitrary::{Result, Unstructured};

/// How deep statements and expressions stand in each other.
const DEPTH: usize = 4;

/// What an expression is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Flag,
    Colour,
    Player,
    Colours,
    MaybeColour,
    Cell,
}

const KINDS: [Kind; 7] = [
    Kind::Number,
    Kind::Flag,
    Kind::Colour,
    Kind::Player,
    Kind::Colours,
    Kind::MaybeColour,
    Kind::Cell,
];

/// The words of a type.
fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "number",
        Kind::Flag => "yes/no",
        Kind::Colour => "Colour",
        Kind::Player => "Player",
        Kind::Colours => "set of Colour",
        Kind::MaybeColour => "maybe Colour",
        Kind::Cell => "Cell",
    }
}

const COLOURS: [&str; 6] = ["red", "green", "blue", "grey", "pink", "black"];

/// A name in sight.
#[derive(Clone, Debug)]
struct Name {
    text: String,
    kind: Kind,
    /// Whether it can be assigned to.
    changes: bool,
}

/// A rule that was written already.
#[derive(Clone, Debug)]
struct Rule {
    name: String,
    parameters: Vec<Kind>,
    /// What it returns; acting rules return nothing.
    value: Option<Kind>,
}

/// Rules on their way, and the bytes that decide about them.
struct Grower<'a, 'b> {
    bytes: &'a mut Unstructured<'b>,
    text: String,
    names: Vec<Name>,
    rules: Vec<Rule>,
    /// Variables of each player.
    owned: Vec<Name>,
    dice: usize,
    cards: bool,
    colours: usize,
    /// How many names were made up.
    made: usize,
    depth: usize,
    /// How many loops are around.
    loops: usize,
    indent: usize,
}

/// Grows a file.
///
/// # Errors
/// Never on its own account; the bytes are asked in a way that can fail.
pub fn rules(bytes: &mut Unstructured) -> Result<String> {
    let mut grower = Grower {
        bytes,
        text: String::new(),
        names: Vec::new(),
        rules: Vec::new(),
        owned: Vec::new(),
        dice: 0,
        cards: false,
        colours: 2,
        made: 0,
        depth: 0,
        loops: 0,
        indent: 0,
    };
    grower.head()?;
    grower.state()?;
    grower.pure_rules()?;
    grower.acting_rules()?;
    grower.flow()?;
    Ok(grower.text)
}

impl Grower<'_, '_> {
    /// A number from 0 to below `count`.
    fn pick(&mut self, count: usize) -> Result<usize> {
        self.bytes.int_in_range(0..=count - 1)
    }

    /// Once in so many times.
    fn once_in(&mut self, count: usize) -> Result<bool> {
        Ok(self.pick(count)? == count - 1)
    }

    fn kind(&mut self) -> Result<Kind> {
        Ok(KINDS[self.pick(KINDS.len())?])
    }

    fn fresh(&mut self, begin: &str) -> String {
        self.made += 1;
        format!("{begin}{}", self.made)
    }

    fn line(&mut self, line: &str) {
        let indent = "  ".repeat(self.indent);
        writeln!(self.text, "{indent}{line}").expect("a string takes every text");
    }

    /// Lines in braces behind a line; what is named in them is forgotten behind them.
    fn block(&mut self, head: &str, fill: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.line(&format!("{head} {{"));
        let names = self.names.len();
        self.indent += 1;
        fill(self)?;
        self.indent -= 1;
        self.names.truncate(names);
        self.line("}");
        Ok(())
    }

    fn name(&mut self, text: impl Into<String>, kind: Kind, changes: bool) {
        self.names.push(Name { text: text.into(), kind, changes });
    }

    fn head(&mut self) -> Result<()> {
        let most = 2 + self.pick(3)?;
        self.line(&format!(
            "game \"Grown\" {{ players 1..{most} = 2; limit 20 decisions {{ finish draw }} }}"
        ));
        self.colours = 2 + self.pick(COLOURS.len() - 1)?;
        let members: Vec<String> =
            (0..self.colours).map(|at| format!("  {}  {at}", COLOURS[at])).collect();
        self.line(&format!("kind Colour {{\n         weight\n{}\n}}", members.join("\n")));
        let board = match self.pick(3)? {
            0 => "board Cell 2 by 3",
            1 => "board Cell ring 5",
            _ => "board Cell 4 by 4 from bottom",
        };
        self.line(board);
        let cells: Vec<String> = (0..self.colours).map(|_| self.small()).collect::<Result<_>>()?;
        self.line(&format!("table worth[Colour] = {}", cells.join(" ")));
        for _ in 0..self.pick(3)? {
            let name = self.fresh("option_");
            if self.once_in(2)? {
                self.line(&format!("option {name} = no"));
                self.name(name, Kind::Flag, false);
            } else {
                self.line(&format!("option {name}: 0..9 = 4"));
                self.name(name, Kind::Number, false);
            }
        }
        self.cards = self.once_in(2)?;
        if self.cards {
            self.line("cards Card of Colour copies { red: 3 }");
        }
        Ok(())
    }

    /// A small number, now and then a large one.
    fn small(&mut self) -> Result<String> {
        Ok(match self.pick(12)? {
            10 => "9223372036854775807".to_owned(),
            11 => "-9223372036854775807".to_owned(),
            number => number.to_string(),
        })
    }

    /// A value that is known before play.
    fn constant(&mut self, kind: Kind) -> Result<String> {
        let colour = COLOURS[self.pick(self.colours)?].to_owned();
        Ok(match kind {
            Kind::Number => self.small()?,
            Kind::Flag => ["no", "yes"][self.pick(2)?].to_owned(),
            Kind::Colour => colour,
            Kind::Player => ["Player.first", "Player.last"][self.pick(2)?].to_owned(),
            Kind::Colours => ["{}".to_owned(), "Colour".to_owned(), format!("{{{colour}}}")]
                [self.pick(3)?]
            .clone(),
            Kind::MaybeColour => ["none".to_owned(), colour][self.pick(2)?].clone(),
            Kind::Cell => ["Cell.first", "Cell.last"][self.pick(2)?].to_owned(),
        })
    }

    fn state(&mut self) -> Result<()> {
        let owned = 1 + self.pick(4)?;
        let cards = self.cards;
        self.block("each player has", |grower| {
            for _ in 0..owned {
                let name = grower.variable("own_")?;
                grower.owned.push(name);
            }
            if cards {
                grower.line("hand: cards seen by owner");
            }
            Ok(())
        })?;
        let open = 1 + self.pick(5)?;
        let mut names = Vec::new();
        self.block("the table has", |grower| {
            for _ in 0..open {
                names.push(grower.variable("open_")?);
            }
            grower.dice = grower.pick(3)?;
            for die in 0..grower.dice {
                grower.line(&format!("die die_{die} = 1..6"));
                names.push(Name { text: format!("die_{die}"), kind: Kind::Number, changes: false });
            }
            if cards {
                grower.line("deck: cards hidden = Card");
                grower.line("heap: cards");
            }
            Ok(())
        })?;
        self.names.extend(names);
        Ok(())
    }

    /// A variable, or an element of an array.
    fn variable(&mut self, begin: &str) -> Result<Name> {
        let kind = self.kind()?;
        let name = self.fresh(begin);
        let first = self.constant(kind)?;
        let (declared, text) = match self.pick(4)? {
            0 | 1 => (name.clone(), name),
            2 => (
                format!("{name}[Colour]"),
                format!("{name}[{}]", COLOURS[self.pick(self.colours)?]),
            ),
            _ => (format!("{name}[1..3]"), format!("{name}[{}]", 1 + self.pick(3)?)),
        };
        self.line(&format!("{declared}: {} = {first}", words(kind)));
        Ok(Name { text, kind, changes: true })
    }

    fn pure_rules(&mut self) -> Result<()> {
        for _ in 0..self.pick(4)? {
            let value = self.kind()?;
            let (head, parameters) = self.head_of_rule("pure_")?;
            let (name, names) = head;
            let expression = self.expression(value)?;
            let list = names.join(", ");
            self.line(&format!("rule {name}({list}) -> {} = {expression}", words(value)));
            self.forget(parameters.len());
            self.rules.push(Rule { name, parameters, value: Some(value) });
        }
        Ok(())
    }

    fn acting_rules(&mut self) -> Result<()> {
        for _ in 0..self.pick(3)? {
            let ((name, names), parameters) = self.head_of_rule("act_")?;
            self.block(&format!("rule {name}({})", names.join(", ")), |grower| {
                // Else it might do nothing, and could not be called alone.
                grower.line("say \"Acting.\"");
                grower.statements()
            })?;
            self.forget(parameters.len());
            self.rules.push(Rule { name, parameters, value: None });
        }
        Ok(())
    }

    /// Name and parameters of a rule, which come into sight.
    fn head_of_rule(&mut self, begin: &str) -> Result<((String, Vec<String>), Vec<Kind>)> {
        let name = self.fresh(begin);
        let (mut names, mut kinds) = (Vec::new(), Vec::new());
        for _ in 0..self.pick(3)? {
            let (kind, parameter) = (self.kind()?, self.fresh("given_"));
            names.push(format!("{parameter}: {}", words(kind)));
            self.name(parameter, kind, false);
            kinds.push(kind);
        }
        Ok(((name, names), kinds))
    }

    fn forget(&mut self, count: usize) {
        self.names.truncate(self.names.len() - count);
    }

    fn flow(&mut self) -> Result<()> {
        if self.once_in(2)? {
            self.block("setup", Self::statements)?;
        }
        let last = 1 + self.pick(5)?;
        let each = self.once_in(2)?;
        self.block("play", |grower| {
            grower.block("turns me from Player.first", |grower| {
                grower.name("me", Kind::Player, false);
                grower.name("turn", Kind::Number, false);
                grower.loops += 1;
                grower.statements()?;
                grower.decision("me")?;
                if each {
                    grower.line("choose each p in Player { wave { }; stay { } }");
                }
                let end = grower.end()?;
                grower.line(&format!("if turn > {last} {{ {end} }}"));
                grower.loops -= 1;
                Ok(())
            })?;
            grower.line("finish draw");
            Ok(())
        })?;
        let measured = self.expression(Kind::Number)?;
        self.line(&format!("measure grown = {measured}"));
        Ok(())
    }
}
