//! Files that the program writes: nothing that it did not write itself is lost, whatever goes wrong.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use astragal::machinery::chance::{Chance, Seed};

use crate::commands::{Ran, astragal_in, state};
use crate::errors::codes_in;
use crate::support::{amount, empty_folder};

/// How long a program may take to do what is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

const RULES: &str = "# Mine.\ngame \"Mine\" { players 2 }\nplay { finish draw }\n";

/// A folder of this test's own.
fn folder(test: &str) -> PathBuf {
    empty_folder(&format!("files/{test}"))
}

fn write(folder: &Path, file: &str, text: &str) {
    fs::write(folder.join(file), text).expect("the folder of tests can be written");
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap_or_default()
}

/// What a whole command line gives.
#[track_caller]
fn typed(folder: &Path, line: &str, input: &str) -> Ran {
    astragal_in(folder, &line.split(' ').collect::<Vec<_>>(), input)
}

/// The commands that write a file, with what the file begins with then.
const WRITERS: [(&str, &str); 5] = [
    ("play nim --seed 1 --seat all=random --record FILE", "game nim\n"),
    ("simulate nim -n 4 --seed 1 --report FILE", "<!DOCTYPE html>"),
    ("simulate nim -n 4 --seed 1 --out FILE", "{"),
    ("merge one.json two.json --report FILE", "<!DOCTYPE html>"),
    ("merge one.json two.json --out FILE", "{"),
];

/// A folder with two parts of a simulation.
fn parts(test: &str) -> PathBuf {
    let here = folder(test);
    for (part, file) in [("1/2", "one.json"), ("2/2", "two.json")] {
        let ran =
            typed(&here, &format!("simulate nim -n 4 --seed 1 --shard {part} --out {file}"), "");
        assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    }
    here
}

/// What somebody might put in the place of a number.
const NUMBERS: [&str; 9] = [
    "0",
    "1",
    "100",
    "-1",
    "2.5",
    "4294967295",
    "9223372036854775807",
    "18446744073709551615",
    "170141183460469231731687303715884105727",
];

/// `ASTRAGAL_COUNTS=5000 cargo test --release changed_counts` tries so many.
#[test]
fn changed_counts_are_refused_or_add_up() {
    let here = folder("changed_counts");
    for (part, file) in [("1/2", "one.json"), ("2/2", "two.json")] {
        typed(&here, &format!("simulate tice -n 40 --seed 1 --shard {part} --out {file}"), "");
    }
    let text = read(&here, "one.json");
    let digits: Vec<(usize, &str)> = text.match_indices(|it: char| it.is_ascii_digit()).collect();
    let starts = |at: usize| !text[..at].ends_with(|it: char| it.is_ascii_digit());
    let starts: Vec<usize> =
        digits.into_iter().map(|(at, _)| at).filter(|at| starts(*at)).collect();
    let (mut stream, mut refused) = (Seed(0).stream(0), 0);
    for at in 0..amount("ASTRAGAL_COUNTS", 60) {
        let (start, other) =
            (starts[stream.random_index(starts.len())], NUMBERS[at % NUMBERS.len()]);
        let behind = text[start..].trim_start_matches(|it: char| it.is_ascii_digit());
        write(&here, "changed.json", &format!("{}{other}{behind}", &text[..start]));
        let resumed = "simulate tice -n 40 --seed 1 --shard 1/2 --out changed.json --resume";
        for line in ["merge changed.json two.json", resumed] {
            let ran = typed(&here, line, "");
            assert!(ran.exit.is_some_and(|exit| exit <= 3), "{other} at {start}: {}", ran.errors);
            refused += usize::from(ran.errors.contains("cli::no_counts"));
        }
    }
    assert!(refused > 20, "{refused} were refused");
}

#[test]
fn what_others_wrote_is_not_replaced() {
    let here = parts("others");
    let script = "game nim\nplayers Ann, Ben\nseed 1\n# Written by hand.\n";
    for (line, begins) in WRITERS {
        for text in
            [RULES, script, "Notes.\n", "{ \"form\": \"mine\" }\n", "<!DOCTYPE html>\nmine\n"]
        {
            write(&here, "it", text);
            let line = line.replace("FILE", "it");
            let ran = typed(&here, &line, "");
            assert_eq!(read(&here, "it"), text, "{line} replaced it");
            assert_eq!(codes_in(&ran.errors), ["cli::not_replaced"], "{line}: {}", ran.errors);
            assert_eq!(ran.exit, Some(1), "{line}");
            let ran = typed(&here, &format!("{line} --force"), "");
            assert_eq!(ran.exit, Some(0), "{line}: {}", ran.errors);
            assert!(read(&here, "it").starts_with(begins), "{line}: {}", read(&here, "it"));
            // What the program wrote itself it replaces.
            let ran = typed(&here, &line, "");
            assert_eq!(ran.exit, Some(0), "{line}: {}", ran.errors);
        }
    }
}

