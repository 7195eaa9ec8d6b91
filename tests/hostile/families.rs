//! Families of files that a program writes, each as large as is asked for: every sort of declaration, statement
//! and expression, in a row and in each other, long names, and mistakes of every stage.

/// Files that differ in their size alone.
pub(super) struct Family {
    /// What it is called.
    pub(super) name: String,
    /// A size at which its cost shows.
    pub(super) size: usize,
    /// Writes the file of a size.
    make: Box<dyn Fn(usize) -> String>,
}

impl Family {
    /// The file of a size.
    pub(super) fn file(&self, size: usize) -> String {
        (self.make)(size)
    }
}

/// What the files of most families begin with: something of each sort, to be used.
const HEAD: &str = "game \"G\" { players 2 }
kind K { k0, k1, k2, k3 }
kind F { f0, f1 }
board B 5 by 5
cards C of F copies { f0: 10 }
each player has { coin gold: 0..99 = 3; own[K]: 0..9 = 1; die dark = 1..6 seen by owner; hand: cards seen by owner }
the table has { n = 0; s: set of K = {}; at[B]: maybe Player = none; die d = 1..6; dice e for K = 1..6
  deck: cards hidden = C; heap: cards }
rule pure(a: number) -> number = a + n
rule deed(a: number) { n += a }
moves group(p: Player) { join(k) for k in K { p.own[k] += 1 } }
";

/// As many pieces, each with its number, with something between them.
pub(super) fn many(count: usize, between: &str, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect::<Vec<String>>().join(between)
}

/// A piece that stands inside of itself as often as that.
fn nested(depth: usize, open: impl Fn(usize) -> String, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", many(depth, "", open), close.repeat(depth))
}

/// A game that plays like this.
pub(super) fn plays(statements: &str) -> String {
    format!("{HEAD}play {{\n{statements}\n  finish draw\n}}\n")
}

/// A game that declares this as well.
pub(super) fn declares(declarations: &str) -> String {
    format!("{HEAD}{declarations}\nplay {{ finish draw }}\n")
}

/// A piece with its number in the place of each `@`, the number before it for each `$`.
fn at(piece: &str, number: usize) -> String {
    piece.replace('@', &number.to_string()).replace('$', &number.saturating_sub(1).to_string())
}

fn family(name: String, size: usize, make: impl Fn(usize) -> String + 'static) -> Family {
    Family { name, size, make: Box::new(make) }
}

/// Declarations of one sort below each other.
const DECLARATIONS: &[(&str, &str)] = &[
    ("kinds", "kind A@ { a@, b@ }"),
    ("drawn kinds", "kind A@ {\n  number  set: {k0, k1}\n  a@  1  {k0}\n}"),
    ("extended kinds", "extend kind K { more@ }"),
    ("parts", "kind P@ within K { k0, k@ }"),
    ("products", "kind A@ = K, B"),
    ("boards", "board A@ 3 by 3"),
    ("rings", "board A@ ring 5"),
    ("hexagons", "board A@ hex 3"),
    ("rhombi", "board A@ hex 3 by 4"),
    ("histories", "the table has { history h@ of n, s }"),
    ("computed copies", "cards A@ of F copies if f == f0 then 3 else 1"),
    ("printed forms", "kind A@ = K, F \"{f} of {k}\""),
    ("lists", "rule r@(a: list of K up to 4) -> list of K up to 9 = a"),
    ("maps", "board A@ { x@ - y@ - z@ }"),
    ("cards", "cards A@ of F"),
    ("options", "option o@ = no"),
    ("options of a kind", "option o@: K = k1"),
    ("constants", "let c@ = @ + 1"),
    ("constants of sets", "let c@ = {k in K where k != k1}"),
    ("tables", "table t@[K] = 1 2 3 4"),
    ("variables", "the table has { v@ = @ }"),
    ("variables of players", "each player has { v@: 0..9 = 1 }"),
    ("sets", "the table has { v@: set of B = {} }"),
    ("piles", "the table has { v@: cards hidden }"),
    ("secrets", "each player has { v@: 0..9 = 1 seen by owner }"),
    ("rules", "rule r@(a: number) = a + @"),
    ("deeds", "rule r@(p: Player) { p.gold += 1; n += @ }"),
    ("deciding rules", "rule r@(p: Player) { choose p { go { n += 1 } } or wait { } }"),
    (
        "chained rules",
        "rule r@(a: number) -> number { return r$(a) }\nrule q@(a: number) { q$(a); n += 1 }",
    ),
    ("groups", "moves m@(p: Player) { go@(k) for k in K { p.own[k] += 1 } }"),
    ("measures", "measure m@ = n + @"),
    ("measures of players", "measure m@ for each player = p.gold"),
    ("promises", "always n >= 0 - @"),
    ("promises of members", "always p.gold >= 0 - @ for p in Player"),
    ("lines", "measure m@ = count(l in B.lines(3): a1 in l)"),
    ("unnamed kinds", "the table has { v@: {x@, y@} = x@ }"),
    ("notes", "## A note.\n## Another one.\nlet c@ = 1"),
];

