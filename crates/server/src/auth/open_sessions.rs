//! The sessions by which connections to this server are identified. When a session ends, its
//! connections are closed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_store::SecretHash;
use tokio::sync::watch;

/// The sessions with open connections. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenSessions(Arc<Mutex<HashMap<SecretHash, watch::Sender<bool>>>>);

/// The guard of a connection that is identified by a session.
#[derive(Debug)]
pub struct SessionGuard {
    open: OpenSessions,
    session: SecretHash,
    has_ended: watch::Receiver<bool>,
}

impl OpenSessions {
    /// Counts a connection of a session until the guard is dropped.
    pub(super) fn open(&self, session: SecretHash) -> SessionGuard {
        let has_ended = self.lock().entry(session).or_default().subscribe();
        SessionGuard { open: self.clone(), session, has_ended }
    }

    /// Notifies the connections of a session that has ended.
    pub(super) fn end(&self, session: SecretHash) {
        if let Some(sender) = self.lock().get(&session) {
            sender.send_replace(true);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SecretHash, watch::Sender<bool>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionGuard {
    /// Waits until the session has ended.
    pub async fn ended(&mut self) {
        // The sender lives as long as the guard.
        self.has_ended.wait_for(|has_ended| *has_ended).await.ok();
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
        assert!(first.ended().now_or_never().is_some());
        assert!(second.ended().now_or_never().is_some());
        assert!(third.ended().now_or_never().is_none());
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
