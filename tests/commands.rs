//! The program as people run it: what they type, what it prints, how it ends.

mod rulebooks;

use std::env::consts::EXE_EXTENSION;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::{name, read, root, snapshots};

/// What a run of the program gave.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    pub(crate) exit: Option<i32>,
    pub(crate) output: String,
    pub(crate) errors: String,
}

/// Runs the program in the folder of the project, with these words and this input.
#[track_caller]
pub(crate) fn astragal(words: &[&str], input: &str) -> Ran {
    astragal_in(root(), words, input)
}

/// Runs the program in a folder.
#[track_caller]
pub(crate) fn astragal_in(folder: &Path, words: &[&str], input: &str) -> Ran {
    astragal_wide((folder, "80"), words, input)
}

/// Runs the program in a folder, on a screen of some columns.
#[track_caller]
pub(crate) fn astragal_wide((folder, columns): (&Path, &str), words: &[&str], input: &str) -> Ran {
    astragal_with((folder, &[("COLUMNS", columns)]), words, input)
}

/// Runs the program in a folder, with variables of the environment.
#[track_caller]
fn astragal_with(
    (folder, variables): (&Path, &[(&str, &str)]),
    words: &[&str],
    input: &str,
) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
    command.args(words).current_dir(folder).env("NO_COLOR", "1");
    command.envs(variables.iter().copied()).env("XDG_STATE_HOME", state(folder));
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program can be started");
    let mut pipe = child.stdin.take().expect("it was piped");
    // A program that ends without reading closes its end of the pipe.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    Ran { exit: output.status.code(), output: text(&output.stdout), errors: text(&output.stderr) }
}

/// Where unfinished games are kept: not with whoever runs the tests. Each folder of a test has its
/// own; in the folder of the project no command knows of another.
pub(crate) fn state(folder: &Path) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    if folder != root() {
        return folder.join(".state");
    }
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let process = std::process::id();
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("state").join(format!("{process}-{number}"))
}

/// Splits a line as a shell does: at spaces outside of quotes.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in line.trim().chars() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => quote = Some(letter),
            (' ', None) => words.push(String::new()),
            _ => words.last_mut().expect("there is always one").push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Sessions: `$ command`, below it its input behind `< `. `TMP` is a folder of the session's own,
