//! The settings by concern. Units are part of the key's name in the file; here they are types.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use ipnet::IpNet;
use quadrex_rules::Variant;
use serde::{Deserialize, Deserializer, de};

/// Where the server listens, and what stands in front of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerConfig {
    /// Address and port; port 0 takes a free one.
    pub bind: SocketAddr,
    /// The data folder.
    pub data: PathBuf,
    /// How browsers reach the server, if not by the address it listens on.
    #[serde(deserialize_with = "public_url")]
    pub public_url: Option<PublicUrl>,
    /// Time for which a server that was told to stop still serves, while it is not ready any more.
    #[serde(rename = "leave_seconds", deserialize_with = "seconds")]
    pub leave: Duration,
    /// Proxies whose `X-Forwarded-For` is believed.
    #[serde(deserialize_with = "networks")]
    pub trusted_proxies: Vec<IpNet>,
    /// Host names under which it may be asked for without a public URL.
    pub hosts: Vec<String>,
}

/// The database.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseConfig {
    /// As `store::Location::parse` takes it. May hold a password: `Debug` does not show it.
    pub url: String,
    /// A file with the password for a Postgres server; none if empty.
    pub password_file: PathBuf,
    /// Connections to Postgres, or readers of the SQLite file; at least 1.
    pub max_connections: u32,
    /// Connections to Postgres beside these that only append to the logs of matches; at least 1.
    pub append_connections: u32,
}

impl fmt::Debug for DatabaseConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatabaseConfig")
            .field("max_connections", &self.max_connections)
            .field("append_connections", &self.append_connections)
            .finish_non_exhaustive()
    }
}

/// Tokens.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionsConfig {
    /// How long a browser's cookie lasts.
    #[serde(rename = "cookie_days", deserialize_with = "days")]
    pub cookie_lifetime: Duration,
}

/// Invites and watch links.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinksConfig {
    /// How long a link lasts.
    #[serde(rename = "lifetime_hours", deserialize_with = "hours")]
    pub lifetime: Duration,
}

/// What a client may do to us.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsConfig {
    /// Connections open at a time from one address.
    pub connections_per_address: NonZeroU32,
    /// A larger frame is refused.
    pub frame_bytes: usize,
    /// A frame of more bytes closes the connection.
    pub frame_close_bytes: usize,
    /// As many malformed or unknown frames in a row close the connection.
    pub malformed_in_a_row: u32,
    /// Frames per second of who sits.
    pub player_per_second: NonZeroU32,
    /// How many may come at once.
    pub player_burst: NonZeroU32,
    /// Frames per second of who only watches.
    pub watcher_per_second: NonZeroU32,
    /// How many may come at once.
    pub watcher_burst: NonZeroU32,
    /// Guests per minute from one address.
    pub guests_per_minute: NonZeroU32,
    /// How many may come at once.
    pub guests_burst: NonZeroU32,
    /// Tables per minute made by one user, and from one address.
    pub tables_per_minute: NonZeroU32,
    /// How many may come at once.
    pub tables_burst: NonZeroU32,
    /// Invites and watch links per minute made by one user, and from one address.
    pub links_per_minute: NonZeroU32,
    /// How many may come at once.
    pub links_burst: NonZeroU32,
    /// Invites and watch links that a table may have at a time.
    pub links_per_table: NonZeroU32,
    /// Moves of an explored line, at most.
    pub explore_plies: usize,
    /// Bytes of a request to explore one.
    pub explore_bytes: usize,
    /// Lines explored per minute for one address.
    pub explore_per_minute: NonZeroU32,
    /// How many may come at once.
    pub explore_burst: NonZeroU32,
    /// Analyses per minute for one user, and for one address.
    pub analyses_per_minute: NonZeroU32,
    /// How many may come at once.
    pub analyses_burst: NonZeroU32,
    /// Matches that only bots play under way for one user.
    pub bot_matches_per_user: NonZeroU32,
    /// The same for one address.
    pub bot_matches_per_address: NonZeroU32,
    /// Pictures drawn per minute for one address.
    pub pictures_per_minute: NonZeroU32,
    /// How many may come at once.
    pub pictures_burst: NonZeroU32,
    /// What the archive is asked per minute for one address.
    pub archive_per_minute: NonZeroU32,
    /// How much of it may come at once.
    pub archive_burst: NonZeroU32,
    /// Bytes of pictures that are kept to be sent again.
    pub picture_cache_bytes: usize,
    /// Frames that may wait for a slow reader.
    pub queue_frames: usize,
    /// Bytes of all that may wait for a slow reader.
    pub queue_bytes: usize,
    /// Up to as many missed events are sent one by one.
    pub resync_events: u64,
    /// Time between the server's pings.
    #[serde(rename = "ping_seconds", deserialize_with = "seconds")]
    pub ping: Duration,
    /// Silence after which a connection counts as dead.
    #[serde(rename = "dead_seconds", deserialize_with = "seconds")]
    pub dead: Duration,
}

