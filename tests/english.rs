//! The pieces of English and Markdown that rulebooks and sentences are made of.

use astragal::machinery::rulebook::english::{
    authored, embedded, format_table, in_code, join_list, one, plural, predicate, quote_code,
    sentence, singular, space_words,
};
use astragal::machinery::vm::capitalised;

#[test]
fn words_take_their_forms() {
    assert_eq!(plural("city"), "cities");
    assert_eq!(plural("day"), "days");
    assert_eq!(plural("torch"), "torches");
    assert_eq!(plural("die"), "dice");
    assert_eq!(singular("drops of oil"), "drop of oil");
    assert_eq!(singular("grass"), "grass");
    assert_eq!(predicate("is over", "it", false).as_deref(), Some("it is not *over*"));
    assert_eq!(predicate("can go", "you", false).as_deref(), Some("you cannot *go*"));
    assert_eq!(predicate("has won", "you", true).as_deref(), Some("you have *won*"));
    assert_eq!(predicate("fits", "*f*", true), None);
    assert_eq!(one("oak"), "an oak");
    assert_eq!(space_words("HarbourBell"), "harbour bell");
    assert_eq!(sentence("you pay 2"), "You pay 2.");
    assert_eq!(embedded("You pay 2."), "you pay 2");
    let words = ["a", "b", "c"].map(str::to_owned);
    assert_eq!(join_list(words, "or"), "a, b or c");
}

#[test]
fn markdown_shows_what_an_author_wrote() {
    for (text, shown) in [
        ("[x](javascript:alert(1))", r"[x\](javascript:alert(1))"),
        ("![x](http://a.b/c.png)", r"![x\](http://a.b/c.png)"),
        ("<javascript:x> < 3 <b", r"\<javascript:x> < 3 \<b"),
        ("&lt;script&gt; &#60; R&D & more", r"\&lt;script\&gt; \&#60; R\&D & more"),
        ("[a] [b][c] [d]: [e]", r"[a] [b\][c] [d\]: [e\]"),
        ("*a* _b_ ~~c~~ snake_case", r"\*a\* \_b\_ \~\~c\~\~ snake_case"),
        ("# A #2 C# #", r"\# A #2 C\# \#"),
        ("- a - b", r"\- a - b"),
        ("--- x", r"\--- x"),
        ("> a > b", r"\> a > b"),
        ("12. May", r"12\. May"),
        ("-1 for 3.", "-1 for 3."),
        (r"a\b \* \", r"a\b \\\* \\"),
        ("`a[*]` and ` alone", r"`a[*]` and \` alone"),
        ("``` x", r"\`\`\` x"),
        ("a\n# b", "a # b"),
        ("end <", r"end \<"),
    ] {
        assert_eq!(authored(text), shown);
        assert_eq!(in_code(shown), text.replace('\n', " "));
    }
    assert_eq!(quote_code("a < b"), "`a < b`");
    assert_eq!(quote_code("say \"`x`\""), "`` say \"`x`\" ``");
}

#[test]
fn tables_have_a_heading() {
    let rows = [vec!["a".to_owned(), "b|c".to_owned()], vec!["1".to_owned(), "2".to_owned()]];
    assert_eq!(format_table(&rows), "| a | b\\|c |\n|---|---|\n| 1 | 2 |\n");
}

#[test]
fn sentences_begin_with_a_capital() {
    assert_eq!(capitalised("öl burns".to_owned()), "Öl burns");
}
