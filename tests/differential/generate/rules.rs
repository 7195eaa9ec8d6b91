//! Made-up declarations: cards and rules that differ, and the same shelf for all games.

use super::{DIRECTIONS, Ty, Writer};
use crate::support::MakesUp;

/// What every made-up game has on the table.
const SHELF: &str = r#"
option flag = yes
option pace: 1..3 = 2
let bonus = pace + players

kind Hue { red, green "the green", blue, grey }
kind Warm within Hue { red, blue }

kind Item {
        title      size  likes: Hue  marks         twin: maybe Hue  lots
  nut   "a nut"    1     green       {red, blue}   -                {2, 5}
  pot   "a pot"    4     grey        {}            red              {}
  key   "a key"    2     red         {green}       green            {1, 2, 3}
}

table row[1..4] = 3 1 4 2
table grid[Hue, Item] {
         nut  pot  key
  red    1    -    3
  green  -    2    0
  blue   5    1    -
  grey   0    0    2
}
table fond[h in Hue, n in 1..3] = {i in Item where i.likes != h and n in i.lots or i.twin == h}

each player has {
  score = 0
  coin gold: 0..9 = 4
  bag: set of Item = {nut}
  pet: maybe Hue = none
  tally[Hue] = 1
  on = no
  hand: cards
}

the table has {
  die cube = 1..4
  dice dots for Hue = 0 1 1 2
  pool: set of 1..MOST = {1, 5, MOST}
  spare: set of 1..MOST = {2, 3, 8, MIDDLE}
  mood: Hue = red
  heap[i in Item, n in 1..3] = i.size * n
  deck: cards = Card
  thrown: cards
  history past of mood, pet, on
  history tosses of cube, pool, heap
}

always count(pool) <= 9
always all(n in 1..3: fond[h, n] == are_fond(h, n)) for h in Hue
measure gold for each player = p.gold
measure hands = sum(p in Player: count(p.hand))

rule loudly(what: text) { say "{what}!" }

rule words(n: number) -> text {
  if n < 2 { return "little" }
  match n {
    2..4: return "some"
    else: return "a lot"
  }
}

rule near(n: 0..9) = 3 * n

rule trail(hues: list of Hue up to 4) = hues

rule are_fond(h: Hue, n: number) = {i in Item where i.likes != h and n in i.lots or i.twin == h}

rule cell(h: Hue, i: Item) -> number {
  let cell = grid[h, i]
  return if cell == none then 0 else cell
}
"#;

/// The most that a set of numbers holds, for sets of one word up to five, and a number between.
const MOST: [(&str, &str); 6] =
    [("9", "6"), ("9", "5"), ("64", "33"), ("65", "64"), ("130", "65"), ("300", "128")];

/// Faces that are members, how many cards there may be of them.
const COPIES: [&str; 5] = [
    " copies { sun: 3, moon: 2 }",
    " copies 2",
    " copies weight",
    " copies if face == sun then 3 else face.weight mod 2",
    " copies match face { moon: 2; else: 1 }",
];

