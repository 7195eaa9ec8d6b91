//! A table for people with browsers: whole games between clients, what a seat is told, a server that is
//! killed, and clients that misbehave.

mod client;

use std::collections::BTreeSet;
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{amount, files, read, root};
use client::{Frame, PAGE, Server, Socket, astragal, folder, get, request, upgrade};

/// The labels of the moves that a seat may make.
fn labels(news: &Value) -> Vec<String> {
    let groups = news["view"]["actions"].as_array().expect("there is a list");
    let actions = groups.iter().flat_map(|group| group["actions"].as_array().expect("a list"));
    actions.map(|action| action["label"].as_str().expect("a text").to_owned()).collect()
}

fn act(socket: &mut Socket, words: &str) {
    let answer = socket.ask(&json!({ "ask": "act", "words": words }));
    assert_eq!(answer["ok"]["made"], true, "{words}: {answer}");
}

/// Plays random moves until the game is over; returns how often this seat decided, and the result.
fn play_on(socket: &mut Socket, mut random: u64) -> (usize, String) {
    for decisions in 0.. {
        let news = loop {
            let news = socket.news();
            if news["over"] == true {
                let result = news["view"]["head"]["result"].as_str().expect("a result");
                return (decisions, result.to_owned());
            }
            if news["needs_person"] == true {
                break news;
            }
        };
        let labels = labels(&news);
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let chosen = usize::try_from(random >> 33).expect("31 bits fit") % labels.len();
        act(socket, &labels[chosen]);
        // Nobody plays faster than the server allows.
        thread::sleep(Duration::from_millis(20));
    }
    unreachable!("there are more numbers than decisions")
}

/// So many games are played at the same time, each at a server of its own.
const TOGETHER: usize = 5;

fn whole_games(game: &str, words: &[&str]) {
    let folder = folder(&format!("whole-{game}"));
    let seeds: Vec<usize> = (1..=amount("ASTRAGAL_SERVE", 2)).collect();
    for seeds in seeds.chunks(TOGETHER) {
        thread::scope(|scope| {
            for seed in seeds {
                scope.spawn(|| whole_game(&folder, &seed.to_string(), game, words));
            }
        });
    }
}

fn whole_game(folder: &Path, seed: &str, game: &str, words: &[&str]) {
    let words = [&[game, "--names", "Ann,Ben", "--port", "0", "--seed", seed], words].concat();
    let server = Server::start(folder, 2, &words);
    let played: Vec<(usize, String)> = thread::scope(|scope| {
        let seats = [0, 1].map(|person| {
            let mut socket = server.sit(person);
            scope.spawn(move || play_on(&mut socket, 7 + person as u64))
        });
        seats.into_iter().map(|it| it.join().expect("it plays to the end")).collect()
    });
    assert_eq!(played[0].1, played[1].1, "both are told the same result");
    assert!(played.iter().all(|(decisions, _)| *decisions > 1), "{played:?}");
}

#[test]
fn two_clients_play_love_letter() {
    whole_games("love-letter", &[]);
}

#[test]
fn two_clients_play_with_cards_and_dice() {
    // A game with random moves takes more than a thousand of them.
    let is_asked = std::env::var("ASTRAGAL_SERVE").is_ok();
    let words: &[&str] = if is_asked { &[] } else { &["--option", "max_turns=40"] };
    whole_games("card-dice", words);
}

#[test]
fn bots_fill_seats() {
    let folder = folder("bots");
    let words =
        ["pig", "--port", "0", "--seat", "P2=random", "--option", "target=20", "--seed", "3"];
    let server = Server::start(&folder, 1, &words);
    let mut socket = server.sit(0);
    let (_, result) = play_on(&mut socket, 1);
    assert!(result.contains("wins"), "{result}");
    let all = astragal(&folder, &["pig", "--seat", "all=random"]).output().expect("it starts");
    assert_eq!(all.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&all.stderr).contains("serve::people"));
}

/// The first messages of two seats of Kuhn poker, and the server.
fn dealt(folder: &Path, seed: u64) -> (Server, [Socket; 2], [String; 2]) {
    let seed = seed.to_string();
    let words = ["kuhn-poker", "--names", "Ann,Ben", "--port", "0", "--seed", &seed];
    let server = Server::start(folder, 2, &words);
    let mut sockets = [server.sit(0), server.sit(1)];
    let first = sockets.each_mut().map(Socket::next_text);
    (server, sockets, first)
}

#[test]
fn what_a_seat_may_not_see_changes_no_byte() {
    let folder = folder("secrets");
    let mut tables: Vec<(Server, [Socket; 2], [String; 2])> = Vec::new();
    // Two deals with the same card for Ann, and another one for Ben.
    let (one, other) = (1..)
        .find_map(|seed| {
            let table = dealt(&folder, seed);
            let same = tables.iter().position(|it| it.2[0] == table.2[0] && it.2[1] != table.2[1]);
            match same {
                Some(at) => Some((tables.swap_remove(at), table)),
                None => {
                    tables.push(table);
                    None
                }
            }
        })
        .expect("there are more seeds than deals");
    let told = [one, other].map(|(_server, [mut ann, mut ben], first)| {
        let mut told = vec![first[0].clone()];
        // Who is there depends on who sat down first, not on the cards.
        while !told.last().is_some_and(|it| it.contains("[true,true]")) {
            told.push(ann.next_text());
        }
        told.truncate(1);
        ann.say(&json!({ "ask": "act", "words": "check" }));
        told.extend([ann.next_text(), ann.next_text()]);
        act(&mut ben, "bet");
        told.push(ann.next_text());
        ann.say(&json!({ "ask": "why", "words": "bet" }));
        told.push(ann.next_text());
        ann.say(&json!({ "ask": "act", "words": "fold" }));
        told.extend([ann.next_text(), ann.next_text()]);
        ann.say(&json!({ "ask": "look" }));
        told.push(ann.next_text());
        told
    });
    assert_eq!(told[0], told[1]);
    assert!(told[0].last().is_some_and(|it| it.contains("\"over\":true")), "{:?}", told[0]);
}

