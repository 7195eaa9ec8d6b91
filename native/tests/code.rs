//! Code that is written and run.

use astragal_native::{Aid, Code, LEAVES, LISTS, Memory, Shape, Word, Writer};

const LEADERS: [bool; 4] = [true, true, true, false];

/// Runs code of four points, the last of which is no leader.
fn run(words: &mut [i64], marks: &mut [bool], at: usize, work: impl FnOnce(&mut Writer)) -> usize {
    let shape = Shape {
        words: words.len(),
        registers: 1,
        cells: 0,
        marks: marks.len(),
        lists: [0; LISTS],
        leaders: &LEADERS,
    };
    let code = Code::write(&shape, work).expect("this processor is known");
    assert!(code.size() > 0);
    let mut registers = [0];
    let memory = Memory { words, registers: &mut registers, marks, ..Memory::default() };
    let left = code.run(memory, at);
    assert_eq!(registers, [7]);
    left
}

/// Points that only leave.
fn leaves(writer: &mut Writer, points: &[usize]) {
    for point in points {
        writer.begin(*point);
        writer.leave(*point);
    }
}

fn seven(writer: &mut Writer) {
    let seven = writer.number(7);
    writer.set_register(0, seven);
}

#[test]
fn the_last_row_stands_for_those_that_a_table_has_not() {
    for (number, found) in [(0, 12), (1, 34), (2, 56), (3, 56), (-1, 56), (i64::MIN, 56)] {
        let mut words = [number, 0];
        let left = run(&mut words, &mut [], 0, |writer| {
            writer.begin(0);
            seven(writer);
            let table = writer.intern_table(vec![1, 2, 3, 4, 5, 6], 2);
            let number = writer.word(0);
            let row = writer.row(table, number);
            let (tens, ones, ten) = (writer.read(row, 0), writer.read(row, 1), writer.number(10));
            let (tens, _) = writer.multiply_checked(tens, ten);
            let both = writer.add(tens, ones);
            writer.put(1, both);
            writer.leave(3);
            leaves(writer, &[1, 2]);
        });
        assert_eq!((left, words[1]), (3, found), "{number}");
    }
}

#[test]
fn an_element_that_is_not_there_is_left() {
    let add = |index: i64| {
        let mut words = [1, 2, 3, index, 0];
        let left = run(&mut words, &mut [], 0, |writer| {
            writer.begin(0);
            seven(writer);
            let index = writer.word(3);
            let place = writer.element(0, 3, 1, index, 3);
            let (word, ten) = (writer.get(place, 0), writer.number(10));
            let sum = writer.add(word, ten);
            writer.set(place, 0, sum);
            let first = writer.word(0);
            writer.put(4, first);
            writer.jump(2);
            leaves(writer, &[1, 2]);
        });
        (left, words)
    };
    assert_eq!(add(0), (2, [11, 2, 3, 0, 11]));
    assert_eq!(add(2), (2, [1, 2, 13, 2, 1]));
    for outside in [3, -1, i64::MIN, i64::MAX] {
        assert_eq!(add(outside), (3, [1, 2, 3, outside, 0]));
    }
}

#[test]
fn bits_are_gone_through_in_order() {
    let mut words = [1 << 63 | 0b1010, 0];
    let left = run(&mut words, &mut [], 2, |writer| {
        writer.begin(2);
        seven(writer);
        let (word, hundred) = (writer.word(0), writer.number(100));
        let none = writer.number(0);
        let sums = writer.each_bit(word, &[none], |writer, bit, sums| {
            let moved = writer.multiply(sums[0], hundred);
            vec![writer.add(moved, bit)]
        });
        writer.put(1, sums[0]);
        writer.jump(1);
        leaves(writer, &[0, 1]);
    });
    assert_eq!((left, words[1]), (1, 1_03_63));
}