/// Statements of one sort behind each other, and, where they have a block, in each other.
const STATEMENTS: &[(&str, &str)] = &[
    ("let", "let x@ = n"),
    ("var", "var x@ = n"),
    ("var of arrays", "var x@[K] = 0"),
    ("assign", "n = n + @"),
    ("add", "n += 1"),
    ("swap", "swap own[k0] and own[k1]"),
    ("swap of two", "swap Player.first.own[k0] and Player.last.own[k1]"),
    ("reset", "reset s, n"),
    ("coins", "Player.first gains 1 gold; Player.first loses 1 gold; Player.last pays 1 gold"),
    ("say", "say \"It is {n} and {s}.\""),
    ("say to", "say to Player.first \"It is {n}.\""),
    ("call", "deed(@)"),
    ("supposed", "n = suppose { deed(1) }: n"),
    ("roll", "roll d"),
    ("roll each", "roll e for k in K where k != k0"),
    ("random", "let x@ = random K"),
    ("move", "move top of deck to heap"),
    ("move set", "move {c in deck where c == f0} to heap"),
    ("shuffle", "shuffle deck"),
    ("look", "look at top 2 of deck for Player.first"),
    ("show", "show Player.first.dark to Player.last"),
    ("reveal", "reveal Player.first.hand"),
    ("pick", "let x@ = choose Player.first take from K"),
    ("pick of subsets", "let x@ = choose Player.first keep from subsets of s"),
    ("group", "choose Player.first { moves group(Player.first) }"),
    ("count", "n = count(x in K where any(y in K: x != y): x != k0)"),
    ("sum", "n = sum(x in 1..6: x * n)"),
    ("highest", "for p in highest(p in Player by p.gold) { n += 1 }"),
    ("ray", "for c in ray(a1, east) { n += 1 }"),
    ("neighbours", "n = count(c in neighbours(b2): at[c] == none)"),
    ("matched value", "n = match n { 0..1: 0; 2: 3; else: 4 }"),
    ("chosen value", "n = if n > 1 then 2 else 3"),
    ("list", "var x@: list of B up to 9 = [a1, b2]; x@ += c3; n = count(x@)"),
    ("compared lists", "if [k1, k2] < [k1, k3, k0] or k0 in [k1, k2] { n = 1 }"),
    ("grown lists", "n = count(x in lists of K up to 3 by s minus x: x.first != x.last)"),
    ("several sets", "n = count(a in K for b in s for c in 1..n where a != b: c > 1)"),
    ("subset count", "n = count(x in subsets of K: count(x) == 2)"),
    ("filter", "s = {k in K where k in s or k == k1}"),
    ("image", "s = {k for k in K where k in s}"),
];

