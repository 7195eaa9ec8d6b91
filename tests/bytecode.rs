//! Small games and the programs that are made of them.

use astragal::bytecode::disassemble::disassemble;

use crate::support::{games, name, read, rules, snapshots};

#[test]
fn programs_are_what_they_were() {
    let _guard = snapshots("bytecode");
    insta::glob!("", "bytecode/*.game", |path| {
        let text = read(path);
        let game = games(&rules(&name(path), &text)).remove(0).1;
        let listing = disassemble(game.program());
        insta::assert_snapshot!("program", format!("{}\n-----\n{listing}", text.trim_end()));
    });
}
