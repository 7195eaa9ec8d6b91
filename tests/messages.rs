//! A game as messages in JSON: what the page and a server ask, and what they are answered.

use astragal::machinery::game::Player;
use astragal::machinery::messages::{Engine, MOST_BYTES};
use serde_json::{Value, json};

/// Two players take one to three sticks; the last one wins.
const STICKS: &str = "\
game \"Sticks\" { players 2 }
the table has { sticks: 0..7 = 7 }
play {
  turns me from Player.first {
    choose me { take(n) for n in 1..min(3, sticks) { sticks -= n } }
    if sticks == 0 { finish win me }
  }
}
";

fn ask(engine: &mut Engine, message: &Value) -> Result<Value, String> {
    let answer: Value = serde_json::from_str(&engine.answer(&message.to_string())).expect("JSON");
    match answer.get("error") {
        Some(error) => Err(error.as_str().expect("a sentence").to_owned()),
        None => Ok(answer["ok"].clone()),
    }
}

fn ok(engine: &mut Engine, message: &Value) -> Value {
    ask(engine, message).unwrap_or_else(|error| panic!("{message}: {error}"))
}

fn engine(text: &str) -> Engine {
    let mut engine = Engine::new(|| 0);
    ok(&mut engine, &json!({ "ask": "read", "name": "sticks.game", "text": text }));
    engine
}

/// A table where the first seat is a person and the second takes the first move.
fn started(text: &str) -> Engine {
    let mut engine = engine(text);
    let seats = json!(["human", "first"]);
    let begun = ok(&mut engine, &json!({ "ask": "start", "seats": seats, "seed": 4 }));
    assert_eq!(begun, json!({ "started": true, "findings": [] }));
    engine
}

fn advance(engine: &mut Engine) {
    while ok(engine, &json!({ "ask": "advance" }))["made"] == true {}
}

fn act(engine: &mut Engine, words: &str) -> Value {
    let made = ok(engine, &json!({ "ask": "act", "words": words }));
    advance(engine);
    made
}

fn look(engine: &mut Engine) -> Value {
    ok(engine, &json!({ "ask": "look" }))
}

#[test]
fn a_move_is_made_by_its_number_at_the_step_that_it_answers() {
    let mut engine = started(STICKS);
    let first = look(&mut engine);
    let moves = first["view"]["actions"][0]["actions"].as_array().expect("moves").clone();
    let take =
        |action: &Value, step: &Value| json!({ "ask": "act", "action": action, "step": step });
    let (action, step) = (&moves[1]["action"], &first["step"]);
    assert_eq!(*action, json!(1), "the second of three numbers");
    let unknown = ok(&mut engine, &take(&json!(99), step));
    let why = json!({ "words": "99", "message": "no legal move has this number", "help": null });
    assert_eq!(unknown, json!({ "made": false, "why": why }));
    assert_eq!(ok(&mut engine, &take(&json!([0, 1]), step))["made"], false);
    assert_eq!(ok(&mut engine, &take(action, step))["made"], true);
    // The same message again is late, although the number is legal once more.
    advance(&mut engine);
    let again = ok(&mut engine, &take(action, step));
    assert_eq!((&again["made"], &again["late"]), (&json!(false), &json!(true)), "{again}");
    let now = again["now"].clone();
    assert_eq!(now["view"]["actions"][0]["actions"][1]["action"], *action);
    assert_eq!(ok(&mut engine, &take(action, &now["step"]))["made"], true);
}

#[test]
fn a_move_in_steps_has_the_list_of_their_numbers() {
    let text = "\
game \"Sums\" { players 1 }
the table has { sum = 0 }
play {
  turns me from Player.first {
    choose me { pay(a, b) for a in 1..300 for b in 1..300 when a == b and a mod 299 == 1 { sum = a + b } }
    finish win me
  }
}
";
    let mut engine = engine(text);
    ok(&mut engine, &json!({ "ask": "start" }));
    let first = look(&mut engine);
    let moves = &first["view"]["actions"][0]["actions"];
    let action = &moves[1]["action"];
    assert!(action.as_array().is_some_and(|steps| steps.len() > 1), "{moves}");
    let act = json!({ "ask": "act", "action": action, "step": first["step"] });
    assert_eq!(ok(&mut engine, &act)["made"], true);
    let script = ok(&mut engine, &json!({ "ask": "script", "game": "sums.game" }));
    assert!(script.as_str().is_some_and(|it| it.contains("pay 300 300")), "{script}");
}