/// A game from a script, where what is drawn is written down.
fn scripted(folder: &Path, ben: &str) -> Server {
    let cards = ["prince", "guard", "handmaid", "king", "priest", ben, "countess"];
    let draws: String = cards.iter().flat_map(|card| ["* draw deck: ", card, "\n"]).collect();
    let head =
        "game love-letter\nplayers Ann, Ben\noption tokens = 2\nseed 5\n* random Player: Ann\n";
    let script = folder.join("begun.script");
    std::fs::write(&script, format!("{head}{draws}")).expect("the folder can be written");
    Server::start(folder, 2, &["--load", "begun.script", "--port", "0"])
}

#[test]
fn a_hidden_card_is_told_to_its_owner_alone() {
    let folder = folder("cards");
    let servers = ["baron", "princess"].map(|card| scripted(&folder, card));
    let ann = servers.each_ref().map(|server| server.sit(0).next_text());
    let ben = servers.each_ref().map(|server| server.sit(1).next_text());
    assert_eq!(ann[0], ann[1], "Ann cannot tell the games apart");
    assert_ne!(ben[0], ben[1], "Ben can");
    assert!(ben[1].contains("princess"));
    // Who watches cannot tell them apart, neither from what lies there nor from what happened.
    let watched = servers.each_ref().map(|server| {
        let mut watcher = server.watch();
        let news = watcher.news();
        assert_eq!(news["view"]["head"]["viewer"], Value::Null);
        assert_eq!((&news["needs_person"], &news["view"]["actions"]), (&json!(false), &json!([])));
        let asked = ["look", "log"].map(|ask| watcher.ask(&json!({ "ask": ask })).to_string());
        assert!(!asked.concat().contains("prince"), "nobody sees this hand: {asked:?}");
        (news, asked)
    });
    assert_eq!(watched[0], watched[1]);
    // Ann looks at the card with a Priest: from now on the games differ for her.
    let looked = servers.each_ref().map(|server| {
        let mut socket = server.sit(0);
        socket.news();
        act(&mut socket, "priest Ben");
        socket.news()
    });
    assert_ne!(looked[0], looked[1]);
    assert!(looked[1].to_string().contains("Princess"));
}

#[test]
fn who_watches_is_told_of_each_move_and_makes_none() {
    let server = Server::start(&folder("watch"), 2, &["tic-tac-toe", "--port", "0"]);
    let mut watcher = server.watch();
    watcher.news();
    let mut ann = server.sit(0);
    act(&mut ann, "mark b2");
    let news = watcher.news();
    assert!(news["view"]["log"].to_string().contains("mark b2"), "{news}");
    for message in [
        json!({ "ask": "act", "words": "mark a1" }),
        json!({ "ask": "why", "words": "mark a1" }),
        json!({ "ask": "claim", "seat": 1 }),
        json!({ "ask": "bot", "seat": 1, "bot": "random" }),
        json!({ "ask": "propose", "what": "undo" }),
        json!({ "ask": "invite" }),
    ] {
        let error = watcher.ask(&message)["error"].to_string();
        assert!(error.contains("who only watches"), "{message}: {error}");
    }
    let book = watcher.ask(&json!({ "ask": "rules" }))["ok"].take();
    assert_eq!(book["title"], "Tic-tac-toe");
    assert_eq!(ann.ask(&json!({ "ask": "rules" }))["ok"], book);
    let mut wrong = Socket::open(server.host());
    wrong.say(&json!({ "ask": "watch", "word": "nothing" }));
    assert_eq!(wrong.refusal(), ("this word opens no table".to_owned(), 4001));
}

#[test]
fn who_closes_the_page_is_waited_for_no_more() {
    let words = ["nim", "--names", "Ann,Ben", "--port", "0", "--seed", "5"];
    let server = Server::start(&folder("left"), 2, &words);
    let mut sockets = [server.sit(0), server.sit(1)];
    let news = sockets.each_mut().map(Socket::news);
    let asked = usize::from(news[1]["needs_person"] == true);
    act(&mut sockets[asked], &labels(&news[asked])[0]);
    sockets[asked].ask(&json!({ "ask": "propose", "what": "undo" }));
    let [ann, ben] = sockets;
    let (mut stays, leaves) = if asked == 0 { (ann, ben) } else { (ben, ann) };
    drop(leaves);
    while stays.news()["view"] != news[asked]["view"] {}
}

