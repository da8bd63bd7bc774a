//! The sections of the settings. In the file, the key of a number names its unit. In these structs,
//! the type shows the unit.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use quadrex_rules::Variant;
use serde::Deserialize;

use super::public_url::PublicUrl;
use super::values::{
    days, hours, list_of_minutes, milliseconds, networks, optional_address, public_url, seconds,
};

/// The settings of the server's address, and of the proxies in front of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerConfig {
    /// The address and port to listen on. With port 0 the operating system chooses a free port.
    pub bind: SocketAddr,
    /// The folder for the server's data.
    pub data: PathBuf,
    /// The URL by which browsers reach the server, if it differs from the address to listen on.
    #[serde(deserialize_with = "public_url")]
    pub public_url: Option<PublicUrl>,
    /// The time for which a server that is about to stop still accepts connections, although it no
    /// longer counts as ready.
    #[serde(rename = "leave_seconds", deserialize_with = "seconds")]
    pub leave: Duration,
    /// The proxies whose `X-Forwarded-For` header is trusted.
    #[serde(deserialize_with = "networks")]
    pub trusted_proxies: Vec<IpNet>,
    /// The host names that requests may name in their `Host` header if there is no public URL.
    pub hosts: Vec<String>,
}

/// The settings of TLS, for a server without a reverse proxy.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TlsConfig {
    /// The file with the certificate and its chain. An empty path means that there is none.
    pub certificate: PathBuf,
    /// The file with the private key of the certificate.
    pub key: PathBuf,
    /// The address and port on which plain HTTP is redirected to HTTPS; `None` if it is not.
    #[serde(deserialize_with = "optional_address")]
    pub redirect: Option<SocketAddr>,
}

impl TlsConfig {
    /// Returns whether the certificate is in a file.
    #[must_use]
    pub fn has_file(&self) -> bool {
        !self.certificate.as_os_str().is_empty()
    }
}

/// The settings of a certificate that the server requests itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcmeConfig {
    /// True if the server requests and renews its certificate.
    pub enabled: bool,
    /// The URL of the authority's directory.
    pub directory: String,
    /// The e-mail address at which the authority can reach the operator. May be empty.
    pub contact: String,
    /// The folder for the account and the certificate. An empty path stands for the folder `acme` in
    /// the data folder.
    pub folder: PathBuf,
    /// The file with the root certificate of the directory's own server. An empty path stands for the
    /// authorities that the system trusts.
    pub ca_file: PathBuf,
}

/// The settings of the metrics for Prometheus.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricsConfig {
    /// The address and port on which the metrics are served; `None` if they are not.
    #[serde(deserialize_with = "optional_address")]
    pub address: Option<SocketAddr>,
}

/// The settings of the database.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseConfig {
    /// The location, as text for `Location::parse`. It may contain a password, which `Debug` does
    /// not show.
    pub url: String,
    /// The file with the password of a PostgreSQL server. An empty path means that there is none.
    pub password_file: PathBuf,
    /// The number of connections to PostgreSQL, or of readers of the SQLite file. It is at least 1.
    pub max_connections: u32,
    /// The number of additional connections to PostgreSQL that only append to logs. It is at least
    /// 1.
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

/// The settings of the cluster to which the server belongs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterConfig {
    /// The URLs of the NATS servers. If there are none, the server belongs to no cluster.
    pub nats: Vec<String>,
    /// The name of the cluster. Clusters with different names can use the same NATS server.
    pub name: String,
    /// The user name at the NATS server. Empty if it needs none.
    pub user: String,
    /// The file with the password of the user, or with a token if there is no user name. An empty path
    /// means that there is none.
    pub password_file: PathBuf,
    /// The file with the certificates of the authorities that may have issued the certificate of the
    /// NATS server. An empty path stands for those that the system trusts.
    pub ca_file: PathBuf,
    /// The file with the certificate of this server for the NATS server. An empty path means that
    /// there is none.
    pub certificate_file: PathBuf,
    /// The file with the private key of the certificate.
    pub key_file: PathBuf,
    /// True if the connection to a NATS server on another machine may be unencrypted.
    pub insecure: bool,
    /// The time over which the clients of a node that is about to stop connect to other nodes.
    #[serde(rename = "move_seconds", deserialize_with = "seconds")]
    pub move_spread: Duration,
}

impl ClusterConfig {
    /// Returns whether the server belongs to a cluster.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        !self.nats.is_empty()
    }
}

