//! The secret links to the seats, and the file that keeps them beside the journal.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};

use rand::TryRng as _;
use serde::{Deserialize, Serialize};

use crate::game::Player;
use crate::host::{disk, error::HostError, saves::private_folder, writing::OutputFile};

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
        let mut bytes = [0; TOKEN_BYTES];
        rand::rngs::SysRng.try_fill_bytes(&mut bytes).ok()?;
        Some(SeatToken(format!("{:032x}", u128::from_be_bytes(bytes))))
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

/// Where a table is found, and the keys to its seats.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Links {
    pub(super) address: IpAddr,
    pub(super) port: u16,
    /// Other names that browsers find this machine by, perhaps with `https://` before them.
    pub(super) hosts: Vec<String>,
    /// A token for each seat of a person.
    tokens: Vec<Option<SeatToken>>,
}

impl Links {
    /// Links to the seats of people: those that were kept, and a new one for a seat that had none.
    pub(super) fn new(
        at: SocketAddr,
        hosts: Vec<String>,
        people: &[bool],
        kept: Option<Links>,
    ) -> Result<Links, HostError> {
        let kept = kept.into_iter().flat_map(|kept| kept.tokens).chain(std::iter::repeat(None));
        let token = |(person, kept): (&bool, Option<SeatToken>)| match person {
            true => kept.or_else(SeatToken::new).map(Some).ok_or(HostError::NoSeed),
            false => Ok(None),
        };
        let tokens = people.iter().zip(kept).map(token).collect::<Result<_, _>>()?;
        Ok(Links { address: at.ip(), port: at.port(), hosts, tokens })
    }

    /// The links that were kept in a file, if they are whole.
    pub(super) fn read_saved(path: &Path) -> Option<Links> {
        let links: Links = serde_json::from_str(&disk::read_text(path).ok()?).ok()?;
        links.tokens.iter().flatten().all(SeatToken::is_well_formed).then_some(links)
    }

    /// Writes a file that only this user may read.
    pub(super) fn save_to(&self, path: PathBuf) -> Result<(), HostError> {
        let unwritable = |error| disk::unwritable(&path, &error);
        private_folder(path.parent().unwrap_or(Path::new(""))).map_err(unwritable)?;
        let text = serde_json::to_string(self).expect("links are plain data");
        OutputFile::private(path).write_whole(&(text + "\n"))
    }

    /// The seat that a token opens.
    pub(super) fn find_seat(&self, word: &str) -> Option<Player> {
        let opens = |token: &Option<SeatToken>| token.as_ref().is_some_and(|token| token.is(word));
        (0..).map(Player).zip(&self.tokens).find(|(_, token)| opens(token)).map(|(seat, _)| seat)
    }

    /// The link of each person, by seat.
    pub(super) fn addresses(&self) -> Vec<(usize, String)> {
        let named = self.hosts.first().map(|host| match host.split_once("://") {
            Some(_) => host.clone(),
            None => format!("http://{host}"),
        });
        let place = named.unwrap_or_else(|| format!("http://{}", self.own_host()));
        let tokens = self.tokens.iter().enumerate();
        let link = |(seat, token): (usize, &Option<SeatToken>)| {
            Some((seat, format!("{place}/#seat={}", token.as_ref()?.0)))
        };
        tokens.filter_map(link).collect()
    }

    fn own_host(&self) -> String {
        let address =
            if self.address.is_unspecified() { outward(self.address) } else { self.address };
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
fn outward(any: IpAddr) -> IpAddr {
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
        Links::new(at, hosts, &[true, false, true], None).expect("there are random numbers")
    }

    #[test]
    fn only_its_own_names_are_known() {
        let here = sample_links("127.0.0.1:7000", &["https://table.example.org", "den.example:81"]);
        assert!(here.addresses()[0].1.starts_with("https://table.example.org/#seat="));
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
    fn a_token_opens_one_seat() {
        let here = sample_links("[::1]:7000", &[]);
        let addresses = here.addresses();
        assert_eq!(addresses.iter().map(|(seat, _)| *seat).collect::<Vec<_>>(), [0, 2]);
        for (seat, address) in &addresses {
            let token = address.strip_prefix("http://[::1]:7000/#seat=").expect("the place first");
            assert_eq!(here.find_seat(token).map(Player::index), Some(*seat));
            assert_eq!(token.len(), 32);
            assert!(
                here.find_seat(&token[1..]).is_none()
                    && here.find_seat(&format!("{token}0")).is_none()
            );
        }
        assert!(here.find_seat("").is_none());
        assert!(!format!("{here:?}").contains(&addresses[0].1[25..]), "a token is not printed");
    }
}