#[test]
fn a_bot_plays_on_for_a_seat_without_time() {
    let folder = folder("clock");
    let words = ["tic-tac-toe", "--names", "Ann,Ben", "--port", "0", "--clock", "3s"];
    let mut server = Server::start(&folder, 2, &words);
    let tokens = [0, 1].map(|seat| json!(server.token(seat)));
    let mut ben = server.sit(1);
    assert_eq!(ben.clock()["left"], json!([3000, 3000]), "nobody has taken the seat that is asked");
    let mut ann = server.sit(0);
    assert_eq!(ben.clock()["runs"], 0);
    while ben.news()["needs_person"] != true {}
    let room = room_where(&mut ann, |room| !room["note"].is_null());
    assert_eq!(room["note"], "The time of Ann is up: a bot plays on.");
    assert_eq!(room["seats"][0]["who"], "random");
    let back = ann.ask(&json!({ "ask": "bot", "seat": 0, "bot": "human" }));
    assert!(back["error"].to_string().contains("the time of this seat is up"), "{back}");
    // A server that is killed knows how much is left.
    server.kill();
    let server = Server::start(&folder, 1, &["--resume"]);
    let mut ann = server.sit_with(&tokens[0]);
    let left = ann.clock()["left"].take();
    assert!(left[0] == 0 && left[1].as_u64().is_some_and(|left| left <= 3000), "{left}");
    let mut ben = server.sit_with(&tokens[1]);
    ben.ask(&json!({ "ask": "propose", "what": "rematch" }));
    room_where(&mut ben, |room| room["seats"][0]["who"] == "person");
    while ben.clock()["left"][0] != 3000 {}
}

#[test]
fn who_resigns_loses_between_two_and_is_played_on_for_among_more() {
    let folder = folder("resigned");
    let two = ["nim", "--names", "Ann,Ben", "--port", "0", "--seed", "5"];
    let server = Server::start(&folder, 2, &two);
    let (mut ann, mut ben) = (server.sit(0), server.sit(1));
    let (resign, look) = (json!({ "ask": "resign" }), json!({ "ask": "look" }));
    assert!(ann.ask(&resign)["ok"].is_object());
    for socket in [&mut ann, &mut ben] {
        let told = socket.ask(&look)["ok"].take();
        assert_eq!([&told["over"], &told["needs_person"]], [true, false]);
        assert_eq!(told["view"]["head"]["result"], "Ben wins by resignation");
        let log = socket.ask(&json!({ "ask": "log" })).to_string();
        assert!(log.contains("Ann resigns"), "{log}");
    }
    assert_eq!(
        ben.ask(&json!({ "ask": "act", "words": "1" }))["error"],
        "this seat is not asked now"
    );
    assert_eq!(ben.ask(&resign)["error"], "the game is over");
    // All agree to go on, and later to play again.
    for (what, note) in [("undo", "taken back"), ("rematch", "Another game")] {
        ann.ask(&json!({ "ask": "propose", "what": what }));
        room_where(&mut ben, |room| room["proposal"]["what"] == what);
        ben.ask(&json!({ "ask": "answer", "agrees": true }));
        room_where(&mut ben, |room| room["note"].to_string().contains(note));
        assert_eq!(ben.ask(&look)["ok"]["over"], false, "{what}");
        assert!(ann.ask(&resign)["ok"].is_object());
    }
    let three = ["love-letter", "--names", "Ann,Ben,Cem", "--port", "0", "--seed", "5"];
    let mut server = Server::start(&folder, 3, &three);
    let tokens = [0, 1, 2].map(|seat| json!(server.token(seat)));
    let (mut ann, mut ben, _cem) = (server.sit(0), server.sit(1), server.sit(2));
    assert!(ann.ask(&resign)["ok"].is_object());
    let room = room_where(&mut ben, |room| !room["note"].is_null());
    assert_eq!(room["note"], "Ann resigns: a bot plays on.");
    assert_eq!([&room["seats"][0]["who"], &room["seats"][1]["who"]], ["random", "person"]);
    let back = ann.ask(&json!({ "ask": "bot", "seat": 0, "bot": "human" }));
    assert!(back["error"].to_string().contains("this seat has resigned"), "{back}");
    // A server that is killed knows who is left.
    server.kill();
    let server = Server::start(&folder, 2, &["--resume"]);
    let (mut ann, mut ben) = (server.sit_with(&tokens[0]), server.sit_with(&tokens[1]));
    assert!(ann.ask(&resign)["error"].to_string().contains("this seat has resigned"));
    assert!(ben.ask(&resign)["ok"].is_object());
    assert_eq!(ben.ask(&look)["ok"]["view"]["head"]["result"], "Cem wins by resignation");
}

#[test]
fn what_changed_rules_no_longer_play_stays_whole() {
    let folder = folder("edited");
    let game = |sizes: &str| {
        format!(
            "
game \"Heap\" {{ players 2 }}
the table has {{ left: 0..20 = 20 }}
play {{
  turns me from Player.first {{
    choose me {{ take(n) for n in {sizes} where n <= left {{ left -= n }} }}
    if left == 0 {{ finish win me }}
  }}
}}
"
        )
    };
    let write = |sizes| std::fs::write(folder.join("heap.game"), game(sizes));
    write("1..3").expect("the folder can be written");
    let mut server = Server::start(&folder, 2, &["heap.game", "--names", "Ann,Ben", "--port", "0"]);
    let tokens = [0, 1].map(|seat| json!(server.token(seat)));
    let (mut ann, mut ben) = (server.sit(0), server.sit(1));
    act(&mut ann, "take 2");
    while ben.news()["needs_person"] != true {}
    act(&mut ben, "take 3");
    while ann.news()["needs_person"] != true {}
    server.kill();
    write("1..2").expect("the folder can be written");
    let server = Server::start(&folder, 2, &["--resume"]);
    assert_eq!(server.sit_with(&tokens[1]).news()["needs_person"], true, "Ben's move is no more");
    let games = std::fs::read_dir(folder.join("astragal/games")).expect("a copy was made");
    let texts = games.map(|it| std::fs::read_to_string(it.expect("an entry").path()));
    let texts: Vec<String> = texts.map(|it| it.expect("it can be read")).collect();
    let is_whole = |it: &String| it.contains("Ann> take 2\nBen> take 3\n");
    assert!(texts.len() == 1 && texts.iter().all(is_whole), "{texts:?}");
}