#[test]
fn mistakes_have_places_and_repairs() {
    let mut engine = engine(&STICKS.replace("sticks -= n", "stiks -= n"));
    let found = ok(&mut engine, &json!({ "ask": "findings" }));
    let first = &found[0];
    assert_eq!((&first["line"], &first["column"]), (&json!(5), &json!(54)), "{first}");
    assert_eq!(first["fix"]["text"], "sticks", "{first}");
    let facts = ok(&mut engine, &json!({ "ask": "facts" }));
    assert_eq!(facts["findings"][0]["code"], first["code"], "{facts}");
    let begun = ok(&mut engine, &json!({ "ask": "start" }));
    assert_eq!(begun["started"], false);
    assert_eq!(ask(&mut engine, &json!({ "ask": "look" })), Err("no game has begun".to_owned()));
}

#[test]
fn words_are_explained_and_completed() {
    let mut engine = engine(STICKS);
    assert_eq!(ok(&mut engine, &json!({ "ask": "findings" })), json!([]));
    let hover = ok(&mut engine, &json!({ "ask": "hover", "line": 5, "column": 56 }));
    assert_eq!((&hover["at"]["column"], &hover["at"]["end_column"]), (&json!(54), &json!(60)));
    assert_eq!(hover["code"], "the table has sticks: 0..7 = 7", "{hover}");
    let declared = ok(&mut engine, &json!({ "ask": "definition", "line": 5, "column": 56 }));
    assert_eq!((&declared["line"], &declared["column"]), (&json!(2), &json!(17)));
    let complete = ok(&mut engine, &json!({ "ask": "complete", "line": 6, "column": 11 }));
    let proposals = complete["proposals"].as_array().expect("a list");
    assert!(proposals.iter().any(|it| it["text"] == "sticks"), "{complete}");
    assert_eq!(complete["at"]["column"], 8);
    let rules = ok(&mut engine, &json!({ "ask": "rules" }));
    assert_eq!(rules["title"], "Sticks");
}

#[test]
fn a_game_is_played_and_its_script_runs() {
    let mut engine = started(STICKS);
    let first = look(&mut engine);
    assert_eq!((&first["decides"], &first["needs_person"]), (&json!(0), &json!(true)));
    assert_eq!(first["view"]["actions"][0]["actions"].as_array().map(Vec::len), Some(3));
    assert_eq!(act(&mut engine, "take 2")["made"], true);
    // What was said before the bot moved comes late.
    let late = json!({ "ask": "act", "words": "take 1", "step": first["step"] });
    let late = ok(&mut engine, &late);
    assert_eq!((&late["made"], &late["late"]), (&json!(false), &json!(true)), "{late}");
    assert_eq!(late["now"], look(&mut engine));
    let refused = act(&mut engine, "take 4");
    assert_eq!(refused["made"], false);
    assert!(refused["why"]["message"].as_str().is_some_and(|why| !why.is_empty()), "{refused}");
    act(&mut engine, "3");
    // The first move of the bot took the last but none.
    let last = look(&mut engine);
    assert_eq!(last["over"], true);
    assert_eq!(last["view"]["head"]["result"], "P2 wins");
    assert_eq!(
        ask(&mut engine, &json!({ "ask": "act", "words": "take 1" })),
        Err("nobody is asked now".to_owned())
    );
    let script = ok(&mut engine, &json!({ "ask": "script", "game": "sticks.game" }));
    let ran = ok(&mut engine, &json!({ "ask": "run", "name": "a.script", "text": script }));
    assert_eq!((&ran["passed"], &ran["findings"]), (&json!(true), &json!([])), "{script}");
    assert_eq!(ran["transcript"], script);
    let wrong = script.as_str().expect("a text").replace("= P2", "= P1");
    let ran = ok(&mut engine, &json!({ "ask": "run", "name": "a.script", "text": wrong }));
    assert_eq!(
        (&ran["passed"], &ran["findings"][0]["code"]),
        (&json!(false), &json!("script::result"))
    );
    // A game goes on from its script.
    let cut: String =
        script.as_str().expect("a text").lines().take(5).flat_map(|line| [line, "\n"]).collect();
    let begun = ok(&mut engine, &json!({ "ask": "start", "script": cut }));
    assert_eq!(begun, json!({ "started": true, "findings": [] }), "{cut}");
    assert_eq!(look(&mut engine)["last"], 1, "{cut}");
}

