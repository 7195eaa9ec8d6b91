//! A game as messages: a front asks in JSON and is answered in JSON. It never prints or reads files.
//!
//! The page runs these messages in a browser; a server passes those of one seat on with
//! [`Engine::answer_seat`].

/// Derives for each type of an answer what it needs.
macro_rules! answer_types {
    ($($type:item)+) => {$(
        #[derive(Debug, serde::Serialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        $type
    )+};
}

mod findings;
mod bot_games;
mod hosted_game;
#[cfg(test)]
mod tests;
mod analysed_text;

pub(crate) use findings::diagnostic_records;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::bots::Clock;
use crate::game::Player;
use crate::load::{BUNDLED, Folder, NamedText, OpenedFile, bundled};
use crate::session::Session;
use crate::syntax::DECLARATIONS;
use analysed_text::AnalysedText;
use bot_games::BotGames;
use hosted_game::{HostedGame, Started};

/// Longer messages are refused.
pub const MOST_BYTES: usize = 4 << 20;

/// Longer moves are refused from a seat: none reads so, and each is compared with all legal moves.
const MOST_WORDS: usize = 4_000;

/// What a front asks: `{"ask": "act", "words": "place b2"}`. Places are lines and columns from 1;
/// steps and seats are counted from 0.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "ask", rename_all = "snake_case", rename_all_fields = "snake_case")]
enum Ask {
    /// The bundled games.
    Games,
    /// The files of a bundled game, its own first.
    Files {
        game: String,
    },
    /// The words of the language, for colours.
    Words,
    /// Takes a text with the files beside it: what all other questions are about.
    Read {
        name: String,
        text: String,
        files: Option<BTreeMap<String, String>>,
    },
    /// What parsing and checking find; nothing is compiled.
    Findings,
    /// What checking and compiling each setting finds.
    Check,
    Hover {
        line: usize,
        column: usize,
    },
    Complete {
        line: usize,
        column: usize,
    },
    Definition {
        line: usize,
        column: usize,
    },
    /// The text in its canonical layout.
    Tidy,
    /// Title, players, options and bots.
    Facts,
    Rules,
    /// What is printed of the game, to cut and to write on, in HTML; `<figure>` with `data-board` stands for a board.
    Cards,
    Run {
        name: String,
        text: String,
    },
    /// Plays games between bots, and adds them to those of the same lab.
    Lab(bot_games::LabBatch),
    /// Begins a game, at the end of a script if there is one.
    Start(hosted_game::Start),
    /// Replays the game so far on the text as it is now.
    Renew,
    Look(hosted_game::LookRequest),
    /// All that happened, as a seat may know it.
    Log(hosted_game::LookRequest),
    /// Makes a move: see [`hosted_game::Act`].
    Act(hosted_game::Act),
    Why {
        words: String,
    },
    /// A command of the table: `:roll 6`, `:set`, `:why`, `:hint`.
    Command {
        words: String,
    },
    /// Makes one decision that needs no person.
    Advance,
    Undo,
    Redo,
    /// Takes back all that follows a step.
    Back {
        step: usize,
    },
    /// The game so far as a script; `game` is what it calls the game.
    Script {
        game: String,
    },
}

/// Why a message is not answered.
#[derive(Debug, thiserror::Error)]
enum MessageRefusal {
    #[error("a message has at most {MOST_BYTES} bytes, but this one has {0}")]
    Long(usize),
    #[error("the message cannot be read: {0}")]
    Form(serde_json::Error),
    #[error("a move has at most {MOST_WORDS} bytes, but this one has {0}")]
    Wordy(usize),
    #[error("no game has begun")]
    NoTable,
    #[error("a seat may look, act and ask why, and read the log and the rules; nothing else")]
    Beyond,
    #[error("who only watches decides nothing; take a seat")]
    Watching,
    #[error("{0}")]
    Other(String),
}

fn other(text: impl Into<String>) -> MessageRefusal {
    MessageRefusal::Other(text.into())
}

type MessageAnswer = Result<Value, MessageRefusal>;

