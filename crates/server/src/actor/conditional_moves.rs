//! Conditional moves of correspondence matches. The actor stores them beside the log, and makes a
//! move as soon as its conditions are met. The move is committed like a command of the player. As the
//! log alone determines which move is due, each one is made once, also after a restart.

use quadrex_cluster::message::SeatOrigin;
use quadrex_protocol::CommandId;
use quadrex_rules::Timestamp;
use quadrex_store::error_chain::chain;
use quadrex_store::{Epoch, StoreError, StoredConditionalMoves};
use quadrex_table::{Action, ConditionalMoves, PlayerCommand, Stage};

use super::handle::{ActorCommand, Answer, CommandRequest};
use super::match_log::{CommitError, Committed, MatchLog};
use super::table_actor::TableActor;
use super::timers::RETRY_PAUSE;

/// The beginning of the ids of the commands that make conditional moves.
pub const CONDITIONAL_COMMAND: &str = "conditional-";

impl TableActor {
    /// Returns whether a conditional move may be due. The store knows.
    pub(super) fn must_check_conditional_moves(&self) -> bool {
        if quadrex_runtime::has_planted!(ConditionalMoveForgotten) && self.state().head().is_multiple_of(4) {
            return false;
        }
        self.log.is_claimed()
            && self.state().is_correspondence()
            && !matches!(self.state().stage(), Stage::Open)
            && self.conditional_checked_at != Some(self.head())
    }

    /// Makes the conditional moves that are due, and removes the lines that cannot come true any
    /// more. If the store fails, this is repeated later.
    pub(super) async fn make_conditional_moves(&mut self, now: Timestamp) {
        while self.must_check_conditional_moves() && self.retry_at.is_none() {
            if let Err(error) = self.check_conditional_moves(now).await {
                let match_id = self.state().match_id();
                tracing::warn!(match.id = %match_id, "conditional moves wait for the store: {}", chain(&error));
                self.retry_at = Some(now + RETRY_PAUSE);
            }
            self.report_turn();
        }
    }

    /// Begins or ends the vacations of the players, and then makes the conditional move that is due, if
    /// there is one.
    async fn check_conditional_moves(&mut self, now: Timestamp) -> Result<(), StoreError> {
        if !self.update_vacations(now).await? {
            return Ok(());
        }
        let head = self.head();
        let stored = self.deps.store.conditional_moves(head.0).await?;
        let mut due = None;
        for moves in stored {
            if let Some(request) = self.update_conditional_moves(moves).await? {
                due = Some(request);
            }
        }
        let Some((color, request)) = due else {
            self.conditional_checked_at = Some(head);
            return Ok(());
        };
        match self.commit_alone(&ActorCommand::User(request), now).await {
            Ok(Answer::Done { .. }) if self.head() != head => {}
            Ok(answer) => {
                tracing::debug!(match.id = %head.0, %color, ?answer, "a conditional move is dropped");
                self.deps.store.remove_conditional_moves(head.0, color).await?;
                self.conditional_checked_at = Some(head);
            }
            Err(_) => self.retry_at = Some(now + RETRY_PAUSE),
        }
        Ok(())
    }

    /// Removes the lines of a seat that cannot come true any more. Returns the command of the move
    /// that is due for this seat, if there is one.
    async fn update_conditional_moves(
        &self,
        stored: StoredConditionalMoves,
    ) -> Result<Option<(quadrex_rules::Color, CommandRequest)>, StoreError> {
        let StoredConditionalMoves { match_id, color, user, after, lines } = stored;
        let count = lines.len();
        let mut moves = ConditionalMoves { color, after, lines };
        let player = self.state().player(color).filter(|player| player.id == user).cloned();
        moves.lines = if player.is_some() { self.log.history().possible_lines(&moves) } else { Vec::new() };
        if moves.lines.len() < count {
            let lines = moves.lines.clone();
            let kept = StoredConditionalMoves { match_id, color, user, after, lines };
            self.deps.store.keep_conditional_lines(&kept).await?;
        }
        let (Some(by), Some(mv)) = (player, self.log.history().due_conditional_move(&moves)) else {
            return Ok(None);
        };
        let head = self.state().head();
        let command_id = format!("{CONDITIONAL_COMMAND}{head}").parse::<CommandId>();
        let request = CommandRequest {
            command: PlayerCommand {
                by,
                seat: Some(color),
                action: Action::Move { after: head, mv, claim_draw: false },
            },
            command_id: command_id.expect("the id is short and visible"),
            match_id: Some(match_id),
            redeemed_invite: None,
            origin: SeatOrigin::default(),
        };
        Ok(Some((color, request)))
    }
}

impl MatchLog {
    /// Returns the conditional moves that a request stores, if it does, and if they are allowed.
    pub(super) fn conditional_moves_of(&self, request: &CommandRequest) -> Option<StoredConditionalMoves> {
        let PlayerCommand { by, seat, action } = &request.command;
        let Action::SetConditionalMoves { after, lines } = action else { return None };
        let ConditionalMoves { color, after, lines } =
            self.state().decide_conditional_moves(by.id, *seat, *after, lines).ok()?;
        let match_id = self.state().match_id();
        Some(StoredConditionalMoves { match_id, color, user: by.id, after, lines })
    }

    /// Stores conditional moves, unless another process has claimed the log or appended to it.
    pub(super) async fn store_conditional_moves(
        &mut self,
        moves: &StoredConditionalMoves,
        epoch: Epoch,
    ) -> Result<Committed, CommitError> {
        let stored = if moves.lines.is_empty() && quadrex_runtime::has_planted!(ConditionalMovesNotRemoved) {
            Ok(true)
        } else {
            self.claims().store().set_conditional_moves(moves, epoch).await
        };
        if stored.map_err(CommitError::ConditionalMoves)? {
            let (match_id, seq) = (self.state().match_id(), self.state().head());
            return Ok(Committed::Unchanged(Answer::Done { match_id, seq }));
        }
        Ok(self.lose_claim())
    }
}