/// What Ben is told at a table that stands where a script ends, and when the next move is made there; and what the
/// others are told.
fn told_to_ben(folder: &Path, script: &[String], next: Option<&str>) -> (Vec<String>, [Value; 2]) {
    std::fs::write(folder.join("begun.script"), script.concat())
        .expect("the folder can be written");
    let server = Server::start(folder, 3, &["--load", "begun.script", "--port", "0"]);
    let seat = |line: &str| ["Ann", "Ben", "Cem"].iter().position(|name| line.starts_with(name));
    let (mut ann, mut cem) = (server.sit(0), server.sit(2));
    let others = [ann.news(), cem.news()];
    let mut ben = server.sit(1);
    let mut told = vec![ben.news().to_string()];
    let log = json!({ "ask": "log" });
    for question in [json!({ "ask": "look" }), json!({ "ask": "why", "words": "1" }), log.clone()] {
        told.push(ben.ask(&question).to_string());
    }
    // What all see, Ben sees, too.
    let mut watcher = server.watch();
    told.extend([watcher.news().to_string(), watcher.ask(&log).to_string()]);
    if let Some(next) = next {
        let words = next.split_once("> ").expect("a name stands before the move").1.trim();
        match seat(next).expect("somebody moves") {
            0 => act(&mut ann, words),
            1 => act(&mut ben, words),
            _ => act(&mut cem, words),
        }
        let look = json!({ "ask": "look" });
        told.extend([&look, &log].map(|question| ben.ask(question).to_string()));
        told.extend([&look, &log].map(|question| watcher.ask(question).to_string()));
    }
    (told, others)
}

/// In the scripts ` | ` stands between what differs in two worlds, of which Ben sees nothing.
#[test]
fn two_worlds_tell_a_seat_the_same() {
    let folder = folder("worlds");
    for path in files("tests/serve/two_worlds", "script") {
        let text = read(&path).replace("{ROOT}", &root().display().to_string());
        let worlds = [0, 1].map(|world| {
            let line = |line: &str| {
                let (begun, ended) = line.split_once(": ").unwrap_or(("", line));
                let chosen = ended.split(" | ").nth(world).unwrap_or(ended.trim());
                let colon = if begun.is_empty() { "" } else { ": " };
                format!("{begun}{colon}{chosen}\n")
            };
            text.lines().map(line).collect::<Vec<String>>()
        });
        let moves = |at: &usize| worlds[0].get(*at).is_none_or(|line| line.contains("> "));
        let mut compared = 0;
        for at in (0..=worlds[0].len()).filter(moves) {
            // What is drawn behind a move is not in the script yet.
            let is_alone = worlds[0].get(at + 1).is_none_or(|line| !line.starts_with("* "));
            let told = worlds.each_ref().map(|lines| {
                let next = lines.get(at).filter(|_| is_alone);
                told_to_ben(&folder, &lines[..at], next.map(String::as_str))
            });
            let [(one, others), (other, others_beside)] = told;
            assert_eq!(one, other, "{} up to line {at}", path.display());
            assert_ne!(others, others_beside, "{}: somebody else sees it", path.display());
            compared += one.len();
        }
        println!("{}: {compared} messages", path.display());
        assert!(compared > 8, "{}: {compared} messages", path.display());
    }
}

#[test]
fn a_killed_server_goes_on_under_the_same_links() {
    let folder = folder("killed");
    let words = ["love-letter", "--names", "Ann,Ben", "--port", "0", "--seed", "5"];
    let mut server = Server::start(&folder, 2, &words);
    let links = server.links.clone();
    // Nobody has moved yet.
    server.kill();
    let mut server = Server::start(&folder, 2, &["love-letter", "--resume"]);
    assert_eq!(server.links, links);
    let look = |socket: &mut Socket| socket.ask(&json!({ "ask": "look" }))["ok"].take();
    let mut seen = None;
    for _ in 0..4 {
        let mut sockets = [server.sit(0), server.sit(1)];
        let news = sockets.each_mut().map(Socket::news);
        assert!(seen.is_none_or(|seen| seen == news), "the game stands as it stood");
        let asked = usize::from(news[1]["needs_person"] == true);
        act(&mut sockets[asked], &labels(&news[asked])[0]);
        seen = Some(sockets.each_mut().map(look));
        server.kill();
        server = Server::start(&folder, 2, &["--resume"]);
        assert_eq!(server.links, links);
    }
    let kept = std::fs::read_dir(folder.join("astragal/tables")).expect("games are kept here");
    for entry in kept {
        use std::os::unix::fs::PermissionsExt as _;
        let entry = entry.expect("it is there");
        let mode = entry.metadata().expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", entry.path().display());
    }
    let twice = astragal(&folder, &["--resume"]).output().expect("it starts");
    assert!(String::from_utf8_lossy(&twice.stderr).contains("cli::played_elsewhere"));
    // Once the game is over, its links open nothing any more.
    thread::scope(|scope| {
        for person in [0, 1] {
            let mut socket = server.sit(person);
            scope.spawn(move || play_on(&mut socket, 3));
        }
    });
    let left = std::fs::read_dir(folder.join("astragal/tables")).expect("games are kept here");
    assert_eq!(left.count(), 0, "nothing of it is left");
}

