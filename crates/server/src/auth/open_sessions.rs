//! The sessions by which connections to this server are identified. When a session ends, or the
//! rights of its user change, its connections are closed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_store::SecretHash;
use tokio::sync::watch;

/// The sessions with open connections. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenSessions(Arc<Mutex<HashMap<SecretHash, watch::Sender<SessionState>>>>);

/// The state of a session with open connections.
#[derive(Clone, Copy, Debug, Default)]
struct SessionState {
    has_ended: bool,
    /// The number of changes of the rights of the session's user.
    changes: u32,
}

/// A change after which the connections of a session are closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionChange {
    /// The session has ended.
    Ended,
    /// The user of the session was suspended, or is not suspended any more.
    Rights,
}

/// The guard of a connection that is identified by a session.
#[derive(Debug)]
pub struct SessionGuard {
    open: OpenSessions,
    session: SecretHash,
    state: watch::Receiver<SessionState>,
    /// The number of changes when the guard was created.
    changes: u32,
}

impl OpenSessions {
    /// Counts a connection of a session until the guard is dropped.
    pub(super) fn open(&self, session: SecretHash) -> SessionGuard {
        let mut state = self.lock().entry(session).or_default().subscribe();
        let changes = state.borrow_and_update().changes;
        SessionGuard { open: self.clone(), session, state, changes }
    }

    /// Notifies the connections of a session that has ended.
    pub(super) fn end(&self, session: SecretHash) {
        if let Some(sender) = self.lock().get(&session) {
            sender.send_modify(|state| state.has_ended = true);
        }
    }

    /// Notifies the connections of a session whose user has other rights now.
    pub(super) fn change_rights(&self, session: SecretHash) {
        if let Some(sender) = self.lock().get(&session) {
            sender.send_modify(|state| state.changes = state.changes.wrapping_add(1));
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SecretHash, watch::Sender<SessionState>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionGuard {
    /// Waits for a change of the session.
    pub async fn changed(&mut self) -> SessionChange {
        let seen = self.changes;
        let changed = self.state.wait_for(|state| state.has_ended || state.changes != seen).await;
        // The sender lives as long as the guard.
        match changed {
            Ok(state) if !state.has_ended => SessionChange::Rights,
            _ => SessionChange::Ended,
        }
    }
}

impl Drop for SessionGuard {
    fn drop(&mut self) {
        let mut sessions = self.open.lock();
        // This guard's own receiver is still there.
        if sessions.get(&self.session).is_some_and(|sender| sender.receiver_count() <= 1) {
            sessions.remove(&self.session);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn all_connections_of_an_ended_session_are_notified_and_no_others() {
        let sessions = OpenSessions::default();
        let (ended, other) = (SecretHash([1; 32]), SecretHash([2; 32]));
        let (mut first, mut second, mut third) =
            (sessions.open(ended), sessions.open(ended), sessions.open(other));
        sessions.end(ended);
        assert_eq!(first.changed().now_or_never(), Some(SessionChange::Ended));
        assert_eq!(second.changed().now_or_never(), Some(SessionChange::Ended));
        assert_eq!(third.changed().now_or_never(), None);
    }

    #[test]
    fn only_connections_that_were_open_notice_a_change_of_rights() {
        let sessions = OpenSessions::default();
        let (changed, other) = (SecretHash([1; 32]), SecretHash([2; 32]));
        let (mut first, mut third) = (sessions.open(changed), sessions.open(other));
        sessions.change_rights(changed);
        let mut second = sessions.open(changed);
        assert_eq!(first.changed().now_or_never(), Some(SessionChange::Rights));
        assert_eq!(second.changed().now_or_never(), None, "it knows the new rights");
        assert_eq!(third.changed().now_or_never(), None);
        sessions.end(changed);
        assert_eq!(second.changed().now_or_never(), Some(SessionChange::Ended));
    }

    #[test]
    fn a_session_without_connections_is_forgotten() {
        let sessions = OpenSessions::default();
        let (first, second) = (sessions.open(SecretHash([1; 32])), sessions.open(SecretHash([1; 32])));
        drop(first);
        assert_eq!(sessions.lock().len(), 1);
        drop(second);
        assert_eq!(sessions.lock().len(), 0);
    }
}
