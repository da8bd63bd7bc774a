//! A player whose connection moves between the nodes of a cluster.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_client::{Address, Client, ClientEvent, Credentials, Update};
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::view::Presence;
use quadrex_protocol::{ClientFrame, Event, MatchId, ServerFrame, TableId};
use quadrex_rules::{Color, Move};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::http::Guest;
use crate::rng::Rng;
use crate::swarm::now;

/// The stage of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The players take their seats.
    Seating,
    /// The matches are played, and everything is counted.
    Playing,
    /// The players wait for the answers to their last moves.
    Ending,
}

/// The purpose of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Seat,
    Move,
}

/// A move that was accepted.
#[derive(Clone, Debug)]
pub(super) struct AcceptedMove {
    pub(super) mv: Move,
    /// The time between the last event and the move.
    pub(super) thought: Duration,
    /// The time between the move and its acknowledgement.
    pub(super) latency: Duration,
}

/// A player of a match with its connection.
pub(super) struct Player {
    client: Client<Purpose>,
    table: TableId,
    match_id: MatchId,
    pause: Duration,
    rng: Rng,
    /// The time at which the last event arrived.
    turn_since: Instant,
    /// The last move, until it is acknowledged, and the time at which it was first sent.
    sent: Option<(Move, Duration, Instant)>,
    pub(super) seen: Seen,
}

/// The observations of a player.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) accepted: Vec<AcceptedMove>,
    pub(super) refused: Vec<String>,
    /// The number of temporary refusals, after which the client has sent a move again.
    pub(super) postponed: u64,
    /// The number of frames in which a player of the match was not connected.
    pub(super) absences: usize,
    /// The number of snapshots after the first one. A client whose events have no gap needs none.
    pub(super) snapshots: usize,
    /// The number of connections that ended before their successor was open.
    pub(super) broken: usize,
    pub(super) moved: usize,
    /// The time since the last event at the end of the run, if the match still runs.
    pub(super) idle: Duration,
    /// The longest time between two moves of the match, as the player has received them.
    pub(super) longest_pause: Duration,
}

impl Player {
    /// Connects a guest through a load balancer, and takes a seat.
    pub(super) async fn seat(
        front: SocketAddr,
        guest: &Guest,
        (table, match_id): (TableId, MatchId),
        color: Color,
        pause: Duration,
        seed: u64,
    ) -> Result<Self> {
        let address = Address::parse(&format!("http://{front}"))?;
        let credentials = Credentials { token: Some(guest.token.clone()) };
        let client = Client::connect(address, credentials, Clock::system(), Entropy::system()).await?;
        let (rng, turn_since) = (Rng::new(seed), now());
        let seen = Seen::default();
        let mut player = Self { client, table, match_id, pause, rng, turn_since, sent: None, seen };
        player.client.state_mut().watch(table, None);
        let sit = |cmd| ClientFrame::Sit {
            table,
            cmd,
            seat: Some(color),
            invite: None,
            nonce: None,
            match_id: None,
        };
        player.client.state_mut().send(table, match_id, Purpose::Seat, sit);
        while player.client.state().table(table).is_none() || player.client.state().has_pending() {
            player.client.next().await?;
        }
        Ok(player)
    }

    /// Plays until the end of the match or of the run. Returns what the player has seen.
    pub(super) async fn play(mut self, mut stage: watch::Receiver<Stage>) -> Result<Seen> {
        loop {
            let now_stage = *stage.borrow_and_update();
            if now_stage == Stage::Ending && !self.client.state().has_pending() {
                let mirror = self.client.state().table(self.table);
                if mirror.is_some_and(|mirror| mirror.state.turn.is_some()) {
                    self.seen.idle = self.turn_since.elapsed();
                }
                self.client.close().await;
                return Ok(self.seen);
            }
            let due = if now_stage == Stage::Playing { self.next_move_at() } else { None };
            let move_time = async {
                match due {
                    Some(at) => sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                event = self.client.next() => self.handle(event?, now_stage),
                () = move_time => self.send_move()?,
                // An error means that the run was dropped.
                changed = stage.changed() => changed.context("the run has ended")?,
            }
        }
    }

    /// Returns the time of the next move, if it is the player's turn.
    fn next_move_at(&self) -> Option<Instant> {
        let mirror = self.client.state().table(self.table)?;
        let may_move = mirror.legal.as_ref().is_some_and(|legal| !legal.is_empty());
        (may_move && self.sent.is_none()).then(|| self.turn_since + self.pause)
    }

    fn send_move(&mut self) -> Result<()> {
        let (table, match_id) = (self.table, self.match_id);
        let mirror = self.client.state().table(table).context("the table is watched")?;
        let mv = *self.rng.pick(mirror.legal.as_deref().unwrap_or_default()).context("a legal move")?;
        let after = mirror.seq;
        let sent = now();
        self.sent = Some((mv, sent.saturating_duration_since(self.turn_since), sent));
        let command =
            |cmd| ClientFrame::Move { table, cmd, after, mv, claim_draw: false, seat: None, match_id: None };
        self.client.state_mut().send(table, match_id, Purpose::Move, command);
        Ok(())
    }

    fn handle(&mut self, event: ClientEvent<Purpose>, stage: Stage) {
        match event {
            ClientEvent::Update(Update::Acknowledged(command)) if command.purpose == Purpose::Move => {
                if let Some((mv, thought, sent)) = self.sent.take() {
                    let latency = now().saturating_duration_since(sent);
                    self.seen.accepted.push(AcceptedMove { mv, thought, latency });
                }
            }
            ClientEvent::Update(Update::Event { entry, .. }) => {
                if matches!(entry.event, Event::Moved { .. }) && stage == Stage::Playing {
                    let pause = now().saturating_duration_since(self.turn_since);
                    self.seen.longest_pause = self.seen.longest_pause.max(pause);
                }
                self.turn_since = now();
            }
            ClientEvent::Update(Update::Refused { code, message, .. }) => {
                self.sent = None;
                self.seen.refused.push(format!("{code:?}: {message}"));
            }
            ClientEvent::Update(Update::TableRefused { code, message, .. }) => {
                self.seen.refused.push(format!("the table: {code:?}: {message}"));
            }
            ClientEvent::Update(Update::Snapshot { .. }) if stage != Stage::Seating => {
                self.seen.snapshots += 1;
            }
            ClientEvent::Update(Update::Frame(frame)) => {
                if let ServerFrame::Presence { players, .. } = *frame
                    && stage == Stage::Playing
                {
                    let away = players.iter().filter(|player| player.presence != Presence::Connected);
                    self.seen.absences += away.count();
                }
            }
            ClientEvent::Update(_) | ClientEvent::Reconnected | ClientEvent::ConnectFailed(..) => {}
            ClientEvent::Disconnected(_) => self.seen.broken += 1,
            ClientEvent::Moved => self.seen.moved += 1,
        }
        self.seen.postponed = self.client.state().temporary_refusals();
    }
}