/// Waits until the room is as it should be.
fn room_where(socket: &mut Socket, holds: impl Fn(&Value) -> bool) -> Value {
    loop {
        let room = socket.room();
        if holds(&room) {
            return room;
        }
    }
}

#[test]
fn people_come_in_with_one_link_and_take_seats() {
    let folder = folder("room");
    let words = ["love-letter", "--names", "Ann,Ben", "--port", "0", "--seed", "5"];
    let mut server = Server::start(&folder, 2, &words);
    let mut guest = server.enter();
    let room = guest.room();
    assert_eq!(room["seats"][0], json!({ "name": "Ann", "who": "free", "here": false }));
    let refused = guest.ask(&json!({ "ask": "look" }));
    assert_eq!(refused["error"], "take a seat first", "who has no seat sees no game");
    for (seat, name, reason) in [(0, "Ben", "appears twice"), (7, "Mia", "there is no seat 7")] {
        let claim = json!({ "ask": "claim", "seat": seat, "name": name });
        let refused = guest.ask(&claim)["error"].to_string();
        assert!(refused.contains(reason), "{refused}");
    }
    let claimed = guest.ask(&json!({ "ask": "claim", "seat": 0, "name": " Mia " }));
    assert_eq!(claimed["ok"]["name"], "Mia");
    let mut mia = server.sit_with(&claimed["ok"]["token"]);
    assert_eq!(mia.news()["view"]["seats"][0]["name"], "Mia");
    // Who sits may choose another name.
    for name in ["Mimi", "Mia"] {
        let claim = json!({ "ask": "claim", "seat": 0, "name": name });
        assert_eq!(mia.ask(&claim)["ok"]["name"], name);
        assert_eq!(server.enter().room()["seats"][0]["name"], name);
    }
    let other = mia.ask(&json!({ "ask": "claim", "seat": 1, "name": "Mia" }));
    assert_eq!(other["error"], "you have a seat; stand up first");
    // The link that was printed opens this seat no more, and nobody takes it a second time.
    assert_eq!(server.sit(0).refusal().1, 4001);
    let again = guest.ask(&json!({ "ask": "claim", "seat": 0 }));
    assert_eq!(again["error"], "somebody sits there; choose another seat");
    // A server that is killed remembers all that.
    server.kill();
    let server = Server::start(&folder, 2, &["--resume"]);
    let mut mia = server.sit_with(&claimed["ok"]["token"]);
    assert_eq!(mia.news()["view"]["seats"][0]["name"], "Mia");
    let room = server.enter().room();
    assert_eq!([&room["seats"][0]["who"], &room["seats"][1]["who"]], ["person", "free"]);
    // Who stands up leaves the seat to others, and sees no more of it.
    mia.ask(&json!({ "ask": "stand_up" }));
    assert_eq!(mia.ask(&json!({ "ask": "look" }))["error"], "take a seat first");
    assert_eq!(server.sit_with(&claimed["ok"]["token"]).refusal().1, 4001);
    // Who sits down elsewhere takes the own name along, and the seat that is left gets the other one.
    assert_eq!(room["named"], false, "nobody has decided");
    let claim = json!({ "ask": "claim", "seat": 1, "name": "Mia" });
    let mut guest = server.enter();
    assert_eq!(guest.ask(&claim)["ok"]["name"], "Mia");
    let room = server.enter().room();
    assert_eq!([&room["seats"][0]["name"], &room["seats"][1]["name"]], ["Ben", "Mia"]);
    let mut wrong = Socket::open(server.host());
    wrong.say(&json!({ "ask": "enter", "word": "nothing" }));
    assert_eq!(wrong.refusal(), ("this word opens no table".to_owned(), 4001));
}

#[test]
fn what_all_agree_on_happens_to_the_game() {
    let folder = folder("agreed");
    let words = ["nim", "--names", "Ann,Ben", "--port", "0", "--seed", "5"];
    let server = Server::start(&folder, 2, &words);
    let mut sockets = [server.sit(0), server.sit(1)];
    let news = sockets.each_mut().map(Socket::news);
    let asked = usize::from(news[1]["needs_person"] == true);
    let propose = |what: &str| json!({ "ask": "propose", "what": what });
    let early = sockets[asked].ask(&propose("undo"));
    assert_eq!(early["error"], "there is no decision to take back");
    act(&mut sockets[asked], &labels(&news[asked])[0]);
    assert!(sockets[asked].ask(&propose("undo"))["ok"].is_object());
    let other = &mut sockets[1 - asked];
    room_where(other, |room| room["proposal"]["what"] == "undo");
    other.ask(&json!({ "ask": "answer", "agrees": false }));
    let room = room_where(other, |room| !room["note"].is_null());
    assert!(room["note"].to_string().contains("does not agree") && room["proposal"].is_null());
    sockets[asked].ask(&propose("undo"));
    room_where(&mut sockets[1 - asked], |room| room["proposal"]["what"] == "undo");
    sockets[1 - asked].ask(&json!({ "ask": "answer", "agrees": true }));
    let look = json!({ "ask": "look" });
    let back = sockets[asked].ask(&look);
    assert_eq!(back["ok"]["view"], news[asked]["view"], "the move is taken back");
    // A bot may take the seat of somebody who stood up, and nobody is asked then.
    let here = json!({ "ask": "bot", "seat": 1 - asked, "bot": "random" });
    let refused = sockets[asked].ask(&here);
    assert_eq!(refused["error"], "somebody is at this seat and decides");
    sockets[1 - asked].ask(&json!({ "ask": "stand_up" }));
    assert!(sockets[asked].ask(&here)["ok"].is_object());
    let unknown = json!({ "ask": "bot", "seat": 1 - asked, "bot": "clever" });
    assert!(sockets[asked].ask(&unknown)["error"].to_string().contains("a seat is `human`"));
    for bot in ["mcts:10001", "rollout:11s"] {
        let slow = json!({ "ask": "bot", "seat": 1 - asked, "bot": bot });
        assert!(sockets[asked].ask(&slow)["error"].to_string().contains("thinks too long"));
    }
    let (_, result) = play_on(&mut server.sit(asked), 1);
    assert!(result.contains("wins"), "{result}");
    sockets[asked].ask(&propose("rematch"));
    assert_eq!(sockets[asked].ask(&look)["ok"]["over"], false, "another game has begun");
    let (_, result) = play_on(&mut server.sit(asked), 2);
    assert!(result.contains("wins"), "{result}");
}

