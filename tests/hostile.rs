//! Input that nobody should give: every run ends soon, with a message, and never in a panic.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::errors::codes_in;
use crate::support::empty_folder;

mod families;
mod growth;
mod measured;
mod strange;

/// How long a run may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A run that ended in time.
struct Ended {
    exit: Option<i32>,
    errors: String,
}

/// A folder of this test's own, with a file in it.
fn folder(test: &str, file: &str, bytes: &[u8]) -> PathBuf {
    let folder = empty_folder(&format!("hostile/{test}"));
    std::fs::write(folder.join(file), bytes).expect("the folder of tests can be written");
    folder
}

/// Runs the program in a folder; what it prints goes into files, so that no pipe can fill up.
#[track_caller]
fn run(folder: &Path, words: &[&str]) -> Ended {
    let file = |name: &str| File::create(folder.join(name)).expect("the folder can be written");
    run_into(folder, words, file("output").into())
}

#[track_caller]
fn run_into(folder: &Path, words: &[&str], output: Stdio) -> Ended {
    let errors = folder.join("errors");
    let file = File::create(&errors).expect("the folder can be written");
    let child = program()
        .args(words)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("XDG_STATE_HOME", folder)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(file)
        .spawn();
    let exit = end(child.expect("the program can be started"), words);
    let errors = std::fs::read(&errors).expect("it was written");
    let errors = String::from_utf8(errors).expect("messages are text");
    for sign in ["panicked", "RUST_BACKTRACE", "stack backtrace", "overflowed its stack"] {
        assert!(!errors.contains(sign), "{words:?}: {errors}");
    }
    Ended { exit, errors }
}

/// The program with little memory: what a file costs at most, and as much again for what is only
/// reserved.
#[cfg(target_os = "linux")]
fn program() -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 524288; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_astragal")]);
    shell
}

#[cfg(not(target_os = "linux"))]
fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_astragal"))
}

