//! The modules that all others use: graphs, budgets, dumps, lines of scripts, suggestions.

use astragal::machinery::budget::{Budget, MAX_WORK};
use astragal::machinery::bytecode::sets;
use astragal::machinery::chance::{Chance, Seed};
use astragal::machinery::components::Components;
use astragal::machinery::dump::dump;
use astragal::machinery::source::{Span, fault};
use astragal::machinery::suggest::{Guesses, MOST_GUESSES, nearest};

#[test]
fn components_stand_behind_those_that_they_lead_to() {
    // 0 leads to the circle 1, 2, 3; that to 4, which leads to itself.
    let edges: [&[u32]; 5] = [&[1, 4], &[2], &[3], &[1, 4], &[4]];
    let components = Components::of_graph(5, |node| edges[node as usize]);
    let mut found: Vec<Vec<u32>> = components.iter().map(<[u32]>::to_vec).collect();
    found.iter_mut().for_each(|component| component.sort_unstable());
    assert_eq!(found, [vec![4], vec![1, 2, 3], vec![0]]);
}

#[test]
fn what_spends_most_is_named() {
    let budget = Budget::default();
    let span = |at| Span { start: at, end: at + 1 };
    for (at, steps) in [(1, 10), (5, 30), (9, 20)] {
        budget.turn_to(span(at));
        budget.charge(steps);
    }
    assert_eq!(budget.finding(), None);
    budget.turn_to(span(5));
    budget.charge(usize::try_from(MAX_WORK).expect("it fits"));
    assert!(budget.is_spent());
    assert_eq!(budget.finding().map(|it| it.place()), Some(span(5)));
}

#[derive(Debug)]
#[expect(dead_code, reason = "only `Debug` reads the fields")]
struct Game {
    kinds: Vec<Kind>,
    limit: Option<u32>,
    first: Option<KindId>,
    last: KindId,
}

#[derive(Debug)]
#[expect(dead_code, reason = "only `Debug` reads the fields")]
struct Kind {
    name: String,
    notes: Vec<String>,
    open: bool,
}

#[derive(Debug)]
#[expect(dead_code, reason = "only `Debug` reads the fields")]
struct KindId(u32);

#[test]
fn ids_have_names_and_what_says_nothing_is_left_out() {
    let kind = |name: &str| Kind { name: name.to_owned(), notes: Vec::new(), open: false };
    let kinds = vec![kind("a \"(\" b"), kind("c")];
    let drawn = dump(&Game { kinds, limit: None, first: Some(KindId(1)), last: KindId(7) });
    let expected = "Game(kinds: [Kind(name: \"a \\\"(\\\" b\"), Kind(name: \"c\")], first: c, \
                    last: KindId(7))\n";
    assert_eq!(drawn, expected);
}

#[test]
fn words_that_are_seen_are_read_back() {
    for words in ["take 2", "Ü-turn", "3", "“quoted\"", "> on", "? #1", "🎲️", "= 7", "a\u{a0}b"]
    {
        assert_eq!(fault(words), None, "{words:?}");
    }
    let all = ["", " ", "#1", " # a", ":quit", "a\nb", "a\rb", "a\tb", "a\u{200b}", "\u{202e}a"];
    for words in all {
        assert!(fault(words).is_some(), "{words:?}");
    }
}

#[test]
fn who_makes_many_mistakes_is_helped_with_the_first() {
    let guesses = Guesses::default();
    let helped = (0..2 * MOST_GUESSES).map(|_| guesses.nearest("watr", ["water"]));
    assert_eq!(helped.flatten().count(), MOST_GUESSES);
    assert!(!guesses.are_left());
}

#[test]
fn a_slip_of_one_letter_is_found() {
    assert_eq!(nearest("grian", ["wool", "grain"]), Some("grain"));
}

#[test]
fn case_is_forgiven_first() {
    assert_eq!(nearest("element", ["elements", "Element"]), Some("Element"));
}

#[test]
fn ties_go_to_the_alphabet() {
    assert_eq!(nearest("bat", ["cat", "bar"]), Some("bar"));
}

#[test]
fn strangers_are_not_suggested() {
    assert_eq!(nearest("lantern", ["wool", "grain"]), None);
}

#[test]
fn the_nth_member_is_found_in_sets_of_any_density() {
    let mut chance = Seed(5).stream(0);
    for round in 0..200_usize {
        let one_of = u32::try_from(1 + round % 7).expect("a small number");
        let mut set = [0; 3];
        let chosen: Vec<i64> = (0..192).filter(|_| chance.below(one_of) == 0).collect();
        chosen.iter().for_each(|member| sets::insert(&mut set, *member));
        for nth in 0..=chosen.len() {
            assert_eq!(sets::nth(&set, nth), chosen.get(nth).copied(), "{nth} of {chosen:?}");
        }
    }
}
