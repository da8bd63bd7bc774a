//! The sections of the settings. Units are part of the keys in the file; here they are types.

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

/// The address of the server, and the proxies in front of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerConfig {
    /// The address and port; port 0 uses a free one.
    pub bind: SocketAddr,
    /// The data folder.
    pub data: PathBuf,
    /// The URL by which browsers reach the server, if it is not the address that it listens on.
    #[serde(deserialize_with = "public_url")]
    pub public_url: Option<PublicUrl>,
    /// The time for which a stopping server still serves, while it is not ready any more.
    #[serde(rename = "leave_seconds", deserialize_with = "seconds")]
    pub leave: Duration,
    /// The proxies whose `X-Forwarded-For` is trusted.
    #[serde(deserialize_with = "networks")]
    pub trusted_proxies: Vec<IpNet>,
    /// The host names by which it may be asked for without a public URL.
    pub hosts: Vec<String>,
}

/// The database.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseConfig {
    /// The location, for `Location::parse`. It may have a password, which `Debug` does not show.
    pub url: String,
    /// A file with the password of a Postgres server; none if empty.
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
    /// The lifetime of a browser's cookie.
    #[serde(rename = "cookie_days", deserialize_with = "days")]
    pub cookie_lifetime: Duration,
}

/// Invites and watch links.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinksConfig {
    /// The lifetime of a link.
    #[serde(rename = "lifetime_hours", deserialize_with = "hours")]
    pub lifetime: Duration,
}

/// Limits on what clients may do.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsConfig {
    /// Connections open at a time from one address.
    pub connections_per_address: NonZeroU32,
    /// The size above which a frame is refused, in bytes.
    pub frame_bytes: usize,
    /// The size above which a frame closes the connection, in bytes.
    pub frame_close_bytes: usize,
    /// The number of malformed or unknown frames in a row that closes the connection.
    pub malformed_in_a_row: u32,
    /// Frames per second from a player.
    pub player_per_second: NonZeroU32,
    /// The burst of these.
    pub player_burst: NonZeroU32,
    /// Frames per second from a spectator.
    pub watcher_per_second: NonZeroU32,
    /// The burst of these.
    pub watcher_burst: NonZeroU32,
    /// Guests per minute from one address.
    pub guests_per_minute: NonZeroU32,
    /// The burst of these.
    pub guests_burst: NonZeroU32,
    /// Tables per minute by one user, and from one address.
    pub tables_per_minute: NonZeroU32,
    /// The burst of these.
    pub tables_burst: NonZeroU32,
    /// Invites and watch links per minute by one user, and from one address.
    pub links_per_minute: NonZeroU32,
    /// The burst of these.
    pub links_burst: NonZeroU32,
    /// The largest number of invites and watch links of a table.
    pub links_per_table: NonZeroU32,
    /// The largest number of moves in an explored line.
    pub explore_plies: usize,
    /// The largest size of a request to explore one, in bytes.
    pub explore_bytes: usize,
    /// Lines explored per minute for one address.
    pub explore_per_minute: NonZeroU32,
    /// The burst of these.
    pub explore_burst: NonZeroU32,
    /// Analyses per minute for one user, and for one address.
    pub analyses_per_minute: NonZeroU32,
    /// The burst of these.
    pub analyses_burst: NonZeroU32,
    /// Running matches of bots alone, for one user.
    pub bot_matches_per_user: NonZeroU32,
    /// Running matches of bots alone, for one address.
    pub bot_matches_per_address: NonZeroU32,
    /// Pictures drawn per minute for one address.
    pub pictures_per_minute: NonZeroU32,
    /// The burst of these.
    pub pictures_burst: NonZeroU32,
    /// Lookups in the archive per minute for one address.
    pub archive_per_minute: NonZeroU32,
    /// The burst of these.
    pub archive_burst: NonZeroU32,
    /// The size of the cache of pictures, in bytes.
    pub picture_cache_bytes: usize,
    /// The largest number of frames that wait for a slow client.
    pub queue_frames: usize,
    /// The largest size of all that wait, in bytes.
    pub queue_bytes: usize,
    /// The largest number of missed events that are sent one by one.
    pub resync_events: u64,
    /// The time between two pings.
    #[serde(rename = "ping_seconds", deserialize_with = "seconds")]
    pub ping: Duration,
    /// The silence after which a connection is closed.
    #[serde(rename = "dead_seconds", deserialize_with = "seconds")]
    pub dead: Duration,
}

