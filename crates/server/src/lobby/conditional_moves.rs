//! The conditional moves of users, as the store has them.

use quadrex_protocol::{MatchId, UserId};
use quadrex_store::StoredConditionalMoves;

use super::Lobby;
use crate::fault::Fault;

impl Lobby {
    /// Returns the conditional moves of a user in a match.
    ///
    /// # Errors
    /// Returns [`Fault`] if the store failed.
    pub async fn conditional_moves(
        &self,
        match_id: MatchId,
        user: UserId,
    ) -> Result<Vec<StoredConditionalMoves>, Fault> {
        let stored = self.deps.store.conditional_moves(match_id).await;
        let mut stored = stored.map_err(|error| self.fault("look up conditional moves", &error))?;
        stored.retain(|moves| moves.user == user);
        Ok(stored)
    }

    /// Returns the conditional moves of a user in all matches.
    ///
    /// # Errors
    /// Returns [`Fault`] if the store failed.
    pub async fn all_conditional_moves(&self, user: UserId) -> Result<Vec<StoredConditionalMoves>, Fault> {
        let stored = self.deps.store.conditional_moves_of(user).await;
        stored.map_err(|error| self.fault("look up conditional moves", &error))
    }

    /// Returns the numbers of the last events of a user's commands whose ids begin with this prefix.
    ///
    /// # Errors
    /// Returns [`Fault`] if the store failed.
    pub async fn commands_with(
        &self,
        match_id: MatchId,
        user: UserId,
        prefix: &str,
    ) -> Result<Vec<u64>, Fault> {
        let seqs = self.deps.store.command_seqs(match_id, user, prefix).await;
        seqs.map_err(|error| self.fault("look up commands", &error))
    }
}
