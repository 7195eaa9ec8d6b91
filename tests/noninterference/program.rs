//! Made-up games with secrets. About one in three is accepted by the checker: what is written
//! follows a guess at who knows what, and the guess does not go round loops.

use astragal::machinery::chance::{Seed, Seeded};

use crate::support::MakesUp;

/// Who may know a number, as far as the writer can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// Everybody.
    Open,
    /// The player with this name: `me` or `you`.
    Owner(&'static str),
    /// Nobody, or a mixture.
    Secret,
}

impl Level {
    /// Whether something of this level may be where another level is wanted.
    fn fits(self, wanted: Level) -> bool {
        self == Level::Open || wanted == Level::Secret || self == wanted
    }

    fn with(self, other: Level) -> Level {
        match (self, other) {
            (Level::Open, level) | (level, Level::Open) => level,
            (a, b) if a == b => a,
            _ => Level::Secret,
        }
    }
}

/// A local number.
#[derive(Clone, Debug)]
struct Local {
    name: String,
    level: Level,
    changes: bool,
    /// Whether it held a secret when somebody was asked.
    stale: bool,
}

struct Writer {
    random: Seeded,
    names: usize,
    scope: Vec<Local>,
    /// What the statement reads that is being written.
    read: Level,
    /// How many of the rules can be called from here.
    callable: usize,
    /// Whether this part may ask somebody.
    asks: bool,
}

/// What every game has. Each statement that reads a secret counts that in `reads`, which nobody sees.
const SHELF: &str = "
kind Rank { ace, king, queen }
cards Card of Rank copies { ace: 4, king: 4, queen: 3 }

each player has {
  s: 0..9 = 0 seen by owner
  w: 0..9 = 0 seen by owner
  mark = 0
  v: 0..9 = 0 seen by others
  x: 0..9 = 0 seen by next(owner)
  hand: cards seen by owner
  back: cards seen by others
  lay: cards
}
the table has {
  h: 0..9 = 0 hidden
  reads: 0..100000 = 0 hidden
  pot = 0
  deck: cards hidden = Card
}

rule aces(p: Player) = count(c in p.hand: c == ace)
rule backs(p: Player) = count(c in p.back: c == ace)
rule both(p: Player, n: number) -> number {
  let all = p.s + n
  return if all > 9 then p.w else all
}
";

/// How the secrets come to be.
const SETUP: &str = "
setup {
  for p in Player {
    p.s = random 0..9
    p.w = random 0..9
    p.v = random 0..9
    p.x = random 0..9
    move top 2 of deck to p.hand
    move top 1 of deck to p.back
  }
  h = random 0..9
}
";

/// What a change is followed by that a player sees, or all see in part: the words say it, so that
/// the order of what is seen can be told from what is said.
fn shown(seat: &str) -> String {
    let other = other(seat);
    format!(
        "say to {seat} \"{{{seat}.s}} {{{seat}.w}} {{aces({seat})}}\"\nsay to {other} \"{{{seat}.v}} {{{seat}.x}} {{backs({seat})}}\"\nsay \"{{count({seat}.hand)}} {{count({seat}.back)}} {{count({seat}.lay)}}\""
    )
}

fn other(seat: &str) -> &'static str {
    if seat == "me" { "you" } else { "me" }
}

/// The text of a made-up game.
pub(super) fn program(seed: u64) -> String {
    let mut writer = Writer {
        random: Seed(seed).stream(11),
        names: 0,
        scope: Vec::new(),
        read: Level::Open,
        callable: 0,
        asks: false,
    };
    let mut text =
        String::from("game \"Made up\" { players 2; limit 30 decisions { finish draw } }\n");
    text += SHELF;
    for number in 0..2 {
        text += &writer.rule(number);
        writer.callable += 1;
    }
    text += SETUP;
    writer.asks = true;
    let first = writer.block(3);
    let second = writer.block(3);
    text + &format!(
        "\nplay {{\nlet me = Player.first\nlet you = Player.last\nif yes {first}\nchoose me {{ onward {{ }}; stay {{ }} }}\nif yes {second}\nchoose you {{ onward {{ }}; stay {{ }} }}\nfinish draw\n}}\n"
    )
}

impl MakesUp for Writer {
    fn source(&mut self) -> (&mut Seeded, &mut usize) {
        (&mut self.random, &mut self.names)
    }
}

