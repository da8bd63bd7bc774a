//! The sessions of users: their list, and their end.

use quadrex_cluster::message::{SecretHashBytes, SessionsEnded};
use quadrex_protocol::UserId;
use quadrex_rules::Timestamp;
use quadrex_store::{NewWarning, PasswordReset, SecretHash, Session, Store, StoreError, UserSuspension};

use super::open_sessions::{OpenSessions, SessionGuard};
use super::token::Token;
use crate::cluster::ClusterLink;

/// The largest number of sessions in the list of a user's sessions.
const MAX_LISTED: u16 = 200;

/// Sessions of a user that end together.
#[derive(Clone, Copy)]
enum Revocable {
    /// All sessions but this one.
    SessionsBut(Option<SecretHash>),
    /// All tokens that the user has created for programs.
    Tokens,
}

/// The service that lists and ends sessions. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sessions {
    store: Store,
    open: OpenSessions,
    cluster: Option<ClusterLink>,
}

impl Sessions {
    /// Returns the service for the sessions in this store. Each session that ends is
    /// reported to the other nodes of the cluster.
    pub fn new(store: Store, cluster: Option<ClusterLink>) -> Self {
        Self { store, open: OpenSessions::default(), cluster }
    }

    /// Returns the sessions of a user that have not expired, the newest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn of(&self, user: UserId, now: Timestamp) -> Result<Vec<Session>, StoreError> {
        self.store.sessions_of(user, now, MAX_LISTED).await
    }

    /// Ends these sessions of a user, and closes their connections to all servers. Returns the
    /// sessions that have ended.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails. The sessions may have ended then.
    pub async fn revoke(
        &self,
        user: UserId,
        sessions: &[SecretHash],
        now: Timestamp,
    ) -> Result<Vec<SecretHash>, StoreError> {
        let revoked = self.store.revoke_sessions(user, sessions, now).await?;
        self.close_everywhere(&revoked);
        Ok(revoked)
    }

    /// Deletes a user, and closes the connections of the user to all servers. Returns false if there
    /// is no such user, or if the user was deleted before.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn delete_user(&self, user: UserId, now: Timestamp) -> Result<bool, StoreError> {
        let Some(ended) = self.store.delete_user(user, now).await? else { return Ok(false) };
        self.close_everywhere(&ended);
        Ok(true)
    }

    /// Sets the password of the account for which a secret was sent by mail, ends all sessions, tokens and
    /// handovers of its user, and closes their connections to all servers. Returns `None` if the secret is
    /// unknown, used or expired.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn reset_password(
        &self,
        secret: &str,
        password_hash: &str,
        now: Timestamp,
    ) -> Result<Option<PasswordReset>, StoreError> {
        let reset = self.store.reset_password(Token::hash_of(secret), password_hash, now).await?;
        if let Some(reset) = &reset {
            self.close_everywhere(&reset.ended);
        }
        Ok(reset)
    }

    /// Closes the connections to all servers of sessions that have ended.
    fn close_everywhere(&self, ended: &[SecretHash]) {
        self.close(ended);
        if let Some(cluster) = self.cluster.as_ref().filter(|_| !ended.is_empty()) {
            let sessions = ended.iter().map(|session| SecretHashBytes(session.0)).collect();
            // A node that does not receive this message reads the end of the sessions in the store.
            cluster.send_all(SessionsEnded { sessions }.into());
        }
    }

    /// Ends all sessions of a user but `current`, and all handovers, which would become sessions.
    /// Returns the number of sessions that have ended.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails. Some sessions may have ended then.
    pub async fn revoke_others(
        &self,
        user: UserId,
        current: Option<SecretHash>,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        // A handover that is used meanwhile has become a session, which ends too.
        self.store.remove_handovers_of(user).await?;
        self.revoke_all(user, Revocable::SessionsBut(current), now).await
    }

    /// Ends all tokens that a user has created for programs. Returns the number of tokens that have
    /// ended.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails. Some tokens may have ended then.
    pub async fn revoke_tokens(&self, user: UserId, now: Timestamp) -> Result<usize, StoreError> {
        self.revoke_all(user, Revocable::Tokens, now).await
    }

    /// Ends all sessions of a user that are meant. A list has only so many of them, so it is read
    /// until none is left.
    async fn revoke_all(
        &self,
        user: UserId,
        revocable: Revocable,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        let mut count = 0;
        loop {
            let listed: Vec<SecretHash> = match revocable {
                Revocable::SessionsBut(current) => {
                    let sessions = self.of(user, now).await?.into_iter().map(|session| session.token);
                    sessions.filter(|token| Some(*token) != current).collect()
                }
                Revocable::Tokens => {
                    let tokens = self.store.access_tokens_of(user, now, MAX_LISTED).await?;
                    tokens.into_iter().map(|token| token.token).collect()
                }
            };
            let ended = self.revoke(user, &listed, now).await?.len();
            count += ended;
            if ended == 0 {
                return Ok(count);
            }
        }
    }

    /// Suspends a user, or replaces the suspension of the user. The connections of the user to all
    /// servers are closed, so that they are opened again with the rights of a suspended user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn suspend(&self, suspension: &UserSuspension) -> Result<(), StoreError> {
        self.store.suspend(suspension).await?;
        self.rights_changed(suspension.user).await
    }

    /// Ends the suspension of a user, and closes the connections of the user. Returns false if the
    /// user was not suspended.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn end_suspension(&self, user: UserId, now: Timestamp) -> Result<bool, StoreError> {
        let has_ended = self.store.end_suspension(user, now).await?;
        if has_ended {
            self.rights_changed(user).await?;
        }
        Ok(has_ended)
    }

    /// Warns a user. The connections of the user are closed, so that the pages connect again and load
    /// the warning.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn warn(&self, warning: &NewWarning<'_>) -> Result<(), StoreError> {
        self.store.warn_user(warning).await?;
        self.rights_changed(warning.user).await
    }

    /// Closes the connections of a user who is not a member of a group any more, so that they are opened
    /// again without the rights of a member.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn lost_rights(&self, user: UserId) -> Result<(), StoreError> {
        self.rights_changed(user).await
    }

    /// Closes the connections of a user whose rights have changed. In a cluster, each node reads the
    /// change in the store instead.
    async fn rights_changed(&self, user: UserId) -> Result<(), StoreError> {
        match self.cluster {
            None => self.close_user(user).await,
            Some(_) => Ok(()),
        }
    }

    /// Closes the connections to this server of a user whose rights have changed.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn close_user(&self, user: UserId) -> Result<(), StoreError> {
        for session in self.store.session_hashes_of(user).await? {
            self.open.change_rights(session);
        }
        Ok(())
    }

    /// Closes the connections to this server of sessions that have ended.
    pub fn close(&self, ended: &[SecretHash]) {
        for session in ended {
            self.open.end(*session);
        }
    }

    /// Counts a connection that is about to identify itself by this session, until the guard is
    /// dropped. The guard must be created before the session is looked up. Otherwise the end of the
    /// session could be missed.
    pub fn open(&self, session: SecretHash) -> SessionGuard {
        self.open.open(session)
    }
}

/// Returns the id of a session for its user. It reveals neither the token nor the hash of the token.
pub fn session_id(session: SecretHash) -> String {
    let SecretHash(hash) = session;
    let mut named = b"session ".to_vec();
    named.extend(hash);
    Token::letters_of(&Token::digest(&named))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_session_shows_neither_its_token_nor_the_hash() {
        let session = Token::hash_of("a token");
        let id = session_id(session);
        assert_eq!(id.len(), 32);
        assert_ne!(id, Token::letters_of(&session.0));
        assert_ne!(id, session_id(Token::hash_of("another token")));
        assert_eq!(id, session_id(session));
    }
}