const ROLLS: &str = r#"game "Rolls" { players 2; limit 6 decisions { finish draw } }
the table has { die one = 1..6; die two = 1..6 }
play { turns me from Player.first { choose me { left { roll one }; right { roll two } }; if turn == 5 { finish draw } } }
"#;

/// What lay on the table is shown as it was: the dice that were rolled then, not those of today.
#[test]
fn earlier_steps_are_shown_as_they_were() {
    let mut engine = started(ROLLS);
    let mut seen = vec![look(&mut engine)];
    while seen.last().is_some_and(|it| it["over"] == false) {
        act(&mut engine, if seen.len() % 3 == 1 { "left" } else { "right" });
        seen.push(look(&mut engine));
    }
    assert!(seen.len() > 3, "{seen:?}");
    for then in seen {
        let again = ok(&mut engine, &json!({ "ask": "look", "step": then["step"] }));
        assert_eq!(again["view"], then["view"]);
    }
}

#[test]
fn steps_are_looked_at_taken_back_and_made_again() {
    let mut engine = started(STICKS);
    let start = look(&mut engine);
    act(&mut engine, "take 2");
    let then = look(&mut engine);
    assert_eq!((&then["step"], &then["last"]), (&json!(2), &json!(2)));
    let back = ok(&mut engine, &json!({ "ask": "look", "step": 0 }));
    assert_eq!(back["view"], start["view"]);
    assert_eq!(ok(&mut engine, &json!({ "ask": "undo" })), true);
    assert_eq!(look(&mut engine)["view"], start["view"]);
    assert_eq!(look(&mut engine)["can_redo"], true);
    assert_eq!(ok(&mut engine, &json!({ "ask": "redo" })), true);
    assert_eq!(look(&mut engine)["view"], then["view"]);
    ok(&mut engine, &json!({ "ask": "back", "step": 0 }));
    assert_eq!(look(&mut engine)["view"], start["view"]);
    assert_eq!(ok(&mut engine, &json!({ "ask": "undo" })), false);
    // Steps that are not there are not reached.
    ok(&mut engine, &json!({ "ask": "back", "step": 99 }));
    assert_eq!(ok(&mut engine, &json!({ "ask": "look", "step": 99, "seat": 9 }))["step"], 0);
}

#[test]
fn bots_alone_are_remembered_too() {
    let mut engine = engine(STICKS);
    ok(&mut engine, &json!({ "ask": "start", "seats": ["first", "first"], "seed": 1 }));
    advance(&mut engine);
    let over = look(&mut engine);
    assert_eq!((&over["over"], &over["last"]), (&json!(true), &json!(7)));
    let middle = ok(&mut engine, &json!({ "ask": "look", "step": 3, "all": true }));
    assert_eq!(middle["view"]["table"][0]["value"], "4");
}

#[test]
fn after_an_edit_the_moves_are_made_again_as_far_as_they_fit() {
    let mut engine = started(STICKS);
    act(&mut engine, "take 3");
    let text = STICKS.replace("= 7 }", "= 6 }");
    ok(&mut engine, &json!({ "ask": "read", "name": "sticks.game", "text": text }));
    assert_eq!(ok(&mut engine, &json!({ "ask": "renew" }))["findings"], json!([]));
    assert_eq!(look(&mut engine)["view"]["table"][0]["value"], "2");
    let text = STICKS.replace("min(3", "min(2");
    ok(&mut engine, &json!({ "ask": "read", "name": "sticks.game", "text": text }));
    let renewed = ok(&mut engine, &json!({ "ask": "renew" }));
    assert_eq!(renewed["started"], true);
    assert_eq!(renewed["findings"][0]["code"], "script::illegal_move", "{renewed}");
    assert_eq!(look(&mut engine)["last"], 0);
    // What no longer fitted comes back with the old rules.
    ok(&mut engine, &json!({ "ask": "read", "name": "sticks.game", "text": STICKS }));
    assert_eq!(ok(&mut engine, &json!({ "ask": "renew" }))["findings"], json!([]));
    assert_eq!(look(&mut engine)["last"], 2);
}