#[test]
fn rules_that_break_stop_the_game_and_nothing_else() {
    let folder = folder("broken");
    let text = "
game \"Broken\" { players 2 }
the table has { left: 0..3 = 3 }
play {
  turns me from Player.first {
    choose me { take { left -= 2 }; wait { } }
    if left == 2 { finish draw }
  }
}
";
    std::fs::write(folder.join("broken.game"), text).expect("the folder can be written");
    let server = Server::start(&folder, 2, &["broken.game", "--port", "0"]);
    let mut ann = server.sit(0);
    let mut ben = server.sit(1);
    for asked in [&mut ann, &mut ben] {
        while asked.news()["needs_person"] != true {}
        act(asked, "take");
    }
    while ann.news()["broken"] != true {}
    let error = ann.ask(&json!({ "ask": "act", "words": "take" }))["error"].take();
    assert_eq!(error, "this seat is not asked now");
    assert_eq!(server.sit(1).news()["broken"], true);
}

#[test]
fn a_move_that_comes_twice_is_made_once() {
    let server = Server::start(&folder("twice"), 2, &["tic-tac-toe", "--port", "0"]);
    let mut ann = server.sit(0);
    let mut ben = server.sit(1);
    let mark = |words: &str, step: u64| json!({ "ask": "act", "words": words, "step": step });
    assert_eq!(ann.ask(&mark("mark b2", 0))["ok"]["made"], true);
    let again = ann.ask(&mark("mark b2", 0))["ok"].take();
    assert_eq!((&again["made"], &again["late"]), (&json!(false), &json!(true)), "{again}");
    assert_eq!((&again["now"]["step"], &again["now"]["needs_person"]), (&json!(1), &json!(false)));
    assert_eq!(ben.ask(&mark("mark a1", 0))["ok"]["made"], true);
    // By now it would be legal again.
    let late = ann.ask(&mark("mark c3", 0))["ok"].take();
    assert_eq!((&late["late"], labels(&late["now"]).len()), (&json!(true), 7), "{late}");
    assert_eq!(ann.ask(&mark("mark c3", 1))["ok"]["made"], true);
}

#[test]
fn a_page_that_comes_back_sees_the_same() {
    let folder = folder("back");
    let server = Server::start(&folder, 2, &["tic-tac-toe", "--port", "0"]);
    let mut first = server.sit(0);
    first.news();
    act(&mut first, "mark b2");
    let told = first.news();
    drop(first);
    assert_eq!(server.sit(0).news(), told);
    let mut other = server.sit(1);
    assert_eq!(other.news()["needs_person"], true);
    act(&mut other, "mark a1");
    assert_eq!(server.sit(0).news()["needs_person"], true);
}

/// The table still answers, and nobody has moved.
fn is_undisturbed(server: &Server) {
    let mut socket = server.sit(0);
    let news = socket.news();
    assert_eq!((&news["needs_person"], labels(&news).len()), (&json!(true), 9));
}

#[test]
fn messages_that_are_wrong_are_refused_with_a_reason() {
    let folder = folder("wrong");
    let server = Server::start(&folder, 2, &["tic-tac-toe", "--port", "0"]);
    let mut ann = server.sit(0);
    ann.news();
    for (text, reason) in [
        ("", "the message cannot be read: "),
        ("{", "the message cannot be read: "),
        ("[[[[[[[[[[[[[[[[[[[[", "the message cannot be read: "),
        ("{\"ask\":\"sit\",\"token\":\"x\"}", "the message cannot be read: "),
        ("{\"ask\":\"undo\"}", "a seat may look, act and ask why"),
        ("{\"ask\":\"files\",\"game\":\"/etc/passwd\"}", "a seat may look, act and ask why"),
        ("{\"ask\":\"read\",\"name\":\"a\",\"text\":\"\"}", "a seat may look, act and ask why"),
        ("{\"ask\":\"script\",\"game\":\"a\"}", "a seat may look, act and ask why"),
    ] {
        ann.text(text);
        let answer: Value = loop {
            let answer: Value = serde_json::from_str(&ann.next_text()).expect("JSON");
            if answer.get("here").or(answer.get("room")).is_none() {
                break answer;
            }
        };
        let error = answer["error"].as_str().expect("a reason");
        assert!(error.starts_with(reason), "{text}: {error}");
    }
    let words = "x".repeat(5_000);
    let error = ann.ask(&json!({ "ask": "act", "words": words }))["error"].take();
    assert!(error.as_str().is_some_and(|it| it.starts_with("a move has at most ")), "{error}");
    let answer = ann.ask(&json!({ "ask": "act", "words": "mark z9" }))["ok"].take();
    assert_eq!(answer["made"], false);
    let error = server.sit(1).ask(&json!({ "ask": "act", "words": "mark a1" }))["error"].take();
    assert_eq!(error, "this seat is not asked now");
    is_undisturbed(&server);
}

