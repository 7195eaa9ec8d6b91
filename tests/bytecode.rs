//! Small games and the programs that are made of them.

use astragal::machinery::bytecode::disassemble::disassemble;

use crate::support::{first_game, name, read, rules, snapshots};

#[test]
fn programs_are_what_they_were() {
    let _guard = snapshots("bytecode");
    insta::glob!("", "bytecode/*.game", |path| {
        let text = read(path);
        let game = first_game(&rules(&name(path), &text));
        let listing = disassemble(game.program());
        insta::assert_snapshot!("program", format!("{}\n-----\n{listing}", text.trim_end()));
    });
}