/// Waits for the end of a program, and ends it when it takes too long.
#[track_caller]
fn end(mut child: Child, words: &[&str]) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the program can be waited for") {
            return status.code();
        }
        if start.elapsed() > PATIENCE {
            child.kill().expect("it runs");
            child.wait().expect("it was ended");
            panic!("{words:?} takes longer than {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Asserts that the program refuses a file with this code, and says so in bounds.
#[track_caller]
fn refused(place: &str, text: impl AsRef<[u8]>, code: &str) -> String {
    refused_by(&["check", "it.game"], place, "it.game", text.as_ref(), code)
}

/// Asserts that playing a file at random ends with this code.
#[track_caller]
fn stops(place: &str, text: &str, code: &str) -> String {
    refused_by(&["check", "--play", "1", "it.game"], place, "it.game", text.as_bytes(), code)
}

/// Asserts that a script is refused with this code.
#[track_caller]
fn fails(place: &str, text: impl AsRef<[u8]>, code: &str) -> String {
    refused_by(&["run", "--quiet", "it.script"], place, "it.script", text.as_ref(), code)
}

#[track_caller]
fn refused_by(words: &[&str], test: &str, file: &str, bytes: &[u8], code: &str) -> String {
    let ran = run(&folder(test, file, bytes), words);
    let start: String = ran.errors.chars().take(2000).collect();
    assert_eq!(ran.exit, Some(1), "{start}");
    assert_eq!(codes_in(&ran.errors).first().map(String::as_str), Some(code), "{start}");
    assert!(ran.errors.len() < 100_000, "{} bytes of messages: {start}", ran.errors.len());
    ran.errors
}

/// Asserts that a file is right.
#[track_caller]
fn fine(place: &str, text: impl AsRef<[u8]>) -> String {
    let ran = run(&folder(place, "it.game", text.as_ref()), &["check", "--play", "3", "it.game"]);
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    ran.errors
}

/// Asserts that a file is right under all settings.
#[track_caller]
fn fine_in_all_settings(place: &str, text: impl AsRef<[u8]>) -> String {
    let words = ["check", "--all-settings", "--play", "3", "it.game"];
    let ran = run(&folder(place, "it.game", text.as_ref()), &words);
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    ran.errors
}

/// A game that declares this.
fn game(declarations: &str) -> String {
    format!("game \"G\" {{ players 2 }}\n{declarations}\nplay {{ finish draw }}\n")
}

/// A game that plays like this.
fn play(statements: &str) -> String {
    format!(
        "game \"G\" {{ players 2 }}\nthe table has {{ n = 0; die d = 1..6 }}\nplay {{\n  {statements}\n  finish draw\n}}\nmeasure thrown = d + n\n"
    )
}

/// As many lines, each with its number.
fn numbered(count: usize, line: &dyn Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

#[test]
fn files_that_are_no_games() {
    refused("empty", "", "syntax::empty");
    refused("spaces", " \n\t\r\n  ", "syntax::empty");
    let all: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    refused("binary", all, "cli::not_text");
    refused("latin", b"game \"Caf\xe9\" { players 2 }", "cli::not_text");
    refused("nul", game("let a = \0 1"), "syntax::stray_character");
    refused("only_nul", [0_u8; 5000], "syntax::stray_character");
}

#[test]
fn files_that_are_too_long() {
    refused("long_comment", "# nothing\n".repeat(1 << 20), "syntax::too_long");
    refused("long_line", format!("# {}", "x".repeat(10 << 20)), "syntax::too_long");
    refused("long_rules", game(&"rule r() = 1\n".repeat(1 << 20)), "syntax::too_long");
}

#[test]
fn lines_that_are_too_long() {
    refused("sum", game(&format!("let a = 1{}", " + 1".repeat(90_000))), "syntax::too_deep");
    refused("word", game(&format!("let a = {}", "x".repeat(380_000))), "syntax::long_name");
    refused(
        "text",
        game(&format!("let a = \"{}\"\nlet b = oops", "x".repeat(380_000))),
        "check::unknown_name",
    );
    refused("row", game(&format!("table t[1..3] = {}", "1 ".repeat(190_000))), "check::row_length");
    refused("mistakes", game(&"let a = oops\n".repeat(4_000)), "check::unknown_name");
}

#[test]
fn nests_that_are_too_deep() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
        let nest = |close: &str| {
            game(&format!("let a = {}1{}", open.repeat(10_000), close.repeat(10_000)))
        };
        refused("nest", nest(close), "syntax::too_deep");
        refused("open_nest", nest(""), "syntax::too_deep");
    }
    refused("nots", game(&format!("let a = {}yes", "not ".repeat(10_000))), "syntax::too_deep");
    refused(
        "blocks",
        play(&format!("{}{}", "if yes { ".repeat(10_000), "}".repeat(10_000))),
        "syntax::too_deep",
    );
    let sets = format!("let a = {}1{}", "{".repeat(200), "}".repeat(200));
    refused("sets", game(&sets), "check::type_mismatch");
}

#[test]
fn declarations_that_need_themselves() {
    refused("constants", game("let a = b\nlet b = c + 1\nlet c = a"), "check::constant_cycle");
    refused("rules", game("rule a() = b()\nrule b() = a()"), "check::rule_type_cycle");
    refused("range", game("option a: 1..b = 1\noption b: 1..a = 1"), "check::constant_cycle");
    refused(
        "kinds",
        game("kind A {\n    b: B\n x  -\n}\nkind B {\n    a: A\n y  x\n}"),
        "check::wrong_cell",
    );
    let chain: Vec<String> = (0..3000).map(|at| format!("let c{at} = c{} + 1", at + 1)).collect();
    refused("chain", game(&chain.join("\n")), "check::long_chain");
}

#[test]
fn rules_that_never_end() {
    let said = stops("loop", &play("while n == 0 { n = 0 }"), "play::endless");
    assert!(said.contains("it.game:4:"), "{said}");
    stops("repeat", &play("repeat { n = 1 - n } until n > 1"), "play::endless");
    stops("empty", &play("repeat 999999 times { repeat 999999 times { } }"), "play::endless");
    stops("draws", &play("repeat { roll d } until d > 6"), "play::endless");
    stops("random", &play("repeat { let x = random 1..9; n = x } until n > 9"), "play::endless");
    stops("nobody", &play("turns me from Player.first where n < 9 { n = 1 }"), "play::endless");
    let dealt = "game \"G\" { players 2 }\nkind Face { a, b, c }\ncards Card of Face copies 34\n\
                 each player has { hand: cards seen by owner }\nthe table has { deck: cards hidden = Card }\n\
                 play {\n  repeat 9000 times {\n    move top 100 of deck to Player.first.hand\n    \
                 move Player.first.hand to deck\n  }\n  finish draw\n}\n";
    stops("dealt", dealt, "play::endless");
    let rule = "rule deeper(k: number) { n += 1; deeper(k + 1); n -= 1 }\n";
    stops("recursion", &format!("{rule}{}", play("deeper(0)")), "play::too_deep");
    let rules = "rule ping(k: number) { n += 1; pong(k); n -= 1 }\n\
                 rule pong(k: number) { n += 1; ping(k); n -= 1 }\n";
    stops("two_rules", &format!("{rules}{}", play("ping(0)")), "play::too_deep");
    let pure = "rule deep(k: number) -> number = deep(k + 1) + 1\n";
    stops("pure", &format!("{pure}{}", play("n = deep(0)")), "play::too_deep");
    let constant = format!("{pure}{}", game("let a = deep(0)"));
    refused("constant_rule", constant, "check::not_constant");
}

#[test]
fn states_that_are_too_large() {
    let state = |var: &str| game(&format!("the table has {{ {var} }}"));
    refused("plane", state("a[1..4000, 1..4000] = no"), "setting::too_large");
    refused("billion", state("a[1..1000, 1..1000, 1..1000] = 0"), "setting::too_large");
    let beyond = "a[1..4000, 1..4000, 1..4000, 1..4000, 1..4000, 1..4000] = 0";
    refused("beyond", state(beyond), "setting::too_large");
    refused("range", state("a: set of 1..1000000000 = {}"), "check::too_many_members");
    let many: Vec<String> = (0..6_000).map(|at| format!("v{at}[1..12] = 0")).collect();
    refused("many", state(&many.join("; ")), "setting::too_large");
}

#[test]
fn lists_stay_short_and_end() {
    refused(
        "long_up_to",
        game("rule r(a: list of 1..9 up to 4000000000) = 1"),
        "check::list_length",
    );
    let long = game(&format!("let c = [{}]", vec!["1"; 5_000].join(", ")));
    refused("long_list", long, "check::list_too_long");
    let nested = format!("rule r(a: {}1..9{}) = 1", "list of ".repeat(60), " up to 2".repeat(60));
    refused("nested_lists", game(&nested), "check::not_finite");
    let deep =
        format!("rule r(a: {}1..9{}) = 1", "list of ".repeat(9_000), " up to 2".repeat(9_000));
    refused("deep_lists", game(&deep), "syntax::too_deep");
    let all = "x in lists of 1..9 up to 64 by 1..9";
    stops("counted_lists", &play(&format!("n = count({all}: count(x) == n)")), "play::endless");
    stops("walked_lists", &play(&format!("for {all} {{ n = x[1] }}")), "play::endless");
    let moves = format!("choose Player.first {{ go(x) for {all} {{ n += 1 }} }}");
    stops("lists_as_moves", &play(&moves), "play::too_many_moves");
    let never = moves.replace("{ n += 1", "where count(x) > 99 { n += 1");
    stops("never_whole", &play(&never), "play::endless");
}

#[test]
fn what_is_known_before_play_is_computed_in_bounds() {
    let parts = "count(p in subsets of 1..16 where any(q in subsets of 1..16: q == p): yes)";
    refused("parts", game(&format!("let c = {parts}")), "setting::no_value");
    let doubled: String = numbered(60, &|at| format!("let c{at} = c{} + c{}\n", at + 1, at + 1));
    fine("doubled", game(&format!("{doubled}let c60 = 1\nmeasure all = c0 - c0")));
    // However often it is read, nobody waits for it twice.
    let reads = numbered(400, &|at| format!("at[Field[big, {}]] += 1; ", at % 8 + 1));
    let big = "let big = sum(a in 1..400: sum(b in 1..400: a - b)) + 1";
    let board = "board Field 8 by 8\nthe table has { at[Field] = 0 }";
    fine("often", play(&reads).replace("play {", &format!("{big}\n{board}\nplay {{")));
    let sums = "sum(a in 1..1000: sum(b in 1..1000: sum(c in 1..1000: a + b + c)))";
    // Nobody needs it before play, so it is computed when it is needed: for ever.
    stops("sums", &play(&format!("n = {sums}")), "play::endless");
    let rules: String = numbered(40, &|at| {
        format!("rule r{at}(a: number) -> number = r{}(a) + r{}(a)\n", at + 1, at + 1)
    });
    let doubling = format!("{rules}rule r40(a: number) -> number = a\n{}", play("n = r0(1)"));
    stops("doubling_rules", &doubling, "play::endless");
}

#[test]
fn settings_are_compiled_in_bounds() {
    let options: String = numbered(9, &|at| format!("option o{at} = no\n"));
    let steps: String = numbered(3000, &|at| format!("  if o{} {{ n += {at} }}\n", at % 9));
    let text = format!(
        "game \"G\" {{ players 1..16 }}\n{options}the table has {{ n = 0 }}\nplay {{\n{steps}  finish draw\n}}\nmeasure end = n\n"
    );
    let said = fine_in_all_settings("settings", text);
    assert!(codes_in(&said).contains(&"setting::sampled".to_owned()), "{said}");
    let options: String = numbered(4000, &|at| format!("option o{at} = no\n"));
    let text = format!("game \"G\" {{ players 1..20 }}\n{options}play {{ finish draw }}\n");
    fine("options", &text);
    fine_in_all_settings("options", &text);
}

#[test]
fn options_are_tried_together_where_that_is_wanted() {
    let game = |declared: &str, when: &str| {
        format!(
            "game \"G\" {{ players 2 }}\noption a = no\noption b = no\n{declared}\nplay {{\n  choose Player.first {{ go {{ }}; both {when} {{ }} }}\n  finish draw\n}}\n"
        )
    };
    // What neither option offers alone is looked for under both.
    assert_eq!(fine("both", game("", "when a and b")), "");
    let said = fine("neither", game("", "when a and b and not a"));
    assert_eq!(codes_in(&said), ["setting::never_legal"]);
    // What goes wrong under both alone is found when that is asked for.
    let wrong = game("let half = floor(6 / (if a and b then 0 else 2))", "when half > 2");
    let here = folder("wrong_together", "it.game", wrong.as_bytes());
    assert_eq!(run(&here, &["check", "it.game"]).exit, Some(0));
    let ran = run(&here, &["check", "--all-settings", "it.game"]);
    assert_eq!((ran.exit, codes_in(&ran.errors)), (Some(1), vec!["setting::no_value".to_owned()]));
}

#[test]
fn many_mistakes_are_told_soon() {
    let strangers: String = numbered(4_000, &|at| format!("let a{at} = stranger{at}\n"));
    refused("strangers", game(&strangers), "check::unknown_name");
    let members: Vec<String> = (0..4000).map(|at| format!("abcdefghijklmnop{at}")).collect();
    let wrong: String = numbered(4_000, &|at| format!("let a{at} = abcdefghijklmnoq{at}\n"));
    let alike = format!("kind K {{ {} }}\n{wrong}", members.join(", "));
    refused("alike", game(&alike), "check::unknown_name");
}

#[test]
fn brackets_beside_anything_are_scanned_soon() {
    let half = 190_000;
    let nest = format!("{}{}", "(".repeat(half), ")".repeat(half));
    refused("parentheses", &nest, "syntax::too_deep");
    let wrong = format!("{}{}", "(".repeat(half), "]".repeat(half));
    refused("wrong_closers", &wrong, "syntax::too_deep");
    let indented = format!("{}{}", " ".repeat(half), "(".repeat(half));
    refused("indented", &indented, "syntax::too_deep");
    let outdented = format!("let a = (1\n{}{}", " ".repeat(half), ")".repeat(half));
    refused("outdented", &outdented, "syntax::stray_bracket");
    let owned = format!("{}{}", "x".repeat(half), "(".repeat(half));
    refused("owned", &owned, "syntax::too_deep");
    let crossed = game(&format!("let a = {}", "{(}".repeat(120_000)));
    refused("crossed", &crossed, "syntax::unclosed_bracket");
    let deep = |at| format!("let a{at} = {}1{}\n", "(".repeat(200), ")".repeat(200));
    fine("deep", game(&(0..900).map(deep).collect::<String>()));
}

#[test]
fn kinds_groups_and_declarations_have_an_end() {
    let numbered =
        |count: usize, line: &dyn Fn(usize) -> String| -> String { (0..count).map(line).collect() };
    let rules = numbered(5000, &|at| format!("rule r{at}() = 1\n"));
    refused("rules", game(&rules), "files::too_many_declarations");
    let kinds = numbered(60, &|at| {
        let members: Vec<String> = (0..64).map(|member| format!("m{at}_{member}")).collect();
        format!("kind A{at} {{ {} }}\n", members.join(", "))
    });
    let products = numbered(59, &|at| format!("kind P{at} = A{at}, A{}\n", at + 1));
    refused("products", game(&format!("{kinds}{products}")), "check::too_many_members");
    let members: Vec<String> = (0..4096).map(|at| format!("m{at}")).collect();
    let parts = numbered(900, &|at| format!("kind B{at} within A {{ m1, m2 }}\n"));
    let parts = format!("kind A {{ {} }}\n{parts}", members.join(", "));
    refused("parts", game(&parts), "check::too_many_members");
    let boards = numbered(26, &|at| format!("board B{at} 50 by 50\n"));
    let lines = numbered(1000, &|at| {
        format!("measure m{at} = count(l in B{}.lines({}): yes)\n", at % 26, 2 + at / 26)
    });
    refused("lines", game(&format!("{boards}{lines}")), "check::too_many_members");
    let groups =
        numbered(40, &|at| format!("moves m{at}() {{ moves m{0}(); moves m{0}() }}\n", at + 1));
    let groups = format!(
        "{groups}moves m40() {{ go {{ }} }}\n{}",
        play("choose Player.first { moves m0() }")
    );
    refused("groups", groups, "check::too_many_groups");
}

#[test]
fn nobody_has_to_listen_for_ever() {
    let said = stops(
        "echo",
        &play("repeat 9000000 times { say \"Hello, hello, hello!\" }"),
        "play::too_much_said",
    );
    assert!(said.contains("1048576 bytes"), "{said}");
}

#[cfg(unix)]
#[test]
fn nothing_outside_of_the_folder_is_read() {
    let here = folder("paths", "it.game", b"");
    let code = |text: &str| {
        std::fs::write(here.join("it.game"), text).expect("the folder can be written");
        let ran = run(&here, &["check", "it.game"]);
        assert_eq!(ran.exit, Some(1), "{text}: {}", ran.errors);
        codes_in(&ran.errors).first().cloned().unwrap_or_default()
    };
    let using = |path: &str| code(&format!("use \"{path}\"\n{}", game("")));
    let over = |path: &str| code(&format!("variant \"V\" of \"{path}\"\n"));
    for path in [
        "../it.game",
        "/etc/passwd",
        "a/../../it.game",
        "..\\\\it.game",
        "C:/it.game",
        "./../it.game",
    ] {
        assert_eq!(using(path), "files::path", "{path}");
        assert_eq!(over(path), "files::path", "{path}");
    }
    std::os::unix::fs::symlink("/etc/passwd", here.join("link.game")).expect("links can be made");
    std::os::unix::fs::symlink("/dev/zero", here.join("zero.game")).expect("links can be made");
    let pipe = Command::new("mkfifo").arg(here.join("pipe.game")).status();
    assert!(pipe.expect("mkfifo is there").success());
    for path in ["link.game", "zero.game", "pipe.game", "lost.game"] {
        assert_eq!(using(path), "files::unreadable", "{path}");
        assert_eq!(over(path), "files::unreadable", "{path}");
    }
    assert_eq!(over("it.game"), "files::circle");
    std::fs::write(here.join("more.game"), "let z = 1\n").expect("the folder can be written");
    let again = "use \"more.game\"\n".repeat(4_000);
    let ran = run(
        &folder_with(&here, &format!("{again}{}", game("measure m = z"))),
        &["check", "it.game"],
    );
    assert_eq!((ran.exit, ran.errors.as_str()), (Some(0), ""));
}

#[cfg(unix)]
fn folder_with(here: &Path, text: &str) -> PathBuf {
    std::fs::write(here.join("it.game"), text).expect("the folder can be written");
    here.to_owned()
}

#[test]
fn a_journal_that_cannot_be_kept_stops_no_game() {
    let here = folder("no_journal", "it.script", b"");
    // A file stands where the folder of the journals should be.
    std::fs::write(here.join("astragal"), "").expect("the folder can be written");
    let ran = run(&here, &["play", "nim", "--seat", "all=random", "--seed", "1"]);
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    assert!(
        ran.errors.contains("the game continues, but `--resume` will not find it"),
        "{}",
        ran.errors
    );
    let output = std::fs::read_to_string(here.join("output")).expect("it was written");
    assert!(output.contains("wins"), "{output}");
}

#[test]
fn a_saved_game_says_where_other_rules_stop_it() {
    let rules = |name: &str| {
        format!(
            "game \"G\" {{ players 2 }}\nthe table has {{ n = 0 }}\nplay {{\n  turns me from Player.first {{\n    choose me {{ add {{ n += 1 }}\n    {name} {{ n += 2 }} }}\n    if n > 90 {{ finish win me }}\n  }}\n}}\n"
        )
    };
    let here = folder("older", "it.game", rules("double").as_bytes());
    let saved =
        "game it.game\nplayers Ann, Ben\nseed 1\nAnn> add\nBen> add\nAnn> double\nBen> add\n";
    std::fs::write(here.join("it.script"), saved).expect("the folder can be written");
    let ran = run(&here, &["play", "--load", "it.script"]);
    assert_eq!(
        (ran.exit, codes_in(&ran.errors).join(" ").as_str()),
        (Some(0), ""),
        "{}",
        ran.errors
    );
    std::fs::write(here.join("it.game"), rules("twice")).expect("the folder can be written");
    let ran = run(&here, &["play", "--load", "it.script"]);
    let output = std::fs::read_to_string(here.join("output")).expect("it was written");
    let told = format!("{}{output}", ran.errors);
    assert!(told.contains("it.script:6:"), "{told}");
    assert!(told.contains("the game continues after the 2 steps before this"), "{told}");
}

#[test]
fn options_beyond_counting_are_sampled() {
    let options =
        (0..64).fold(String::new(), |options, at| options + &format!("option o{at} = no\n"));
    let said = fine_in_all_settings("options", game(&options));
    let mut codes = codes_in(&said);
    codes.dedup();
    assert_eq!(codes, ["setting::sampled", "check::idle_option"]);
}

#[test]
fn habits_of_other_systems_are_fine() {
    let text = play("if n == 0 {\n    say \"One.\"\n  }");
    assert_eq!(fine("crlf", text.replace('\n', "\r\n")), "");
    assert_eq!(fine("bom", format!("\u{feff}{text}")), "");
    assert_eq!(fine("tabs", text.replace("  ", "\t")), "");
    assert_eq!(fine("no_last_line", text.trim_end()), "");
    let script = "\u{feff}game nim\r\nP1> take 3 left\r\n? size[left] == 0\r\n";
    let ran = run(&folder("crlf_script", "it.script", script.as_bytes()), &["run", "it.script"]);
    assert_eq!((ran.exit, ran.errors.as_str()), (Some(0), ""));
}

#[test]
fn files_that_cannot_be_read() {
    let here = folder("unreadable", "it.script", b"game lost.game\n");
    let code = |words: &[&str]| {
        let ran = run(&here, words);
        assert_eq!(ran.exit, Some(1), "{words:?}: {}", ran.errors);
        codes_in(&ran.errors).join(" ")
    };
    assert_eq!(code(&["check", "lost.game"]), "cli::unreadable");
    assert_eq!(code(&["rules", "."]), "cli::folder");
    assert_eq!(code(&["run", "lost.script"]), "cli::unreadable");
    assert_eq!(code(&["run", "."]), "cli::unreadable");
    assert_eq!(code(&["run", "it.script"]), "cli::unreadable");
    assert_eq!(code(&["play", "lost.game"]), "cli::unreadable");
    if cfg!(target_os = "linux") {
        assert_eq!(code(&["check", "/dev/zero"]), "cli::unreadable");
        assert_eq!(code(&["run", "/dev/zero"]), "cli::unreadable");
    }
}

#[test]
fn scripts_that_are_no_scripts() {
    fails("no_lines", "", "script::no_game");
    fails("not_text", b"game nim\n\xff\n", "cli::not_text");
    fails("nul_line", "game nim\n\0\n", "script::unknown_line");
    fails("unknown_game", "game atlantis\n", "cli::unknown_game");
    fails("nowhere", "game ../../../lost/lost.game\n", "cli::unreadable");
    fails("itself", "game it.script\n", "cli::is_script");
    fails("long", format!("game nim\n{}", "no line\n".repeat(1_000_000)), "script::unknown_line");
    fails("wide", format!("game nim\nP1> take {}", "9".repeat(1_000_000)), "script::illegal_move");
    let deep = format!("game nim\n? {}1{} == 1\n", "(".repeat(10_000), ")".repeat(10_000));
    fails("deep", deep, "syntax::too_deep");
    let options = numbered(400_000, &|at| format!("option o{at} = 1\n"));
    fails("unknown_options", format!("game nim\n{options}"), "setting::unknown_option");
    let turned = format!("seed 1\n{options}game nim\n");
    fails("turned", turned, "script::header_order");
    let sound = format!("game nim\n{}", "? size[left] == 3\n# again\n".repeat(1000));
    let ran =
        run(&folder("sound", "it.script", sound.as_bytes()), &["run", "--quiet", "it.script"]);
    assert_eq!((ran.exit, ran.errors.as_str()), (Some(0), ""));
}

#[test]
fn scripts_have_an_end() {
    let script = |lines| format!("game nim\n{}", "# a comment\n".repeat(lines));
    let here = folder("half_a_million", "it.script", script(499_999).as_bytes());
    let ran = run(&here, &["run", "--quiet", "it.script"]);
    assert_eq!((ran.exit, ran.errors.as_str()), (Some(0), ""));
    fails("a_line_too_many", script(500_000), "script::too_long");
    fails("ten_million", format!("game nim\n{}", "#\n".repeat(10_000_000)), "cli::too_large");
}

#[test]
fn targets_that_cannot_be_written() {
    let here = folder("targets", "it.script", b"game nim\nP1> take 3 left\n");
    let record = |target: &str| {
        let ran = run(&here, &["play", "nim", "--seat", "all=random", "--record", target]);
        assert_eq!(ran.exit, Some(1), "{}", ran.errors);
        codes_in(&ran.errors).join(" ")
    };
    assert_eq!(record("."), "cli::unwritable");
    assert_eq!(record("lost/it.script"), "cli::unwritable");
    if cfg!(target_os = "linux") {
        assert_eq!(record("/dev/full"), "cli::not_replaced");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let here = folder("full", "it.script", b"game nim\nP1> take 3 left\n");
    let full = || File::create("/dev/full").expect("Linux has it").into();
    for words in [&["run", "it.script"][..], &["games"], &["perft", "nim", "--depth", "1"]] {
        let ran = run_into(&here, words, full());
        assert_eq!(ran.exit, Some(1), "{words:?}: {}", ran.errors);
        assert!(ran.errors.contains("cannot go on"), "{words:?}: {}", ran.errors);
    }
}

#[cfg(unix)]
#[test]
fn readers_may_leave_early() {
    let here = folder("closed", "it.script", b"game nim\nseed 1\nbot 3\n");
    for words in [
        &["run", "it.script"][..],
        &["games"],
        &["play", "pig", "--seat", "all=random"],
        &["explain", "check::unknown_name"],
        &["check", "nim", "--emit", "bytecode"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let ran = run_into(&here, words, writer.into());
        assert_eq!(ran.exit, Some(0), "{words:?}: {}", ran.errors);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_input() {
    let here = folder("pipes", "it.script", b"game pipe.game\n");
    for name in ["pipe.game", "pipe.script", "pipe.json"] {
        let made = Command::new("mkfifo").arg(here.join(name)).status();
        assert!(made.is_ok_and(|status| status.success()), "pipes can be made");
    }
    std::fs::write(here.join("uses.game"), "use \"pipe.game\"\n").expect("it can be written");
    for words in [
        &["run", "it.script"][..],
        &["run", "pipe.script"],
        &["check", "pipe.game"],
        &["fmt", "pipe.game"],
        &["rules", "pipe.game"],
        &["play", "pipe.game"],
        &["play", "--load", "pipe.script"],
        &["simulate", "pipe.game"],
        &["merge", "pipe.json"],
    ] {
        let ran = run(&here, words);
        assert_eq!(codes_in(&ran.errors), ["cli::unreadable"], "{words:?}: {}", ran.errors);
        assert!(ran.errors.contains("no file"), "{words:?}: {}", ran.errors);
        assert_eq!(ran.exit, Some(1), "{words:?}");
    }
}

#[test]
fn a_hundred_thousand_players() {
    let names = |count: usize| (0..count).map(|at| format!("p{at}")).collect::<Vec<_>>().join(", ");
    fails("crowd", format!("game nim\nplayers {}\n", names(100_000)), "setting::players");
    fails("group", format!("game nim\nplayers {}\n", names(21)), "setting::players");
    let here = folder("named", "it.script", b"");
    let names = names(10_000).replace(' ', "");
    let ran = run(&here, &["play", "nim", "--names", &names]);
    assert_eq!((ran.exit, codes_in(&ran.errors).len()), (Some(2), 1), "{}", ran.errors);
    assert!(ran.errors.len() < 10_000, "{} bytes of messages", ran.errors.len());
}

#[test]
fn any_number_of_threads() {
    let here = folder("threads", "it.script", b"");
    let counts = |threads: &str| {
        let words = ["simulate", "nim", "-n", "3000", "--seed", "1", "--threads", threads];
        let ran = run(&here, &words);
        assert_eq!((ran.exit, ran.errors.as_str()), (Some(0), ""), "{threads}");
    };
    ["0", "1", "900", "100000", "18446744073709551615"].into_iter().for_each(counts);
}

#[test]
fn marks_of_the_byte_order() {
    refused("mark", "\u{feff}", "syntax::empty");
    refused("two_marks", "\u{feff}\u{feff}", "syntax::empty");
    refused("mark_and_line", "\u{feff}\n", "syntax::empty");
    fails("mark_of_a_script", "\u{feff}", "script::no_game");
    fine("mark_and_game", format!("\u{feff}{}", game("")));
    for (at, text) in
        ["\u{feff}", "\u{e9}", "\u{20ac}", "\u{feff}\u{1f600}", "x \u{e9}"].iter().enumerate()
    {
        let here = folder(&format!("laid_out_{at}"), "it.game", text.as_bytes());
        assert_eq!(run(&here, &["fmt", "it.game"]).exit, Some(1), "{text:?}");
        for line in
            [format!(":set {text}\n"), format!(":eval {text}\n"), format!(":why {text}\n{text}\n")]
        {
            let words = ["play", "nim", "--seed", "1"];
            let ran = crate::commands::astragal_in(&here, &words, &line);
            assert_eq!(ran.exit, Some(0), "{line:?}: {}", ran.errors);
            assert!(!ran.errors.contains("panicked"), "{line:?}: {}", ran.errors);
        }
    }
    let here = folder("laid_out", "it.game", format!("\u{feff}{}", game("")).as_bytes());
    assert_eq!(run(&here, &["fmt", "it.game"]).exit, Some(0));
    assert_eq!(run(&here, &["check", "it.game"]).exit, Some(0));
}

/// How many bytes of messages a file may bring about.
const MOST_SAID: usize = 100_000;

#[test]
fn strange_files_end_soon() {
    for (name, text) in strange::strange() {
        let here =
            folder(&format!("strange/{}", name.replace(' ', "_")), "it.game", text.as_bytes());
        for command in ["check", "rules"] {
            let ran = run(&here, &[command, "it.game"]);
            assert!(matches!(ran.exit, Some(0 | 1)), "{name}: {:?}: {}", ran.exit, ran.errors);
            assert!(ran.errors.len() < MOST_SAID, "{name}: {} bytes", ran.errors.len());
        }
    }
}

#[test]
fn a_rulebook_tells_conditions_that_stand_as_values() {
    let some = "any(k in K: k in s)";
    for statement in [
        format!("if count(x in K where {some} == (x in s)) > 1 {{ n += 1 }}"),
        format!("if {some} == all(k in K: k in s) {{ n += 1 }}"),
        format!("match {some} {{ yes: n += 1; no: n += 2 }}"),
        format!("n = match {some} {{ yes: 1; no: 2 }}"),
    ] {
        let text = families::plays(&statement);
        let here = folder("conditions", "it.game", text.as_bytes());
        let ran = run(&here, &["rules", "it.game"]);
        let book = std::fs::read_to_string(here.join("output")).expect("it was written");
        assert_eq!(ran.exit, Some(0), "{statement}: {}", ran.errors);
        assert!(book.contains("there is a k "), "{statement}: {book}");
    }
}

#[test]
fn files_are_laid_out_whatever_stands_in_them() {
    let cell = format!("kind A {{\n  c\n  a \"{}\"\n}}", "x".repeat(65_535));
    let here = folder("wide_cell", "it.game", game(&cell).as_bytes());
    assert_eq!(run(&here, &["fmt", "it.game"]).exit, Some(0));
    for sign in ["\u{a7}", "\u{2212}", "\u{201c}", "\u{301}", "\u{1f3b2}", "\u{202e}", "\u{feff}"] {
        for line in [
            "let a = 1 @ 2",
            "@ let a = 1",
            "kind A {\n  c@\n  a @\n}",
            "# @",
            "rule r() { say \"@\" }",
        ] {
            let text = game(&line.replace('@', sign));
            let here = folder("signs", "it.game", text.as_bytes());
            let ran = run(&here, &["fmt", "it.game"]);
            assert!(matches!(ran.exit, Some(0 | 1)), "{line:?} with {sign:?}: {}", ran.errors);
        }
    }
}

#[test]
fn what_is_deep_overflows_no_stack() {
    let ways = [
        ("else_if", plays_else_ifs(10_000)),
        ("else_if_allowed", plays_else_ifs(80)),
        ("sums", game(&format!("let a = 1{}", " + 1".repeat(10_000)))),
        ("sums_allowed", game(&format!("let a = 1{}", " + 1".repeat(250)))),
        ("behind_dots", game(&format!("let a = Player{}", ".first".repeat(10_000)))),
        ("calls", families::plays(&format!("n = {}n{}", "pure(".repeat(250), ")".repeat(250)))),
    ];
    for (name, text) in ways {
        let here = folder(&format!("deep_{name}"), "it.game", text.as_bytes());
        for command in ["check", "rules", "fmt"] {
            let ran = run(&here, &[command, "it.game"]);
            assert!(
                matches!(ran.exit, Some(0 | 1)),
                "{command} {name}: {:?}: {}",
                ran.exit,
                ran.errors
            );
        }
    }
}

/// A game with so many cases of an `if`.
fn plays_else_ifs(count: usize) -> String {
    let cases = families::many(count, " ", |at| format!("else if n == {at} {{ n += 1 }}"));
    families::plays(&format!("if n == 1 {{ n += 2 }} {cases}"))
}

#[test]
fn more_piles_than_a_game_has_room_for_are_refused() {
    let members =
        |count: usize| (0..count).map(|at| format!("m{at}")).collect::<Vec<_>>().join(", ");
    for (count, copies) in [(100, 9), (200, 1)] {
        let text = format!(
            "game \"Piles\" {{ players 2 }}\nkind K {{ {} }}\ncards C of K copies {copies}\n\
             each player has {{ got[K, K]: cards }}\nthe table has {{ bag: cards hidden = C; rest: cards }}\n\
             play {{ move top of bag to rest; finish draw }}\n",
            members(count)
        );
        refused(&format!("piles-{count}"), text, "setting::too_large");
    }
}
