//! A match that a benchmark plays with random legal moves.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use futures_util::{StreamExt, TryStreamExt};
use quadrex_protocol::{ClientFrame, CommandId, RefusalCode, ServerFrame, TableId, UserId};
use quadrex_rules::{Color, Move};
use quadrex_tests::Answer;
use quadrex_tests::client::{Client, is_end_of_connection};
use quadrex_tests::contest::Contest;
use quadrex_tests::ledger::{LedgerEntry, RecordedAnswer};
use quadrex_tests::rng::Rng;
use quadrex_tests::swarm::now;
use tokio::time::error::Elapsed;
use tokio::time::{Instant, timeout};

use super::load::Place;
use super::table;

/// The pause after a refusal, or after an attempt to connect that failed.
const AFTER_REFUSAL: Duration = Duration::from_millis(20);

/// The maximum time for a move, until all players have received it.
const MOVE_LIMIT: Duration = Duration::from_secs(180);

/// The number of matches that are ended at the same time.
const ENDED_AT_ONCE: usize = 8;

/// A match that is being played.
pub(super) struct PlayedMatch {
    pub(super) contest: Contest,
    /// The name of the place at which it was started.
    pub(super) place: &'static str,
    /// The nodes to which players connect whose connection ends.
    refuges: Vec<SocketAddr>,
    rng: Rng,
    /// The time at which the player to move received the last event.
    turn_since: Instant,
    /// The accepted moves.
    pub(super) moves: Vec<PlayedMove>,
    /// The codes of the refusals of moves.
    pub(super) refusals: Vec<RefusalCode>,
    /// The number of times that a player has connected again.
    pub(super) reconnections: usize,
}

/// A move that was accepted.
pub(super) struct PlayedMove {
    pub(super) mv: Move,
    by: UserId,
    command_id: CommandId,
    /// The number of its last event.
    seq: u64,
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
    /// Starts a match at this place.
    ///
    /// # Errors
    /// If the match does not start.
    pub(super) async fn start(place: &Place, seed: u64) -> Result<Self> {
        let contest = Contest::start_from(place.owner, &place.players, &table()).await?;
        Ok(Self {
            contest,
            place: place.name,
            refuges: place.refuges.clone(),
            rng: Rng::new(seed),
            turn_since: now(),
            moves: Vec::new(),
            refusals: Vec::new(),
            reconnections: 0,
        })
    }

    /// Returns `true` if the match has ended.
    pub(super) fn is_over(&self) -> Result<bool> {
        Ok(self.contest.turn()?.is_none())
    }

    /// Sends a legal move until it is accepted, and waits until all players have received it. A
    /// repeated move has the same command id, so that it counts once. A player whose connection ends
    /// connects to another node.
    ///
    /// # Errors
    /// If the match has ended, or an answer or an event does not arrive.
    pub(super) async fn make_move(&mut self) -> Result<&PlayedMove> {
        let table = self.contest.table;
        let made = timeout(MOVE_LIMIT, self.try_move()).await;
        made.with_context(|| format!("waiting for a move of table {table}"))??;
        self.moves.last().context("a move was made")
    }

    async fn try_move(&mut self) -> Result<()> {
        let table = self.contest.table;
        let turn = self.contest.turn()?.context("the match has ended")?;
        self.until_legal_moves(turn).await?;
        let mover = self.contest.player(turn)?;
        let legal = mover.table(table)?.view().legal_moves.as_deref().unwrap_or_default();
        let mv = *self.rng.pick(legal).context("the player to move has legal moves")?;
        let (command, by) = (mover.mv(table, mv)?, mover.guest()?.user.id);
        let ClientFrame::Move { cmd, .. } = &command else { bail!("{command:?} is no move") };
        let sent = now();
        let seq = self.accepted(turn, &command).await?;
        let accepted = now();
        for color in self.contest.players.keys().copied().collect::<Vec<_>>() {
            self.until_seq(color, seq).await?;
        }
        let thought = sent.saturating_duration_since(self.turn_since);
        self.turn_since = now();
        let (received, command_id) = (self.turn_since, cmd.clone());
        self.moves.push(PlayedMove { mv, by, command_id, seq, thought, sent, accepted, received });
        Ok(())
    }

