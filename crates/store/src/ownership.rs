//! The ownership of matches by the servers (nodes) of a cluster, which share one Postgres database.
//!
//! A node has a row in the table `nodes`, which it renews, and it owns matches by `matches.owner`.
//! Each [`Statement`] is one transaction. Together the statements guarantee:
//!
//! - A match is never claimed from a living node. A node is dead if its row is missing or marked as
//!   dead, and a dead node never comes back: its server gets a new id.
//! - Each claim increases the epoch of the match, so an earlier owner cannot append any more.
//! - A node is only marked as dead if it has not renewed its row for [`DEAD_AFTER`] and its session
//!   in the database has ended too, or if its lease of [`NODE_LEASE`] is over. A node must therefore
//!   stop to act, by its own monotonic clock, less than [`DEAD_AFTER`] after it has sent its last
//!   successful renewal. The lock of the session makes the death of a process known sooner, but
//!   nothing that must be true depends on it.
//!
//! All times are those of the database, so the clocks of the nodes may differ.
//!
//! The statements are values, so that a node's logic needs no database: the crate `cluster` has
//! this logic and a model with the effects of the statements. Tests compare the model with
//! Postgres, and with the database of simulations.

use std::fmt;
use std::io;
use std::str::FromStr;
use std::time::Duration;

use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Timestamp;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use uuid::Uuid;

use super::database::{Database, Sql, execute, fetch_optional};
use super::error::unreadable;
use super::log::Epoch;
use super::postgres::PostgresNodeSession;
#[cfg(feature = "simulation")]
use super::simulated::SimulatedNodeSession;
use super::{ConnectError, Location, Store, StoreError};

/// The time without a renewal after which a node counts as dead, if its session has ended too.
pub const DEAD_AFTER: Duration = Duration::from_secs(2);

/// The time without a renewal after which a node counts as dead in any case.
pub const NODE_LEASE: Duration = Duration::from_secs(5);

/// The time for which a released match is left to the successor that the releasing node has chosen.
pub const SUCCESSOR_WAIT: Duration = Duration::from_secs(1);

/// The time for which the row of a dead node is kept at least.
pub const DEAD_ROW_LIFETIME: Duration = Duration::from_secs(60);

/// The id of a node, that is, of one run of a server. A server gets a new id at each start, and
/// when it finds that its node is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub Uuid);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.simple().fmt(f)
    }
}

impl FromStr for NodeId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Uuid::try_parse(text).map(Self)
    }
}

impl NodeId {
    /// Returns the key of the advisory lock that the node's session holds: the last 64 bits of the
    /// id, which are random.
    pub(super) fn lock_key(self) -> i64 {
        self.0.as_u64_pair().1.cast_signed()
    }
}

/// The state of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeState {
    /// The node claims matches.
    Serving,
    /// The node releases its matches and will stop.
    Draining,
    /// The node may not act any more, and its matches may be claimed.
    Dead,
}

impl NodeState {
    pub(super) const fn column(self) -> &'static str {
        match self {
            Self::Serving => "serving",
            Self::Draining => "draining",
            Self::Dead => "dead",
        }
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        [Self::Serving, Self::Draining, Self::Dead].into_iter().find(|known| known.column() == text)
    }
}

/// A row of `nodes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRow {
    /// The node.
    pub id: NodeId,
    /// The name for people: the host and the process.
    pub name: String,
    /// The state.
    pub state: NodeState,
    /// True if the node reaches the other nodes by messages.
    pub is_connected: bool,
    /// The names of the node's engines.
    pub engines: Vec<String>,
    /// The time of the last renewal.
    pub renewed_at: Timestamp,
}

