//! The colours that members are drawn in: those that their names say, and never the same for two.

use std::collections::BTreeSet;

use astragal::machinery::game::{Board, Game, LegalMoves, Paint, State, Step, TableView, Tag};

use crate::support::{first_game, read, root, rules};

const TEXT: &str = r#"game "Paints" { players 2; limit 9 decisions { finish draw } }

kind Bonus { crest, green_bonus, blue "Red sky", lantern, bell, rope }
kind Element { fire, water }
kind Side { light, dark }
kind Stone = Side, Element
kind Hue { violet, dark_green, isle "The Blue-Green Isle", greenhouse }
kind Soil { sand, salt, rock, rocky }

board Field 2 by 2 {
  soil: Soil {
    sand  salt
    rock  rocky
  }
}

the table has {
  stone[Field]: maybe Stone = none
  worth[Bonus]: Bonus = crest
  tint[Hue]: Hue = violet
  dry: set of Hue = Hue
  taken: set of Bonus = Bonus
  dice cube for Side = 1..6
}

play {
  for b in Bonus { worth[b] = b }
  for h in Hue { tint[h] = h }
  stone[a1] = Stone(light, fire)
  stone[b1] = Stone(light, water)
  stone[a2] = Stone(dark, fire)
  stone[b2] = Stone(dark, water)
  choose Player.first { wait { taken = {} } }
  roll cube[dark]
  choose Player.first { stop { finish draw } }
}
"#;

/// The game where somebody is asked first, or after one die was rolled.
fn at(rolls: bool) -> (Game, State) {
    let game = first_game(&rules("paints.game", TEXT));
    let (mut state, mut turn) = (game.initial_state(), LegalMoves::new());
    let step = game.advance(&mut state, &mut turn).expect("the rules go on");
    assert!(matches!(step, Step::Decide { .. }));
    if rolls {
        game.choose(&mut state, &turn, 0);
        game.advance(&mut state, &mut turn).expect("the rules go on");
        game.draw(&mut state, 0);
    }
    (game, state)
}

/// All stones that can lie on the board.
fn stones(view: &TableView) -> impl Iterator<Item = &Tag> {
    let layers = view.boards.iter().flat_map(|board| &board.layers);
    layers.flat_map(|layer| &layer.pieces).filter(|tag| tag.colours.len() == 2)
}

#[test]
fn combinations_have_the_colours_of_their_parts() {
    let (game, state) = at(false);
    let view = game.table(&state);
    let stones: BTreeSet<(&str, Vec<String>)> = stones(&view)
        .map(|tag| (tag.title.as_str(), tag.colours.iter().map(|it| format!("{it:?}")).collect()))
        .collect();
    let looks: BTreeSet<&Vec<String>> = stones.iter().map(|(_, inks)| inks).collect();
    assert_eq!((stones.len(), looks.len()), (4, 4), "{stones:?}");
}

#[test]
fn the_parts_of_a_combination_differ() {
    let (game, state) = at(false);
    let view = game.table(&state);
    assert_eq!(stones(&view).count(), 4);
    for stone in stones(&view) {
        assert_ne!(stone.colours[0], stone.colours[1], "{}", stone.title);
    }
}

#[test]
fn names_say_colours_and_the_others_differ() {
    let (game, state) = at(false);
    let view = game.table(&state);
    let bonuses = view.table.iter().find(|thing| thing.title == "Bonus").expect("it is drawn");
    let worth = bonuses.grid.iter().find(|row| row[0].text == "worth").expect("it has a row");
    let inks: Vec<(&str, Paint)> =
        worth[1..].iter().map(|cell| (cell.text.as_str(), cell.inks[0])).collect();
    let [_, green, red, ..] = inks[..] else { panic!("{inks:?}") };
    assert_eq!((green, red), (("green bonus", Paint::Green), ("Red sky", Paint::Red)));
    let different: BTreeSet<String> = inks.iter().map(|(_, paint)| format!("{paint:?}")).collect();
    assert_eq!(different.len(), inks.len(), "{inks:?}");
}

#[test]
fn any_word_of_a_name_or_title_says_its_colour() {
    let (game, state) = at(false);
    let view = game.table(&state);
    let hues = view.table.iter().find(|thing| thing.title == "Hue").expect("it is drawn");
    let tint = hues.grid.iter().find(|row| row[0].text == "tint").expect("it has a row");
    let inks: Vec<Paint> = tint[1..].iter().map(|cell| cell.inks[0]).collect();
    // `greenhouse` says none, and has the first of those that nothing says.
    assert_eq!(inks, [Paint::Magenta, Paint::Green, Paint::Green, Paint::Orange]);
}

#[test]
fn letters_of_cells_are_as_few_as_can_be() {
    let (game, state) = at(false);
    let view = game.table(&state);
    let board = view.boards.first().expect("there is a board");
    let tags =
        board.cells.iter().filter_map(|cell| Some(board.grounds[cell.ground?].short.as_str()));
    assert_eq!(tags.collect::<Vec<_>>(), ["san", "sal", "rock", "rocky"]);
}

#[test]
fn dice_are_empty_until_they_are_rolled() {
    let told = |rolls: bool, names: &[&str]| {
        let (game, state) = at(rolls);
        let rolled = names.iter().map(|name| (*name).to_owned()).collect();
        let view = game.table_since(&state, None, &rolled, false);
        view.table.iter().find(|thing| thing.title == "cube").map(|thing| thing.value.clone())
    };
    assert_eq!(told(false, &[]).as_deref(), Some("–"));
    assert_eq!(told(true, &["cube[dark]"]).as_deref(), Some("light –, dark 1"));
    assert_eq!(told(true, &["cube[dark]", "cube[light]"]).as_deref(), Some("light 1, dark 1"));
}

#[test]
fn the_file_gives_colours_and_glyphs() {
    let path = root().join("tests/games/painted_pebbles.game");
    let game = first_game(&rules("painted_pebbles.game", &read(&path)));
    let (mut state, mut turn) = (game.initial_state(), LegalMoves::new());
    for label in ["lay a1 coal dot", "lay b1 rust ring"] {
        game.advance(&mut state, &mut turn).expect("the rules go on");
        let labels: Vec<String> =
            (0..turn.count()).map(|at| game.label_move(&state, &turn, at)).collect();
        let at = labels.iter().position(|it| it == label).expect("the move is legal");
        game.choose(&mut state, &turn, at);
    }
    game.advance(&mut state, &mut turn).expect("the rules go on");
    let view = game.table(&state);
    let drawn = |variable: &str| {
        let lies = |board: &&Board| board.layers.iter().any(|layer| layer.variable == variable);
        let board = view.boards.iter().find(lies).expect("it is drawn");
        let pieces = board.cells.iter().flat_map(|cell| &cell.pieces);
        let of_it = pieces.filter(|piece| board.layers[piece.layer].variable == variable);
        let tags = of_it.flat_map(|piece| &piece.value.members);
        tags.map(|tag| (tag.short.clone(), tag.colours[0])).collect::<Vec<_>>()
    };
    let rust = Paint::Rgb(0xb7, 0x41, 0x0e);
    assert_eq!(drawn("on"), [("●.".to_owned(), Paint::Black), ("ro".to_owned(), rust)]);
    let hill = Paint::Rgb(0x2f, 0x7d, 0x32);
    assert_eq!(drawn("whose"), [("~".to_owned(), Paint::Blue), ("^".to_owned(), hill)]);
}
