//! Transcripts that play again, and everything a script may expect in vain.

use astragal::machinery::session::{Running, ScriptRun, run};
use astragal::machinery::source::Source;
use astragal::machinery::transcript::parse;

use super::{game, rolling};

const HEAD: &str = "game rolling\nplayers Ann, Ben\n";

fn play(text: &str) -> ScriptRun {
    let source = Source::new("a.script", text);
    let script = parse(&source).expect("the case is right");
    run(&script, &source, rolling())
}

fn codes(run: &ScriptRun) -> Vec<String> {
    let found = run.diagnostics.sorted();
    found.iter().map(|finding| finding.code.expect("the case is right").to_string()).collect()
}

/// The codes of what goes wrong below the header and the first draw.
fn findings(body: &str) -> Vec<String> {
    codes(&play(&format!("{HEAD}* random Player: Ann\n{body}")))
}

fn help(body: &str) -> String {
    let run = play(&format!("{HEAD}{body}"));
    run.diagnostics.sorted()[0].help.clone().expect("the case is right")
}

/// Runs a script that is fine and returns what its transcript says below the header, after making
/// sure that the transcript is a script that prints itself.
#[track_caller]
fn transcript(body: &str) -> String {
    let first = play(&format!("{HEAD}{body}"));
    assert_eq!(codes(&first), Vec::<String>::new());
    let second = play(&first.transcript);
    assert_eq!(codes(&second), Vec::<String>::new());
    assert_eq!(first.transcript, second.transcript);
    first.transcript.strip_prefix(HEAD).expect("the case is right").to_owned()
}

#[test]
fn events_and_output_stand_below_their_step() {
    let body = "* random Player: Ann\n* roll die: 3\n* roll die: 1\nAnn> roll twice\nBen> pass\n";
    assert_eq!(
        transcript(body),
        "* random Player: Ann\n  Ann begins.\nAnn> roll twice\n  Ann dares.\n* roll die: 3\n  \
         Ann rolls 3.\n* roll die: 1\n  Ann rolls 1.\nBen> pass\n  Ben passes.\n"
    );
}

#[test]
fn events_may_stand_where_they_happen_or_earlier() {
    let after = "* random Player: Ben\nBen> roll\n* roll die: 2\n";
    let before = "* random Player: Ben\n* roll die: 2\nBen> roll\n";
    assert_eq!(transcript(after), transcript(before));
}

#[test]
fn comments_and_empty_lines_stay_where_they_are() {
    let body = "\n# Ann begins.\n* random Player: Ann   # by lot\n  Ann begins.\n\n# Ann dares.\n\
                Ann> roll twice # brave\n  Ann dares.\n# The first.\n* roll die: 3\n  Ann rolls 3.\n\
                # The second.\n* roll die: 1 # low\n  Ann rolls 1.\n\n# Ben passes.\nBen> pass\n  \
                Ben passes.\n# The end.\n";
    assert_eq!(transcript(body), body);
}

#[test]
fn a_comment_before_an_early_event_comes_behind_the_step() {
    let body = "* random Player: Ann\nAnn> pass\n\n# Ben rolls a two.\n* roll die: 2\nBen> roll\n";
    assert_eq!(
        transcript(body),
        "* random Player: Ann\n  Ann begins.\nAnn> pass\n  Ann passes.\n\n# Ben rolls a two.\n\
         Ben> roll\n* roll die: 2\n  Ben rolls 2.\n"
    );
}

#[test]
fn a_seed_answers_what_no_line_answers() {
    let seeded = transcript("seed 7\nAnn> roll twice\n").replace("seed 7\n", "");
    let first =
        seeded.lines().find(|line| line.starts_with("* random")).expect("the case is right");
    assert_eq!(transcript(&seeded), seeded, "the recorded events need no seed: {first}");
}

#[test]
fn pinning_one_draw_leaves_the_later_ones() {
    let body = "seed 7\n* random Player: Ann\nAnn> roll twice\n";
    let free = transcript(body);
    let last = free.lines().rfind(|line| line.starts_with('*')).expect("the case is right");
    for face in 1..=3 {
        let pinned = transcript(&format!("{body}* roll die: {face}\n"));
        assert_eq!(
            pinned.lines().rfind(|line| line.starts_with('*')).expect("the case is right"),
            last
        );
    }
}

#[test]
fn a_transcript_with_a_seed_goes_on_as_if_it_had_not_stopped() {
    let head = "seed 3\n* random Player: Ann\n";
    let rolls = ["Ann> roll\n", "Ben> roll\n", "Ann> roll\n", "Ben> roll twice\n"];
    let whole = transcript(&format!("{head}{}", rolls.concat()));
    let half = transcript(&format!("{head}{}", rolls[..2].concat()));
    assert_eq!(transcript(&format!("{half}{}", rolls[2..].concat())), whole);
}