#[test]
fn a_lab_counts_the_same_in_slices() {
    let batch = |from: u64, to: u64| json!({ "ask": "lab", "bot": "random", "seed": 3, "from": from, "to": to });
    let whole = ok(&mut engine(STICKS), &batch(0, 30));
    let mut sliced = engine(STICKS);
    ok(&mut sliced, &batch(0, 7));
    assert_eq!(ok(&mut sliced, &batch(7, 30)), whole);
    assert_eq!(whole["playouts"], 30);
    let wins: u64 = (0..2).filter_map(|seat| whole["wins"][seat]["wins"].as_u64()).sum();
    assert_eq!(wins, 30);
    assert_eq!(whole["never"], json!([]));
    assert!(
        ask(&mut sliced, &json!({ "ask": "lab", "bot": "no", "seed": 1, "from": 0, "to": 1 }))
            .is_err()
    );
}

#[test]
fn a_seat_asks_only_for_itself() {
    let mut engine = Engine::new(|| 0);
    let files = ok(&mut engine, &json!({ "ask": "files", "game": "love-letter" }));
    ok(&mut engine, &json!({ "ask": "read", "name": files[0][0], "text": files[0][1] }));
    ok(&mut engine, &json!({ "ask": "start", "seed": 5 }));
    let decides = look(&mut engine)["decides"].as_u64().expect("somebody decides");
    let seat = |number: u64| Player(u8::try_from(number).expect("a seat"));
    let mut from = |at: u64, message: Value| -> Value {
        serde_json::from_str(&engine.answer_seat(Some(seat(at)), &message.to_string()))
            .expect("JSON")
    };
    let other = 1 - decides.min(1);
    for message in [
        json!({ "ask": "look", "all": true }),
        json!({ "ask": "look", "seat": decides }),
        json!({ "ask": "look", "whole": true, "step": 0 }),
    ] {
        let seen = from(other, message);
        assert_eq!(seen["ok"]["view"]["head"]["viewer"], other);
        assert_eq!(seen["ok"]["view"]["actions"], json!([]));
    }
    for message in [json!({ "ask": "act", "words": "1" }), json!({ "ask": "why", "words": "1" })] {
        assert_eq!(from(other, message), json!({ "error": "this seat is not asked now" }));
    }
    for message in [
        json!({ "ask": "script", "game": "a" }),
        json!({ "ask": "undo" }),
        json!({ "ask": "start" }),
        json!({ "ask": "read", "name": "a", "text": "" }),
    ] {
        let error =
            "a seat may look, act and ask why, and read the log and the rules; nothing else";
        assert_eq!(from(decides, message), json!({ "error": error }));
    }
    let long = json!({ "ask": "why", "words": "x".repeat(5_000) });
    assert!(from(decides, long)["error"].as_str().is_some_and(|it| it.starts_with("a move has")));
    assert_eq!(from(decides, json!({ "ask": "act", "words": "1" }))["ok"]["made"], true);
}

/// Those who wait are told what they would see if they looked.
#[test]
fn a_seat_is_told_what_it_sees() {
    let mut engine = started(STICKS);
    for moves in [Some("take 2"), None] {
        for seat in [Player(0), Player(1)] {
            let told = engine.news_for(Some(seat)).expect("a game has begun");
            let told: Value = serde_json::from_str(&told).expect("JSON");
            let looked = engine.answer_seat(Some(seat), "{\"ask\":\"look\"}");
            let looked: Value = serde_json::from_str(&looked).expect("JSON");
            assert_eq!(told["news"], looked["ok"]);
            let asked = engine.session().and_then(|session| session.decides()) == Some(seat);
            assert_eq!(told["news"]["needs_person"], asked, "{told}");
            assert_eq!(told["news"]["view"]["actions"] != json!([]), asked, "{told}");
        }
        if let Some(words) = moves {
            act(&mut engine, words);
        }
    }
    assert_eq!(Engine::new(|| 0).news_for(Some(Player(0))), None);
}