/// A transaction about nodes and their matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Adds the row of a node. Opens a session for the node that holds the node's lock.
    Register {
        /// The node.
        node: NodeId,
        /// The name for people.
        name: String,
        /// The names of the node's engines.
        engines: Vec<String>,
    },
    /// Renews the lease of a node, in the session that holds the node's lock. A lease that is over
    /// is renewed too, unless the node was marked as dead.
    Renew {
        /// The node.
        node: NodeId,
        /// The time of the database until which the node could act: the time at which the statement
        /// is sent if the node holds its lease, otherwise the time of the last renewal. A statement
        /// that is executed late, after an outage of the database, thus does not hide the outage.
        /// `None` stands for the present time.
        alive_at: Option<Timestamp>,
        /// True if the node reaches the other nodes by messages.
        is_connected: bool,
        /// True if the node is draining.
        is_draining: bool,
    },
    /// Returns all nodes. Before that, marks nodes as dead.
    Survey {
        /// The node that asks.
        node: NodeId,
        /// True if nodes may be marked as dead. A node must not do so right after an outage of the
        /// database, because then the other nodes are about to renew their leases.
        may_mark_dead: bool,
    },
    /// Returns unfinished matches without a living owner: running matches first, hibernating ones
    /// last.
    Unowned {
        /// True if matches whose owner's row is missing are included. This reads all unfinished
        /// matches, so it should be rare.
        is_complete: bool,
        /// The maximum number of matches.
        limit: u32,
    },
    /// Makes a node the owner of those of the matches that have no living owner or that it owns
    /// already. A hibernating match of another owner continues to hibernate, and the time without an
    /// owner is recorded. A second claim by its new owner wakes it.
    Claim {
        /// The node. It must hold its lease to become the owner of a match.
        node: NodeId,
        /// The matches.
        matches: Vec<MatchId>,
    },
    /// Returns the unfinished matches that a node owns and that do not hibernate.
    Owned {
        /// The node.
        node: NodeId,
    },
    /// Releases those of the matches that a node owns with these epochs. A release that is executed
    /// late therefore does not undo a later claim.
    Release {
        /// The node.
        node: NodeId,
        /// The matches with the epochs of the node's claims.
        matches: Vec<(MatchId, Epoch)>,
        /// The time since which players have not been served, if it is before the release. They are
        /// not charged from then on.
        since: Option<Timestamp>,
    },
    /// Releases hibernating matches of a node.
    ReleaseHibernating {
        /// The node.
        node: NodeId,
        /// The maximum number of matches.
        limit: u32,
    },
    /// Removes the row of a node, releases all its matches, and closes its session.
    Leave {
        /// The node.
        node: NodeId,
    },
}

/// A match without a living owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnownedMatch {
    /// The match.
    pub match_id: MatchId,
    /// Its table.
    pub table: TableId,
    /// True if the match is running, so that clocks may run.
    pub is_running: bool,
}

/// A match that was claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimedMatch {
    /// The match.
    pub match_id: MatchId,
    /// The epoch of the claim.
    pub epoch: Epoch,
    /// The time from which no node ran the match until the present owner claimed it first: the
    /// release, or the last time at which the owner that died could act. `None` if it is not known,
    /// or if the owner has appended an event since.
    pub unowned_since: Option<Timestamp>,
}

/// A match that was claimed and continues to hibernate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimedHibernation {
    /// The match.
    pub match_id: MatchId,
    /// Its table.
    pub table: TableId,
    /// The number of people who are seated at the table, if the lobby lists it.
    pub listed_players: Option<u32>,
}

/// The newest match of a table, with its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableOwner {
    /// The match.
    pub match_id: MatchId,
    /// The living node that owns the match, if there is one.
    pub owner: Option<NodeId>,
    /// True if the match hibernates.
    pub is_hibernating: bool,
}

/// The result of a [`Statement`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The node was registered or its lease was renewed, at this time of the database.
    Renewed {
        /// The time of the database.
        at: Timestamp,
    },
    /// The node was not registered, because a server without a cluster uses the database.
    Refused,
    /// The node was marked as dead, or its row is missing. Its matches may have other owners.
    Dead,
    /// All nodes, sorted by their ids.
    Nodes(Vec<NodeRow>),
    /// The matches without a living owner.
    Unowned(Vec<UnownedMatch>),
    /// The claim was executed. A match that is in none of the lists has another, living owner, or the
    /// node has no lease or is dead.
    Claimed {
        /// The claimed matches, sorted by their ids.
        claimed: Vec<ClaimedMatch>,
        /// The claimed matches that continue to hibernate.
        hibernating: Vec<ClaimedHibernation>,
        /// Matches that somebody writes at the moment, or that do not exist.
        busy: Vec<MatchId>,
    },
    /// The matches that the node owns, sorted by their ids.
    Owned(Vec<MatchId>),
    /// The released matches, sorted by their ids.
    Released(Vec<MatchId>),
    /// The node has left.
    Left,
}

/// A node's access to the table `nodes` and to the owners of matches: a session that holds the
/// node's lock, and the connections of a store.
#[derive(Debug)]
pub struct NodeSession {
    access: Access,
}

#[derive(Debug)]
enum Access {
    Postgres(Box<PostgresNodeSession>),
    #[cfg(feature = "simulation")]
    Simulated(SimulatedNodeSession),
}

