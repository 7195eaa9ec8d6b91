//! What happens, one statement a line.

use arbitrary::Result;

use super::{COLOURS, DEPTH, Grower, Kind};

impl Grower<'_, '_> {
    /// A few statements.
    pub(super) fn statements(&mut self) -> Result<()> {
        let count = if self.depth < DEPTH { self.pick(4)? } else { 0 };
        self.depth += 1;
        for _ in 0..count {
            self.statement()?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn statement(&mut self) -> Result<()> {
        match self.pick(16)? {
            0 | 1 => self.change(),
            2 => self.local(),
            3 => self.branch(),
            4 => self.cases(),
            5 => self.walk(),
            6 => self.again(),
            7 => self.draw(),
            8 => self.tell(),
            9 => self.call(),
            10 => self.decision_of_some(),
            11 => self.cards(),
            12 => self.swap(),
            13 => self.put(),
            14 => self.guarded_break(),
            _ => self.end_now(),
        }
    }

    /// Something that can be changed, of a kind.
    fn place(&mut self, kind: Kind) -> Result<Option<String>> {
        let fits = |name: &&super::Name| name.changes && name.kind == kind;
        let open: Vec<String> =
            self.names.iter().filter(fits).map(|name| name.text.clone()).collect();
        let owned: Vec<String> =
            self.owned.iter().filter(fits).map(|name| name.text.clone()).collect();
        let count = open.len() + owned.len();
        if count == 0 {
            return Ok(None);
        }
        let at = self.pick(count)?;
        if let Some(name) = open.get(at) {
            return Ok(Some(name.clone()));
        }
        let who = self.expression(Kind::Player)?;
        Ok(Some(format!("{}.{}", self.simple(&who), owned[at - open.len()])))
    }

    /// An expression before a dot: a name or a call, or else in parentheses.
    fn simple(&self, text: &str) -> String {
        let plain = text.chars().all(|letter| letter.is_alphanumeric() || "_.".contains(letter));
        if plain { text.to_owned() } else { "Player.first".to_owned() }
    }

    fn change(&mut self) -> Result<()> {
        let kind = self.kind()?;
        let Some(place) = self.place(kind)? else { return Ok(()) };
        let value = self.expression(kind)?;
        let line = match (kind, self.pick(3)?) {
            (Kind::Number, 1) => format!("{place} += {value}"),
            (Kind::Number, 2) => format!("{place} -= {value}"),
            (Kind::Colours, at @ 1..) => {
                let member = self.expression(Kind::Colour)?;
                format!("{place} {} {member}", ["+=", "-="][at - 1])
            }
            _ => format!("{place} = {value}"),
        };
        self.line(&line);
        Ok(())
    }

    fn local(&mut self) -> Result<()> {
        let kind = self.kind()?;
        let value = self.expression(kind)?;
        let name = self.fresh("local_");
        let changes = self.once_in(2)?;
        if changes {
            self.line(&format!("var {name}: {} = {value}", super::words(kind)));
        } else {
            self.line(&format!("let {name} = {value}"));
        }
        self.name(name, kind, changes);
        Ok(())
    }

    fn branch(&mut self) -> Result<()> {
        let condition = self.expression(Kind::Flag)?;
        self.block(&format!("if {condition}"), Self::statements)?;
        if self.once_in(2)? {
            self.block("else", Self::statements)?;
        }
        Ok(())
    }

    fn cases(&mut self) -> Result<()> {
        let value = self.expression(Kind::Colour)?;
        let first = COLOURS[self.pick(self.colours)?];
        self.block(&format!("match {value}"), |grower| {
            grower.block(&format!("{first}:"), Self::statements)?;
            grower.block("else:", Self::statements)
        })
    }

    fn walk(&mut self) -> Result<()> {
        let name = self.fresh("each_");
        let (kind, set) = match self.pick(5)? {
            0 => (Kind::Colour, self.expression(Kind::Colours)?),
            1 => (Kind::Player, "Player".to_owned()),
            2 => (Kind::Number, "1..4".to_owned()),
            3 => (Kind::Cell, format!("neighbours({})", self.expression(Kind::Cell)?)),
            _ => (Kind::Colours, "subsets of Colour".to_owned()),
        };
        self.name(name.clone(), kind, false);
        let filter = if self.once_in(3)? {
            format!(" where {}", self.expression(Kind::Flag)?)
        } else {
            String::new()
        };
        self.loops += 1;
        self.block(&format!("for {name} in {set}{filter}"), Self::statements)?;
        self.loops -= 1;
        self.forget(1);
        Ok(())
    }

    fn again(&mut self) -> Result<()> {
        let times = self.pick(4)?;
        self.loops += 1;
        match self.pick(3)? {
            0 => self.block(&format!("repeat {times} times"), Self::statements)?,
            1 => {
                let name = self.fresh("count_");
                self.line(&format!("var {name} = 0"));
                self.block(&format!("while {name} < {times}"), |grower| {
                    grower.line(&format!("{name} += 1"));
                    grower.statements()
                })?;
            }
            _ => {
                let until = self.expression(Kind::Flag)?;
                self.block("repeat", |grower| {
                    grower.statements()?;
                    grower.line("break");
                    Ok(())
                })?;
                self.text.truncate(self.text.trim_end().len());
                self.text.push_str(&format!(" until {until}\n"));
            }
        }
        self.loops -= 1;
        Ok(())
    }

    fn draw(&mut self) -> Result<()> {
        if self.dice > 0 && self.once_in(2)? {
            let die = self.pick(self.dice)?;
            self.line(&format!("roll die_{die}"));
            return Ok(());
        }
        let name = self.fresh("drawn_");
        let (kind, set) = match self.pick(3)? {
            0 => (Kind::Colour, "Colour"),
            1 => (Kind::Number, "2..5"),
            _ => (Kind::Player, "Player"),
        };
        self.line(&format!("let {name} = random {set}"));
        self.name(name, kind, false);
        Ok(())
    }

    fn tell(&mut self) -> Result<()> {
        let kind = [Kind::Number, Kind::Colour, Kind::Player, Kind::Cell][self.pick(4)?];
        let value = self.expression(kind)?;
        self.line(&format!("say \"It is {{{value}}}.\""));
        Ok(())
    }

    fn call(&mut self) -> Result<()> {
        let acting: Vec<super::Rule> =
            self.rules.iter().filter(|rule| rule.value.is_none()).cloned().collect();
        if acting.is_empty() {
            return Ok(());
        }
        let rule = acting[self.pick(acting.len())?].clone();
        let call = self.call_of(&rule)?;
        self.line(&call);
        Ok(())
    }

    fn decision_of_some(&mut self) -> Result<()> {
        let who = self.expression(Kind::Player)?;
        let name = self.fresh("who_");
        self.line(&format!("let {name} = {who}"));
        self.name(name.clone(), Kind::Player, false);
        self.decision(&name)
    }

    /// A decision of a player, who can always do something.
    pub(super) fn decision(&mut self, who: &str) -> Result<()> {
        let order = if self.once_in(6)? { " order" } else { "" };
        self.block(&format!("choose {who}{order}"), |grower| {
            for _ in 0..=grower.pick(3)? {
                grower.option()?;
            }
            Ok(())
        })?;
        if order.is_empty() {
            let name = self.fresh("decline_");
            self.block(&format!("or {name}"), Self::statements)?;
        }
        Ok(())
    }

    fn option(&mut self) -> Result<()> {
        let move_name = self.fresh("move_");
        let name = self.fresh("chosen_");
        match self.pick(4)? {
            0 => {
                let when = self.expression(Kind::Flag)?;
                self.block(&format!("{move_name} when {when}"), Self::statements)
            }
            1 => {
                let set = self.expression(Kind::Colours)?;
                self.chosen(
                    &format!("{move_name}({name}) for {name} in {set}"),
                    &name,
                    Kind::Colour,
                )
            }
            2 => self.chosen(&format!("{move_name}({name}) for {name} in Cell"), &name, Kind::Cell),
            _ => {
                self.chosen(&format!("{move_name}({name}) for {name} in 1..3"), &name, Kind::Number)
            }
        }
    }

    fn chosen(&mut self, head: &str, name: &str, kind: Kind) -> Result<()> {
        self.name(name, kind, false);
        let filter = if self.once_in(2)? {
            format!(" where {}", self.expression(Kind::Flag)?)
        } else {
            String::new()
        };
        self.block(&format!("{head}{filter}"), Self::statements)?;
        self.forget(1);
        Ok(())
    }

    fn cards(&mut self) -> Result<()> {
        if !self.cards {
            return Ok(());
        }
        let line = match self.pick(6)? {
            0 => "move top 1 of deck to Player.first.hand",
            1 => "shuffle deck",
            2 => "move heap to deck",
            3 => "move Player.first.hand to heap",
            4 => "look at top 2 of deck for Player.last",
            _ => "reveal Player.first.hand",
        };
        self.line(line);
        Ok(())
    }

    fn swap(&mut self) -> Result<()> {
        let kind = self.kind()?;
        if let (Some(one), Some(other)) = (self.place(kind)?, self.place(kind)?) {
            self.line(&format!("swap {one} and {other}"));
        }
        Ok(())
    }

    /// Assigns what would be.
    fn put(&mut self) -> Result<()> {
        let Some(place) = self.place(Kind::Number)? else { return Ok(()) };
        let value = self.expression(Kind::Number)?;
        self.line(&format!("{place} = suppose {{ {place} = {value} }}: {place}"));
        Ok(())
    }

    fn guarded_break(&mut self) -> Result<()> {
        if self.loops > 0 {
            let condition = self.expression(Kind::Flag)?;
            self.line(&format!("if {condition} {{ break }}"));
        }
        Ok(())
    }

    fn end_now(&mut self) -> Result<()> {
        let condition = self.expression(Kind::Flag)?;
        let end = self.end()?;
        self.line(&format!("if {condition} {{ {end} }}"));
        Ok(())
    }

    /// An end of the game.
    pub(super) fn end(&mut self) -> Result<String> {
        Ok(match self.pick(7)? {
            0 => "finish draw".to_owned(),
            1 => format!("finish win {}", self.expression(Kind::Player)?),
            2 => {
                let key = self.expression(Kind::Number)?;
                format!("finish ranking p by {key}, p.seat")
            }
            3 => "finish lose".to_owned(),
            4 => "finish together win".to_owned(),
            5 => format!("finish together {}", self.expression(Kind::Number)?),
            _ => "finish win {p in Player where p.seat < 3}".to_owned(),
        })
    }
}