/// and `$ cat FILE` shows a file; `COLUMNS=28 LINES=12` before a command are the size of the screen.
/// `␛` stands for the sign that begins a colour. The folder is named from the folder of the project, so that lines
/// break at the same words wherever the project lies.
#[test]
fn sessions_go_as_they_went() {
    let _guard = snapshots("commands");
    let mut settings = insta::Settings::clone_current();
    // How long a script took differs from run to run.
    settings.add_filter(
        r"\d+ games?, \d+ decisions?, compared with (.*?)(; one only .*)?\n",
        "#, compared with $1\n",
    );
    settings.add_filter(r"time=\d+ms", "time=#ms");
    settings.add_filter(r#"time="[\d.]+""#, "time=\"#\"");
    settings.add_filter(r#""milliseconds":\d+"#, "\"milliseconds\":#");
    let _times = settings.bind_to_scope();
    insta::glob!("", "commands/*.session", |path| {
        let folder = Path::new("target").join("tmp").join(name(path));
        let _ = std::fs::remove_dir_all(root().join(&folder));
        std::fs::create_dir_all(root().join(&folder)).expect("the folder of tests can be written");
        let text = read(path);
        let lines: Vec<&str> = text.lines().collect();
        let mut shown = String::new();
        for (number, line) in lines.iter().enumerate() {
            match line.strip_prefix("$ ") {
                Some(command) => {
                    let input: Vec<&str> = lines[number + 1..]
                        .iter()
                        .map_while(|line| line.strip_prefix("< "))
                        .collect();
                    shown.push_str(&typed(command, &input, &folder));
                }
                None if line.starts_with("< ") => {}
                None => shown.extend([line, "\n"]),
            }
        }
        insta::assert_snapshot!("session", shown);
    });
}

/// One command with everything that it gave, in words.
fn typed(command: &str, input: &[&str], folder: &Path) -> String {
    let place = folder.display().to_string();
    let typed: Vec<String> =
        words(command).iter().map(|word| word.replace("TMP", &place)).collect();
    let mut shown = format!("$ {command}\n");
    let size = typed.iter().map_while(|word| word.split_once('=')).collect::<Vec<_>>();
    let variables = [&[("COLUMNS", "80")], size.as_slice()].concat();
    let ran = match typed[size.len()..].iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["astragal", words @ ..] => {
            let input: String = input.iter().flat_map(|line| [line, "\n"]).collect();
            astragal_with((root(), &variables), words, &input)
        }
        ["cat", file] => {
            Ran { exit: Some(0), output: read(&root().join(file)), errors: String::new() }
        }
        _ => panic!("a session runs `astragal` or `cat`, not `{command}`"),
    };
    shown.push_str(&ran.output.replace(&place, "TMP").replace('\u{1b}', "␛"));
    for line in ran.errors.replace(&place, "TMP").lines() {
        shown.push_str(format!("! {line}").trim_end());
        shown.push('\n');
    }
    if ran.exit != Some(0) {
        let exit = ran.exit.map_or("by a signal".to_owned(), |exit| exit.to_string());
        shown.extend(["(ends with ", &exit, ")\n"]);
    }
    shown
}

#[test]
fn every_command_is_well_formed() {
    // The manual builds every command, and `clap` asserts their form where it is not optimised.
    assert_eq!(astragal(&["man"], "").exit, Some(0));
}

/// The lines of the help that list commands, in all groups.
pub(crate) fn listed(help: &str) -> impl Iterator<Item = &str> {
    let lines = help.lines().skip_while(|line| !line.starts_with("Usage:")).skip(1);
    lines.take_while(|line| *line != "Options:").filter_map(|line| line.strip_prefix("  "))
}

/// The examples run one after the other in one folder: some need the files of those before.
#[cfg(unix)]
#[test]
fn every_command_has_an_example_that_works() {
    let help = astragal(&["--help"], "").output;
    let names = listed(&help).filter_map(|line| line.split(' ').next());
    // Servers wait for a browser or an editor.
    let others = ["", "help", "serve", "lsp"];
    let names: Vec<&str> = names.filter(|name| !others.contains(name)).collect();
    assert!(names.len() > 10, "{names:?}");
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let program = Path::new(env!("CARGO_BIN_EXE_astragal"));
    let path = [program.parent().expect("it is in a folder").to_owned()];
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = path.into_iter().chain(std::env::split_paths(&others));
    let path = std::env::join_paths(path).expect("no folder has a colon");
    for name in names {
        let help = astragal(&[name, "--help"], "").output;
        let examples = help.split_once("Example:\n").expect(name).1;
        let examples = examples.lines().map_while(|line| line.strip_prefix("  "));
        // Without input, `play` leaves no unfinished game.
        for line in examples.filter(|line| !line.contains("--resume")) {
            let mut shell = Command::new("sh");
            shell.args(["-c", line]).current_dir(&folder).env("PATH", &path);
            let ran =
                shell.env("XDG_STATE_HOME", state(folder.path())).stdin(Stdio::null()).output();
            let ran = ran.expect("there is a shell");
            let errors = String::from_utf8_lossy(&ran.stderr);
            assert!(ran.status.success(), "{name}: `{line}`: {errors}");
        }
    }
}

#[test]
fn the_example_of_the_library_plays() {
    // `cargo test` builds the examples, too; a run of single tests may find none.
    let tests = std::env::current_exe().expect("this program has a place");
    let built =
        tests.parent().and_then(Path::parent).expect("it is in `deps`").join("examples/library");
    let mut command = Command::new(&built);
    if !built.with_extension(EXE_EXTENSION).exists() {
        command = Command::new(option_env!("CARGO").unwrap_or("cargo"));
        command.args(["run", "--quiet", "--offline", "--example", "library", "--"]);
    }
    command.args(["examples/pig.game", "3"]).current_dir(root());
    let ran = command.output().expect("the example runs");
    let output = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(output.lines().last().is_some_and(|line| line.starts_with("= ")), "{output}");
}