/// Statements with a block: how it opens, what stands in the innermost, how it closes.
const BLOCKS: &[(&str, &str, &str, &str)] = &[
    ("if", "if n == @ { ", "n += 1", " }"),
    ("if or else", "if n == @ { n += 1 } else { ", "n += 1", " }"),
    ("match", "match n { 0: n += 1; else: { ", "n += 1", " } }"),
    ("for", "for x@ in K { ", "n += 1", " }"),
    ("for where", "for x@ in K where x@ in s { ", "n += 1", " }"),
    ("for of a span", "for x@ in 1..n { ", "n += 1", " }"),
    ("for of subsets", "for x@ in subsets of s { ", "n += 1", " }"),
    ("for of lists", "for x@ in lists of K up to 2 by s minus x@ { ", "n += 1", " }"),
    ("while", "while n < @ { ", "n += 1", " }"),
    ("times", "repeat 2 times { ", "n += 1", " }"),
    ("repeat", "repeat { ", "n += 1", " } until n > 1"),
    ("turns", "turns p@ from Player.first { ", "n += 1; if n > 3 { break }", " }"),
    ("choose", "choose Player.first { go { ", "n += 1", " } }"),
    (
        "choose or",
        "choose Player.first { go(k@) for k@ in K when n > 0 { ",
        "n += 1",
        " } } or wait { }",
    ),
    ("choose else", "choose Player.first { go { n += 1 } } else { ", "n += 1", " }"),
    ("choose each", "choose each p@ in Player { go { n += 1 } } or wait { ", "n += 1", " }"),
    ("order", "choose Player.first order { go(k@) for k@ in K { ", "n += 1", " } }"),
    ("secret if", "if Player.first.dark > 3 { ", "n += 1", " }"),
];

/// Expressions in each other: how they open, the innermost, how they close.
const EXPRESSIONS: &[(&str, &str, &str, &str)] = &[
    ("parentheses", "(", "n", ")"),
    ("added", "1 + (", "n", ")"),
    ("sums in a row", "n + ", "n", ""),
    ("products in a row", "n * ", "n", ""),
    ("negated", "-(", "n", ")"),
    ("if", "if n == @ then @ else (", "n", ")"),
    ("if of if", "if (if n == @ then yes else no) then 1 else (", "n", ")"),
    ("match", "match n { 0: 1; else: (", "n", ") }"),
    ("min", "min(n, ", "n", ")"),
    ("double min", "min(n + n, n * ", "n", ")"),
    ("floor", "floor((", "n", ") / 2)"),
    ("calls", "pure(", "n", ")"),
    ("sum", "sum(x@ in K: ", "n", ")"),
    ("known sum", "sum(x@ in 1..9: ", "1", ")"),
    ("max", "max(x@ in 1..2: ", "n", ")"),
    ("count", "count(x@ in K: n == ", "n", ")"),
    ("where", "count({x@ in K where n == ", "n", "})"),
    ("image", "count({pure(x@) - x@ for x@ in 1..2 where n == ", "n", "})"),
    ("suppose", "suppose { n += 1 }: (", "n", ")"),
    ("suppose block", "suppose { n = ", "n", " }: n"),
    ("subsets", "sum(x@ in subsets of K: count(x@) + ", "n", ")"),
    ("lists", "sum(x@ in lists of K up to 2 by K minus x@: count(x@) + ", "n", ")"),
    ("elements", "[1, 2, 3][", "n", "]"),
    ("text", "count({k0}) + (", "n", ")"),
];

/// Mistakes, each on a line of its own.
const MISTAKES: &[(&str, &str)] = &[
    ("unknown names", "let x@ = stranger@"),
    ("unknown rules", "let x@ = stranger@(1)"),
    ("unknown columns", "let x@ = k0.stranger@"),
    ("unknown kinds", "rule r@(a: Stranger@) = 1"),
    ("unknown variables", "rule r@(p: Player) = p.stranger@"),
    ("wrong types", "let x@ = 1 + yes"),
    ("wrong sets", "let x@ = {k0, @}"),
    ("double names", "let x = @"),
    ("double members", "extend kind K { k0 }"),
    ("wrong arguments", "let x@ = pure(1, 2, 3)"),
    ("not constant", "let x@ = n"),
    ("half a line", "let x@ ="),
    ("stray signs", "let x@ = 1 § 2"),
    ("no declaration", "letx@ 1 2 3"),
    ("open brackets", "let x@ = (1"),
    ("closed brackets", "let x@ = 1)"),
    ("open texts", "let x@ = \"open"),
    ("cycles", "let x@ = y@ + 1\nlet y@ = x@"),
    ("wrong rows", "table t@[K] = 1 2"),
    ("wrong blocks", "rule r@() { if n { n += } }"),
    ("leaks", "rule r@(p: Player) { choose p { go when p.dark > 1 { n += 1 } } }"),
    ("habits", "rule r@(a: number) { n++; if (n = 1) then { return; } }"),
];

