//! Numbers: division, sets of bits, exact fractions, and the statistics of simulations in fixed point.

use astragal::machinery::bots::{Ratio, Scalar};
use astragal::machinery::bytecode::arith::{ceil_divide, floor_divide, modulo};
use astragal::machinery::bytecode::program::NONE;
use astragal::machinery::bytecode::sets::{
    count, first, first_from, has, insert, last, last_to, members, nth, remove,
};
use astragal::machinery::simulate::{Histogram, Millionths, Moments, Share};

#[test]
fn numbers_are_written_as_people_write_them() {
    assert_eq!(Millionths::ratio(1, 3).to_string(), "0.3333");
    assert_eq!(Millionths::ratio(-5, 2).to_string(), "-2.5");
    assert_eq!(Millionths::ratio(-1, 1_000_000).to_string(), "0");
    assert_eq!(Millionths::ratio(2, 3).percent(), "66.7");
    assert_eq!(Millionths::ratio(40, 1).to_string(), "40");
    assert_eq!(Millionths::ratio(7, 4).places(0), "2");
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
    [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|number| moments.add_number(number));
    assert_eq!(moments.mean().to_string(), "5");
    // The sum of squared distances is 32; 32 / 7 = 4.5714, and its root 2.1381.
    assert_eq!(moments.deviation().to_string(), "2.1381");
    // 1.96 × 2.1381 / √8
    assert_eq!(moments.margin().to_string(), "1.4816");
}

#[test]
fn percentiles_are_numbers_that_came() {
    let mut histogram = Histogram::default();
    (1..=20).for_each(|number| histogram.add_number(number));
    let at = |percent| histogram.percentile(percent);
    assert_eq!((at(5), at(50), at(95), at(100)), (1, 10, 19, 20));
    assert_eq!(Histogram::default().percentile(50), 0);
}

#[test]
fn division_says_how_it_rounds_for_every_sign() {
    for a in -7_i64..=7 {
        for b in [-3_i64, -2, 2, 3] {
            let floor = floor_divide(a, b).unwrap();
            assert!(floor * b + modulo(a, b).unwrap() == a);
            assert_eq!(ceil_divide(a, b).unwrap(), -floor_divide(-a, b).unwrap());
        }
    }
}

#[test]
fn the_smallest_number_divided_by_minus_one_is_too_large() {
    assert_eq!(floor_divide(i64::MIN, -1), None);
}

#[test]
fn cyclic_order_goes_round_over_words() {
    let mut set = [0, 0];
    for member in [3, 70, 100] {
        insert(&mut set, member);
    }
    assert_eq!(first_from(&set, 71), 100);
    assert_eq!(first_from(&set, 101), 3);
    assert_eq!(first_from(&set, 64), 70);
    assert_eq!((last_to(&set, 99), last_to(&set, 70), last_to(&set, 69)), (70, 70, 3));
    assert_eq!((last_to(&set, 2), last_to(&set, i64::MAX), last_to(&[0, 0], 5)), (100, 100, NONE));
    assert_eq!((first(&set), last(&set), count(&set)), (3, 100, 3));
    assert_eq!((nth(&set, 1), nth(&set, 3)), (Some(70), None));
}

#[test]
fn strangers_are_in_no_set() {
    let mut set = [-1];
    assert!(!has(&set, NONE) && !has(&set, 64) && has(&set, 63));
    insert(&mut set, NONE);
    remove(&mut set, 64);
    assert_eq!(set, [-1]);
}

#[test]
fn the_last_bit_of_a_word_is_a_member_too() {
    let mut set = [0, 0];
    [0, 62, 63, 64, 127].into_iter().for_each(|member| insert(&mut set, member));
    assert_eq!(members(&set).collect::<Vec<_>>(), [0, 62, 63, 64, 127]);
}

/// A fraction.
fn ratio(over: i128, under: i128) -> Ratio {
    Ratio::new(over, under).expect("the case is right")
}

#[test]
fn fractions_are_added_and_split() {
    assert_eq!(ratio(1, 6).plus(ratio(1, 3)), Some(ratio(1, 2)));
    assert_eq!(ratio(-1, 4).plus(ratio(1, 4)), Some(Ratio::ZERO));
    assert_eq!(ratio(4, 7).divide_by(6), Some(ratio(2, 21)));
    assert_eq!(ratio(4, 9).multiply_by(ratio(-3, 8)), Some(ratio(-1, 6)));
    assert_eq!(ratio(3, -6).to_string(), "-1/2");
    assert_eq!(ratio(1, i128::MAX).plus(ratio(1, i128::MAX - 1)), None);
}

#[test]
fn fractions_are_ordered() {
    let ordered = [ratio(-3, 2), ratio(-1, 3), Ratio::ZERO, ratio(1, 3), ratio(2, 5), ratio(7, 3)];
    assert!(ordered.is_sorted());
    assert!(ratio(i128::MAX, i128::MAX - 1) > Ratio::from_whole(1));
    assert_eq!(ratio(2, 6).cmp(&ratio(1, 3)), std::cmp::Ordering::Equal);
}