impl NodeSession {
    /// Returns the access for a node. Opens no session yet.
    ///
    /// # Errors
    /// Returns [`ConnectError::NoCluster`] if the database is a SQLite file.
    pub fn new(location: &Location, store: &Store) -> Result<Self, ConnectError> {
        match (location, &store.database) {
            (Location::Postgres(options), Database::Postgres(database)) => {
                let session = PostgresNodeSession::new(options.as_ref(), database.pool.clone());
                Ok(Self { access: Access::Postgres(Box::new(session)) })
            }
            #[cfg(feature = "simulation")]
            (Location::Simulated(database), _) => {
                Ok(Self { access: Access::Simulated(SimulatedNodeSession::new(database)) })
            }
            _ => Err(ConnectError::NoCluster { location: location.clone() }),
        }
    }

    /// Executes a statement as one transaction. [`Statement::Register`], [`Statement::Renew`],
    /// [`Statement::Survey`] and [`Statement::Leave`] use the node's session one after the other.
    /// The other statements use other connections, so they do not delay a renewal.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. The effect of the statement is then unknown.
    pub async fn execute(&self, statement: &Statement) -> Result<Outcome, StoreError> {
        match &self.access {
            Access::Postgres(session) => session.execute(statement).await,
            #[cfg(feature = "simulation")]
            Access::Simulated(session) => session.execute(statement).await,
        }
    }

    /// Closes the session without a word to the database, as a broken connection does. A statement of
    /// the session that waits for its answer fails. The next renewal opens another session.
    pub fn reset(&self) {
        match &self.access {
            Access::Postgres(session) => session.reset(),
            #[cfg(feature = "simulation")]
            Access::Simulated(session) => session.reset(),
        }
    }
}

/// The waits for answers to statements of a session. They can be given up, because a connection that
/// was interrupted may be silent for many minutes before the operating system notices it.
#[derive(Debug, Default)]
pub(crate) struct Waits(Notify);

impl Waits {
    /// Gives up all present waits.
    pub(crate) fn give_up(&self) {
        if !quadrex_runtime::has_planted!(StatementNotGivenUp) {
            self.0.notify_waiters();
        }
    }

    /// Waits for an answer. Fails if the wait is given up; the statement may have been executed then.
    pub(crate) async fn answer<T>(
        &self,
        answer: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, sqlx::Error> {
        tokio::select! {
            biased;
            answer = answer => answer,
            () = self.0.notified() => {
                Err(sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "the answer was given up")))
            }
        }
    }
}

impl Store {
    /// Returns this store for the server with this id, which becomes the owner of the matches that
    /// the store creates and claims.
    #[must_use]
    pub fn owned_by(self, node: NodeId) -> Self {
        Self { owner: Some(node), ..self }
    }

    /// Returns the newest match of a table, with its owner. Returns `None` if there is no such table.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn table_owner(&self, table: TableId) -> Result<Option<TableOwner>, StoreError> {
        let sql = Sql::both(
            "select matches.id, nodes.id,
                    coalesce(status <> 'ended' and hibernated_epoch = epoch, 1 = 0) as is_hibernating
             from matches
             left join nodes on nodes.id = matches.owner and nodes.state <> 'dead'
             where table_id = $1 order by number desc limit 1",
        );
        let row = fetch_optional!(self, (Uuid, Option<Uuid>, bool), sql, table.0);
        let row = row.map_err(StoreError::database("look up the owner of a table"))?;
        let read = |(id, owner, is_hibernating): (Uuid, Option<Uuid>, bool)| TableOwner {
            match_id: MatchId(id),
            owner: owner.map(NodeId),
            is_hibernating,
        };
        Ok(row.map(read))
    }

    /// Returns the secret with which the nodes of a cluster authenticate their messages. If there
    /// is none yet, `fresh` becomes the secret.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn cluster_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], StoreError> {
        let failed = || StoreError::database("read the key of the cluster");
        let insert =
            Sql::both("insert into cluster_key (id, key) values (1, $1) on conflict (id) do nothing");
        execute!(self, insert, fresh.as_slice()).map_err(failed())?;
        let row = fetch_optional!(self, (Vec<u8>,), Sql::both("select key from cluster_key"));
        let key = row.map_err(failed())?.map(|(key,)| key).unwrap_or_default();
        let size = key.len();
        key.try_into().map_err(|_| unreadable("cluster_key.key", format!("{size} bytes")))
    }
}