    /// Sends a command until it is accepted. Returns the number of its last event.
    async fn accepted(&mut self, color: Color, command: &ClientFrame) -> Result<u64> {
        loop {
            match self.contest.player(color)?.ask(command).await {
                Ok(Answer::Ack(seq)) => return Ok(seq),
                Ok(Answer::Refused(code, message)) => {
                    ensure!(code == RefusalCode::Internal, "a move was refused, {code:?}: {message}");
                    self.refusals.push(code);
                    tokio::time::sleep(AFTER_REFUSAL).await;
                }
                Err(error) => self.recover(color, error).await?,
            }
        }
    }

    /// Waits until the player to move has received the legal moves. Of several events that a player
    /// has missed, only the last one has them.
    async fn until_legal_moves(&mut self, color: Color) -> Result<()> {
        let table = self.contest.table;
        let has_legal_moves =
            |player: &Client| player.table(table).is_ok_and(|mirror| mirror.view().legal_moves.is_some());
        loop {
            match self.contest.player(color)?.until("the legal moves", has_legal_moves).await {
                Ok(()) => return Ok(()),
                Err(error) => self.recover(color, error).await?,
            }
        }
    }

    async fn until_seq(&mut self, color: Color, seq: u64) -> Result<()> {
        let table = self.contest.table;
        loop {
            match self.contest.player(color)?.until_seq(table, seq).await {
                Ok(_) => return Ok(()),
                Err(error) => self.recover(color, error).await?,
            }
        }
    }

    /// Connects a player again whose connection has ended. A player whose node is silent waits.
    async fn recover(&mut self, color: Color, error: anyhow::Error) -> Result<()> {
        if error.is::<Elapsed>() {
            return Ok(());
        }
        if !is_end_of_connection(&error) {
            return Err(error);
        }
        loop {
            let table = self.contest.table;
            let node = self.refuges[self.reconnections % self.refuges.len()];
            self.reconnections += 1;
            let player = self.contest.player(color)?;
            if reconnect(player, node, table).await.is_ok() {
                return Ok(());
            }
            // The connection may stand although the table was refused.
            player.cut().await.ok();
            tokio::time::sleep(AFTER_REFUSAL).await;
        }
    }

    /// Returns the answers to all moves, for the checker of logs.
    pub(super) fn ledger(&self) -> Vec<LedgerEntry> {
        let match_id = self.contest.match_id;
        let entry = |made: &PlayedMove| LedgerEntry {
            match_id,
            by: made.by,
            command_id: made.command_id.clone(),
            answer: RecordedAnswer::Done { seq: made.seq, mv: Some(made.mv) },
        };
        self.moves.iter().map(entry).collect()
    }

    /// Ends the match.
    ///
    /// # Errors
    /// If the player to move cannot resign.
    pub(super) async fn end(mut self) -> Result<()> {
        if let Some(turn) = self.contest.turn()? {
            let table = self.contest.table;
            let resign = self.contest.player(turn)?.resign(table);
            self.accepted(turn, &resign).await?;
        }
        Ok(())
    }
}

/// Connects a player to a node, and waits until the player watches the table.
async fn reconnect(player: &mut Client, node: SocketAddr, table: TableId) -> Result<()> {
    player.reconnect(node).await?;
    let is_watching = |frame| match frame {
        ServerFrame::Watching { table: of, .. } | ServerFrame::Snapshot { table: of, .. } => {
            (of == table).then_some(Ok(()))
        }
        ServerFrame::Refused { table: Some(of), cmd: None, code, .. } => {
            (of == table).then(|| Err(anyhow::anyhow!("the table is refused, {code:?}")))
        }
        _ => None,
    };
    player.find("the table", is_watching).await?
}

/// Ends all matches.
///
/// # Errors
/// If a player to move cannot resign.
pub(super) async fn end_all(played: Vec<PlayedMatch>) -> Result<()> {
    let ending = played.into_iter().map(PlayedMatch::end);
    futures_util::stream::iter(ending).buffer_unordered(ENDED_AT_ONCE).try_collect::<()>().await
}
