//! Deep and long texts: whatever can be read can be checked.

use super::{codes, with};

#[test]
fn deep_expressions_are_checked() {
    let deep = format!("let deep = {}1{}", "(1 + ".repeat(120), ")".repeat(120));
    assert_eq!(codes(&with(&deep)), [""; 0]);
    let deep = format!("let deep = {}yes", "not ".repeat(240));
    assert_eq!(codes(&with(&deep)), [""; 0]);
    let deep = format!("let deep = {}size{}", "{".repeat(100), "}".repeat(100));
    assert_eq!(codes(&with(&deep)), ["check::needs_type"]);
    let deep =
        format!("let deep = {}1{}", "(if ".repeat(40), " in {1, 2} then 1 else 2)".repeat(40));
    assert_eq!(codes(&with(&deep)), [""; 0]);
}

#[test]
fn deep_blocks_are_checked() {
    let deep = format!("rule deep() {{ {}deed(1){} }}", "if fast { ".repeat(120), " }".repeat(120));
    assert_eq!(codes(&with(&deep)), [""; 0]);
}

#[test]
fn long_sums_are_checked() {
    let long = format!("let long = 1{}", " + 1".repeat(200));
    assert_eq!(codes(&with(&long)), [""; 0]);
}

#[test]
fn long_chains_end_with_a_message() {
    let chain = |form: fn(usize) -> String| (0..5000).map(form).collect::<Vec<_>>().join("\n");
    let constants = chain(|at| format!("let c{at} = c{} + 1", at + 1));
    assert!(codes(&with(&constants)).contains(&"check::long_chain".to_owned()));
    let rules = chain(|at| format!("rule r{at}() = r{}() + 1", at + 1));
    assert!(codes(&with(&rules)).contains(&"check::long_chain".to_owned()));
}
