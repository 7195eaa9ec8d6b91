//! The statistics of simulations: rounding, intervals, means, deviations, percentiles.

use astragal::simulate::{Histogram, Moments, Number, Share};

#[test]
fn numbers_are_written_as_people_write_them() {
    assert_eq!(Number::ratio(1, 3).to_string(), "0.3333");
    assert_eq!(Number::ratio(-5, 2).to_string(), "-2.5");
    assert_eq!(Number::ratio(-1, 1_000_000).to_string(), "0");
    assert_eq!(Number::ratio(2, 3).percent(), "66.7");
    assert_eq!(Number::ratio(40, 1).to_string(), "40");
    assert_eq!(Number::ratio(7, 4).places(0), "2");
}

// Values of Wilson's interval from a table: 10 of 20 is 0.299 to 0.701, 0 of 10 is 0 to
// 0.2775, 1 of 10 is 0.0179 to 0.4042.
#[test]
fn shares_have_the_intervals_of_wilson() {
    let ends = |part, whole| {
        let share = Share::of(part, whole);
        (share.low.places(3), share.high.places(3))
    };
    assert_eq!(ends(10, 20), ("0.299".to_owned(), "0.701".to_owned()));
    assert_eq!(ends(0, 10), ("0.000".to_owned(), "0.278".to_owned()));
    assert_eq!(ends(10, 10), ("0.722".to_owned(), "1.000".to_owned()));
    assert_eq!(ends(1, 10), ("0.018".to_owned(), "0.404".to_owned()));
}

#[test]
fn means_and_deviations_are_those_of_a_sample() {
    let mut moments = Moments::default();
    [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|number| moments.add(number));
    assert_eq!(moments.mean().to_string(), "5");
    // The sum of squared distances is 32; 32 / 7 = 4.5714, and its root 2.1381.
    assert_eq!(moments.deviation().to_string(), "2.1381");
    // 1.96 × 2.1381 / √8
    assert_eq!(moments.margin().to_string(), "1.4816");
}

#[test]
fn percentiles_are_numbers_that_came() {
    let mut histogram = Histogram::default();
    (1..=20).for_each(|number| histogram.add(number));
    let at = |percent| histogram.percentile(percent);
    assert_eq!((at(5), at(50), at(95), at(100)), (1, 10, 19, 20));
    assert_eq!(Histogram::default().percentile(50), 0);
}
