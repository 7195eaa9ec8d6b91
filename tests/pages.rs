//! Pages: rulebooks, sheets of cards and replays, each one file that asks nothing of the network.

use std::process::Command;

use crate::support::root;

fn page(words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
    let ran = command.args(words).current_dir(root()).output().expect("the program can be started");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("a page is text")
}

/// Whether each tag that is opened is closed in its turn.
fn is_sound(page: &str) {
    const ALONE: [&str; 5] = ["meta", "input", "!DOCTYPE", "hr", "br"];
    let body = page.replace('\n', " ");
    let (style, script) = (body.find("</style>").expect("a style"), body.find("<script>"));
    let body = &body[style + "</style>".len()..script.unwrap_or(body.len())];
    let mut open: Vec<&str> = vec!["html", "head"];
    for tag in body.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag ends");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        match tag.strip_prefix('/') {
            Some(_) if open.last() == Some(&name) => drop(open.pop()),
            Some(_) => panic!("</{name}> closes {open:?}"),
            None if tag.ends_with('/') || ALONE.contains(&name) => {}
            None => open.push(name),
        }
    }
    let left: &[&str] = if script.is_some() { &["html", "body"] } else { &[] };
    assert_eq!(open, left, "these stay open");
    let asks = ["http://", "https://", "src=", "@import", "url("];
    assert!(asks.iter().all(|word| !page.contains(word)), "a page asks for another file");
}

fn count(page: &str, words: &str) -> usize {
    page.matches(words).count()
}

/// A section of a page, by its name.
fn section<'a>(page: &'a str, name: &str) -> &'a str {
    let start = page.find(&format!("<section id=\"{name}\">")).expect("there is such a section");
    let end = page[start..].find("</section>").expect("it ends");
    &page[start..start + end]
}

#[test]
fn rulebooks_show_boards_and_cards() {
    let go = page(&["rules", "go", "--format", "html"]);
    is_sound(&go);
    assert_eq!(count(section(&go, "setup"), "<g class=\"cell\">"), 81, "the board is laid out");
    assert_eq!(count(section(&go, "example"), "<g class=\"cell\">"), 162, "before and after");
    assert!(go.contains("<a href=\"#play\">Your turn</a>"), "there are contents");
    let draughts = page(&["rules", "draughts", "--format", "html"]);
    is_sound(&draughts);
    let pieces = count(section(&draughts, "setup"), "class=\"piece\"");
    assert_eq!(pieces, 24, "the setup shows all pieces");
    let cards = page(&["rules", "love-letter", "--format", "html"]);
    is_sound(&cards);
    assert_eq!(count(&cards, "<article class=\"card"), 8, "each card once");
    assert!(cards.contains("<small>× 5</small>"), "and how many there are");
    let faces = section(&cards, "play");
    assert!(!faces.contains("Look at a hand.</td>"), "no card stands in a table, too");
    let part = page(&["rules", "go", "play", "--format", "html"]);
    is_sound(&part);
    assert!(!part.contains("<nav>") && count(&part, "<section") == 1, "a part stands alone");
}

#[test]
fn sheets_hold_every_card() {
    let cards = page(&["cards", "love-letter"]);
    is_sound(&cards);
    assert_eq!(count(&cards, "<article class=\"card"), 16);
    assert_eq!(count(&cards, "<section class=\"sheet9\">"), 2);
    assert_eq!(count(&page(&["cards", "love-letter", "--once"]), "<article class=\"card"), 8);
    let dice = page(&["cards", "card-dice"]);
    is_sound(&dice);
    assert_eq!(count(&dice, "<article class=\"card"), 78);
    assert!(dice.contains("<dt>cost</dt>") && !dice.contains("<dt>effect</dt>"), "as players read");
}

/// What is written, laid and moved in a game without cards is printed, too.
#[test]
fn sheets_hold_what_players_write_and_lay() {
    let realms = page(&["cards", "dice-realms"]);
    is_sound(&realms);
    assert_eq!(count(&realms, "<section class=\"printed written\">"), 1);
    assert!(
        realms.contains("Arcane Boost") && realms.contains("× 3"),
        "prizes stand in their boxes"
    );
    assert!(realms.contains("class=\"void\""), "a region that a dragon does not have has no box");
    assert_eq!(
        count(&realms, "<td><small>12</small></td>"),
        1,
        "guardians are crossed out in rows"
    );
    assert!(realms.contains("\"></i>Tide Abyss"), "a die is found by its colour");
    let stones = page(&["cards", "elemento"]);
    is_sound(&stones);
    assert_eq!(count(&stones, "class=\"token"), 16);
    assert_eq!(count(&stones, "<section class=\"printed wide-board\">"), 1);
    let backs = page(&["cards", "love-letter", "--backs"]);
    is_sound(&backs);
    assert_eq!(count(&backs, "<section class=\"sheet9\">"), 4);
    assert_eq!(count(&backs, "class=\"card back\""), 16);
}

#[test]
fn a_replay_has_a_step_for_each_decision() {
    let tice = page(&["replay", "games/tice/scripts/whole-game-of-2.script"]);
    is_sound(&tice);
    let steps = count(&tice, "<section class=\"step\"");
    assert_eq!(count(&tice, "<li><a href=\"#s"), steps, "each has its line in the log");
    assert!(steps > 50 && tice.contains(&format!("max=\"{}\"", steps - 1)));
    assert!(tice.contains("<b>= "), "the log ends with the result");
    let go = page(&["replay", "examples/go.script"]);
    is_sound(&go);
    assert_eq!(count(&go, "<svg class=\"board\""), count(&go, "<section class=\"step\""));
}

#[test]
fn a_replay_for_one_player_keeps_secrets() {
    let script = "examples/love-letter.script";
    let whole = page(&["replay", script]);
    let seen = page(&["replay", script, "--as", "Ben"]);
    is_sound(&seen);
    assert!(seen.contains("as Ben saw it"));
    // Ann's hand.
    assert!(count(&seen, "1 card") > count(&whole, "1 card"), "what others hold is only counted");
}