#[test]
fn marks_are_set_one_by_one() {
    let mut marks = [false; 40];
    run(&mut [0], &mut marks, 0, |writer| {
        writer.begin(0);
        seven(writer);
        writer.mark(1, 15);
        writer.mark(20, 1);
        writer.mark(22, 6);
        writer.leave(1);
        leaves(writer, &[1, 2]);
    });
    let set: Vec<usize> = (0..40).filter(|at| marks[*at]).collect();
    assert_eq!(set, (1..16).chain([20]).chain(22..28).collect::<Vec<usize>>());
}

#[test]
fn a_set_within_another_is_found() {
    let found = |set: i64| {
        let mut words = [0b110, 0b1001, 0b1_0000, set, 0];
        run(&mut words, &mut [], 0, |writer| {
            writer.begin(0);
            seven(writer);
            let set: [Word; 1] = [writer.word(3)];
            let found = writer.any_within(writer.place(0, 3), &set);
            let found = writer.as_word(found);
            writer.put(4, found);
            writer.leave(1);
            leaves(writer, &[1, 2]);
        });
        words[4]
    };
    assert_eq!([0b111, 0b1101, 0b1_0000, 0b1010, 0].map(found), [1, 1, 1, 0, 0]);
}

/// Words but one are put aside, changed and taken back; how many are in use says a register.
#[test]
fn words_that_were_put_aside_come_back() {
    for count in [1, 2, 7, 8, 40, 67] {
        let room = 2 * usize::from(count);
        let shape = Shape {
            words: usize::from(count) + 1,
            registers: 1,
            cells: 0,
            lists: [0, room, 0],
            leaders: &LEADERS,
            ..Shape::default()
        };
        let middle = count / 2;
        let ranges = [(0, middle), (middle + 1, count - middle - 1)];
        let code = Code::write(&shape, |writer| {
            writer.begin(0);
            writer.put_aside(1, 0, (&ranges, 9), 3);
            for at in 0..=count {
                let minus = writer.number(-1);
                writer.put(at, minus);
            }
            writer.leave(1);
            writer.begin(2);
            writer.take_back(1, 0, &ranges, 3);
            writer.leave(1);
            leaves(writer, &[1]);
        });
        let code = code.expect("this processor is known");
        let first: Vec<i64> = (0..=i64::from(count)).collect();
        let (mut words, mut used, mut list) = (first.clone(), [0], vec![0; room]);
        let mut run = |words: &mut Vec<i64>, used: &mut [i64; 1], at| {
            let lists: [&mut [i64]; LISTS] = [&mut [], &mut list, &mut []];
            code.run(Memory { words, registers: used, lists, ..Memory::default() }, at)
        };
        assert_eq!(run(&mut words, &mut used, 2), 3, "nothing is there");
        assert_eq!(run(&mut words, &mut used, 0), 1);
        assert_eq!((words.as_slice(), used), (vec![-1; first.len()].as_slice(), [count.into()]));
        assert_eq!(run(&mut words, &mut used, 0), 1);
        assert_eq!(run(&mut words, &mut used, 0), 3, "no room is left");
        assert_eq!(run(&mut words, &mut used, 2), 1);
        assert_eq!(run(&mut words, &mut used, 2), 1);
        let back = |word: i64| word < count.into() && word != i64::from(count / 2);
        let wanted = first.iter().map(|word| if back(*word) { *word } else { -1 });
        assert_eq!((words, used), (wanted.collect(), [0]), "{count}");
        used[0] = i64::MAX;
        assert_eq!([0, 2].map(|at| run(&mut first.clone(), &mut used, at)), [3, 3]);
    }
}

#[test]
fn a_list_takes_words_as_long_as_there_is_room() {
    let shape =
        Shape { words: 2, registers: 1, lists: [5, 0, 0], leaders: &LEADERS, ..Shape::default() };
    let code = Code::write(&shape, |writer| {
        writer.begin(0);
        let words = [writer.word(0), writer.word(1)];
        writer.append(0, 0, &words, 3);
        writer.leave(1);
        leaves(writer, &[1, 2]);
    });
    let code = code.expect("this processor is known");
    let (mut used, mut list) = ([0], [0; 5]);
    let mut run = |words: &mut [i64; 2]| {
        let lists: [&mut [i64]; LISTS] = [&mut list, &mut [], &mut []];
        code.run(Memory { words, registers: &mut used, lists, ..Memory::default() }, 0)
    };
    assert_eq!([run(&mut [1, 2]), run(&mut [3, 4]), run(&mut [5, 6])], [1, 1, 3]);
    assert_eq!((list, used), ([1, 2, 3, 4, 0], [4]));
}

