//! A match that a benchmark plays with random legal moves.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_rules::Move;
use quadrex_tests::Answer;
use quadrex_tests::contest::Contest;
use quadrex_tests::rng::Rng;
use quadrex_tests::swarm::now;
use tokio::time::Instant;

use super::table;

/// The pause after a refusal.
const AFTER_REFUSAL: Duration = Duration::from_millis(20);

/// A match that is being played.
pub(super) struct PlayedMatch {
    pub(super) contest: Contest,
    rng: Rng,
    /// The time at which the player to move received the last event.
    turn_since: Instant,
    /// The accepted moves.
    pub(super) moves: Vec<PlayedMove>,
    /// The codes of the refusals of moves.
    pub(super) refusals: Vec<RefusalCode>,
}

/// A move that was accepted.
pub(super) struct PlayedMove {
    pub(super) mv: Move,
    /// The time between the last event and the move.
    pub(super) thought: Duration,
    /// The time at which the move was first sent.
    pub(super) sent: Instant,
    /// The time at which its acknowledgement arrived.
    pub(super) accepted: Instant,
    /// The time at which all players had received it.
    pub(super) received: Instant,
}

impl PlayedMove {
    /// Returns the time between the move and its acknowledgement.
    pub(super) fn latency(&self) -> Duration {
        self.accepted.saturating_duration_since(self.sent)
    }
}

impl PlayedMatch {
    /// Starts a match that `owner` owns, with players who are connected to `nodes`.
    ///
    /// # Errors
    /// If the match does not start.
    pub(super) async fn start(owner: SocketAddr, nodes: &[SocketAddr], seed: u64) -> Result<Self> {
        let contest = Contest::start_from(owner, nodes, &table()).await?;
        let (rng, turn_since) = (Rng::new(seed), now());
        Ok(Self { contest, rng, turn_since, moves: Vec::new(), refusals: Vec::new() })
    }

    /// Returns `true` if the match has ended.
    pub(super) fn is_over(&self) -> Result<bool> {
        Ok(self.contest.turn()?.is_none())
    }

    /// Sends a legal move until it is accepted, and waits until all players have received it. A
    /// repeated move has the same command id, so that it counts once.
    ///
    /// # Errors
    /// If the match has ended, or an answer or an event does not arrive.
    pub(super) async fn make_move(&mut self) -> Result<&PlayedMove> {
        let table = self.contest.table;
        let turn = self.contest.turn()?.context("the match has ended")?;
        let mover = self.contest.player(turn)?;
        let legal = mover.table(table)?.view().legal_moves.as_deref().unwrap_or_default();
        let mv = *self.rng.pick(legal).context("the player to move has legal moves")?;
        let command = mover.mv(table, mv)?;
        let sent = now();
        let seq = loop {
            match mover.ask(&command).await? {
                Answer::Ack(seq) => break seq,
                Answer::Refused(code, message) => {
                    ensure!(code == RefusalCode::Internal, "a move was refused, {code:?}: {message}");
                    self.refusals.push(code);
                }
            }
            tokio::time::sleep(AFTER_REFUSAL).await;
        };
        let accepted = now();
        self.contest.until_seq(seq).await?;
        let thought = sent.saturating_duration_since(self.turn_since);
        self.turn_since = now();
        let received = self.turn_since;
        self.moves.push(PlayedMove { mv, thought, sent, accepted, received });
        self.moves.last().context("a move was made")
    }

    /// Ends the match.
    ///
    /// # Errors
    /// If the player to move cannot resign.
    pub(super) async fn end(mut self) -> Result<()> {
        if let Some(turn) = self.contest.turn()? {
            let table = self.contest.table;
            let player = self.contest.player(turn)?;
            let resign = player.resign(table);
            player.accepted(&resign).await?;
        }
        Ok(())
    }
}