/// The settings of sessions.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionsConfig {
    /// The lifetime of a browser's cookie.
    #[serde(rename = "cookie_days", deserialize_with = "days")]
    pub cookie_lifetime: Duration,
}

/// The settings of accounts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountsConfig {
    /// The memory that Argon2id uses to hash a password, in KiB.
    pub memory_kib: u32,
    /// The number of passes of Argon2id over the memory.
    pub iterations: u32,
    /// The number of passwords that are hashed at the same time.
    pub threads: usize,
    /// The largest number of requests that wait until their password is hashed.
    pub waiting: usize,
    /// The time between two changes of an account's name.
    #[serde(rename = "rename_days", deserialize_with = "days")]
    pub rename_interval: Duration,
}

/// The settings of operators.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperatorsConfig {
    /// The names of the accounts that are operators.
    pub accounts: Vec<String>,
}

/// The settings of fair play in rated matches.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FairPlayConfig {
    /// The waits of a user who has left rated matches: after the first one, the second one, and so
    /// on. The last one counts for all further matches. Without any, nobody waits.
    #[serde(rename = "leaver_wait_minutes", deserialize_with = "list_of_minutes")]
    pub leaver_waits: Vec<Duration>,
    /// True if a rated quick join seats users of one network at the same table.
    pub pair_same_network: bool,
    /// True if a rated quick join seats users who follow each other at the same table.
    pub pair_friends: bool,
    /// The number of a user's last rated matches whose players a rated quick join does not seat with
    /// the user again.
    pub recent_matches: u16,
    /// The time after which a match is no longer recent.
    #[serde(rename = "recent_hours", deserialize_with = "hours")]
    pub recent: Duration,
    /// The time after which an open table accepts the players of recent matches.
    #[serde(rename = "recent_relax_seconds", deserialize_with = "seconds")]
    pub recent_relax: Duration,
    /// The number of common matches from which a pair of users who spare each other is listed for
    /// operators.
    pub pair_min_matches: u16,
}

/// The settings of correspondence matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorrespondenceConfig {
    /// The vacation days of each user in a year; 0 for none.
    pub vacation_days_per_year: u32,
}

/// The settings of invites and watch links.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinksConfig {
    /// The time after which a link expires.
    #[serde(rename = "lifetime_hours", deserialize_with = "hours")]
    pub lifetime: Duration,
}

/// The limits on what clients may do.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsConfig {
    /// The largest number of open connections from one address.
    pub connections_per_address: NonZeroU32,
    /// The size above which a frame is refused, in bytes.
    pub frame_bytes: usize,
    /// The size above which a frame closes the connection, in bytes.
    pub frame_close_bytes: usize,
    /// The number of malformed or unknown frames in a row after which the connection is closed.
    pub malformed_in_a_row: u32,
    /// The number of frames per second that a player may send.
    pub player_per_second: NonZeroU32,
    /// The number of frames that a player may send at once.
    pub player_burst: NonZeroU32,
    /// The number of frames per second that a spectator may send.
    pub watcher_per_second: NonZeroU32,
    /// The number of frames that a spectator may send at once.
    pub watcher_burst: NonZeroU32,
    /// The number of guests per minute that may be created from one address.
    pub guests_per_minute: NonZeroU32,
    /// The number of guests that may be created at once.
    pub guests_burst: NonZeroU32,
    /// The number of attempts per minute to sign in from one address.
    pub sign_ins_per_minute: NonZeroU32,
    /// The number of attempts to sign in at once from one address.
    pub sign_ins_burst: NonZeroU32,
    /// The number of attempts per minute to sign in to one account, which may come at once.
    pub sign_ins_per_account: NonZeroU32,
    /// The number of tables per minute that one user may create. The users at one address may
    /// together create the same number.
    pub tables_per_minute: NonZeroU32,
    /// The number of tables that may be created at once.
    pub tables_burst: NonZeroU32,
    /// The number of invites and watch links per minute that one user may create. The users at one
    /// address may together create the same number.
    pub links_per_minute: NonZeroU32,
    /// The number of invites and watch links that may be created at once.
    pub links_burst: NonZeroU32,
    /// The number of reports per hour that one user may send, which may come at once. The users at one
    /// address may together send the same number.
    pub reports_per_hour: NonZeroU32,
    /// The number of mails with links per day that a user may request, and that may be requested to an
    /// address or for an account. They may come at once.
    pub mails_per_day: NonZeroU32,
    /// The largest number of invites and watch links of a table.
    pub links_per_table: NonZeroU32,
    /// The largest number of moves in an explored line.
    pub explore_plies: usize,
    /// The largest size of a request to explore a line, in bytes.
    pub explore_bytes: usize,
    /// The number of lines per minute that are explored for one address.
    pub explore_per_minute: NonZeroU32,
    /// The number of lines that are explored at once.
    pub explore_burst: NonZeroU32,
    /// The number of analyses per minute that are made for one user. The users at one address
    /// together get the same number.
    pub analyses_per_minute: NonZeroU32,
    /// The number of analyses that are made at once.
    pub analyses_burst: NonZeroU32,
    /// The largest number of running matches in which only bots play, for one user.
    pub bot_matches_per_user: NonZeroU32,
    /// The largest number of running matches in which only bots play, for one address.
    pub bot_matches_per_address: NonZeroU32,
    /// The number of pictures per minute that are drawn for one address.
    pub pictures_per_minute: NonZeroU32,
    /// The number of pictures that are drawn at once.
    pub pictures_burst: NonZeroU32,
    /// The number of lookups in the archive per minute for one address.
    pub archive_per_minute: NonZeroU32,
    /// The number of lookups in the archive at once.
    pub archive_burst: NonZeroU32,
    /// The size of the cache of pictures, in bytes.
    pub picture_cache_bytes: usize,
    /// The largest number of published frames that wait for a slow client.
    pub queue_frames: usize,
    /// The largest total size of the published frames that wait for a slow client, in bytes.
    pub queue_bytes: usize,
    /// The largest number of missed events that a client receives one by one. A client that missed
    /// more events receives a snapshot instead.
    pub resync_events: u64,
    /// The time between two pings.
    #[serde(rename = "ping_seconds", deserialize_with = "seconds")]
    pub ping: Duration,
    /// The time after which a connection is closed if the client sends nothing.
    #[serde(rename = "dead_seconds", deserialize_with = "seconds")]
    pub dead: Duration,
}

