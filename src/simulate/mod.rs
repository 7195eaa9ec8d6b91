//! Many playouts: games by programs, from start to end.

mod playout;

pub use playout::{Played, Playouts};