#[test]
fn sockets_that_misbehave_are_closed_with_a_reason() {
    let folder = folder("sockets");
    let server = Server::start(&folder, 2, &["tic-tac-toe", "--port", "0"]);
    let sent_away = |socket: &mut Socket, reason: &str, code: u16| {
        assert_eq!(socket.refusal(), (reason.to_owned(), code));
    };
    // A message that is too long, by its own words or in fact.
    let long = "a message is a frame of text with at most 65536 bytes";
    let mut ann = server.sit(0);
    ann.text(&"x".repeat(65_537));
    sent_away(&mut ann, long, 1009);
    let mut ann = server.sit(0);
    ann.bytes(&[&[0x81, 0xff], (1_u64 << 62).to_be_bytes().as_slice(), &[0; 4]].concat());
    sent_away(&mut ann, long, 1009);
    // No text, and bytes that are no frame.
    let mut ann = server.sit(0);
    ann.frame(2, b"{\"ask\":\"look\"}");
    sent_away(&mut ann, "a message is a text in JSON", 1003);
    let mut ann = server.sit(0);
    ann.bytes(&[0xff; 64]);
    assert_eq!(ann.refusal().0, long);
    let mut ann = server.sit(0);
    ann.frame(1, &[0xc3, 0x28]);
    assert_eq!(ann.refusal().0, long);
    // Too many messages.
    let mut ann = server.sit(0);
    (0..200).for_each(|_| ann.text("{\"ask\":\"look\"}"));
    // On a busy machine the answers pile up first, since nobody reads them.
    let (reason, code) = ann.refusal();
    let many = ("too many messages in a short time", 1008);
    let unread = ("the page reads too slowly", 1013);
    assert!([many, unread].contains(&(reason.as_str(), code)), "{reason}");
    // Links that open nothing.
    let token = server.token(0);
    for wrong in ["", "0", &token[1..], &token.to_uppercase(), &"0".repeat(32)] {
        let mut socket = Socket::open(server.host());
        socket.say(&json!({ "ask": "sit", "token": wrong }));
        sent_away(&mut socket, "this link opens no seat at this table", 4001);
    }
    let first = "the first message must say which link was opened";
    for text in
        ["", "{}", "{\"ask\":\"look\"}", "{\"ask\":\"sit\"}", "{\"ask\":\"sit\",\"token\":1}"]
    {
        let mut socket = Socket::open(server.host());
        socket.text(text);
        sent_away(&mut socket, first, 1008);
    }
    sent_away(&mut Socket::open(server.host()), first, 1008);
    is_undisturbed(&server);
}

#[test]
fn only_the_own_page_under_the_own_name_is_answered() {
    let folder = folder("names");
    let words = ["tic-tac-toe", "--port", "0", "--host", "table.example.org"];
    let server = Server::start(&folder, 2, &words);
    assert!(server.links[0].starts_with("http://table.example.org/#seat="));
    let port = listening(&folder);
    let own = format!("127.0.0.1:{port}");
    let other = astragal(&folder, &["pig", "--port", &port.to_string()]).output();
    let other = other.expect("it starts");
    assert_eq!(other.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&other.stderr).contains("serve::address"));
    let answer = get(&own, "/", &own);
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with(PAGE), "{answer}");
    assert!(get(&own, "/", "table.example.org").starts_with("HTTP/1.1 200 "));
    assert!(get(&own, "/", &format!("localhost:{port}")).starts_with("HTTP/1.1 200 "));
    for name in ["evil.example", "127.0.0.1", "192.168.0.1", ""] {
        let answer = get(&own, "/", name);
        assert!(answer.starts_with("HTTP/1.1 421 "), "{name}: {answer}");
    }
    let origin = |origin: &str| request(&own, &upgrade(&own, origin));
    for foreign in ["http://evil.example", "null", "http://127.0.0.1:1", "file://", ""] {
        let answer = origin(foreign);
        assert!(answer.starts_with("HTTP/1.1 403 "), "{foreign}: {answer}");
    }
    // No file can be reached, and nothing can be sent.
    for path in [
        "/page.html",
        "/../page.html",
        "/%2e%2e/page.html",
        "//etc/passwd",
        "/table/..",
        "/?/../..",
        "/astragal/tables/",
    ] {
        let answer = get(&own, path, &own);
        let is_page = answer.ends_with(PAGE) && path.starts_with("/?");
        assert!(is_page || answer.starts_with("HTTP/1.1 404 "), "{path}: {answer}");
    }
    let sent = format!("POST / HTTP/1.1\r\nHost: {own}\r\nContent-Length: 3\r\n\r\nabc");
    assert!(request(&own, &sent).starts_with("HTTP/1.1 405 "));
    for rubbish in
        ["\r\n\r\n\r\n", "GET\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"]
    {
        let answer = request(&own, rubbish);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400 "), "{rubbish:?}: {answer}");
    }
    let long = format!("GET / HTTP/1.1\r\nHost: {own}\r\nx: {}\r\n\r\n", "y".repeat(100_000));
    assert!(!request(&own, &long).starts_with("HTTP/1.1 200 "));
    assert!(get(&own, "/", &own).ends_with(PAGE), "all of that left it as it was");
}

