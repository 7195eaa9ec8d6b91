//! The secret links to the seats, the word that lets others in, and the file that keeps both beside the journal.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use rand::TryRng as _;
use serde::{Deserialize, Serialize};

use crate::game::Player;
use crate::host::{disk, error::HostError, writing::OutputFile};
use crate::serve::clocks::SeatClocks;

const TOKEN_BYTES: usize = 16;

/// The key to a seat: random bits from the operating system, in hexadecimal digits.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct SeatToken(String);

/// Nobody reads a token in a message about something else.
impl fmt::Debug for SeatToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token")
    }
}

impl SeatToken {
    fn new() -> Option<SeatToken> {
        Some(SeatToken(format!("{:032x}", u128::from_be_bytes(random_bytes()?))))
    }

    fn is_well_formed(&self) -> bool {
        self.0.len() == 2 * TOKEN_BYTES && self.0.bytes().all(|it| it.is_ascii_hexdigit())
    }

    /// Compares all of it, so that the time does not tell how much of a guess is right.
    fn is(&self, word: &str) -> bool {
        let pairs = self.0.bytes().zip(word.bytes());
        let different = pairs.fold(0, |different, (own, given)| different | (own ^ given));
        self.0.len() == word.len() && different == 0
    }
}

fn random_bytes<const COUNT: usize>() -> Option<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    rand::rngs::SysRng.try_fill_bytes(&mut bytes).ok()?;
    Some(bytes)
}

/// A word that people say across a room: 26 bits, which opens no seat that is taken. Each guess costs a second.
fn speakable_word() -> Option<String> {
    const CONSONANTS: &[u8; 18] = b"bdfghjklmnprstvwyz";
    const VOWELS: &[u8; 5] = b"aeiou";
    let mut word = String::new();
    while word.len() < 8 {
        let [byte] = random_bytes()?;
        // Of the 256 values the first 180 are spread evenly.
        if byte < 180 {
            word.push(CONSONANTS[usize::from(byte % 18)].into());
            word.push(VOWELS[usize::from(byte / 18 % 5)].into());
        }
    }
    Some(word)
}

/// Where a table is found, and the keys to its seats.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Links {
    pub(super) address: IpAddr,
    pub(super) port: u16,
    /// Other names that browsers find this machine by, perhaps with `https://` before them.
    pub(super) hosts: Vec<String>,
    /// The word that lets others into the room.
    word: String,
    tokens: Vec<SeatToken>,
    taken: Vec<bool>,
    /// The time that the seats have left, where there is a clock.
    #[serde(default)]
    pub(super) clocks: Option<SeatClocks>,
    /// Who has resigned in this game.
    #[serde(default)]
    pub(super) resigned: Vec<u8>,
}

/// The links as the table and the pages share them: a seat that is taken gets another token.
#[derive(Clone, Debug)]
pub(super) struct SharedLinks(Arc<Mutex<Links>>);

impl SharedLinks {
    pub(super) fn new(links: Links) -> SharedLinks {
        SharedLinks(Arc::new(Mutex::new(links)))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Links> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Links {
    /// Links to so many seats: those that were kept, and new ones where there were none.
    pub(super) fn new(
        at: SocketAddr,
        hosts: Vec<String>,
        seats: usize,
        kept: Option<Links>,
    ) -> Result<Links, HostError> {
        let (address, port) = (at.ip(), at.port());
        if let Some(kept) = kept.filter(|kept| kept.tokens.len() == seats) {
            return Ok(Links { address, port, hosts, ..kept });
        }
        let tokens = (0..seats).map(|_| SeatToken::new()).collect::<Option<_>>();
        let (tokens, word) = tokens.zip(speakable_word()).ok_or(HostError::NoSeed)?;
        let taken = vec![false; seats];
        Ok(Links { address, port, hosts, word, tokens, taken, clocks: None, resigned: Vec::new() })
    }

    /// The links that were kept in a file, if they are whole.
    pub(super) fn read_saved(path: &Path) -> Option<Links> {
        let links: Links = serde_json::from_str(&disk::read_text(path).ok()?).ok()?;
        let is_whole = links.tokens.iter().all(SeatToken::is_well_formed)
            && links.taken.len() == links.tokens.len();
        is_whole.then_some(links)
    }

    /// Writes a file that only this user may read.
    pub(super) fn save_to(&self, path: PathBuf) -> Result<(), HostError> {
        disk::make_private_folder(&path)?;
        let text = serde_json::to_string(self).expect("links are plain data");
        OutputFile::private(path).write_whole(&(text + "\n"))
    }

    /// The seat that a token opens.
    pub(super) fn find_seat(&self, word: &str) -> Option<Player> {
        let mut seats = (0..).map(Player).zip(&self.tokens);
        seats.find(|(_, token)| token.is(word)).map(|(seat, _)| seat)
    }

    /// Whether a word lets somebody into the room, however it is spaced or capitalised.
    pub(super) fn is_word(&self, word: &str) -> bool {
        let said = word.chars().filter(char::is_ascii_alphabetic);
        said.map(|it| it.to_ascii_lowercase()).eq(self.word.chars())
    }

    pub(super) fn is_taken(&self, seat: Player) -> bool {
        self.taken[seat.index()]
    }

    pub(super) fn set_taken(&mut self, seat: Player, is_taken: bool) {
        self.taken[seat.index()] = is_taken;
    }

    /// Takes a seat, and returns the only token that opens it from now on.
    pub(super) fn take(&mut self, seat: Player) -> Option<String> {
        let token = SeatToken::new()?;
        let word = token.0.clone();
        self.tokens[seat.index()] = token;
        self.set_taken(seat, true);
        Some(word)
    }

    /// The link to a seat.
    pub(super) fn seat_address(&self, seat: Player) -> String {
        format!("{}/#seat={}", self.place(), self.tokens[seat.index()].0)
    }

    /// The link for everybody else.
    pub(super) fn room_address(&self) -> String {
        format!("{}/#table={}", self.place(), self.word)
    }

    /// The link for who only watches.
    pub(super) fn watch_address(&self) -> String {
        format!("{}/#watch={}", self.place(), self.word)
    }

    fn place(&self) -> String {
        match self.hosts.first().map(|host| (host, host.contains("://"))) {
            Some((host, true)) => host.clone(),
            Some((host, false)) => format!("http://{host}"),
            None => format!("http://{}", self.own_host()),
        }
    }

    fn own_host(&self) -> String {
        let address =
            if self.address.is_unspecified() { own_address(self.address) } else { self.address };
        SocketAddr::new(address, self.port).to_string()
    }

    /// Whether a browser may call this machine so: by the address where it listens, or by a name that
    /// was given. A page of somebody else that has a name lead here cannot.
    pub(super) fn knows_host(&self, host: &str) -> bool {
        let bare = |known: &String| {
            known.rsplit("://").next().is_some_and(|it| it.eq_ignore_ascii_case(host))
        };
        if self.hosts.iter().any(bare) {
            return true;
        }
        let Some((name, port)) = split_host(host) else { return false };
        let is_here = match name.parse::<IpAddr>() {
            Ok(address) => address == self.address || self.address.is_unspecified(),
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        };
        is_here && port == self.port
    }
}

/// The name and the port of a host; browsers leave out port 80.
fn split_host(host: &str) -> Option<(&str, u16)> {
    let (name, port) = match host.rsplit_once(':') {
        // Within brackets there are colons, too.
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()?),
        _ => (host, 80),
    };
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    Some((bare.unwrap_or(name), port))
}

/// The address that others in the network find this machine by. Nothing is sent: the system only says
/// which of its addresses it would use.
fn own_address(any: IpAddr) -> IpAddr {
    let (here, there, alone): (_, IpAddr, IpAddr) = if any.is_ipv4() {
        ((any, 0), Ipv4Addr::new(192, 0, 2, 1).into(), Ipv4Addr::LOCALHOST.into())
    } else {
        let documentation = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);
        ((any, 0), documentation.into(), Ipv6Addr::LOCALHOST.into())
    };
    let found = UdpSocket::bind(here).and_then(|socket| {
        socket.connect((there, 9))?;
        socket.local_addr()
    });
    found.map_or(alone, |found| found.ip())
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::Links;
    use crate::game::Player;