#[test]
fn words_of_a_list_are_changed_where_there_are_any() {
    let shape =
        Shape { words: 1, registers: 1, lists: [5, 0, 0], leaders: &LEADERS, ..Shape::default() };
    let code = Code::write(&shape, |writer| {
        writer.begin(0);
        let at = writer.word(0);
        let spot = writer.in_list(0, at, 2, 3);
        let (one, other) = (writer.get_at(spot, 0), writer.get_at(spot, 1));
        let sum = writer.add(one, other);
        writer.set_at(spot, 1, sum);
        writer.leave(1);
        leaves(writer, &[1, 2]);
    });
    let code = code.expect("this processor is known");
    let mut list = [1, 2, 3, 4, 5];
    let mut run = |at: i64| {
        let lists: [&mut [i64]; LISTS] = [&mut list, &mut [], &mut []];
        let words = &mut [at];
        code.run(Memory { words, registers: &mut [0], lists, ..Memory::default() }, 0)
    };
    // Two words from the last one on are not there, and neither is what lies before the first.
    assert_eq!([0, 3, 4, 5, -1, i64::MAX, i64::MIN].map(&mut run), [1, 1, 3, 3, 3, 3, 3]);
    assert_eq!(list, [1, 3, 3, 4, 9]);
}

#[test]
fn branches_meet_or_leave() {
    let branch = |word: i64| {
        let mut words = [word, 0, 0];
        let left = run(&mut words, &mut [], 0, |writer| {
            writer.begin(0);
            seven(writer);
            let (word, five, two) = (writer.word(0), writer.number(5), writer.number(2));
            writer.put(1, two);
            let small = writer.less(word, five);
            let branch = writer.begin_if(small);
            writer.put(1, word);
            let join = writer.otherwise(branch);
            let more = writer.less(five, word);
            let inner = writer.begin_if(more);
            writer.jump(2);
            writer.end_if(inner);
            writer.put(2, five);
            writer.end(join);
            // What a branch has changed is not known behind it.
            let sum = writer.word(1);
            let sum = writer.add(sum, five);
            writer.put(1, sum);
            writer.leave(1);
            leaves(writer, &[1, 2]);
        });
        (left, words)
    };
    assert_eq!(branch(4), (1, [4, 9, 0]));
    assert_eq!(branch(5), (1, [5, 7, 5]));
    assert_eq!(branch(6), (2, [6, 2, 0]));
}

#[test]
fn a_local_is_new_in_each_run_and_a_cell_stays() {
    let shape = Shape { words: 1, registers: 1, cells: 1, leaders: &LEADERS, ..Shape::default() };
    let code = Code::write(&shape, |writer| {
        let local = writer.new_local();
        writer.begin(0);
        for _ in 0..2 {
            let (before, one) = (writer.get_local(local), writer.number(1));
            let after = writer.add(before, one);
            writer.set_local(local, after);
            let (before, ten) = (writer.register(1), writer.number(10));
            let after = writer.add(before, ten);
            writer.set_register(1, after);
        }
        let local = writer.get_local(local);
        writer.put(0, local);
        writer.leave(1);
        leaves(writer, &[1, 2]);
    });
    let code = code.expect("this processor is known");
    let (mut words, mut registers) = ([0], [0, 0]);
    for _ in 0..3 {
        let memory = Memory { words: &mut words, registers: &mut registers, ..Memory::default() };
        assert_eq!(code.run(memory, 0), 1);
    }
    assert_eq!((words, registers), ([2], [0, 60]));
}

