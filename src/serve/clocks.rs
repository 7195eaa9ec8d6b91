//! Clocks of the seats, if the host has set one.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::game::Player;

/// The time of each seat in milliseconds, which runs while the seat is asked.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct SeatClocks {
    /// What each seat has for a game.
    each: u64,
    left: Vec<u64>,
    /// Whose time runs, and since when; nobody's while the table is closed.
    #[serde(skip)]
    runs: Option<(Player, u64)>,
}

impl SeatClocks {
    pub(super) fn new(each: u64, seats: usize) -> SeatClocks {
        SeatClocks { each, left: vec![each; seats], runs: None }
    }

    /// Lets the time of this seat run and that of no other; whether that is new.
    pub(super) fn run(&mut self, seat: Option<Player>, now: u64) -> bool {
        if self.runs.map(|(seat, _)| seat) == seat {
            return false;
        }
        if let Some((before, _)) = self.runs {
            self.left[before.index()] = self.left_at(before, now);
        }
        self.runs = seat.map(|seat| (seat, now));
        true
    }

    fn left_at(&self, seat: Player, now: u64) -> u64 {
        let since = self.runs.filter(|(runs, _)| *runs == seat).map_or(now, |(_, since)| since);
        self.left[seat.index()].saturating_sub(now.saturating_sub(since))
    }

    pub(super) fn is_up(&self, seat: Player, now: u64) -> bool {
        self.left_at(seat, now) == 0
    }

    /// Gives each seat its whole time again; returns whose time was up.
    pub(super) fn begin_anew(&mut self) -> Vec<Player> {
        let seats = (0..).map(Player).zip(&self.left);
        let up = seats.filter(|(_, left)| **left == 0).map(|(seat, _)| seat).collect();
        *self = SeatClocks::new(self.each, self.left.len());
        up
    }

    /// What everybody is told: the milliseconds of each seat, and whose run.
    pub(super) fn clock_message(&self, now: u64) -> String {
        let seats = (0..).map(Player).take(self.left.len());
        let left: Vec<u64> = seats.map(|seat| self.left_at(seat, now)).collect();
        let runs = self.runs.map(|(seat, _)| seat.0);
        json!({ "clock": { "left": left, "runs": runs } }).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::SeatClocks;
    use crate::game::Player;

    #[test]
    fn the_time_of_one_seat_runs_until_it_is_up() {
        let mut clocks = SeatClocks::new(1000, 2);
        let (ann, ben) = (Player(0), Player(1));
        assert!(clocks.run(Some(ann), 50) && !clocks.run(Some(ann), 200));
        assert!(clocks.run(Some(ben), 450));
        assert_eq!(clocks.clock_message(500), r#"{"clock":{"left":[600,950],"runs":1}}"#);
        assert!(!clocks.is_up(ben, 1449) && clocks.is_up(ben, 1450));
        assert!(clocks.run(None, 1500));
        assert_eq!(clocks.clock_message(9999), r#"{"clock":{"left":[600,0],"runs":null}}"#);
        assert_eq!(clocks.begin_anew(), [ben]);
        assert!(!clocks.is_up(ben, 0));
    }
}