#[test]
fn the_table_replaces_only_saved_games() {
    let here = folder("table");
    for word in ["save", "record"] {
        for text in [RULES, "Notes.\n", "game nim\nplayers Ann, Ben\nseed 1\n"] {
            write(&here, "it", text);
            let ran = typed(&here, "play nim --seed 1", &format!(":{word} it\n"));
            assert_eq!(read(&here, "it"), text, "{word}: {}", ran.output);
            assert_eq!(codes_in(&ran.output), ["cli::not_replaced"], "{}", ran.output);
            assert!(ran.output.contains(&format!("`:{word}! it`")), "{}", ran.output);
            typed(&here, "play nim --seed 1", &format!(":{word}! it\n"));
            assert!(read(&here, "it").starts_with("game nim\n"), "{}", read(&here, "it"));
            let input = format!("take 1 left\n:{word} it\n");
            let ran = typed(&here, "play nim --seed 1", &input);
            assert!(codes_in(&ran.output).is_empty(), "{}", ran.output);
            assert!(read(&here, "it").contains("\nP1> "), "{}", read(&here, "it"));
        }
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_links() {
    use std::os::unix::fs::symlink;
    let here = parts("links");
    for (line, _) in WRITERS {
        write(&here, "victim", "");
        let _ = fs::remove_file(here.join("it"));
        symlink("victim", here.join("it")).expect("links can be made");
        let line = line.replace("FILE", "it");
        let ran = typed(&here, &line, "");
        assert_eq!(codes_in(&ran.errors), ["cli::not_replaced"], "{line}: {}", ran.errors);
        assert_eq!(read(&here, "victim"), "", "{line}");
        assert!(here.join("it").is_symlink(), "{line}");
    }
    for word in ["save", "record"] {
        let ran = typed(&here, "play nim --seed 1", &format!(":{word} it\n"));
        assert_eq!(codes_in(&ran.output), ["cli::not_replaced"], "{}", ran.output);
        assert_eq!(read(&here, "victim"), "");
    }
    let untidy = "game   \"Mine\" { players 2 }\nplay { finish draw }\n";
    write(&here, "rules.game", untidy);
    symlink("rules.game", here.join("link.game")).expect("links can be made");
    let ran = typed(&here, "fmt link.game", "");
    assert_eq!(codes_in(&ran.errors), ["cli::not_replaced"], "{}", ran.errors);
    assert_eq!(read(&here, "rules.game"), untidy);
}

/// No name that can be known beforehand is written on the way.
#[cfg(unix)]
#[test]
fn no_link_is_met_on_the_way() {
    use std::os::unix::fs::symlink;
    let here = parts("on_the_way");
    write(&here, "victim", "precious\n");
    write(&here, "mine.game", "game   \"Mine\" { players 2 }\nplay { finish draw }\n");
    for name in ["it.part", "mine.game.part", "it.new", "it.tmp"] {
        symlink("victim", here.join(name)).expect("links can be made");
    }
    for (line, _) in WRITERS {
        let _ = fs::remove_file(here.join("it"));
        let ran = typed(&here, &line.replace("FILE", "it"), "");
        assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    }
    assert_eq!(typed(&here, "fmt mine.game", "").exit, Some(0));
    assert_eq!(read(&here, "victim"), "precious\n");
    assert!(here.join("it.part").is_symlink() && here.join("mine.game.part").is_symlink());
}

#[test]
fn counts_of_another_run_are_not_replaced() {
    let here = folder("counts");
    let first = "simulate nim -n 8 --seed 1 --out it";
    assert_eq!(typed(&here, first, "").exit, Some(0));
    let counts = read(&here, "it");
    for (line, what) in [
        ("simulate nim -n 8 --seed 2 --out it", "another seed"),
        ("simulate nim -n 8 --out it", "another seed"),
        ("simulate pig -n 8 --seed 1 --out it", "another game"),
        ("simulate nim -n 8 --seed 1 --option misere=yes --out it", "another game"),
        ("simulate nim -n 8 --seed 1 --seats first --out it", "other bots"),
        ("simulate nim -n 4 --seed 1 --out it", "other playouts"),
        ("simulate nim -n 8 --seed 1 --shard 2/2 --out it", "other playouts"),
    ] {
        let ran = typed(&here, line, "");
        assert_eq!(read(&here, "it"), counts, "{line}");
        assert_eq!(codes_in(&ran.errors), ["cli::not_replaced"], "{line}: {}", ran.errors);
        assert!(ran.errors.contains(&format!("with {what}")), "{line}: {}", ran.errors);
    }
    // The same run again loses nothing, and neither does more of it.
    assert_eq!(typed(&here, first, "").exit, Some(0));
    assert_eq!(typed(&here, "simulate nim -n 9 --seed 1 --out it", "").exit, Some(0));
    let ran = typed(&here, "simulate nim -n 4 --seed 2 --out it --force", "");
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
}

/// The program, with its lines open.
fn begin(folder: &Path, line: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
    command.args(line.split(' ')).current_dir(folder).env("XDG_STATE_HOME", state(folder));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program can be started")
}

#[track_caller]
fn wait_until(what: &dyn Fn() -> bool) {
    let start = Instant::now();
    while !what() {
        assert!(start.elapsed() < PATIENCE, "it does not happen");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A program that is ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_file_of_counts_has_one_writer() {
    let here = folder("writers");
    let line = "simulate nim -n 100000000 --threads 1 --seed 1 --out it";
    let _first = Running(begin(&here, line));
    wait_until(&|| here.join("it").exists());
    for flags in ["", " --force", " --resume"] {
        let ran = typed(&here, &format!("simulate nim -n 4 --seed 2 --out it{flags}"), "");
        assert_eq!(codes_in(&ran.errors), ["cli::busy"], "{flags}: {}", ran.errors);
        assert_eq!(ran.exit, Some(1));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let here = parts("full");
    for (line, _) in WRITERS {
        let _ = fs::remove_file(here.join("it"));
        let line = line.replace("FILE", "it");
        assert_eq!(typed(&here, &line, "").exit, Some(0));
        let before = read(&here, "it");
        // No file may grow, as on a full disk.
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""]);
        shell.arg(env!("CARGO_BIN_EXE_astragal")).args(line.split(' ')).current_dir(&here);
        shell.env("XDG_STATE_HOME", state(&here)).stdin(Stdio::null());
        let ran = shell.output().expect("there is a shell");
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(1), "{line}: {errors}");
        assert_eq!(codes_in(&errors), ["cli::unwritable"], "{line}: {errors}");
        assert_eq!(read(&here, "it"), before, "{line}");
        let ran = typed(&here, &format!("{} --force", line.replace(" it", " /dev/full")), "");
        assert_eq!(codes_in(&ran.errors), ["cli::unwritable"], "{line}: {}", ran.errors);
    }
    let rest: Vec<_> = fs::read_dir(&here).expect("it is there").flatten().collect();
    let names: Vec<_> = rest.iter().map(fs::DirEntry::file_name).collect();
    assert!(!names.iter().any(|name| name.to_string_lossy().starts_with(".it")), "{names:?}");
}

#[test]
fn games_in_play_are_kept_whatever_else_is_kept() {
    let here = folder("pruned");
    let mut first = Running(begin(&here, "play nim --seed 1 --names Ann,Ben"));
    let input = first.0.stdin.as_mut().expect("it was piped");
    input.write_all(b"take 1 left\n").expect("somebody listens");
    let games = state(&here).join("astragal").join("games");
    let journals = || -> Vec<PathBuf> {
        let entries = fs::read_dir(&games).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        paths.filter(|path| path.extension().is_some_and(|it| it == "script")).collect()
    };
    wait_until(&|| journals().len() == 1);
    let journal = journals().remove(0);
    for number in 0..30 {
        fs::write(games.join(format!("nim.{number}.script")), "game nim\n")
            .expect("it is writable");
    }
    typed(&here, "play nim --seed 2", "take 1 left\n");
    assert!(journal.exists(), "the journal of a game in play is gone");
    assert_eq!(journals().len(), 22, "the others are pruned");
}

#[test]
fn a_game_that_nobody_keeps_says_so_once() {
    let here = folder("homeless");
    let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
    command.args(["play", "nim", "--seed", "1"]).current_dir(&here);
    for name in ["HOME", "XDG_STATE_HOME", "LOCALAPPDATA"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program can be started");
    let mut input = child.stdin.take().expect("it was piped");
    input.write_all(b"take 1 left\ntake 1 middle\n:undo\n").expect("somebody listens");
    drop(input);
    let ran = child.wait_with_output().expect("the program ends");
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(errors.matches("`--resume` will not find it").count(), 1, "{errors}");
    assert!(errors.contains("HOME"), "{errors}");
}

/// Two decisions for two players, with an option.
const SHORT: &str = "game \"Short\" { players 2 }\noption goal: 1..3 = 2\n\
    the table has { n: 0..9 = 0 }\nplay {\n  repeat goal times {\n    choose Player.first { a { n += 1 }; b { } }\n  }\n  if n > 5 { finish win Player.first }\n\
    finish draw\n}\n";

/// The journal is whole at every step, nobody else reads it or plays on with it, and it is gone at the end,
/// where a recording stays.
#[test]
fn a_journal_follows_the_game() {
    let here = folder("journal");
    write(&here, "short.game", SHORT);
    let line = "play short.game --names Ann,Ben --option goal=3 --seed 7 --record it";
    let mut child = begin(&here, line);
    let mut input = child.stdin.take().expect("it was piped");
    let games = state(&here).join("astragal").join("games");
    let journal = || {
        let entries = fs::read_dir(&games).into_iter().flatten().flatten();
        entries
            .map(|entry| entry.path())
            .find(|path| path.extension().is_some_and(|it| it == "script"))
    };
    let head = |game: &str| {
        format!("game {game}\nplayers Ann, Ben\noption goal = 3\nseed 7\n# seats: human, human\n")
    };
    let whole = here.join("short.game").canonicalize().expect("it is there");
    let (kept, recorded) = (head(&whole.display().to_string()), head("short.game"));
    let mut typed_so_far = |line: &str, moves: &str| {
        input.write_all(format!("{line}\n").as_bytes()).expect("somebody listens");
        let is = |text: &str, head: &str| text == format!("{head}{moves}");
        wait_until(&|| {
            let text = journal().and_then(|path| fs::read_to_string(path).ok());
            text.is_some_and(|text| is(&text, &kept)) && is(&read(&here, "it"), &recorded)
        });
    };
    typed_so_far("a", "Ann> a\n");
    typed_so_far("b", "Ann> a\nAnn> b\n");
    typed_so_far(":undo", "Ann> a\n");
    let ran = typed(&here, "play --resume", "");
    assert_eq!(codes_in(&ran.errors), ["cli::played_elsewhere"], "{}", ran.errors);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let rights = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode();
        let path = journal().expect("the game is kept");
        assert_eq!((rights(&path) & 0o777, rights(&games) & 0o777), (0o600, 0o700));
    }
    input.write_all(b"b\na\n").expect("somebody listens");
    drop(input);
    child.wait().expect("the program ends");
    assert_eq!(journal(), None, "the game is over");
    assert_eq!(read(&here, "it"), format!("{recorded}Ann> a\nAnn> b\nAnn> a\n= draw\n"));
}

/// The journals in a folder of a test, each with its file.
fn journals(here: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(state(here).join("astragal").join("games"));
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let scripts = paths.filter(|path| path.extension().is_some_and(|it| it == "script"));
    scripts.map(|path| (path.clone(), fs::read_to_string(path).expect("it is a text"))).collect()
}

/// A game of which a move can be renamed.
fn growing(still: &str) -> String {
    format!(
        "game \"Mini\" {{ players 2 }}\neach player has {{ n = 0 }}\nplay {{\n  turns me from Player.first {{\n    \
         choose me {{ up {{ me.n += 1 }}; {still} {{ }} }}\n    if turn == 9 {{ finish ranking p by p.n }}\n  }}\n}}\n"
    )
}

#[test]
fn a_journal_that_no_longer_fits_stays_whole() {
    let here = folder("misfit");
    write(&here, "mini.game", &growing("stay"));
    typed(&here, "play mini.game --plain --seed 1", "up\nstay\nup\nup\n");
    let whole = journals(&here);
    write(&here, "mini.game", &growing("wait"));
    let ran = typed(&here, "play mini.game --plain --resume", ":history\n");
    let command = format!("astragal play --load {}", whole[0].0.display());
    let told = format!(
        "3 steps are left out; with the rules as they were, `{command}` plays the whole game"
    );
    assert!(ran.output.replace('\n', " ").contains(&told), "{}", ran.output);
    assert_eq!(journals(&here), whole, "nobody played on");
    // What is played goes elsewhere, also if it ends the game.
    typed(&here, "play mini.game --plain --resume", &"wait\n".repeat(2));
    assert_eq!(journals(&here).len(), 2);
    assert!(journals(&here).contains(&whole[0]), "{:?}", journals(&here));
    let ran = typed(&here, "play mini.game --plain --resume", &"wait\n".repeat(9));
    assert!(ran.output.contains("\n= "), "{}", ran.output);
    assert_eq!(journals(&here), whole);
    write(&here, "mini.game", &growing("stay"));
    for command in [&command["astragal ".len()..], "play mini.game --plain --resume"] {
        let ran = typed(&here, command, ":history\n");
        assert!(ran.output.contains("4  P2> up"), "{command}: {}", ran.output);
    }
}

#[test]
fn a_journal_that_cannot_begin_stays_and_that_is_told() {
    let here = folder("stuck");
    let rules = |most: u8| {
        format!(
            "game \"Well\" {{ players 2 }}\nthe table has {{ n = 0; die pull = 1..{most} }}\nplay {{\n  roll pull\n  \
             turns me from Player.first {{ choose me {{ up {{ n += pull }} }}; if n > 9 {{ finish win me }} }}\n}}\n"
        )
    };
    write(&here, "well.game", &rules(6));
    typed(&here, "play well.game --plain --ask-all --seed 2", "up\n");
    let text = journals(&here)[0].1.clone();
    assert!(text.contains("* roll pull: 5"), "{text}");
    write(&here, "well.game", &rules(4));
    let ran = typed(&here, "play well.game --plain --resume", "");
    assert!(
        ran.errors.contains("or begin anew without `--resume`"),
        "{}{}",
        ran.output,
        ran.errors
    );
    assert_eq!(journals(&here)[0].1, text);
}

#[test]
fn draws_that_are_called_otherwise_now_are_told_and_stay_in_the_journal() {
    let here = folder("redrawn");
    let rules = |most: u8| {
        format!(
            "game \"Well\" {{ players 2 }}\nthe table has {{ n = 0 }}\nplay {{\n  turns me from Player.first {{\n    \
             let step = random 1..{most}\n    n += step\n    choose me {{ up {{ }}; down {{ n -= 1 }} }}\n    \
             if n > 50 {{ finish win me }}\n  }}\n}}\n"
        )
    };
    write(&here, "well.game", &rules(6));
    typed(&here, "play well.game --plain --seed 2", "up\nup\n");
    let whole = journals(&here);
    assert!(whole[0].1.contains("* random 1..6: "), "{}", whole[0].1);
    write(&here, "well.game", &rules(4));
    let ran = typed(&here, "play well.game --plain --resume", ":history\n");
    let command = format!("astragal play --load {}", whole[0].0.display());
    let told = format!(
        "3 draws of before were not made, the first of them `random 1..6`; where others were made instead, chance \
         drew anew with the rules as they were, `{command}` plays the whole game"
    );
    assert!(ran.output.replace('\n', " ").contains(&told), "{}", ran.output);
    assert!(ran.output.contains("2  P2> up"), "{}", ran.output);
    typed(&here, "play well.game --plain --resume", "up\n");
    assert!(journals(&here).contains(&whole[0]), "{:?}", journals(&here));
    // As it was, nothing is said.
    write(&here, "well.game", &rules(6));
    let ran = typed(&here, &command["astragal ".len()..], ":history\n");
    assert!(!ran.output.contains("anew"), "{}", ran.output);
}

#[test]
fn a_game_that_is_played_on_is_no_change_of_its_rules() {
    let here = folder("resumed");
    write(&here, "mini.game", &growing("stay"));
    typed(&here, "play mini.game --plain --seed 1 --record it", "up\nstay\n");
    for command in ["play mini.game --plain --resume", "play --load it --record it"] {
        let ran = typed(&here, command, "up\n:history\nup\n:history\n");
        assert!(!ran.output.contains("has changed"), "{command}: {}", ran.output);
        assert!(ran.output.contains("P1> up"), "{command}: {}", ran.output);
    }
}

#[test]
fn several_unfinished_games_are_listed() {
    let here = folder("several");
    typed(&here, "play nim --seed 1", "take 1 left\n:quit\n");
    typed(&here, "play tic-tac-toe --names Ann,Ben --seed 1", "mark a1\nmark b2\n:quit\n");
    typed(&here, "play nim --seed 2", "take 1 left\ntake 1 left\n:quit\n");
    let ran = typed(&here, "play --resume", "");
    let lines: Vec<&str> = ran.output.lines().map(str::trim_end).collect();
    let [head, games @ ..] = &lines[..] else { panic!("{}", ran.output) };
    assert_eq!(*head, "Several games are unfinished:");
    let expected = [
        "  --resume=1  nim          P1, P2    2 moves  just now",
        "  --resume=2  tic-tac-toe  Ann, Ben  2 moves  just now",
        "  --resume=3  nim          P1, P2     1 move  just now",
    ];
    assert_eq!(games, expected);
    // What is continued is the newest from then on.
    for (command, moves) in [("--resume=3", 1), ("nim --resume=2", 2), ("--resume=3", 2)] {
        let ran = typed(&here, &format!("play {command}"), ":history\n:quit\n");
        assert_eq!(ran.output.matches("> ").count() - 2, moves, "{command}: {}", ran.output);
    }
    assert!(ran.errors.contains("--resume"), "{}", ran.errors);
    for (command, answer) in [
        ("--resume=9", "only 3 games are unfinished, so none has the number 9"),
        (
            "tic-tac-toe --resume=2",
            "only one game of `tic-tac-toe` is unfinished, so none has the number 2",
        ),
        ("--resume=0", "invalid value '0' for '--resume[=<N>]'"),
    ] {
        let ran = typed(&here, &format!("play {command}"), "");
        assert!(ran.errors.contains(answer), "{command}: {}", ran.errors);
    }
}

#[test]
fn what_is_done_before_a_rule_may_use_its_names() {
    let here = folder("names");
    let base = "game \"Twice\" { players 2 }\neach player has { points: 0..99 = 0 }\n\
        rule gain(me: Player) -> number {\n  let twice = 2 * me.points + 1\n  return twice\n}\n\
        play { turns me from Player.first { choose me { go { me.points = gain(me) } }\n\
        if me.points > 20 { finish win me } } }\n";
    let variant = "## base\n## Half of it comes first.\nvariant \"More\" of \"twice.game\"\n\
        extend rule gain before {\n  let twice = 3\n  if me.points == twice { return twice + 1 }\n}\n";
    write(&here, "twice.game", base);
    write(&here, "more.game", variant);
    let ran = typed(&here, "check more.game --play 20", "");
    assert!(ran.output.contains("no errors"), "{}{}", ran.output, ran.errors);
    // So do names of inner blocks.
    for (base, more) in [
        ("if n > 0 { let k = 1; n = k }", "before { let k = 0; if k == n { return } }"),
        ("let k = 1; n = k", "after { if n > 0 { let k = 0; n = k } }"),
        ("for k in 0..1 { n = k }", "before { let k = 0; if k == n { return } }"),
    ] {
        let text = format!(
            "game \"N\" {{ players 1 }}\nthe table has {{ n: 0..9 = 0 }}\nrule step() {{ {base} }}\n\
             play {{ step(); choose Player.first {{ go {{ finish draw }} }} }}\n"
        );
        write(&here, "n.game", &text);
        write(&here, "m.game", &format!("variant \"M\" of \"n.game\"\nextend rule step {more}\n"));
        let ran = typed(&here, "check m.game --play 5", "");
        assert!(ran.output.contains("no errors"), "{more}: {}{}", ran.output, ran.errors);
    }
    let book = typed(&here, "rules more.game", "").output;
    assert!(book.contains("\nHalf of it comes first.\n"), "`## base` is no text: {book}");
}

#[test]
fn a_variable_is_told_from_others_of_its_title() {
    let here = folder("titles");
    let text = "game \"Sums\" { players 2 }\neach player has { a \"points\" = 0; b \"points\" = 1 }\n\
        the table has { points = 5 }\nplay { choose Player.first { go { finish draw } }\nor rest \"do nothing\" { finish draw } }\n";
    write(&here, "sums.game", text);
    let ran = typed(
        &here,
        "play sums.game --names Ann,Ben --seed 1",
        ":help a\n:help b\n:help points\n:help do nothing\n",
    );
    for now in
        ["now Ann 0, Ben 0", "now Ann 1, Ben 1", "now 5", "move `do nothing`: none of the others"]
    {
        assert!(ran.output.contains(now), "{now}: {}", ran.output);
    }
}

#[test]
fn a_game_that_cannot_be_kept_goes_on() {
    let here = folder("unkept");
    write(&here, ".state", "a file where a folder should be");
    let ran = typed(&here, "play nim --seed 1", "take 1 left\n:quit\n");
    assert_eq!(ran.errors.matches("`--resume` will not find it").count(), 1, "{}", ran.errors);
    let ran = typed(&here, "play nim --seed 1 --record .state/it", "");
    assert_eq!(codes_in(&ran.errors), ["cli::unwritable"], "{}", ran.errors);
}

/// A game that says as much as may be said in each of its many moves.
const TALKATIVE: &str = "game \"Talk\" { players 2; limit 24 decisions { finish draw } }\n\
    the table has { n: 0..1000 = 0 }\n\
    play {\n  turns me from Player.first {\n    repeat 900 times { say \"TEXT\" }\n    \
    choose me { go { n += 1 } }\n    if n > 900 { finish draw }\n  }\n}\n";

#[test]
fn a_journal_has_an_end() {
    let here = folder("long");
    let rules = TALKATIVE.replace("TEXT", &"word ".repeat(200));
    write(&here, "talk.game", &rules);
    let ran = typed(&here, "play talk.game --seed 1 --seat all=random --record it", "");
    assert_eq!(ran.errors.matches("`--resume` continues where").count(), 1, "{}", ran.errors);
    assert!(ran.errors.contains("cli::full"), "{}", ran.errors);
    let length = fs::metadata(here.join("it")).expect("it was written").len();
    assert!((1 << 20..=16 << 20).contains(&length), "{length}");
}

/// A terminal as a program sees it, and the end that people sit at.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    use nix::pty::openpty;
    use nix::sys::signal::{Signal, kill};
    use nix::sys::termios::{LocalFlags, tcgetattr};
    use nix::unistd::Pid;
    use std::io::Read;

    for (signal, code) in [(Signal::SIGTERM, 143), (Signal::SIGHUP, 129)] {
        let here = folder(&format!("signal_{code}"));
        let pair = openpty(None, None).expect("there are terminals");
        let line = || Stdio::from(pair.slave.try_clone().expect("it is open"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
        command.args(["play", "nim", "--seed", "1"]).current_dir(&here).env("TERM", "xterm");
        command.env("XDG_STATE_HOME", state(&here)).stdin(line()).stdout(line()).stderr(line());
        let mut running = Running(command.spawn().expect("the program can be started"));
        let mut people = std::fs::File::from(pair.master.try_clone().expect("it is open"));
        let mut seen = people.try_clone().expect("it is open");
        std::thread::spawn(move || {
            let mut some = [0; 4096];
            while seen.read(&mut some).is_ok_and(|length| length > 0) {}
        });
        let echoes = || {
            let flags = tcgetattr(&pair.slave).expect("it is a terminal").local_flags;
            flags.contains(LocalFlags::ECHO | LocalFlags::ICANON)
        };
        assert!(echoes(), "a terminal shows what is typed");
        wait_until(&|| !echoes());
        people.write_all(b"take 1 left\r").expect("somebody listens");
        let games = state(&here).join("astragal").join("games");
        wait_until(&|| fs::read_dir(&games).is_ok_and(|it| it.count() == 1));
        wait_until(&|| !echoes());
        let process = i32::try_from(running.0.id()).expect("numbers of processes are small");
        kill(Pid::from_raw(process), signal).expect("it runs");
        let ended = running.0.wait().expect("it ends");
        assert_eq!(ended.code(), Some(code), "{signal}");
        assert!(echoes(), "{signal} leaves the terminal without echo");
        let ran = typed(&here, "play nim --resume", ":history\n");
        assert!(ran.output.contains("take 1 left"), "{}{}", ran.output, ran.errors);
    }
}