/// The settings of tables.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablesConfig {
    /// The time after which a table with open seats is closed if nobody is present.
    #[serde(rename = "close_open_seconds", deserialize_with = "seconds")]
    pub close_open: Duration,
    /// The time after which a table whose match is over is closed if nobody is present.
    #[serde(rename = "close_ended_seconds", deserialize_with = "seconds")]
    pub close_ended: Duration,
    /// The time after which a table is closed if nobody is present and its match does not go on
    /// without spectators, because only bots play and there are no clocks.
    #[serde(rename = "close_asleep_seconds", deserialize_with = "seconds")]
    pub close_asleep: Duration,
    /// The time after which an unfinished match that nobody watches, and in which nothing happens,
    /// leaves the memory.
    #[serde(rename = "hibernate_seconds", deserialize_with = "seconds")]
    pub hibernate: Duration,
}

/// The settings of the removal of old data. A time of zero means that the data stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetentionConfig {
    /// The time after the last use of a session after which a guest is removed.
    #[serde(rename = "guests_days", deserialize_with = "days")]
    pub guests: Duration,
    /// The time after which a table whose match has never started is closed.
    #[serde(rename = "open_tables_days", deserialize_with = "days")]
    pub open_tables: Duration,
    /// The time after which a closed report is removed.
    #[serde(rename = "closed_reports_days", deserialize_with = "days")]
    pub closed_reports: Duration,
}

/// The settings of notifications.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotificationsConfig {
    /// True if browsers may receive push messages.
    pub push: bool,
    /// The URL by which push services reach the operator (`mailto:` or `https:`). If it is empty, it
    /// is the public URL.
    pub contact: String,
    /// True if users may have webhooks.
    pub webhooks: bool,
    /// The time between the beginning of a turn, or of a match, and its notification.
    #[serde(rename = "delay_seconds", deserialize_with = "seconds")]
    pub delay: Duration,
}

impl NotificationsConfig {
    /// Returns the URL by which push services reach the operator.
    #[must_use]
    pub fn contact(&self, public_url: Option<&PublicUrl>) -> String {
        let public_url = public_url.filter(|url| url.is_https());
        match (self.contact.as_str(), public_url) {
            ("", Some(public_url)) => public_url.origin().to_owned(),
            ("", None) => "https://quadrex.invalid".to_owned(),
            (contact, _) => contact.to_owned(),
        }
    }
}