impl Writer {
    fn seat(&mut self) -> &'static str {
        ["me", "you"][self.below(2)]
    }

    /// Mostly what is wanted; sometimes anything, so that the checker has something to refuse.
    fn bold(&mut self, wanted: Level) -> Level {
        if self.once_in(40) { Level::Secret } else { wanted }
    }

    /// A rule that changes numbers and returns one, without asking.
    fn rule(&mut self, number: usize) -> String {
        self.scope = vec![Local {
            name: "n".to_owned(),
            level: Level::Secret,
            changes: false,
            stale: false,
        }];
        let body = self.block(2);
        self.read = Level::Open;
        let value = self.number(Level::Secret, 1);
        self.scope.clear();
        format!(
            "\nrule deed{number}(me: Player, you: Player, n: number) -> number {{\nif yes {body}\nreturn abs({value}) mod 10\n}}\n"
        )
    }

    fn block(&mut self, depth: usize) -> String {
        let kept = self.scope.len();
        let count = 1 + self.below(4);
        let statements: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        self.scope.truncate(kept);
        format!("{{\n{}\n}}", statements.join("\n"))
    }

    /// A statement, behind a count of what it reads.
    fn statement(&mut self, depth: usize) -> String {
        let around = std::mem::replace(&mut self.read, Level::Open);
        let text = self.bare(depth);
        let read = std::mem::replace(&mut self.read, around);
        if read == Level::Open { text } else { format!("reads += 1\n{text}") }
    }

    fn bare(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.change();
        }
        match self.below(16) {
            0..=2 => self.named(),
            3 | 4 => self.branch(depth),
            5 | 6 => self.looped(depth),
            7 => self.drawn(),
            8..=11 if self.asks => self.decision(depth),
            _ => self.change(),
        }
    }

    fn named(&mut self) -> String {
        let wanted = [Level::Open, Level::Owner(self.seat()), Level::Secret][self.below(3)];
        let (name, (value, level)) = (self.name("v"), self.valued(wanted));
        let changes = !self.once_in(4);
        self.scope.push(Local { name: name.clone(), level, changes, stale: false });
        format!("{} {name} = {value}", if changes { "var" } else { "let" })
    }

    /// A number and the level of what it reads.
    fn valued(&mut self, wanted: Level) -> (String, Level) {
        let before = std::mem::replace(&mut self.read, Level::Open);
        let value = self.number(wanted, 2);
        let level = std::mem::replace(&mut self.read, before);
        self.read = self.read.with(level);
        (format!("abs({value}) mod 10"), level)
    }

    /// A condition, and what depends on it: what asks hangs on what all see.
    fn branch(&mut self, depth: usize) -> String {
        let wanted = if self.once_in(2) { Level::Open } else { Level::Secret };
        let condition = self.truth(wanted);
        let asked = self.asks;
        self.asks &= wanted == Level::Open || self.once_in(30);
        let then = self.block(depth - 1);
        let otherwise = if self.once_in(2) {
            format!(" else {}", self.block(depth - 1))
        } else {
            String::new()
        };
        self.asks = asked;
        format!("if {condition} {then}{otherwise}")
    }

    /// Loops carry locals round: what is assigned late is read early in the next round.
    fn looped(&mut self, depth: usize) -> String {
        let (kept, mut before) = (self.scope.len(), String::new());
        for _ in 0..self.below(5) {
            let name = self.name("r");
            before.extend(["var ", &name, " = ", &self.below(10).to_string(), "\n"]);
            self.scope.push(Local { name, level: Level::Open, changes: true, stale: false });
        }
        // Often enough for what is read to reach the last of them.
        let times = 2 + self.scope.len() - kept + self.below(3);
        let text = match self.below(6) {
            0 => format!("for {} in Player {}", self.name("p"), self.carrying(kept, depth)),
            1 => {
                let (count, condition) = (self.name("g"), self.truth(Level::Open));
                let body = self.carrying(kept, depth);
                format!(
                    "var {count} = 0\nwhile {count} < {times} and {condition} {{\n{count} += 1\nif yes {body}\n}}"
                )
            }
            _ => format!("repeat {times} times {}", self.carrying(kept, depth)),
        };
        let carried = self.scope.split_off(kept);
        if !self.asks || carried.is_empty() || self.once_in(4) {
            return before + &text;
        }
        // What was handed on most often is what a checker forgets first.
        let asked = if self.once_in(2) { 0 } else { self.below(carried.len()) };
        let (seat, name) = (self.seat(), carried[asked].name.clone());
        let (go, least) = (self.name("go"), self.below(6));
        format!(
            "{before}{text}\nchoose {seat} {{ {go} when {name} > {least} {{ }} }} or pass {{ }}"
        )
    }

    /// The body of a loop, in which locals may hand on what they hold, one to the next.
    fn carrying(&mut self, from: usize, depth: usize) -> String {
        let names: Vec<String> = self.scope[from..].iter().map(|it| it.name.clone()).collect();
        let body = self.block(depth - 1);
        if names.is_empty() || self.once_in(2) {
            return body;
        }
        let mut handed: Vec<String> =
            names.windows(2).map(|pair| format!("{} = {}", pair[0], pair[1])).collect();
        let wanted = [Level::Open, Level::Owner(self.seat()), Level::Secret][self.below(3)];
        let (value, _) = self.valued(wanted);
        handed.extend(names.last().map(|last| format!("{last} = {value}")));
        format!("{{\n{}\nif yes {body}\n}}", handed.join("\n"))
    }

    fn drawn(&mut self) -> String {
        let seat = self.seat();
        match self.below(6) {
            0 => {
                let place = self.pick(&["s", "v", "x"]);
                format!("{seat}.{place} = random 0..9\n{}", shown(seat))
            }
            1 => "h = random 0..9".to_owned(),
            2 => {
                let pile = self.pick(&["hand", "back"]);
                format!("move top 1 of deck to {seat}.{pile}\n{}", shown(seat))
            }
            3 => format!("look at top 1 of deck for {seat}\n{}", shown(seat)),
            4 => format!("move {seat}.back to {seat}.hand\n{}", shown(seat)),
            _ => "shuffle deck".to_owned(),
        }
    }

    fn change(&mut self) -> String {
        let seat = self.seat();
        match self.below(12) {
            0..=3 => self.assigned(),
            4 => format!("h = {}", self.valued(Level::Secret).0),
            5 => {
                let place = self.pick(&["s", "w", "v", "x"]);
                format!("{seat}.{place} = {}\n{}", self.valued(Level::Secret).0, shown(seat))
            }
            6 | 7 => {
                let wanted = self.bold(Level::Open);
                let (value, _) = self.valued(wanted);
                let place = if self.once_in(2) { "pot" } else { "me.mark" };
                format!("{place} = {value}\nsay \"{place} is {{{place}}}.\"")
            }
            8 => {
                let wanted = self.bold(Level::Owner(seat));
                format!("say to {seat} \"It is {{{}}}.\"", self.number(wanted, 1))
            }
            9 if self.callable > 0 => self.called(),
            10 => format!("move {seat}.lay to deck\n{}", shown(seat)),
            _ => format!("swap {seat}.s and {seat}.w\n{}", shown(seat)),
        }
    }

    /// A call of a rule that changes something.
    fn called(&mut self) -> String {
        let (rule, name) = (self.below(self.callable), self.name("d"));
        let (a, b) = if self.once_in(2) { ("me", "you") } else { ("you", "me") };
        let (value, _) = self.valued(Level::Secret);
        self.scope.push(Local {
            name: name.clone(),
            level: Level::Secret,
            changes: false,
            stale: false,
        });
        format!("let {name} = deed{rule}({a}, {b}, {value})")
    }

    /// A local that changes takes another value, often that of another local.
    fn assigned(&mut self) -> String {
        let vars: Vec<usize> = (0..self.scope.len())
            .filter(|at| self.scope[*at].changes && !self.scope[*at].stale)
            .collect();
        if vars.is_empty() {
            return self.named();
        }
        let at = vars[self.below(vars.len())];
        let (value, level) = if vars.len() > 1 && !self.once_in(3) {
            let from = vars[self.below(vars.len())];
            let from = &self.scope[from];
            (from.name.clone(), from.level)
        } else {
            let wanted = [Level::Open, Level::Secret][self.below(2)];
            self.valued(wanted)
        };
        self.read = self.read.with(level);
        let local = &mut self.scope[at];
        local.level = level;
        format!("{} = {value}", local.name)
    }

    fn decision(&mut self, depth: usize) -> String {
        let seat = self.seat();
        let own = Level::Owner(seat);
        let text = match self.below(6) {
            0 => {
                let (name, move_) = (self.name("k"), self.name("take"));
                let cards = self.pick(&["hand", "lay", "back"]);
                let body = self.pick(&["lay", "hand", "back"]);
                let from = if cards == "back" && !self.once_in(8) { other(seat) } else { seat };
                let to = self.seat();
                format!(
                    "choose {seat} {{ {move_}({name}) for {name} in {from}.{cards} {{ move {name} to {to}.{body} }} }} or pass {{ }}"
                )
            }
            1 => {
                let (name, move_) = (self.name("k"), self.name("put"));
                let (place, of) = (self.pick(&["s", "w", "v", "x"]), self.seat());
                format!(
                    "choose {seat} {{ {move_}({name}) for {name} in 0..3 {{ {of}.{place} = {name} }} }}"
                )
            }
            2 => {
                let (name, move_) = (self.name("p"), self.name("own"));
                format!(
                    "choose each {name} in Player {{ {move_} when {name}.s > {} {{ }} }} or pass {{ }}",
                    self.below(9)
                )
            }
            _ => {
                let count = 1 + self.below(2);
                let options: Vec<String> = (0..count).map(|_| self.option(own, depth)).collect();
                let prompt = if self.once_in(3) {
                    let wanted = self.bold(own);
                    format!(" \"{{{}}}?\"", self.number(wanted, 1))
                } else {
                    String::new()
                };
                let rest = match self.below(6) {
                    0 => format!(" else {}", self.block(depth - 1)),
                    1 => {
                        let wanted = self.bold(own);
                        format!(" or pass when {} {{ }} else {{ }}", self.truth(wanted))
                    }
                    2 => format!(" or pass when nothing else {}", self.block(depth - 1)),
                    _ => format!(" or pass {}", self.block(depth - 1)),
                };
                format!("choose {seat}{prompt} {{\n{}\n}}{rest}", options.join("\n"))
            }
        };
        // A secret may not be used again behind a question.
        if !self.once_in(30) {
            self.scope.iter_mut().for_each(|local| local.stale |= local.level != Level::Open);
        }
        text
    }

    fn option(&mut self, own: Level, depth: usize) -> String {
        let (name, kept) = (self.name("go"), self.scope.len());
        let wanted = self.bold(own);
        let head = match self.below(4) {
            0 => {
                let x = self.name("x");
                let condition = format!("{x} < {}", self.number(wanted, 1));
                self.scope.push(Local {
                    name: x.clone(),
                    level: Level::Open,
                    changes: false,
                    stale: false,
                });
                format!("{name}({x}) for {x} in 0..3 where {condition}")
            }
            1 => {
                let (y, value) = (self.name("y"), self.number(wanted, 1));
                format!("{name} let {y} = {value} when {y} > {}", self.below(9))
            }
            _ => format!("{name} when {}", self.truth(wanted)),
        };
        let body = self.block(depth - 1);
        self.scope.truncate(kept);
        format!("{head} {body}")
    }

    fn truth(&mut self, wanted: Level) -> String {
        let (a, b) = (self.number(wanted, 1), self.below(10));
        match self.below(5) {
            0 => format!("(not ({a} > {b}))"),
            1 => format!("({a} == {b} or {} < {b})", self.number(wanted, 0)),
            2 => format!("any(q in Player: {a} > {b} and q.mark >= 0)"),
            _ => format!("({a} {} {b})", self.pick(&["<", ">", ">=", "<="])),
        }
    }

    fn number(&mut self, wanted: Level, depth: usize) -> String {
        if depth == 0 || self.once_in(3) {
            return self.leaf(wanted);
        }
        let (a, b) = (self.number(wanted, depth - 1), self.number(wanted, depth - 1));
        match self.below(7) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("max({a}, {b})"),
            3 => format!("(if {a} > {} then {b} else {})", self.below(9), self.below(9)),
            4 => format!("(match {a} {{ 0..2: {b}; else: {} }})", self.below(9)),
            5 => format!("(suppose {{ pot = {a} }}: pot + {b})"),
            _ => a,
        }
    }

    fn leaf(&mut self, wanted: Level) -> String {
        let fitting = self.scope.iter().filter(|it| !it.stale && it.level.fits(wanted));
        let fitting: Vec<Local> = fitting.cloned().collect();
        if !fitting.is_empty() && !self.once_in(3) {
            let local = fitting[self.below(fitting.len())].clone();
            self.read = self.read.with(local.level);
            return local.name;
        }
        let level = if self.once_in(3) { Level::Open } else { wanted };
        self.read = self.read.with(level);
        match level {
            Level::Open => match self.below(5) {
                0 => "pot".to_owned(),
                1 => format!("{}.mark", self.seat()),
                2 => format!("count({}.hand)", self.seat()),
                _ => self.below(10).to_string(),
            },
            Level::Owner(seat) => match self.below(9) {
                3 => format!("{}.v", other(seat)),
                4 => format!("backs({})", other(seat)),
                5 => format!("next({seat}).x"),
                6 => format!("sum(o in others({seat}): o.v)"),
                0 => format!("{seat}.w"),
                1 => format!("aces({seat})"),
                2 => format!("both({seat}, {})", self.below(5)),
                _ => format!("{seat}.s"),
            },
            Level::Secret => match self.below(7) {
                3 => format!("backs({})", self.seat()),
                4 => format!("{}.{}", self.seat(), self.pick(&["v", "x"])),
                0 => "h".to_owned(),
                1 => "sum(p in Player: p.s)".to_owned(),
                2 => format!("aces({})", self.seat()),
                _ => format!("{}.s", self.seat()),
            },
        }
    }
}