#[test]
#[should_panic(expected = "a register of the shape")]
fn a_register_beyond_the_shape_is_refused() {
    run(&mut [0], &mut [], 0, |writer| {
        writer.begin(0);
        writer.register(1);
    });
}

#[test]
fn a_point_that_is_no_leader_leaves_at_once() {
    for at in [3, 4, 1000] {
        let shape = Shape { leaders: &LEADERS, ..Shape::default() };
        let code = Code::write(&shape, |writer| leaves(writer, &[0, 1, 2]));
        assert_eq!(code.expect("this processor is known").run(Memory::default(), at), at);
    }
}

#[test]
#[should_panic(expected = "the words of the shape")]
fn words_beyond_the_shape_are_refused() {
    run(&mut [0, 0], &mut [], 0, |writer| {
        writer.begin(0);
        writer.word(2);
    });
}

/// Adds the point to the first word; leaves if the second is below 0.
fn adds(words: &mut [i64], _: &mut [i64], _: [&mut [i64]; LISTS], point: usize) -> i64 {
    if words[1] < 0 {
        return LEAVES;
    }
    words[0] += i64::try_from(point).expect("a small number");
    words[1]
}

#[test]
fn aid_changes_words() {
    let shape = Shape { words: 3, leaders: &LEADERS, ..Shape::default() };
    let code = Code::write(&shape, |writer| {
        writer.begin(0);
        let (first, second) = (writer.word(0), writer.word(1));
        let both = writer.add(first, second);
        writer.put(2, both);
        let result = writer.aid(3, [(0, 1)]);
        let zero = writer.number(0);
        let fails = writer.less(result, zero);
        writer.leave_if(fails, 3);
        // The first word is read anew.
        let first = writer.word(0);
        let sum = writer.add(first, result);
        writer.put(1, sum);
        writer.leave(1);
        leaves(writer, &[1, 2]);
    });
    let code = code.expect("this processor is known");
    let run = |mut words: [i64; 3], is_there: bool| {
        let mut adds = adds;
        let aid: Option<&mut Aid> = if is_there { Some(&mut adds) } else { None };
        let left = code.run(Memory { words: &mut words, aid, ..Memory::default() }, 0);
        (left, words)
    };
    assert_eq!(run([10, 5, 0], true), (1, [13, 18, 15]));
    assert_eq!(run([10, -5, 0], true), (3, [10, -5, 5]));
    assert_eq!(run([10, 5, 0], false), (3, [10, 5, 15]));
}

#[test]
fn consulted_aid_says_where_to_go_on() {
    let shape = Shape { registers: 2, lists: [1, 0, 0], leaders: &LEADERS, ..Shape::default() };
    let code = Code::write(&shape, |writer| {
        writer.begin(0);
        let seven = writer.number(7);
        writer.set_register(0, seven);
        writer.append(0, 1, &[seven], 3);
        writer.consult(3);
        writer.begin(1);
        let (sum, one) = (writer.register(0), writer.number(1));
        let sum = writer.add(sum, one);
        writer.set_register(0, sum);
        writer.leave(1);
        leaves(writer, &[2]);
    });
    let code = code.expect("this processor is known");
    let run = |answer: i64| {
        let (mut registers, mut list) = ([0, 0], [0]);
        let mut aid =
            |_: &mut [i64], registers: &mut [i64], lists: [&mut [i64]; LISTS], at: usize| {
                assert_eq!((&*registers, &*lists[0], at), ([7, 1].as_slice(), [7].as_slice(), 3));
                registers[0] = 20;
                lists[0][0] = 9;
                answer
            };
        let lists: [&mut [i64]; LISTS] = [&mut list, &mut [], &mut []];
        let memory =
            Memory { registers: &mut registers, lists, aid: Some(&mut aid), ..Memory::default() };
        (code.run(memory, 0), registers, list)
    };
    assert_eq!(run(1), (1, [21, 1], [9]), "it goes on at a leader");
    assert_eq!(run(3), (3, [20, 1], [9]), "at any other point it leaves");
    assert_eq!(run(LEAVES), (3, [20, 1], [9]), "nothing was done");
}