/// The settings of mail.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailConfig {
    /// The URL of the SMTP server. It may contain a password, which `Debug` does not show. Without a
    /// URL, the server sends no mails.
    pub url: String,
    /// The file with the password of the user in the URL. An empty path means that there is none.
    pub password_file: PathBuf,
    /// The address of the sender, with or without a name.
    pub from: String,
    /// The time between the beginning of a turn and its mail.
    #[serde(rename = "delay_seconds", deserialize_with = "seconds")]
    pub delay: Duration,
}

impl fmt::Debug for MailConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailConfig").field("from", &self.from).finish_non_exhaustive()
    }
}

impl MailConfig {
    /// Returns whether the server sends mails.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        !self.url.is_empty()
    }
}

/// The settings of requests to other servers, such as push services.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutgoingConfig {
    /// The networks without public addresses that the server may send requests to.
    #[serde(deserialize_with = "networks")]
    pub networks: Vec<IpNet>,
}

/// The settings of the bots that the server runs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotsConfig {
    /// The number of search threads. 0 means a number that suits the machine.
    pub threads: usize,
    /// The size of each thread's transposition table, in MiB.
    pub table_mib: usize,
    /// The longest time of a search for a move.
    #[serde(rename = "think_ms", deserialize_with = "milliseconds")]
    pub think: Duration,
    /// The shortest time before a move.
    #[serde(rename = "min_delay_ms", deserialize_with = "milliseconds")]
    pub min_delay: Duration,
    /// The longest time before a move. If the search takes longer than this, the bot moves when it
    /// ends.
    #[serde(rename = "max_delay_ms", deserialize_with = "milliseconds")]
    pub max_delay: Duration,
}

impl BotsConfig {
    /// Returns the number of search threads. By default this is half the number of processors, so
    /// that the other half is always free for the tables.
    #[must_use]
    pub fn threads(&self) -> usize {
        match self.threads {
            0 => quadrex_runtime::processors().div_ceil(2),
            threads => threads,
        }
    }
}

/// The settings of analyses. The bots' threads make analyses while no bot needs the threads.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalysisConfig {
    /// The largest number of analyses that wait or run. 0 means that no analyses are made.
    pub places: usize,
    /// The longest time of an analysis.
    #[serde(rename = "think_ms", deserialize_with = "milliseconds")]
    pub think: Duration,
    /// The largest number of positions that an analysis searches.
    pub nodes: u32,
    /// The largest number of best moves that an analysis finds.
    pub lines: u32,
    /// The number of analyses in the cache.
    pub kept: usize,
}

/// The settings of reviews of past matches. The bots' threads make reviews while neither bots nor
/// analyses need the threads.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewsConfig {
    /// The largest number of matches that wait for a review. 0 means that no reviews are made.
    pub waiting: u32,
    /// The number of nodes that are searched for each position of a match.
    pub nodes: u32,
    /// The largest number of moves that a reviewed match may have.
    pub plies: u32,
    /// True if matches of people are reviewed without a request.
    pub automatic: bool,
    /// The smallest number of moves of a match that is reviewed without a request.
    pub automatic_plies: u32,
}

/// The settings of a UCI engine on the server's machine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// The program of the engine. A name without a path is looked up in `PATH`.
    pub command: PathBuf,
    /// The arguments of the program.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The UCI options that are set after the start.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// The variants that the engine plays.
    pub variants: Vec<Variant>,
    /// The lowest and the highest strength (`UCI_Elo`) to which the engine can be limited. `None`
    /// if it cannot be limited.
    #[serde(default)]
    pub elo: Option<[u16; 2]>,
}

/// The settings of a provider with whose accounts users sign in.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderConfig {
    /// The protocol that the provider speaks.
    pub kind: ProviderKind,
    /// The name that users read.
    pub title: String,
    /// The URL of the site, or the issuer of `OpenID` Connect.
    pub url: String,
    /// The id of this server at the provider.
    pub client_id: String,
    /// The file with the secret of this server at the provider. An empty path means that there is none.
    #[serde(default)]
    pub client_secret_file: PathBuf,
}

/// The protocol of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    /// The API of Lichess.
    Lichess,
    /// `OpenID` Connect.
    OpenidConnect,
}

/// The settings of the players' clocks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClocksConfig {
    /// The time between a restart of the server, or the end of a stall, and the moment at which the
    /// players' clocks run again.
    #[serde(rename = "recovery_grace_ms", deserialize_with = "milliseconds")]
    pub recovery_grace: Duration,
}

/// The settings of the log.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogConfig {
    /// The filter of log entries, as directives of the crate `tracing`.
    pub filter: String,
    /// The format of log entries.
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
