//! The words of the language: where each may stand, and its help text.

use crate::syntax::ast::{FOLDS, Fold, FoldWord};

/// Where a word of the language stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WordContext {
    Declaration,
    Statement,
    Expression,
    Type,
    /// After other words.
    Within,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanguageWord {
    pub(crate) word: &'static str,
    /// Where it stands; some words stand in several places.
    pub(crate) places: &'static [WordContext],
    /// What it does, with its form.
    pub(crate) help: &'static str,
}

/// A word that stands in one place or several.
macro_rules! words {
    ($($word:literal [$($place:ident)*] $help:literal)*) => {
        &[$(LanguageWord { word: $word, places: &[$(WordContext::$place),*], help: $help }),*]
    };
}

/// All words but the folds, which have their help in `FOLDS`.
const WORDS: &[LanguageWord] = words! {
    "game" [Declaration] "`game \"Title\" { players 2..4 }`: what the game is called and how many play"
    "variant" [Declaration] "`variant \"Title\" of \"base.game\"`: what is different from another game"
    "mixin" [Declaration] "`mixin of \"base.game\"`: changes to a game, for variants of it"
    "with" [Within] "`variant \"Both\" of \"base.game\" with \"frost.game\"`: variants that lie over the base, too; `board Name 4 by 4 with edges Edge`"
    "use" [Declaration] "`use \"lib.game\"`: the declarations of another file"
    "replace" [Declaration] "`replace DECLARATION`: in a variant, in the place of the one of the base"
    "remove" [Declaration] "`remove option wind`, `remove kind Ware { salt }`: takes out what the base declares"
    "before" [Within] "`extend rule name before { … }`: what is done before the rest"
    "after" [Within] "`extend rule name after { … }`: what is done after the rest"
    "players" [Within Expression] "how many play; in the `game` block, how many may"
    "teams" [Within] "`teams p by p.side`: players with the same team win and lose together; who has none plays alone"
    "limit" [Within] "`limit 1000 decisions { finish draw }`: ends a game that is too long"
    "decisions" [Within] "`limit 1000 decisions { … }`: after how many decisions a game ends"
    "example" [Within] "`example \"first-turns.script\"`: the play that the rulebook shows"
    "edition" [Within] "`edition 1`: the edition of the language that the file is written in"
    "option" [Declaration] "`option name: TYPE = DEFAULT \"title\"`: a setting of the game"
    "let" [Declaration Statement Within] "`let name = VALUE`: a name for a value that does not change"
    "kind" [Declaration] "`kind Name { a, b }`: a type with these members"
    "within" [Within Expression] "`A within B`: whether all of A is in B; `kind Part within Whole`: some members of a kind"
    "extend" [Declaration] "`extend kind|moves|rule|choose|table|let Name { … }`: more of what there is"
    "board" [Declaration] "`board Name 4 by 4`: a kind whose members are cells that lie beside each other"
    "ring" [Within] "`board Name ring 12`: cells that go round"
    "hex" [Within] "`board Name hex 5`: a hexagon of cells with six neighbours; `hex 7 by 7`: a rhombus"
    "wrap" [Within] "`board Name 8 by 8 wrap`, `hex 8 by 8 wrap`: who leaves it on one side comes back on the opposite one"
    "edges" [Within Expression] "`board Name 4 by 4 with edges Edge`: a board of what lies between its cells; `edges(c)` are those of a cell, `edge(c, north)` is one, `ends(e)` and `sides(e)` are what it touches"
    "edge" [Expression] "`edge(c, north)`, `edge(c, d)`: the edge of a cell on one side, or between two cells"
    "ends" [Expression] "`ends(e)`: the corners of an edge; on a map the places that it links"
    "sides" [Expression] "`sides(e)`: the cells beside an edge or around a corner"
    "corners" [Within Expression] "`board Name 4 by 4 with corners Corner`: a board of the points where its cells meet; `corners(c)` are those of a cell"
    "bottom" [Within Expression] "`bottom of PILE`: the lowest card; `from bottom`: row 1 of a board is the lowest"
    "top" [Expression] "`top of PILE`: the card on top, `top 2 of PILE`: the two on top"
    "table" [Declaration Within] "`table name[KIND] = 1 2 3`, `table name[x in KIND] = VALUE`: a constant for each member; `the table has { … }`"
    "each" [Declaration Within] "`each player has { … }`: what every player has; `choose each p in S`: all of them decide at once"
    "player" [Within] "`each player has { … }`: what every player has"
    "the" [Declaration] "`the table has { … }`: what belongs to no player"
    "has" [Within] "`each player has { … }`, `the table has { … }`"
    "rule" [Declaration] "`rule name(p: TYPE) -> TYPE { … }`: what is done or computed in one place, under a name"
    "moves" [Declaration Within] "`moves name(p: TYPE) { … }`: moves that several decisions share"
    "measure" [Declaration] "`measure name = VALUE`: a number that is taken when a game is over"
    "always" [Declaration] "`always CONDITION for x in S`: what holds at every decision, and at the end"
    "strategy" [Declaration] "`strategy \"NAME\" { move when P; … }`: a way to play, from the best line on"
    "setup" [Declaration] "`setup { … }`: what happens before play"
    "play" [Declaration] "`play { … }`: the game, which runs until a `finish`"
    "order" [Within] "`choose p order { … }`: all of it happens, in the order that the player picks"
    "lists" [Expression] "`lists of KIND up to 9 by S`: all lists that grow by the members of S, to iterate"
    "bags" [Expression] "`bags of KIND up to 3 within B`: all bags with so many of each good at most, to iterate"
    "subsets" [Expression] "`subsets of S`: all subsets of a set, to iterate"
    "suppose" [Expression] "`suppose { … }: E`: what E would be after the statements, which change nothing"
    "coin" [Within] "`coin name: 0..9 = 3`: what players gain, lose and pay"
    "die" [Within] "`die name = 1..6`: a die that is rolled"
    "dice" [Within] "`dice name for KIND = 1..6`: a die for each member"
    "history" [Within] "`history past of at, to_move`: remembers positions, made up of these variables"
    "number" [Type] "a whole number"
    "text" [Type] "a text, which rules may return"
    "set" [Type] "`set of KIND`: some members of a kind"
    "list" [Type] "`list of KIND up to 9`: members in order, for local names and parameters"
    "bag" [Type] "`bag of KIND up to 9`: an amount of each member"
    "up" [Within] "`list of KIND up to 9`: how many members at most"
    "of" [Within] "`set of KIND`, `top of PILE`, `subsets of S`"
    "maybe" [Type Within] "`maybe KIND`: a member or `none`; in a move, `maybe x in S`: with a member or without"
    "swap" [Statement] "`swap A and B`: each gets what the other holds"
    "and" [Expression Within] "`P and Q`: both hold"
    "or" [Expression Within] "`P or Q`: at least one holds; after a decision, `or pass { … }`: how to decline; `or pass when nothing else { … }`: only if no move is legal"
    "not" [Expression] "`not P`: it does not hold"
    "in" [Within Expression] "`x in S`: x is in the set"
    "reset" [Statement] "`reset PLACE, …`: back to the first value"
    "gains" [Within] "`me gains 2 bread`: more coins, up to the most there may be"
    "lose" [Within] "`finish lose`: all players lose; `me gains 2 bread or lose the rest`: what is more than there may be is lost, and that is meant"
    "rest" [Within] "`me gains 2 bread or lose the rest`: what is more than there may be is lost, and that is meant"
    "loses" [Within] "`me loses 2 bread`: fewer coins, down to the fewest there may be"
    "pays" [Within] "`me pays 2 bread`: fewer coins; there must be enough"
    "roll" [Statement Expression] "`roll die`: chance decides what it shows"
    "random" [Expression] "`random S`: a member that chance picks"
    "times" [Within] "`repeat 3 times { … }`; `past.times`: how often a history remembers the position"
    "turns" [Statement] "`turns me from Player.first { … }`: from seat to seat, until `break`; `p.turns`: how many turns `p` has had in it"
    "turn" [Expression] "the number of the turn, from 1"
    "say" [Statement] "`say \"…\"`: prints a text for all players; `say to p \"…\"`: for one"
    "to" [Within] "`move CARDS to PILE`, `say to p \"…\"`, `show PLACE to p`"
    "finish" [Statement] "`finish win WHO`, `finish draw`, `finish lose`, `finish ranking p by KEY`, `finish together SCORE`: ends the game"
    "seen" [Within] "`seen by owner`: only the player who has it sees what it holds; `seen by others`: all but this player; `seen by {owner, next(owner)}`: these players"
    "owner" [Within] "`seen by owner`: only the player who has it sees what it holds"
    "hidden" [Within] "`hidden`: nobody sees what it holds"
    "colour" [] "a column `colour`: how a member is drawn, `black red green yellow blue magenta cyan white` or `\"#c04000\"`"
    "glyph" [] "a column `glyph`: the sign that a member is drawn with, `\"●\"`"
    "undrawn" [Within] "`undrawn name = VALUE`: bookkeeping that neither the table nor the rulebook shows"
    "reveal" [Statement] "`reveal PLACE`: all players see what it holds now"
    "show" [Statement] "`show PLACE to p`: a player sees what it holds now"
    "cards" [Declaration Type] "`cards Name of Face`: cards with these faces; as a type, a pile of them"
    "copies" [Within] "`cards Name of Face copies NUMBER`: how many cards there are of each face: a number, a column, `if face.cost > 3 then 1 else 2`"
    "look" [Statement] "`look at CARDS for p`: a player sees cards"
    "at" [Within] "`look at CARDS for p`; `Field.at(row, column)`: the cell with these numbers, or none"
    "move" [Statement] "`move CARDS to PILE`: puts cards on a pile"
    "shuffle" [Statement] "`shuffle PILE`: nobody knows the order any more"
    "remember" [Statement] "`remember past`: the position, once more, in a history"
    "forget" [Statement] "`forget past`: a history remembers nothing any more"
    "draw" [Within] "`finish draw`: nobody wins"
    "win" [Within] "`finish win WHO`: a player, or a set of them, wins"
    "team" [Within] "`finish win team SIDE`: all whose team it is win"
    "together" [Within] "`finish together SCORE`, `finish together win`, `finish together lose`: all players have the same result"
    "ranking" [Within] "`finish ranking p by KEY, …`: the highest key wins; `KEY lowest`: the lowest"
    "by" [Within] "`highest(p in S by KEY)`, `finish ranking p by KEY`, `seen by owner`, `board Name 4 by 4`"
    "if" [Statement Expression] "`if P { … } else { … }`; as a value, `if P then A else B`"
    "then" [Within] "`if P then A else B`"
    "else" [Within] "`else { … }`: otherwise; after a decision, when nothing is legal"
    "for" [Statement Within] "`for x in S where P { … }`: for each member; in a move, a move for each"
    "from" [Within] "`Player from me`: in the order of the seats, beginning with me"
    "where" [Within] "`for x in S where P`: only those for which P holds"
    "when" [Within] "`when P`: the move is offered only if P holds"
    "while" [Statement] "`while P { … }`: as long as P holds"
    "repeat" [Statement] "`repeat { … } until P`, `repeat 3 times { … }`"
    "until" [Within] "`repeat { … } until P`: ends when P holds"
    "match" [Statement Expression] "`match x { a: … b, c: … else: … }`: one case for each value"
    "choose" [Statement Expression] "`choose p { … }`: a player decides between moves; `choose p NAME from S`: picks a member"
    "var" [Statement] "`var name = VALUE`: a name for a value that changes"
    "return" [Statement] "`return VALUE`: ends the rule"
    "break" [Statement] "`break`: leaves the loop"
    "continue" [Statement] "`continue`: on to the next round of the loop"
    "backwards" [Within] "`for n in 1..9 backwards`: the last member first; `turns me from p backwards`: the other way round the table"
    "yes" [Expression] "it holds"
    "no" [Expression] "it does not hold"
    "nothing" [Expression Within] "a bag without goods; `or pass when nothing else { … }`: declining is legal only if no move is"
    "none" [Expression] "no value, of a `maybe`"
    "size" [Within] "`subsets of S of size 3`: those with 3 members; `of size up to 3`: with 3 at most"
    "union" [Within] "`A union B`: what is in either set"
    "minus" [Within] "`A minus B`: what is in A but not in B"
    "common" [Within] "`A common B`: what is in both sets"
    "mod" [Within] "`a mod b`: the remainder"
    "next" [Expression] "`next(p)`: the next player round the table"
    "previous" [Expression] "`previous(p)`: the player before, round the table"
    "others" [Expression] "`others(p)`: the set of all other players"
    "abs" [Expression] "`abs(n)`: the number without its sign"
    "ceil" [Expression] "`ceil(a / b)`: a division, rounded up"
    "floor" [Expression] "`floor(a / b)`: a division, rounded down"
    "neighbours" [Expression] "`neighbours(c)`, `neighbours(c, orthogonal)`: the set of the cells beside a cell"
    "step" [Expression] "`step(c, north)`: the next cell in a direction, or none"
    "ray" [Expression] "`ray(c, north)`: the set of all cells in a direction"
    "lines" [Within] "`Field.lines(4)`: all straight lines of four cells of a grid or a hex board"
    "seat" [Within] "`p.seat`: 1 for the first player"
    "orthogonal" [Expression] "the directions along rows and columns"
    "diagonal" [Expression] "the directions across"
};

fn fold_word(fold: &Fold) -> LanguageWord {
    let places: &[WordContext] = match fold.means {
        // Behind a key, these say which end of it counts.
        FoldWord::Highest | FoldWord::Lowest => &[WordContext::Expression, WordContext::Within],
        _ => &[WordContext::Expression],
    };
    LanguageWord { word: fold.word, places, help: fold.help }
}

pub(crate) fn words() -> impl Iterator<Item = LanguageWord> {
    WORDS.iter().copied().chain(FOLDS.iter().map(fold_word))
}

pub fn find_word(text: &str) -> Option<LanguageWord> {
    words().find(|word| word.word == text)
}

pub(super) fn words_at(place: WordContext) -> impl Iterator<Item = LanguageWord> {
    words().filter(move |word| word.places.contains(&place))
}