#[test]
fn what_cannot_be_read_is_refused_with_a_reason() {
    let mut engine = started(STICKS);
    for message in [
        "",
        "{",
        "[]",
        "null",
        "{\"ask\":\"fly\"}",
        "{\"ask\":\"act\"}",
        "{\"ask\":\"act\",\"action\":1}",
        "{\"ask\":\"back\",\"step\":-1}",
    ] {
        let answer = engine.answer(message);
        assert!(
            answer.starts_with("{\"error\":\"the message cannot be read: "),
            "{message}: {answer}"
        );
    }
    let long = format!("{{\"ask\":\"why\",\"words\":\"{}\"}}", "x".repeat(MOST_BYTES));
    assert!(engine.answer(&long).starts_with("{\"error\":\"a message has at most "));
    assert!(ask(&mut engine, &json!({ "ask": "files", "game": "../Cargo" })).is_err());
    // Places outside of the text are at its ends.
    for (line, column) in [(0, 0), (1, 999), (999, 1)] {
        for question in ["hover", "complete", "definition"] {
            ok(&mut engine, &json!({ "ask": question, "line": line, "column": column }));
        }
    }
    assert_eq!(look(&mut engine)["last"], 0);
}

#[test]
fn every_bundled_game_can_be_opened() {
    let mut engine = Engine::new(|| 0);
    let games = ok(&mut engine, &json!({ "ask": "games" }));
    let games = games.as_array().expect("a list");
    assert!(games.len() > 30, "{games:?}");
    for game in games {
        let name = game["name"].as_str().expect("a name");
        let files = ok(&mut engine, &json!({ "ask": "files", "game": name }));
        let files: Vec<(String, String)> = serde_json::from_value(files).expect("files");
        let (own, others) = files.split_first().expect("its own file");
        let others: Value = others
            .iter()
            .cloned()
            .map(|(path, text)| (path, Value::from(text)))
            .collect::<serde_json::Map<_, _>>()
            .into();
        ok(&mut engine, &json!({ "ask": "read", "name": own.0, "text": own.1, "files": others }));
        let facts = ok(&mut engine, &json!({ "ask": "facts" }));
        assert_eq!(facts["findings"], Value::Null, "{name}");
        // A variant is called by the game and its own title.
        let [title, own] =
            [&facts["title"], &game["title"]].map(|it| it.as_str().unwrap_or_default());
        assert!(title.ends_with(own) && !own.is_empty(), "{name}: {title}, {own}");
    }
}

/// Numbers that are places: of an own row, of a row of another one, of the table; and one that is an amount.
const ROWS: &str = "\
game \"Rows\" { players 2 }
kind Box { left, right }
each player has {
  row[1..3]: 0..9 = 5
  score = 0
}
the table has {
  prices[2..4]: 0..9 = 3
  plan[1..3, Box]: 0..9 = 0
  boxes[Box]: 0..9 = 0
}
rule empty(p: Player, at: 1..3) { p.row[at] = 0 }
play {
  turns me from Player.first {
    choose me {
      drop(i) for i in 1..3 where me.score < 9 { empty(me, i) }
      hit(q, i) for q in others(me) for i in 1..3 { q.row[i] = 0 }
      buy(n) for n in 2..4 when prices[n] > 0 { prices[n] -= 1 }
      write(b, line) for b in Box for line in 1..3 { plan[line, b] += 1; boxes[b] += 1 }
      add(n) for n in 1..3 { me.score += n }
    }
    if me.score > 8 { finish win me }
  }
}
";

/// A number in a move that the rules use as an index names what is drawn at that place, and of whom.
#[test]
fn a_number_that_is_an_index_names_the_place() {
    let mut engine = started(ROWS);
    let looked = look(&mut engine);
    let view = &looked["view"];
    let named = |group: &str, parameter: usize| {
        let groups = view["actions"].as_array().expect("moves");
        let group = groups.iter().find(|it| it["name"] == group).expect("it is legal");
        let members = &group["parameters"][parameter]["values"][0]["members"];
        let name = |tag: &Value| format!("{} {}", tag["kind"], tag["name"]).replace('"', "");
        members.as_array().expect("members").iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(named("drop", 0), ["P1 1..3 1"]);
    assert_eq!(named("hit", 1), ["P2 1..3 1"]);
    assert_eq!(named("buy", 0), ["2..4 2"]);
    assert_eq!(named("write", 0), ["Box left"], "a member is no place");
    assert_eq!(named("write", 1), ["plan 1 1"], "of an array with several dimensions");
    assert_eq!(named("add", 0), [""; 0], "an amount");
    let text = view["table"].to_string() + &view["players"].to_string();
    for kind in ["P1 1..3", "P2 1..3", "2..4", "plan 1"] {
        assert!(text.contains(&format!("\"kind\":\"{kind}\"")), "{kind} is drawn nowhere: {text}");
    }
}