#[test]
fn bots_leave_their_decisions() {
    let played = transcript("seed 11\nbot 6\n");
    let decisions = played.lines().filter(|line| line.contains("> ")).count();
    assert!(decisions == 6 || played.contains("= "), "{played}");
    assert!(!played.contains("bot"));
    assert_eq!(findings("bot 2\n"), ["script::no_seed"]);
}

#[test]
fn what_is_said_to_one_says_to_whom() {
    let body = "* random Player: Ann\nAnn> whisper card #3\n  (to Ben) psst\nBen> pass\n";
    assert!(transcript(body).contains("Ann> whisper card #3\n  (to Ben) psst\n"));
}

#[test]
fn the_result_is_the_last_line() {
    let body = "* random Player: Ben\nBen> stop\n= Ben wins # at once\n? total == 0\n# Over.\n";
    let expected = "* random Player: Ben\n  Ben begins.\nBen> stop\n? total == 0\n# Over.\n= Ben wins # at once\n";
    assert_eq!(transcript(body), expected);
    assert_eq!(transcript("* random Player: Ben\nBen> stop\n").lines().last(), Some("= Ben wins"));
}

#[test]
fn moves_are_listed() {
    let body = "* random Player: Ann\nmoves\n";
    let list = "moves\n  roll\n  pass\n  roll twice\n  whisper card #3\n  stop\n";
    assert!(transcript(body).ends_with(list));
    assert_eq!(findings("moves\n  roll\n"), ["script::output"]);
}

#[test]
fn rules_run_aside_end_the_flow() {
    let body = "* random Player: Ann\nset total = 5\ndo roll_once(Ann)\n* roll die: 2\n? total == 7\nset total = 1\n? total == 1\n";
    assert!(
        transcript(body).contains("do roll_once(Ann)\n* roll die: 2\n  Ann rolls 2.\n? total == 7")
    );
    assert_eq!(findings("do roll_once(Ann)\n* roll die: 2\nAnn> pass\n"), ["script::after_rule"]);
}

#[test]
fn a_draw_without_an_answer_is_named() {
    assert_eq!(findings("Ann> roll\nBen> pass\n"), ["script::open_draw"]);
    assert_eq!(findings("Ann> roll\n? total == 0\nend\n"), Vec::<String>::new());
    assert_eq!(
        help("Ann> roll\n"),
        "add a line like `* random Player: Ann` below this one, or `seed 1` to the header; the \
         outcomes are Ann, Ben"
    );
}

#[test]
fn events_must_fit() {
    assert_eq!(findings("* random Player: Ann\nAnn> roll\n"), ["script::other_event"]);
    assert_eq!(findings("* roll die: 4\nAnn> roll\n"), ["script::unknown_outcome"]);
    assert_eq!(findings("* roll die: 2\nAnn> pass\n"), ["script::unused_event"]);
}

#[test]
fn output_is_checked_where_it_is_given() {
    assert_eq!(findings("Ann> pass\nBen> pass\n  Ben waits.\n"), ["script::output"]);
    assert_eq!(findings("Ann> stop\n  Ann stops.\n"), ["script::output"]);
    let run = play(&format!("{HEAD}* random Player: Ann\nAnn> pass\n  Ann waits.\n? total == 0\n"));
    assert!(run.blessed.is_some_and(|left| left.is_empty()));
    assert_eq!(codes(&play(&run.transcript)), Vec::<String>::new());
}

#[test]
fn the_run_goes_on_after_an_expectation_and_stops_at_a_step() {
    assert_eq!(
        findings("? total == 1\n! pass\nAnn> pass\n  no\nAnn> pass\n? total == 9\n"),
        ["script::assertion", "script::legal_move", "script::output", "script::wrong_player"]
    );
}

#[test]
fn only_outputs_and_results_can_be_blessed() {
    let left = |body: &str| {
        let run = play(&format!("{HEAD}* random Player: Ann\n{body}"));
        run.blessed.map(|left| left.sorted().len())
    };
    assert_eq!(left("Ann> stop\n= Ben wins\n"), Some(0));
    assert_eq!(left("Ann> pass\n  no\n? total == 1\n"), Some(1));
    assert_eq!(left("Ann> pass\n  no\nAnn> fly\n"), None);
    assert_eq!(left("Ann> pass\n  no\n* roll die: 1\n"), None);
    assert_eq!(left("Ann> pass\n= Ann wins\n"), None);
}

