//! The sessions of a simulated database and their locks, which correspond to advisory locks of
//! Postgres.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sqlx::SqliteConnection;

use super::SimulatedDatabase;
use super::faults::{Access, Answer, broken};
use crate::ownership::NodeId;

/// The number of a session. A session that is opened later has a higher number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SessionId(u64);

/// The open sessions.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    opened: u64,
    open: BTreeMap<SessionId, State>,
}

#[derive(Debug)]
struct State {
    server: Option<Arc<str>>,
    /// The lock of the database, which a server alone holds exclusively, and which the nodes of a
    /// cluster share.
    database_lock: Option<DatabaseLock>,
    /// The node whose lock the session holds.
    node: Option<NodeId>,
}

/// A way to hold the lock of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DatabaseLock {
    Exclusive,
    Shared,
}

impl Sessions {
    fn open(&mut self, server: Option<Arc<str>>) -> SessionId {
        self.opened += 1;
        let id = SessionId(self.opened);
        self.open.insert(id, State { server, database_lock: None, node: None });
        id
    }

    /// Tries to acquire the lock of the database for a session.
    fn try_lock(&mut self, session: SessionId, lock: DatabaseLock) -> bool {
        let conflicts = self.open.iter().any(|(id, state)| {
            *id != session
                && state
                    .database_lock
                    .is_some_and(|other| lock == DatabaseLock::Exclusive || other == DatabaseLock::Exclusive)
        });
        let Some(state) = self.open.get_mut(&session) else { return false };
        if !conflicts {
            state.database_lock = Some(lock);
        }
        !conflicts
    }

    /// Acquires the lock of a node for a session, and ends the other session that holds this lock.
    fn lock_node(&mut self, session: SessionId, node: NodeId) {
        self.open.retain(|id, state| *id == session || state.node != Some(node));
        if let Some(state) = self.open.get_mut(&session) {
            state.node = Some(node);
        }
    }

    /// Ends the sessions that hold the lock of the database, except for one session.
    pub(super) fn end_holders(&mut self, except: SessionId) {
        self.open.retain(|id, state| *id == except || state.database_lock.is_none());
    }

    pub(super) fn end(&mut self, session: SessionId) {
        self.open.remove(&session);
    }

    /// Ends the sessions of a server.
    pub(super) fn end_all_of(&mut self, server: Option<&str>) {
        self.open.retain(|_, state| state.server.as_deref() != server);
    }

    /// Returns the nodes whose locks are held.
    pub(super) fn locked_nodes(&self) -> BTreeSet<NodeId> {
        self.open.values().filter_map(|state| state.node).collect()
    }
}

/// An open session. It ends when it is dropped, or when the database ends it.
#[derive(Debug)]
pub(super) struct Session {
    database: SimulatedDatabase,
    id: SessionId,
}

impl Session {
    /// Opens a session, unless the fault plan prevents it.
    pub(super) async fn open(database: &SimulatedDatabase) -> Result<Self, sqlx::Error> {
        let answer = database.decide(Access::Read, "open a session").request().await?;
        let id = database.sessions(|sessions| sessions.open(database.server.clone()));
        let session = Self { database: database.clone(), id };
        answer.pass(Ok(session)).await
    }

    pub(super) fn id(&self) -> SessionId {
        self.id
    }

    /// Executes statements in this session as one access, unless the fault plan prevents it. After
    /// an error the session is in an unknown state and must be dropped.
    pub(super) async fn execute<T>(
        &self,
        access: Access,
        name: &'static str,
        run: impl FnOnce(&mut SqliteConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, sqlx::Error> {
        let answer = self.database.decide(access, name).request().await?;
        let mut connection = self.database.shared.connection.lock().await;
        let result = if self.is_open() { run(&mut connection) } else { Err(broken()) };
        drop(connection);
        if answer != Answer::Arrives {
            self.end();
        }
        answer.pass(result).await
    }

    /// Tries to acquire the lock of the database.
    pub(super) fn try_lock(&self, lock: DatabaseLock) -> bool {
        self.database.sessions(|sessions| sessions.try_lock(self.id, lock))
    }

    /// Acquires the lock of a node, and ends the other session that holds this lock.
    pub(super) fn lock_node(&self, node: NodeId) {
        self.database.sessions(|sessions| sessions.lock_node(self.id, node));
    }

    fn is_open(&self) -> bool {
        self.database.sessions(|sessions| sessions.open.contains_key(&self.id))
    }

    fn end(&self) {
        self.database.sessions(|sessions| sessions.end(self.id));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.end();
    }
}
