//! Files of other sorts than the families: each has a shape that somebody could hope to be forgotten.

use super::families::{declares, many, plays};

/// What each is called, and its text.
#[expect(clippy::too_many_lines, reason = "a list of files")]
pub(super) fn strange() -> Vec<(&'static str, String)> {
    let members = |word: &str, count: usize| many(count, ", ", |at| format!("{word}{at}"));
    let large = format!("kind A {{ {} }}\n", members("a", 4096));
    vec![
        ("options that need those before them", {
            let line = |at: usize| match at {
                0 => "option o0: 0..9 = 5".to_owned(),
                _ => format!("option o{at}: 0..9 = min(o{0} + 0, 9)", at - 1),
            };
            declares(&many(900, "\n", line)).replacen("players 2", "players 1..20", 1)
        }),
        ("products of products", {
            let product = |at: usize| {
                format!(
                    "kind P{} = P{at}, Q{at}\nkind Q{at} {{ q{at} \"{}\" }}",
                    at + 1,
                    "t".repeat(990)
                )
            };
            declares(&format!("kind P0 {{ {} }}\n{}", members("p", 4000), many(15, "\n", product)))
        }),
        ("parts of parts", {
            let part = |at: usize| format!("kind P{} within P{at} {{ p0 }}", at + 1);
            declares(&format!(
                "kind P0 {{ p0, p1 }}\n{}\nrule r(p: P0) = p in P2000",
                many(2000, "\n", part)
            ))
        }),
        ("parts that overlap in a match", {
            let part = |at: usize| format!("kind P{at} within A {{ a0, a{} }}", at + 1);
            let arms = many(4000, "\n", |at| format!("a{at}: {at}"));
            declares(&format!(
                "{large}{}\nrule r(a: A) = match a {{\n{arms}\nelse: 0\n}}",
                many(14, "\n", part)
            ))
        }),
        (
            "rays of a long ring",
            declares("board Long ring 4096\nrule r(c: Long, d: Direction) = count(ray(c, d))"),
        ),
        (
            "rays of a long row",
            declares("board Long 4096 by 1\nrule r(c: Long, d: Direction) = count(ray(c, d))"),
        ),
        ("lines of all lengths", {
            let lines = many(63, "\n", |at| {
                format!("measure m{at} = count(l in Wide.lines({}): yes)", at + 2)
            });
            declares(&format!("board Wide 64 by 64\n{lines}"))
        }),
        ("sums of large sets", {
            declares(&format!(
                "{large}let c = sum(x in A: count(y in A where count(A union {{x, y}}) > 1: yes))\nmeasure m = c"
            ))
        }),
        ("sums of large sets that nobody needs before play", {
            let sum = "n += sum(x in A: count(y in A where count(A union {x, y}) > 1: yes))\n"
                .repeat(100);
            plays(&sum) + &large
        }),
        ("subsets in thousands of measures", {
            declares(&many(4000, "\n", |at| {
                format!("measure m{at} = count(s in subsets of 1..16: count(s) == {at})")
            }))
        }),
        ("a die of many faces", {
            declares(&format!("the table has {{ die x = {} }}", "1 2 ".repeat(100_000)))
        }),
        ("dice for large kinds", {
            declares(&format!(
                "{large}kind L {{ {} }}\nthe table has {{ dice x for A, L = 1..6 }}",
                members("l", 4096)
            ))
        }),
        ("rules with thousands of parameters", {
            let params = many(5000, ", ", |at| format!("a{at}: number"));
            let args = many(5000, ", ", |at| at.to_string());
            declares(&format!(
                "rule r({params}) -> number = a0 + a4999\nmeasure m = r({args})\nmeasure k = r({args})"
            ))
        }),
        (
            "keys of a ranking",
            plays(&format!("finish ranking p by {}", many(20_000, ", ", |_| "p.gold".to_owned()))),
        ),
        ("cards with many columns", {
            let heads = many(250, " ", |at| format!("c{at}"));
            let rows =
                many(100, "\n", |at| format!("  g{at} {}", many(250, " ", |at| at.to_string())));
            let cards = many(30, "\n", |at| format!("cards D{at} of G copies {{ g0: 900 }}"));
            let piles = many(30, "\n", |at| format!("  pile{at}: cards of D{at} hidden = D{at}"));
            declares(&format!(
                "kind G {{\n  {heads}\n{rows}\n}}\n{cards}\nthe table has {{\n{piles}\n}}"
            ))
        }),
        (
            "piles on a large board",
            declares("board Wide 64 by 64\nthe table has { lies[Wide]: cards of C hidden }"),
        ),
        ("promises for large kinds", {
            let line = |at: usize| format!("always n >= 0 - {at} for a in A where a != a{at}");
            declares(&format!("{large}{}", many(1500, "\n", line)))
        }),
        (
            "resets of everything",
            plays(&format!("reset {}", many(40_000, ", ", |_| "n".to_owned()))),
        ),
        ("what is supposed in what is supposed", {
            let rule = |at: usize| {
                format!(
                    "rule x{at}(a: number) -> number = (suppose {{ n += 1 }}: x{0}(a)) + (suppose {{ n += 2 }}: x{0}(a))",
                    at + 1
                )
            };
            plays("n = x0(1)")
                + &format!("{}\nrule x40(a: number) -> number = a\n", many(40, "\n", rule))
        }),
        ("tables over tables", { declares("table t[1..4096, 1..4096] = 1\nmeasure m = t[1, 1]") }),
        ("columns of many extensions", {
            let more = |at: usize| format!("extend kind E {{\n  c{at}=0\n  e{at} 1\n}}");
            declares(&format!("kind E {{\n  c=0\n  e 1\n}}\n{}", many(250, "\n", more)))
        }),
        ("kinds without a name", {
            declares(&many(1500, "\n", |at| format!("rule r{at}(a: {{x{at}, y{at}, z}}) = a == z")))
        }),
        ("blocks behind each other that all know something", {
            let test = |at: usize| {
                format!(
                    "let x{at} = first(k in K: k in s)\nif x{at} != none {{ s += x{at} }} else {{ finish draw }}"
                )
            };
            plays(&many(1000, "\n", test))
        }),
        ("loops around secrets", {
            let loops = |at: usize| {
                format!("repeat {{ let x{at} = Player.first.dark\nif x{at} > 1 {{ n += 1 }}\n")
            };
            plays(&format!("{}{}", many(40, "", loops), "} until n > 1\n".repeat(40)))
        }),
    ]
}