#[test]
fn a_blessing_is_promised_only_where_it_can_be_given() {
    let promised = |body: &str| {
        let run = play(&format!("{HEAD}* random Player: Ann\n{body}"));
        let found = run.diagnostics.sorted();
        let helps = found.iter().filter_map(|it| it.help.clone());
        helps.filter(|help| help.contains("--bless")).count()
    };
    assert_eq!(promised("Ann> pass\n  no\n? total == 1\n"), 1);
    assert_eq!(promised("Ann> pass\n  no\nAnn> fly\n"), 0);
    assert_eq!(promised("Ann> stop\n= Ben wins\n"), 1);
    assert_eq!(promised("? total == 1\n"), 0);
}

#[test]
fn a_seed_answers_what_the_next_line_does_not_name() {
    let before = transcript("seed 3\n* roll die: 2\nAnn> roll\n");
    assert!(before.contains("* roll die: 2\n"), "{before}");
    assert_eq!(
        findings("* roll die: 2\n* random Player: Ann\nAnn> roll\n"),
        ["script::unused_event"]
    );
}

#[test]
fn changes_in_a_row_are_one() {
    // With 900 on the table, these rules cannot roll on.
    let body = "* random Player: Ann\nAnn> roll\n* roll die: 1\nset total = 1\n\n# Then.\nset total = 2\n? total == 2\n";
    assert!(transcript(body).ends_with("set total = 1\n\n# Then.\nset total = 2\n? total == 2\n"));
}

#[test]
fn refusals_are_checked_with_their_reason() {
    assert_eq!(findings("! fly because \"no move\"\n"), Vec::<String>::new());
    assert_eq!(findings("! fly\n! fly because \"fly\"\n"), ["script::unknown_move"; 2]);
    assert_eq!(findings("! fly because \"too heavy\"\n"), ["script::other_reason"]);
}

#[test]
fn players_are_told_apart() {
    assert_eq!(findings("Ben> pass\n"), ["script::wrong_player"]);
    assert_eq!(findings("Anne> pass\n"), ["script::unknown_player"]);
}

#[test]
fn illegal_moves_come_with_the_nearest_legal_one() {
    let run = play(&format!("{HEAD}* random Player: Ann\nAnn> roll twise\n"));
    assert_eq!(
        run.diagnostics.sorted()[0].help.clone().expect("the case is right"),
        "did you mean `roll twice`?"
    );
    assert!(run.transcript.ends_with("Ann> roll twise\n"));
}

#[test]
fn nothing_happens_after_the_end() {
    assert_eq!(findings("Ann> stop\nBen> pass\n"), ["script::after_end"]);
    assert_eq!(findings("= Ann wins\n"), ["script::not_over"]);
    assert_eq!(findings("Ann> stop\n= draw\n"), ["script::result"]);
}

#[test]
fn mistakes_in_conditions_are_reported_and_the_run_goes_on() {
    assert_eq!(
        findings("? nonsense\n? total == 1\n"),
        ["check::unknown_name", "script::assertion"]
    );
}

#[test]
fn a_windows_script_runs_like_any_other() {
    let text = format!("{HEAD}* random Player: Ann\nAnn> pass\n  Ann passes.\n");
    assert_eq!(play(&text.replace('\n', "\r\n")).transcript, play(&text).transcript);
}

#[test]
fn comments_strewn_into_a_transcript_never_break_it() {
    for seed in 0..60 {
        let played = transcript(&format!("seed {seed}\nbot 9\n"));
        let mut strewn = String::new();
        for (number, line) in (seed..).zip(played.lines()) {
            strewn.push_str(line);
            strewn.push_str(
                ["\n", "\n\n", "\n# why\n"]
                    [usize::try_from(number % 3).expect("the case is right")],
            );
        }
        transcript(&strewn);
    }
}

#[test]
fn moves_are_said_of_somebody() {
    let names = ["pass", "stay_out", "carry_on", "do_nothing", "nobody", "no_trade"];
    let choices = names
        .map(|name| format!("  choose Player.first {{ go when open {{ }} }} or {name} {{ }}\n"));
    let rules = format!(
        "game \"Declining\" {{ players 2 }}\nthe table has {{ open = no }}\nplay {{\n{}  open = yes\n  \
         finish draw\n}}\n",
        choices.concat()
    );
    let source = Source::new("a.script", HEAD);
    let run = run(&parse(&source).expect("the case is right"), &source, Running::new(game(&rules)));
    let said: Vec<&str> =
        run.transcript.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    let expected = [
        "Ann passes.",
        "Ann stays out.",
        "Ann carries on.",
        "Ann does nothing.",
        "Ann: nobody",
        "Ann: no trade",
    ];
    assert_eq!(said, expected, "{}", run.transcript);
}
