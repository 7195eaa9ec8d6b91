//! Many playouts: games by programs, from start to end, and what they come to.

mod batch;
mod number;
mod playout;
mod points;
mod reach;
mod spoken;
mod table;
mod tally;

pub use batch::{Batch, Broken, Difference, Played as Simulated, simulate};
pub use number::{Moments, Number, Share};
pub use playout::{Played, Playouts};
pub use points::{Point, Points};
pub use tally::{Histogram, Place, Tally, Use};