/// A game as somebody would write it, with so many parts of 20 lines.
pub(super) fn long_game(parts: usize) -> String {
    const PART: &str = "kind K@ { a@, b@ }
each player has {
  v@: 0..9 = 0
}
rule r@(x: number) -> number {
  var t = x
  repeat 3 times {
    t += 1
  }
  if t > 5 { return t }
  return x
}
moves m@(me: Player) {
  go@ when me.v@ < 9 {
    me.v@ += 1
    n = r@(n)
  }
  no@(k) for k in K@ { }
}
";
    let parts_of = |piece: &str| many(parts, "", |number| at(piece, number));
    format!(
        "game \"Long\" {{\n  players 2\n  limit 100 decisions {{ finish draw }}\n}}\nthe table has {{ n = 0 \
         }}\n{}play {{\n  turns me from Player.first {{\n{}    if n > 9 {{ finish win me }}\n  }}\n}}\n",
        parts_of(PART),
        parts_of("    choose me { moves m@(me) }\n"),
    )
}

/// All families.
pub(super) fn families() -> Vec<Family> {
    let mut all = Vec::new();
    for (name, piece) in DECLARATIONS {
        all.push(family(format!("declarations: {name}"), 1000, move |size| {
            let start = "rule r(a: number) -> number = a\nrule q(a: number) { n += a }\n";
            let pieces = many(size, "\n", |number| at(piece, number));
            declares(&format!(
                "{start}{}",
                pieces
                    .replace("r$", "r")
                    .replace(
                        "r0(a: number) -> number { return r0(a)",
                        "r0(a: number) -> number { return r(a)"
                    )
                    .replace("q0(a: number) { q0(a)", "q0(a: number) { q(a)")
            ))
        }));
    }
    for (name, piece) in STATEMENTS {
        all.push(family(format!("statements: {name}"), 1000, move |size| {
            plays(&many(size, "\n", |number| at(piece, number)))
        }));
    }
    for (name, open, inner, close) in BLOCKS {
        all.push(family(format!("blocks in a row: {name}"), 600, move |size| {
            plays(&many(size, "\n", |number| format!("{}{inner}{close}", at(open, number))))
        }));
        all.push(family(format!("blocks in each other: {name}"), 20, move |size| {
            plays(&nested(size, |number| at(open, number), inner, close))
        }));
        all.push(family(format!("deep blocks in a row: {name}"), 100, move |size| {
            let deep = nested(6, |number| at(open, number), inner, close);
            plays(&many(size, "\n", |_| deep.clone()))
        }));
    }
    for (name, open, inner, close) in EXPRESSIONS {
        all.push(family(format!("expressions in a row: {name}"), 600, move |size| {
            plays(&many(size, "\n", |number| format!("n = {}{inner}{close}", at(open, number))))
        }));
        all.push(family(format!("expressions in each other: {name}"), 20, move |size| {
            plays(&format!("n = {}", nested(size, |number| at(open, number), inner, close)))
        }));
        all.push(family(format!("deep expressions in a row: {name}"), 100, move |size| {
            let deep = nested(6, |number| at(open, number), inner, close);
            plays(&many(size, "\n", |_| format!("n = {deep}")))
        }));
    }
    for (name, piece) in MISTAKES {
        all.push(family(format!("mistakes: {name}"), 1000, move |size| {
            declares(&many(size, "\n", |number| at(piece, number)))
        }));
    }
    all.extend(shapes());
    all
}