answer_types! {
    struct BundledTitle { name: String, title: &'static str }
    /// A word of the language, and whether a declaration begins with it.
    struct ColouredWord { word: &'static str, declares: bool }
}

/// Defines the function that answers each message in an arm of its own. In tests a second function tells the type of
/// each answer, without computing it.
macro_rules! answers {
    (fn $name:ident, $types:ident($($given:ident: $type:ty),+) {
        $(Ask::$ask:ident $({ $($field:ident),+ })? $(($whole:tt))? => $answer:expr,)+
        $(_ => $others:expr,)?
    }) => {
        fn $name($($given: $type,)+ ask: Ask) -> MessageAnswer {
            Ok(match ask {
                $(Ask::$ask $({ $($field),+ })? $(($whole))? => json!($answer),)+
                $(_ => return Err($others),)?
            })
        }

        #[cfg(test)]
        fn $types($($given: $type,)+ types: &mut tests::PageTypes) {
            $(types.answer(stringify!($ask), |ask| Ok(match ask {
                Ask::$ask $({ $($field),+ })? $(($whole))? => $answer,
                _ => return Err(MessageRefusal::Beyond),
            }));)+
        }
    };
}

answers! {
    fn dispatch, dispatch_types(engine: &mut Engine) {
        Ask::Games => bundled_titles(),
        Ask::Files { game } => bundled_files(&game)?,
        Ask::Words => coloured_words(),
        Ask::Read { name, text, files } => {
            engine.written = AnalysedText::new(name, text, files.unwrap_or_default());
        },
        Ask::Findings => engine.written.findings(),
        Ask::Check => engine.written.check_text(),
        Ask::Hover { line, column } => engine.written.hover(line, column),
        Ask::Complete { line, column } => engine.written.completion_at(line, column),
        Ask::Definition { line, column } => engine.written.definition(line, column),
        Ask::Tidy => engine.written.document().formatted_text(),
        Ask::Facts => engine.written.game_facts(),
        Ask::Rules => engine.written.rules(),
        Ask::Cards => engine.written.cards(),
        Ask::Run { name, text } => engine.written.run(&name, &text),
        Ask::Lab(batch) => BotGames::play_games(&mut engine.lab, batch, &engine.written, engine.clock)?,
        Ask::Start(start) => engine.sit(HostedGame::start(start, &engine.written, engine.clock)),
        Ask::Renew => engine.renew()?,
        Ask::Look(look) => engine.sitting()?.look(&look),
        Ask::Act(act) => engine.sitting()?.act_at(&act)?,
        Ask::Why { words } => engine.sitting()?.why(&words),
        Ask::Command { words } => engine.sitting()?.command(&words),
        Ask::Log(look) => engine.sitting()?.log(&look),
        Ask::Advance => engine.sitting()?.advance(),
        Ask::Undo => engine.sitting()?.session_mut().undo_one(),
        Ask::Redo => engine.sitting()?.session_mut().redo_one(),
        Ask::Back { step } => engine.sitting()?.session_mut().back_to(step),
        Ask::Script { game } => engine.sitting()?.session.record().script(&game),
    }
}

answers! {
    fn dispatch_seat, dispatch_seat_types(engine: &mut Engine, seat: Option<Player>) {
        Ask::Look(_) => engine.sitting()?.look_from(seat),
        Ask::Log(_) => engine.sitting()?.log_from(seat),
        Ask::Rules => engine.sitting()?.rulebook()?,
        Ask::Act(act) => engine.sitting()?.act_from(seat.ok_or(MessageRefusal::Watching)?, &act)?,
        Ask::Why { words } => {
            engine.sitting()?.why_from(seat.ok_or(MessageRefusal::Watching)?, &words)?
        },
        _ => MessageRefusal::Beyond,
    }
}

fn bundled_titles() -> Vec<BundledTitle> {
    let title = |it: bundled::Bundled| BundledTitle { title: it.game_title(), name: it.name };
    bundled::bundled_games().into_iter().map(title).collect()
}

fn bundled_files(game: &str) -> Result<Vec<(String, String)>, MessageRefusal> {
    let found = bundled::find_bundled(game);
    Ok(found.ok_or_else(|| other(format!("no game is called `{game}`")))?.files())
}

fn coloured_words() -> Vec<ColouredWord> {
    let word = |word| ColouredWord { word, declares: DECLARATIONS.contains(&word) };
    crate::editor::words().map(|it| word(it.word)).collect()
}

/// What a front works with: one text, one table, one lab.
#[derive(Debug)]
pub struct Engine {
    clock: Clock,
    written: AnalysedText,
    table: Option<HostedGame>,
    lab: Option<BotGames>,
}

/// For people around one table.
#[cfg(feature = "serve")]
impl Engine {
    /// Returns an engine with a game that was begun elsewhere.
    pub(crate) fn around(session: Session, clock: Clock) -> Engine {
        let table = HostedGame::new(session, hosted_game::Start::default(), clock);
        Engine { table: Some(table), ..Engine::new(clock) }
    }

    /// Takes the findings of the last move of a seat, for the terminal of the server: no seat is told.
    pub(crate) fn found(&mut self) -> crate::session::Findings {
        self.table.as_mut().map(|table| std::mem::take(&mut table.found)).unwrap_or_default()
    }
}

impl Engine {
    /// Returns an engine without a game; the clock limits bots that think for a time.
    pub fn new(clock: Clock) -> Engine {
        Engine { clock, written: AnalysedText::default(), table: None, lab: None }
    }

    /// The game at the table, if one has begun.
    pub fn session(&mut self) -> Option<&mut Session> {
        self.table.as_mut().map(|table| &mut table.session)
    }

    /// What a seat sees now, or who only watches, for those who wait: `{"news": …}` with what the answer to `look`
    /// holds.
    pub fn news_for(&self, seat: Option<Player>) -> Option<String> {
        let table = self.table.as_ref()?;
        Some(json!({ "news": table.look_from(seat) }).to_string())
    }

    /// Answers a message of a front that may do everything: `{"ok": …}`, or `{"error": …}` with the reason.
    pub fn answer(&mut self, message: &str) -> String {
        written(read(message).and_then(|ask| dispatch(self, ask)))
    }

    /// Answers a message of the person on one seat, who sees no more than that seat; or of somebody who only watches
    /// and sees what all see.
    pub fn answer_seat(&mut self, seat: Option<Player>, message: &str) -> String {
        let answer = read(message).and_then(|ask| {
            self.sitting()?;
            match &ask {
                Ask::Why { words } if words.len() > MOST_WORDS => {
                    Err(MessageRefusal::Wordy(words.len()))
                }
                Ask::Act(act) if act.length() > MOST_WORDS => {
                    Err(MessageRefusal::Wordy(act.length()))
                }
                _ => dispatch_seat(self, seat, ask),
            }
        });
        written(answer)
    }

    fn sitting(&mut self) -> Result<&mut HostedGame, MessageRefusal> {
        self.table.as_mut().ok_or(MessageRefusal::NoTable)
    }

    fn renew(&mut self) -> Result<Started, MessageRefusal> {
        let table = self.table.as_ref().ok_or(MessageRefusal::NoTable)?;
        let renewed = table.renewed(&self.written);
        Ok(self.sit(renewed))
    }

    /// Goes to a table where a game has begun, and says what went wrong.
    fn sit(&mut self, (table, started): (Option<HostedGame>, Started)) -> Started {
        self.table = table.or(self.table.take());
        started
    }
}

fn read(message: &str) -> Result<Ask, MessageRefusal> {
    if message.len() > MOST_BYTES {
        return Err(MessageRefusal::Long(message.len()));
    }
    serde_json::from_str(message).map_err(MessageRefusal::Form)
}

fn written(answer: MessageAnswer) -> String {
    let answer = match answer {
        Ok(value) => json!({ "ok": value }),
        Err(refusal) => json!({ "error": refusal.to_string() }),
    };
    answer.to_string()
}

/// The files beside a text, and those of the bundled games.
#[derive(Clone, Debug, Default)]
struct Beside(BTreeMap<String, String>);

impl Folder for Beside {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        if let Some(path) = path.strip_prefix(BUNDLED) {
            return bundled::read_bundled(path);
        }
        let text = self.0.get(path).ok_or("there is no such file beside it")?;
        Ok(NamedText { name: path.to_owned(), text: text.clone() })
    }
}

impl Beside {
    fn opened<'a>(&'a self, name: &'a str, text: &'a str) -> OpenedFile<'a> {
        OpenedFile { name, text, folder: self }
    }
}
