//! The words of moves, as numbers of rows of the network: the option, each argument, and what its columns say.

use crate::bots::learned::network::WORDS;
use crate::bytecode::program::ValueShape;
use crate::game::{Game, LegalMoves, Player, ShownWords, State};
use crate::rules::{KindId, Value};
use crate::vm::members;

/// Where the words of moves are put together.
#[derive(Clone, Debug)]
pub(super) struct MoveRows {
    /// For each kind of the program the face of each member, if they are cards; and the kind that has its columns.
    faces: Vec<Option<(KindId, Vec<u16>)>>,
}

impl MoveRows {
    pub(super) fn new(game: &Game) -> MoveRows {
        let (program, rules) = (game.program(), game.rules());
        let face = |kind: usize| {
            let info = program.cards.iter().find(|info| usize::from(info.kind) == kind)?;
            Some((rules.face_of(KindId::at(kind))?, info.faces.clone()))
        };
        MoveRows { faces: (0..program.kinds.len()).map(face).collect() }
    }

    /// The words of each legal move, as the player who decides means them.
    pub(super) fn list_rows(
        &self,
        game: &Game,
        (state, legal): (&State, &LegalMoves),
        player: Player,
    ) -> Vec<Vec<u32>> {
        let mut shown = ShownWords::default();
        let each = (0..legal.count()).map(|index| {
            let info = game.load_shown(state, (legal, index), &mut shown);
            let (option, mut left) = (shown.words[0], &shown.words[1..]);
            let mut list = vec![word_of(&[option])];
            let mut whole = vec![option, 1];
            for (at, part) in (2..).zip(&info.shown) {
                let (words, rest) = left.split_at(part.width.into());
                left = rest;
                let shape = &game.program().formats[usize::from(part.format)].shape;
                let mut see = |value: &[i64]| {
                    let key = [&[option, at], value].concat();
                    list.push(word_of(&key));
                    list.push(word_of(&[&key[..], &[player.0.into(), 0]].concat()));
                    whole.extend(value);
                };
                match shape {
                    ValueShape::Member(kind) => {
                        self.see_member(game, (*kind, words[0]), player, &mut see);
                    }
                    ValueShape::Members(kind) => {
                        for member in members(words) {
                            self.see_member(game, (*kind, member), player, &mut see);
                        }
                    }
                    ValueShape::Numbers(_) => members(words).for_each(|member| see(&[member])),
                    _ => see(words),
                }
            }
            list.push(word_of(&whole));
            list
        });
        each.collect()
    }

    /// A member: players by how many seats after the one who decides, cards by their faces and the columns of these.
    fn see_member(
        &self,
        game: &Game,
        (kind, member): (u16, i64),
        player: Player,
        see: &mut impl FnMut(&[i64]),
    ) {
        let Ok(place) = usize::try_from(member) else { return see(&[member]) };
        let players = game.info().players;
        if kind == 0 && place < players {
            let turned = (place + players - player.index()) % players;
            return see(&[i64::try_from(turned).expect("players are few")]);
        }
        let (columns, face) = match &self.faces[usize::from(kind)] {
            Some((of, faces)) => (*of, usize::from(faces[place])),
            None => (KindId::at(kind.into()), place),
        };
        see(&[i64::try_from(face).expect("faces are few")]);
        for (column, at) in game.rules().kind_at(columns).columns.iter().zip(0_i64..) {
            if let Some(Value::Int(number)) = column.cells.get(face) {
                see(&[-1 - at, *number]);
            }
        }
    }
}

/// The row of a word.
fn word_of(key: &[i64]) -> u32 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in key {
        hash = (hash ^ part.cast_unsigned()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    u32::try_from((hash >> 32) % u64::from(WORDS)).expect("it is below the number of rows")
}