/// The port in the file of the links.
fn listening(folder: &Path) -> u64 {
    let kept = std::fs::read_dir(folder.join("astragal/tables")).expect("games are kept here");
    let paths = kept.map(|entry| entry.expect("it is there").path());
    let mut links = paths.filter(|path| path.extension().is_some_and(|it| it == "links"));
    let text = std::fs::read(links.next().expect("it is kept")).expect("it can be read");
    let links: Value = serde_json::from_slice(&text).expect("JSON");
    links["port"].as_u64().expect("a number")
}

#[test]
fn a_hundred_clients_at_once_leave_the_table_as_it_is() {
    let folder = folder("crowd");
    let server = Server::start(&folder, 2, &["tic-tac-toe", "--port", "0"]);
    let mut ben = server.sit(1);
    ben.news();
    let before = server.memory();
    // All at Ann's seat: some may stay, all others are told why not.
    let sat: Vec<Result<Socket, String>> = thread::scope(|scope| {
        let crowd: Vec<_> = (0..100)
            .map(|_| {
                scope.spawn(|| {
                    let mut socket = Socket::try_open(server.host())?;
                    socket.say(&json!({ "ask": "sit", "token": server.token(0) }));
                    match socket.next() {
                        Frame::Text(text) if text.starts_with("{\"news\":") => Ok(socket),
                        Frame::Text(text) => Err(text),
                        other => Err(format!("{other:?}")),
                    }
                })
            })
            .collect();
        crowd.into_iter().map(|it| it.join().expect("it is answered")).collect()
    });
    let reasons: BTreeSet<String> =
        sat.iter().filter_map(|it| it.as_ref().err().cloned()).collect();
    let known = [
        "{\"error\":\"too many pages are open at this seat\"}",
        "HTTP/1.1 503 Service Unavailable",
    ];
    assert!(reasons.iter().all(|it| known.contains(&it.as_str())), "{reasons:?}");
    let mut inside: Vec<Socket> = sat.into_iter().flatten().collect();
    assert!((1..=4).contains(&inside.len()), "{} are in", inside.len());
    // A hundred who say nothing.
    let silent: Vec<Result<Socket, String>> =
        (0..100).map(|_| Socket::try_open(server.host())).collect();
    assert!(silent.iter().filter(|it| it.is_ok()).count() <= 32);
    // Those who sit play on.
    act(&mut inside[0], "mark b2");
    while ben.news()["needs_person"] != true {}
    act(&mut ben, "mark a1");
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 32 << 10, "the crowd takes {grown} kB");
}

/// Plays moves on a board of 1,024 fields, while pages come and go, one for ten moves; `ASTRAGAL_SERVE_MOVES` says
/// how many.
#[test]
fn a_long_game_takes_no_more_memory() {
    let text = "
game \"Lamps\" { players 1; limit 1000000 decisions { finish draw } }
board Field 32 by 32
the table has { lit[Field]: {dark, bright} = dark }
play {
  turns me from Player.first {
    choose me { flip(c) for c in Field { lit[c] = if lit[c] == dark then bright else dark } }
    if turn == 1000000 { finish draw }
  }
}
";
    let folder = folder("long");
    std::fs::write(folder.join("lamps.game"), text).expect("the folder can be written");
    let server = Server::start(&folder, 1, &["lamps.game", "--port", "0"]);
    let mut ann = server.sit(0);
    let moves = amount("ASTRAGAL_SERVE_MOVES", 900);
    let mut before = 0;
    for made in 0..moves {
        if made == moves / 3 {
            before = server.memory();
        }
        let words = format!("flip {}{}", ['a', 'm', 'z'][made % 3], 1 + made % 32);
        ann.say(&json!({ "ask": "act", "words": words }));
        // Its answer, and what it brought.
        while ann.news()["step"] != made + 1 {}
        if made % 10 == 9 {
            let mut guest = server.sit(0);
            assert_eq!(guest.news()["step"], made + 1);
        }
        thread::sleep(Duration::from_millis(20));
    }
    let after = server.memory();
    let log = ann.ask(&json!({ "ask": "log" }))["ok"].take();
    let decisions = log.as_array().expect("a list").iter().filter(|it| it["what"] == "move");
    assert_eq!(decisions.count(), moves, "what is kept no more is in the log, too");
    assert!(after <= before + before / 10, "{before} kB, after {moves} moves {after} kB");
}

#[test]
fn a_page_that_reads_nothing_is_dropped() {
    let folder = folder("slow");
    let server = Server::start(&folder, 2, &["go", "--port", "0"]);
    let mut ann = server.sit(0);
    ann.news();
    let mut slow = server.sit(0);
    let before = server.memory();
    // It asks and asks, and never reads.
    for _ in 0..60 {
        thread::sleep(Duration::from_millis(50));
        (0..2).for_each(|_| slow.text("{\"ask\":\"look\"}"));
    }
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 32 << 10, "it takes {grown} kB");
    let answer = ann.ask(&json!({ "ask": "look" }));
    assert_eq!(answer["ok"]["needs_person"], true);
}