/// Families that have a shape of their own.
#[expect(clippy::too_many_lines, reason = "a list of files")]
fn shapes() -> Vec<Family> {
    let named = |name: &str, size, make: fn(usize) -> String| family(name.to_owned(), size, make);
    vec![
        named("long: title of the game", 20_000, |size| {
            format!("game \"{}\" {{ players 2 }}\nplay {{ finish draw }}\n", "x".repeat(size))
        }),
        named("long: name", 20_000, |size| declares(&format!("let {} = 1", "x".repeat(size)))),
        named("long: names of members", 100, |size| {
            declares(&format!(
                "kind A {{ {} }}",
                many(size, ", ", |at| format!("{}{at}", "x".repeat(200)))
            ))
        }),
        named("long: titles of members", 100, |size| {
            let title = "x".repeat(200);
            declares(&format!(
                "kind A {{ {} }}",
                many(size, ", ", |at| format!("a{at} \"{title}\""))
            ))
        }),
        named("long: text", 20_000, |size| plays(&format!("say \"{}\"", "x".repeat(size)))),
        named("long: text of holes", 500, |size| {
            plays(&format!("say \"{}\"", "{n} ".repeat(size)))
        }),
        named("long: comment", 20_000, |size| declares(&"# x\n".repeat(size))),
        named("long: notes", 2_000, |size| {
            declares(&format!("{}let x = 1", "## x\n".repeat(size)))
        }),
        named("long: empty lines", 20_000, |size| declares(&"\n".repeat(size))),
        named("wide: set of members", 1000, |size| {
            declares(&format!("let x = {{{}}}", many(size, ", ", |at| format!("k{}", at % 4))))
        }),
        named("wide: set of numbers", 500, |size| {
            declares(&format!("let x = count({{{}}})", many(size, ", ", |at| format!("{at}"))))
        }),
        named("wide: members", 500, |size| {
            declares(&format!("kind A {{ {} }}", many(size, ", ", |at| format!("a{at}"))))
        }),
        named("wide: members that are used", 500, |size| {
            let uses = many(size, "\n", |at| format!("let x{at} = a{at}"));
            declares(&format!("kind A {{ {} }}\n{uses}", many(size, ", ", |at| format!("a{at}"))))
        }),
        named("wide: match", 500, |size| {
            let members = many(size, ", ", |at| format!("a{at}"));
            let arms = many(size, "\n", |at| format!("a{at}: {at}"));
            declares(&format!("kind A {{ {members} }}\nrule r(a: A) = match a {{\n{arms}\n}}"))
        }),
        named("wide: match of numbers", 500, |size| {
            let arms = many(size, "\n", |at| format!("{at}: {at}"));
            declares(&format!("rule r(a: number) = match a {{\n{arms}\nelse: 0\n}}"))
        }),
        named("wide: match of statements", 500, |size| {
            let arms = many(size, "\n", |at| format!("{at}: n = {at}"));
            plays(&format!("match n {{\n{arms}\nelse: n = 0\n}}"))
        }),
        named("wide: else if", 40, |size| {
            plays(&format!(
                "if n == 0 {{ }} {}",
                many(size, " ", |at| format!("else if n == {at} {{ n += 1 }}"))
            ))
        }),
        named("wide: columns", 500, |size| {
            let head = many(size, " ", |at| format!("c{at}"));
            declares(&format!(
                "kind A {{\n  {head}\n  a {}\n}}",
                many(size, " ", |at| at.to_string())
            ))
        }),
        named("wide: rows of a kind", 500, |size| {
            declares(&format!(
                "kind A {{\n  c d\n{}\n}}",
                many(size, "\n", |at| format!("  a{at} {at} yes"))
            ))
        }),
        named("wide: table", 2000, |size| {
            let cells = many(size, " ", |at| (at % 7).to_string());
            declares(&format!("table t[1..{size}] = {cells}\nmeasure m = t[1]"))
        }),
        named("wide: drawn table", 20, |size| {
            let head = many(9, " ", |at| (at + 1).to_string());
            let rows = many(size, "\n", |at| format!("  {} {}", at + 1, "1 ".repeat(9)));
            declares(&format!("table t[1..{size}, 1..9] {{\n  {head}\n{rows}\n}}"))
        }),
        named("wide: table with too many cells", 1000, |size| {
            declares(&format!("table t[K] = {}", "1 ".repeat(size)))
        }),
        named("wide: variables", 1000, |size| {
            declares(&format!(
                "the table has {{\n{}\n}}",
                many(size, "\n", |at| format!("v{at} = 0"))
            ))
        }),
        named("wide: faces of a die", 1000, |size| {
            declares(&format!(
                "the table has {{ die x = {} }}",
                many(size, " ", |at| (at % 9).to_string())
            ))
        }),
        named("wide: parameters", 50, |size| {
            let params = many(size, ", ", |at| format!("a{at}: number"));
            let args = many(size, ", ", |at| at.to_string());
            declares(&format!("rule r({params}) -> number = a0\nmeasure m = r({args})"))
        }),
        named("wide: options of a decision", 200, |size| {
            plays(&format!(
                "choose Player.first {{\n{}\n}}",
                many(size, "\n", |at| format!("go{at} {{ n += 1 }}"))
            ))
        }),
        named("wide: options with clauses", 100, |size| {
            let options = many(size, "\n", |at| {
                format!(
                    "go{at}(x, y) for x in K for y in K where x != y when n > {at} {{ n += 1 }}"
                )
            });
            plays(&format!("choose Player.first {{\n{options}\n}}"))
        }),
        named("wide: clauses of an option", 20, |size| {
            let bound = many(size, ", ", |at| format!("x{at}"));
            let clauses = many(size, "\n", |at| format!("for x{at} in K where x{at} in s"));
            plays(&format!("choose Player.first {{ go({bound})\n{clauses}\n{{ n += 1 }} }}"))
        }),
        named("wide: decisions that include a group", 50, |size| {
            let options = many(50, "\n", |at| format!("go{at} {{ n += 1 }}"));
            let choices = "choose Player.first { moves m() }\n".repeat(size);
            plays(&choices) + &format!("moves m() {{\n{options}\n}}\n")
        }),
        named("wide: links of a map", 500, |size| {
            declares(&format!("board A {{ {} }}", many(size, " - ", |at| format!("x{at}"))))
        }),
        named("wide: star of a map", 500, |size| {
            declares(&format!("board A {{ {} }}", many(size, "\n", |at| format!("hub - x{at}"))))
        }),
        named("board: one row", 1000, |size| {
            declares(&format!("board A {size} by 1\nthe table has {{ v[A] = 0 }}"))
        }),
        named("board: one column", 1000, |size| {
            declares(&format!("board A 1 by {size}\nthe table has {{ v[A] = 0 }}"))
        }),
        named("board: wide", 40, |size| {
            declares(&format!("board A 8 by {size}\nmeasure m = count(c in A: c in neighbours(c))"))
        }),
        named("board: ring", 1000, |size| {
            declares(&format!("board A ring {size}\nmeasure m = count(c in neighbours(a1): yes)"))
        }),
        named("board: lines", 20, |size| {
            declares(&format!("board A 6 by {size}\nmeasure m = count(l in A.lines(3): a1 in l)"))
        }),
        named("known: sums of sums", 100, |size| {
            declares(&format!("let x = sum(a in 1..{size}: sum(b in 1..20: a + b))"))
        }),
        named("known: sums that nobody needs before play", 100, |size| {
            plays(&format!("n = sum(a in 1..{size}: sum(b in 1..20: a + b))"))
        }),
        named("known: sums for each setting", 100, |size| {
            let options = many(6, "\n", |at| format!("option o{at} = no"));
            let text = declares(&format!(
                "{options}\nlet x = sum(a in 1..{size}: sum(b in 1..20: a + b))"
            ));
            text.replacen("players 2", "players 2..5", 1)
        }),
        named("settings", 100, |size| {
            declares(&many(size, "\n", |at| format!("option o{at}: 1..9 = 5"))).replacen(
                "players 2",
                "players 2..20",
                1,
            )
        }),
        named("settings with statements", 100, |size| {
            let options = many(9, "\n", |at| format!("option o{at} = no"));
            let steps = many(size, "\n", |at| format!("if o{} {{ n += {at} }}", at % 9));
            plays(&steps) + &options
        }),
        named("settings of a large kind", 100, |size| {
            let members = many(size, ", ", |at| format!("a{at}"));
            declares(&format!(
                "kind A {{ {members} }}\noption o: A = a0\noption q: A = a0\nlet x = o == q"
            ))
        }),
        named("constants that double", 20, |size| {
            let line = |at| format!("let c{at} = c{} + c{}", at + 1, at + 1);
            declares(&format!("{}\nlet c{size} = 1", many(size, "\n", line)))
        }),
        named("constants in a chain", 40, |size| {
            let line = |at| format!("let c{at} = c{} + 1", at + 1);
            declares(&format!("{}\nlet c{size} = 1", many(size, "\n", line)))
        }),
        named("rules that double", 80, |size| {
            let line = |at| format!("rule x{at}(a: number) -> number = x{0}(a) + x{0}(a)", at + 1);
            plays("n = x0(1)")
                + &format!("{}\nrule x{size}(a: number) -> number = a\n", many(size, "\n", line))
        }),
        named("rules in a chain", 300, |size| {
            let line = |at| format!("rule x{at}() {{ n += 1; x{}() }}", at + 1);
            plays("x0()") + &format!("{}\nrule x{size}() {{ n += 1 }}\n", many(size, "\n", line))
        }),
        named("rules in a chain, called twice", 300, |size| {
            let line = |at| format!("rule x{at}(a: number) {{ n += a; x{0}(1); x{0}(2) }}", at + 1);
            plays("x0(1)")
                + &format!("{}\nrule x{size}(a: number) {{ n += a }}\n", many(size, "\n", line))
        }),
        named("rules in a chain, written backwards", 300, |size| {
            let line =
                |at: usize| format!("rule x{}(a: number) {{ n += a; x{at}(1); x{at}(2) }}", at + 1);
            plays(&format!("x{size}(1)"))
                + &format!("rule x0(a: number) {{ n += a }}\n{}\n", many(size, "\n", line))
        }),
        named("rules with secrets in a chain", 200, |size| {
            let line = |at| {
                format!(
                    "rule x{at}(p: Player) -> number = if p.dark > {at} then x{}(p) else 1",
                    at + 1
                )
            };
            plays("n = x0(Player.first)")
                + &format!(
                    "{}\nrule x{size}(p: Player) -> number = p.dark\n",
                    many(size, "\n", line)
                )
        }),
        named("rules in a circle", 200, |size| {
            let line = |at| {
                format!(
                    "rule x{at}(a: number) {{ if n < 9 {{ n += a; x{}(a) }} }}",
                    (at + 1) % size
                )
            };
            plays("x0(1)") + &many(size, "\n", line) + "\n"
        }),
        named("rules that call many others", 40, |size| {
            let calls =
                |at: usize| many(9, "; ", |step| format!("x{}(a)", (at + step * step) % size));
            let line =
                |at| format!("rule x{at}(a: number) {{ if n < 9 {{ n += a; {} }} }}", calls(at));
            plays("x0(1)") + &many(size, "\n", line) + "\n"
        }),
        named("groups that double", 10, |size| {
            let line = |at| format!("moves m{at}() {{ moves m{0}(); moves m{0}() }}", at + 1);
            plays("choose Player.first { moves m0() }")
                + &format!("{}\nmoves m{size}() {{ go {{ }} }}\n", many(size.min(40), "\n", line))
        }),
        named("groups in chains of nine", 20, |size| {
            let line = |at| match at % 9 {
                8 => format!("moves m{at}(a: number) {{ go{at} {{ n += a }} }}"),
                _ => format!(
                    "moves m{at}(a: number) {{ go{at} {{ n += a }}; moves m{}(a) }}",
                    at + 1
                ),
            };
            plays(&many(size, "\n", |at| format!("choose Player.first {{ moves m{}(1) }}", 9 * at)))
                + &many(9 * size, "\n", line)
                + "\n"
        }),
        named("locals that are all seen", 300, |size| {
            plays(&many(size, "\n", |at| {
                format!(
                    "let x{at} = n + {}",
                    if at == 0 { "1".to_owned() } else { format!("x{}", at - 1) }
                )
            }))
        }),
        named("locals beside decisions", 150, |size| {
            plays(&many(size, "\n", |at| {
                format!(
                    "let x{at} = n\nchoose Player.first {{ go when x{at} > 1 {{ n += x{at} }}; wait {{ }} }}"
                )
            }))
        }),
        named("tests for none", 200, |size| {
            plays(&many(size, "\n", |at| {
                format!(
                    "let x{at} = first(k in K: k in s)\nif x{at} == none {{ finish draw }}\ns += x{at}"
                )
            }))
        }),
        named("one line", 1000, |size| plays(&"n += 1; ".repeat(size))),
        named("words without a meaning", 4000, |size| "word ".repeat(size)),
        named("brackets", 4000, |size| "(".repeat(size)),
        named("braces", 4000, |size| "{".repeat(size)),
        named("quotes", 4000, |size| "\" ".repeat(size)),
        named("a broken line in each block", 300, |size| {
            plays(&many(size, "\n", |at| format!("if n == {at} {{ n = = 1 }}")))
        }),
        named("broken rows of a kind", 300, |size| {
            declares(&format!(
                "kind A {{\n  c d\n{}\n}}",
                many(size, "\n", |at| format!("  a{at} {at} {at} {at}"))
            ))
        }),
    ]
}