/// Tables.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablesConfig {
    /// The time after which a table with open seats closes when nobody is there.
    #[serde(rename = "close_open_seconds", deserialize_with = "seconds")]
    pub close_open: Duration,
    /// The time after which a table with an ended match closes when nobody is there.
    #[serde(rename = "close_ended_seconds", deserialize_with = "seconds")]
    pub close_ended: Duration,
    /// The time after which a table with a dormant match (bots only, without clocks) closes when
    /// nobody is there.
    #[serde(rename = "close_asleep_seconds", deserialize_with = "seconds")]
    pub close_asleep: Duration,
}

/// The server's own bots.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotsConfig {
    /// The number of search threads; 0: a number that suits the machine.
    pub threads: usize,
    /// The size of the transposition table of each, in MiB.
    pub table_mib: usize,
    /// The longest search for a move.
    #[serde(rename = "think_ms", deserialize_with = "milliseconds")]
    pub think: Duration,
    /// The least time before a move.
    #[serde(rename = "pace_least_ms", deserialize_with = "milliseconds")]
    pub pace_least: Duration,
    /// The longest time before a move whose search ends early.
    #[serde(rename = "pace_most_ms", deserialize_with = "milliseconds")]
    pub pace_most: Duration,
}

impl BotsConfig {
    /// Returns the number of threads: by default half as many as processors, so that the other half
    /// is always free for tables.
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
    /// The largest number of analyses that wait or run; 0: none are made.
    pub places: usize,
    /// The longest search of a position.
    #[serde(rename = "think_ms", deserialize_with = "milliseconds")]
    pub think: Duration,
    /// The largest number of positions searched for one.
    pub nodes: u32,
    /// The largest number of best moves.
    pub lines: u32,
    /// The number of analyses in the cache.
    pub kept: usize,
}

/// Another engine on the server's machine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// Its program, found in `PATH` if it is not a path.
    pub command: PathBuf,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The UCI options that are set after its start.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// The variants that it plays.
    pub variants: Vec<Variant>,
    /// The lowest and the highest `UCI_Elo` that it can be limited to; `None` if it cannot be
    /// limited.
    #[serde(default)]
    pub elo: Option<[u16; 2]>,
}

/// The players' clocks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClocksConfig {
    /// The time after a restart of the server before running clocks continue.
    #[serde(rename = "recovery_grace_ms", deserialize_with = "milliseconds")]
    pub recovery_grace: Duration,
}

/// The log.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogConfig {
    /// The filter: `tracing` directives.
    pub filter: String,
    /// The format.
    pub format: LogFormat,
}

/// The format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object per line, for machines.
    Json,
}

/// The URL by which browsers reach the server: an origin, that is scheme, host and port, without a
/// path. `Display` formats it as browsers do in `Origin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    origin: String,
}

impl PublicUrl {
    /// Returns whether browsers use https, so that cookies must be marked `Secure`.
    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// Returns the origin, as in the `Origin` header of a browser.
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin)
    }
}

/// The error of a text that is not an origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not http(s)://HOST or http(s)://HOST:PORT")]
pub struct InvalidPublicUrl(String);

impl FromStr for PublicUrl {
    type Err = InvalidPublicUrl;

    /// Accepts one slash at the end, drops the default port of the scheme, and converts to lower
    /// case, so that the text equals what browsers send (RFC 6454, section 6.2).
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