/// Faces that have parts: how they may be printed, and how many cards there may be of them.
const FORMS: [&str; 3] = ["", r#" "{shape} of {tint}""#, r#" "{tint} as {tint} {shape}""#];
const COPIES_OF_PARTS: [&str; 4] = [
    "",
    " copies 2",
    " copies if face.shape == sun and face.tint != pale then 0 else 2",
    " copies match face.tint { pale: 3; else: 1 }",
];

impl Writer {
    /// The faces of the cards: members, or what two kinds make together.
    fn faces(&mut self) -> String {
        if self.once_in(2) {
            let copies = self.pick(&COPIES);
            return format!(
                "\nkind Face {{\n weight\nsun 1\nmoon 2\nstar 0\n}}\ncards Card of Face{copies}\n"
            );
        }
        let (form, copies) = (self.pick(&FORMS), self.pick(&COPIES_OF_PARTS));
        format!(
            "\nkind Shape {{ sun, moon }}\nkind Tint {{ pale, dark }}\nkind Face = Shape, Tint{form}\ncards Card of Face{copies}\n"
        )
    }

    /// The whole text.
    pub(super) fn game(mut self) -> String {
        let (first, second) = (self.pick(&DIRECTIONS), self.pick(&DIRECTIONS));
        let mut text = format!(
            "## Made up.\ngame \"Made up\" {{\nplayers 2..3 {{\n luck\nnorth 1\nsouth 4\neast 2\n}}\nlimit 24 decisions {{ finish ranking p by p.score{first}, p.gold{second} }} }}\n",
        );
        text += &self.faces();
        let (most, middle) = MOST[self.below(MOST.len())];
        text += &SHELF.replace("MOST", most).replace("MIDDLE", middle);
        for number in 0..4 {
            text += &self.rule(number);
            self.callable += 1;
        }
        text += &self.play();
        text
    }

    /// A rule: of numbers and yes/no first, then those that do something.
    fn rule(&mut self, number: usize) -> String {
        self.scope = vec![
            ("p".to_owned(), Ty::Player, false),
            ("n".to_owned(), Ty::Number, false),
            ("h".to_owned(), Ty::Hue, false),
        ];
        let head = "(p: Player, n: number, h: Hue)";
        match number {
            0 => format!("\nrule pure0{head} -> number = {}\n", self.expr(Ty::Number, 3)),
            1 => format!("\nrule pure1{head} -> yes/no = {}\n", self.expr(Ty::Truth, 3)),
            _ => {
                self.scope.truncate(2);
                self.scope.push(("q".to_owned(), Ty::Player, false));
                self.scope.push(("h".to_owned(), Ty::MaybeHue, false));
                self.scope.push(("s".to_owned(), Ty::Items, false));
                let head = "(p: Player, q: Player, n: 0..3, h: maybe Hue, s: set of Item)";
                self.returns = Some(Ty::Number);
                let (body, last) = (self.block(2), self.expr(Ty::Number, 2));
                self.returns = None;
                let whom = ["q, p".to_owned(), format!("q, {}", self.player(1)), "p, q".to_owned()];
                let whom = whom[self.below(3)].clone();
                let (hue, items) = (self.expr(Ty::MaybeHue, 1), self.expr(Ty::Items, 1));
                // It may call itself, with less and less.
                let again = format!(
                    "if n > 0 {{ let more = deed{number}({whom}, min(n, 3) - 1, {hue}, {items}); p.score += more mod 7 }}"
                );
                format!(
                    "\nrule deed{number}{head} -> number {{\nif yes {body}\n{again}\nreturn {last}\n}}\n"
                )
            }
        }
    }

    /// A call of a pure rule.
    pub(super) fn called(&mut self, ty: Ty, depth: usize) -> String {
        let rule = usize::from(ty != Ty::Number);
        if self.callable <= rule {
            return if ty == Ty::Number { "5".to_owned() } else { "no".to_owned() };
        }
        let (p, n) = (self.expr(Ty::Player, depth), self.expr(Ty::Number, depth));
        let h = self.expr(Ty::Hue, depth);
        if ty == Ty::Number && self.once_in(3) {
            return format!("cell({h}, {})", self.expr(Ty::Item, depth));
        }
        format!("pure{rule}({p}, {n}, {h})")
    }

    fn play(&mut self) -> String {
        self.scope.clear();
        // `turn` may stand anywhere: one turn has begun before everything else.
        let setup = self.block(1);
        self.scope.push(("me".to_owned(), Ty::Player, false));
        // `continue` in the first block skips the decision, which alone ends a game: only so many times.
        self.loops = 1;
        let (first, second) = (self.block(3), self.block(3));
        let (deed, number) = (self.pick(&["deed2", "deed3"]), self.expr(Ty::Number, 1));
        let (over, hue) = (self.expr(Ty::Truth, 1), self.expr(Ty::Hue, 1));
        let win = self.pick(&[
            "finish win me",
            "finish draw",
            "finish win others(me)",
            "finish lose",
            "finish together me.score",
            "finish ranking p by p.gold lowest, p.score",
        ]);
        format!(
            "\nsetup {{\nturns starter from Player.first {{ break }}\nif yes {setup}\n}}\n\nplay {{\nturns me from Player.first {{\nif turn < 40 {first}\nchoose me {{ onward {{ }}; halt when {over} {{ {win} }} }}\nlet got = {deed}(me, next(me), {number} mod 3, {hue}, me.bag)\nme.score += got mod 13\nif yes {second}\n}}\nfinish draw\n}}\n"
        )
    }
}