/// Tables.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablesConfig {
    /// How long a table with open seats stays when nobody is there.
    #[serde(rename = "close_open_seconds", deserialize_with = "seconds")]
    pub close_open: Duration,
    /// How long a table whose match is over stays when nobody is there.
    #[serde(rename = "close_ended_seconds", deserialize_with = "seconds")]
    pub close_ended: Duration,
    /// How long a table stays whose match sleeps: only bots play, without clocks, and nobody is there.
    #[serde(rename = "close_asleep_seconds", deserialize_with = "seconds")]
    pub close_asleep: Duration,
}

/// The server's own bots.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotsConfig {
    /// Threads that look for moves; 0: as many as suits the machine.
    pub threads: usize,
    /// MiB in which each of them keeps what it has seen.
    pub table_mib: usize,
    /// How long a bot looks for a move at most.
    #[serde(rename = "think_ms", deserialize_with = "milliseconds")]
    pub think: Duration,
    /// How long it takes for a move at least.
    #[serde(rename = "pace_least_ms", deserialize_with = "milliseconds")]
    pub pace_least: Duration,
    /// How long it takes for one whose search ends early, at most.
    #[serde(rename = "pace_most_ms", deserialize_with = "milliseconds")]
    pub pace_most: Duration,
}

impl BotsConfig {
    /// The threads there are to be: if nothing is said, half as many as there are processors, so that the other half is
    /// free for tables at any time.
    #[must_use]
    pub fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get).div_ceil(2),
            threads => threads,
        }
    }
}

/// Analyses, which the bots' threads make while no bot needs them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalysisConfig {
    /// How many may wait or be under way at a time; 0: none are made.
    pub places: usize,
    /// How long a thread looks at a position at most.
    #[serde(rename = "think_ms", deserialize_with = "milliseconds")]
    pub think: Duration,
    /// How many positions it looks at for it, at most.
    pub nodes: u32,
    /// How many of the best moves it tells, at most.
    pub lines: u32,
    /// How many are kept to be told again.
    pub kept: usize,
}

/// Another engine on the server's machine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// Its program, looked for in `PATH` if it is no path.
    pub command: PathBuf,
    /// What it is started with.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Its UCI options that are set once it has started.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// What it plays.
    pub variants: Vec<Variant>,
    /// The lowest and the highest `UCI_Elo` it can be limited to; nothing if it cannot.
    #[serde(default)]
    pub elo: Option<[u16; 2]>,
}

/// The players' clocks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClocksConfig {
    /// Time after a restart of the server before running clocks go on.
    #[serde(rename = "recovery_grace_ms", deserialize_with = "milliseconds")]
    pub recovery_grace: Duration,
}

/// The log.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogConfig {
    /// What is logged: `tracing` directives.
    pub filter: String,
    /// How.
    pub format: LogFormat,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object a line, for machines.
    Json,
}

/// How browsers reach the server: an origin, that is scheme, host and port, without a path. `Display` gives it as
/// browsers write it in `Origin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    origin: String,
}

impl PublicUrl {
    /// Whether browsers come by https, and cookies must be marked `Secure`.
    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// The origin, as in a browser's `Origin` header.
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin)
    }
}

/// Why a text is no origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not http(s)://HOST or http(s)://HOST:PORT")]
pub struct InvalidPublicUrl(String);

impl FromStr for PublicUrl {
    type Err = InvalidPublicUrl;

    /// One slash at the end is let pass, the scheme's own port is dropped, and capitals become small: so the text
    /// equals what browsers send (RFC 6454, section 6.2).
    fn from_str(text: &str) -> Result<Self, InvalidPublicUrl> {
        let invalid = || InvalidPublicUrl(text.to_owned());
        let lower = text.to_ascii_lowercase();
        let (scheme, rest) = lower.split_once("://").ok_or_else(invalid)?;
        let own_port = match scheme {
            "http" => ":80",
            "https" => ":443",
            _ => return Err(invalid()),
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (authority, None),
        };
        let bracketed = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let host_fits = match bracketed {
            Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
            None => {
                let letter = |letter: u8| letter.is_ascii_alphanumeric() || b".-_".contains(&letter);
                !host.is_empty() && host.bytes().all(letter)
            }
        };
        let port_fits =
            port.is_none_or(|port| port.parse::<u16>().is_ok_and(|number| number.to_string() == port));
        if !host_fits || !port_fits {
            return Err(invalid());
        }
        let authority = authority.strip_suffix(own_port).unwrap_or(authority);
        Ok(Self { origin: format!("{scheme}://{authority}") })
    }
}

fn public_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PublicUrl>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(de::Error::custom) }
}

fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    let read = |text: &String| {
        let address = text.parse::<IpAddr>().map(|address| IpNet::from(address.to_canonical()));
        address.or_else(|_| text.parse::<IpNet>()).map_err(|_| {
            de::Error::custom(format_args!("{text:?} is no address and no network (10.0.0.0/8)"))
        })
    };
    Vec::<String>::deserialize(deserializer)?.iter().map(read).collect()
}

fn milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u32::deserialize(deserializer).map(|count| Duration::from_millis(count.into()))
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u32::deserialize(deserializer).map(|count| Duration::from_secs(count.into()))
}

fn hours<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u16::deserialize(deserializer).map(|count| Duration::from_secs(3_600 * u64::from(count)))
}

fn days<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u16::deserialize(deserializer).map(|count| Duration::from_secs(86_400 * u64::from(count)))
}