    fn sample_links(at: &str, hosts: &[&str]) -> Links {
        let at: SocketAddr = at.parse().expect("an address");
        let hosts = hosts.iter().map(ToString::to_string).collect();
        Links::new(at, hosts, 3, None).expect("there are random numbers")
    }

    #[test]
    fn only_its_own_names_are_known() {
        let here = sample_links("127.0.0.1:7000", &["https://table.example.org", "den.example:81"]);
        assert!(here.seat_address(Player(0)).starts_with("https://table.example.org/#seat="));
        for host in [
            "den.example:81",
            "127.0.0.1:7000",
            "localhost:7000",
            "LOCALHOST:7000",
            "Table.example.org",
        ] {
            assert!(here.knows_host(host), "{host}");
        }
        for host in [
            "",
            ":",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.2:7000",
            "evil.example:7000",
            "[::1]:7000",
            "localhost",
            "localhost:x",
            "127.0.0.1:7000.evil.example",
        ] {
            assert!(!here.knows_host(host), "{host}");
        }
        let anywhere = sample_links("0.0.0.0:80", &[]);
        assert!(anywhere.knows_host("192.168.1.7") && anywhere.knows_host("[::1]:80"));
        assert!(!anywhere.knows_host("home.example") && !anywhere.knows_host("192.168.1.7:81"));
    }

    #[test]
    fn a_token_opens_one_seat_until_somebody_takes_it() {
        let mut here = sample_links("[::1]:7000", &[]);
        let token_of = |here: &Links, seat| {
            let address = here.seat_address(seat);
            address.strip_prefix("http://[::1]:7000/#seat=").expect("the place first").to_owned()
        };
        for seat in (0..3).map(Player) {
            let token = token_of(&here, seat);
            assert_eq!(here.find_seat(&token), Some(seat));
            assert_eq!(token.len(), 32);
            assert_eq!(here.find_seat(&token[1..]), None);
            assert_eq!(here.find_seat(&format!("{token}0")), None);
            assert!(!format!("{here:?}").contains(&token), "a token is not printed");
        }
        assert_eq!(here.find_seat(""), None);
        let before = token_of(&here, Player(1));
        let token = here.take(Player(1)).expect("there are random numbers");
        assert_eq!(here.find_seat(&before), None);
        assert_eq!(here.find_seat(&token), Some(Player(1)));
        assert!(here.is_taken(Player(1)) && !here.is_taken(Player(0)));
    }

    #[test]
    fn the_word_is_heard_however_it_is_written() {
        let here = sample_links("127.0.0.1:7000", &[]);
        let address = here.room_address();
        let word = address.strip_prefix("http://127.0.0.1:7000/#table=").expect("the place first");
        assert_eq!(word.len(), 8);
        assert!(here.is_word(word) && here.is_word(&word.to_uppercase()));
        assert!(here.is_word(&format!(" {} {} ", &word[..4], &word[4..])));
        assert!(
            !here.is_word("") && !here.is_word(&word[..7]) && !here.is_word(&format!("{word}a"))
        );
    }
}
