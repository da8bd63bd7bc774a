//! A table of the swarm: one task for its players and watchers.

use std::collections::{BTreeSet, VecDeque};
use std::pin::Pin;
use std::sync::Arc;

use anyhow::{Context, Result};
use futures_util::stream::SelectAll;
use futures_util::{Stream, StreamExt};
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::{ClientFrame, CommandId, Event, MatchId, RefusalCode, RequestAction, TableId, UserId};
use quadrex_rules::{Color, Game, Move};
use tokio::sync::watch;
use tokio::time::{Duration, Instant, sleep_until, timeout};

use super::connection::{self, Notice, Sender, Watcher};
use super::frames::ReceivedEvent;
use super::received::ReceivedLog;
use super::tally::Tally;
use super::{Pace, Plan, Played, now};
use crate::PATIENCE;
use crate::contest::{Contest, plain};
use crate::http::Guest;
use crate::ledger::{Ledger, LedgerEntry, RecordedAnswer};
use crate::referee::Referee;
use crate::rng::Rng;

/// The pause after a refusal, so that a server in trouble is not asked again immediately.
const AFTER_REFUSAL: Duration = Duration::from_millis(50);

/// A table and its connections, players first.
pub(super) struct Table {
    pace: Pace,
    tally: Arc<Tally>,
    ledger: Option<Ledger>,
    rng: Rng,
    resigns: Option<usize>,
    table: TableId,
    connections: SelectAll<Numbered>,
    seats: Vec<Seat>,
    /// The progress of each connection.
    progress: Vec<Progress>,
    /// The matches of the table. The last one is being played.
    matches: Vec<ReceivedLog>,
    /// The colors that have agreed to a rematch.
    rematch: BTreeSet<Color>,
    /// The command whose answer has not arrived.
    pending: Option<Pending>,
    /// True from a broken connection or a failed command until the next acknowledged command. In
    /// this time the server may still have to publish that the match continues.
    is_interrupted: bool,
    /// The number of the last event of the last accepted command.
    acknowledged: Option<(MatchId, u64)>,
    /// The time at which the latest move was sent or was due, until a connection receives it. Its
    /// acknowledgement may arrive before.
    sent: Option<Instant>,
    /// The moves that some connections have not received yet, oldest first.
    in_flight: VecDeque<MoveInFlight>,
    commands: u64,
    /// The time at which the next command may be sent.
    due: Instant,
    wrong: Vec<String>,
}

/// The notices of a connection, with the index of the connection at its table.
type Numbered = Pin<Box<dyn Stream<Item = (usize, Notice)> + Send>>;

/// An input of the table's loop.
enum Next {
    /// A notice from a connection.
    Notice(usize, Notice),
    /// A reminder to send the pending command again.
    Again,
}

struct Seat {
    user: UserId,
    sender: Option<Sender>,
}

#[derive(Clone, Copy)]
struct Progress {
    is_up: bool,
    at: Option<(MatchId, u64)>,
}

struct Pending {
    seat: usize,
    frame: ClientFrame,
    cmd: CommandId,
    mv: Option<Move>,
    match_id: MatchId,
    /// The time at which the command is sent again, because the server did not know the outcome.
    again_at: Option<Instant>,
}

/// A move that not all connections have received yet.
struct MoveInFlight {
    seq: u64,
    sent: Instant,
    players: usize,
    watchers: usize,
}

impl Table {
    /// Creates a table, seats new guests, waits for the start of the match, and connects the
    /// watchers.
    ///
    /// If a request is refused, or the match does not start in time.
    pub(super) async fn start(plan: &Plan, tally: Arc<Tally>, number: usize) -> Result<Self> {
        let wish = CreateTable { time: plan.time, ..plain(plan.variant) };
        let contest = Contest::start_at(plan.address, &wish).await?;
        let guests: Vec<Guest> =
            contest.players.values().map(|player| player.guest().cloned()).collect::<Result<_>>()?;
        let mut rng = Rng::new(plan.seed ^ (number as u64) << 32);
        let watcher = |token| Watcher { address: plan.connections, token, table: contest.table };
        let players = guests.iter().map(|guest| watcher(Some(guest.token.clone())));
        let watchers = (0..plan.watchers).map(|_| watcher(None));
        let listen =
            |(index, watcher)| connection::listen(watcher).map(move |notice| (index, notice)).boxed();
        let connections: SelectAll<_> = players.chain(watchers).enumerate().map(listen).collect();
        let due = now()
            + match plan.pace {
                Pace::ClosedLoop => Duration::ZERO,
                // The start is delayed by a random time, so that not all tables move at the same
                // moment.
                Pace::Every(pause) => pause.mul_f64(rng.index(1_000) as f64 / 1_000.0),
            };
        Ok(Self {
            pace: plan.pace,
            tally,
            ledger: plan.ledger.clone(),
            rng,
            resigns: plan.resigns,
            table: contest.table,
            progress: vec![Progress { is_up: false, at: None }; connections.len()],
            connections,
            seats: guests.iter().map(|guest| Seat { user: guest.user.id, sender: None }).collect(),
            matches: Vec::new(),
            rematch: BTreeSet::new(),
            pending: None,
            is_interrupted: false,
            acknowledged: None,
            sent: None,
            in_flight: VecDeque::new(),
            commands: 0,
            due,
            wrong: Vec::new(),
        })
    }

    /// Returns the table's id.
    pub(super) fn id(&self) -> TableId {
        self.table
    }

    /// Plays matches until it is stopped, and then waits for the answer to the last command and
    /// until all connections have received its events.
    ///
    /// # Errors
    /// If a command is not answered, or a connection does not receive all events.
    pub(super) async fn play(mut self, mut stop: watch::Receiver<bool>) -> Result<Played> {
        while !*stop.borrow_and_update() || self.is_interrupted {
            let due = self.due;
            tokio::select! {
                Some(next) = self.next() => self.follow(next).await?,
                () = sleep_until(due), if self.mover().is_some() => self.act().await?,
                // An error means that the swarm was dropped.
                _ = stop.changed() => {}
            }
        }
        let table = self.table;
        let settled = timeout(PATIENCE * 2, self.settle()).await;
        settled.with_context(|| format!("waiting for all connections of {table} to receive the same"))??;
        Ok(Played { matches: self.matches, wrong: self.wrong })
    }

    async fn settle(&mut self) -> Result<()> {
        while self.wrong.is_empty() && !self.is_settled() {
            let next = self.next().await.context("all connections have ended")?;
            self.follow(next).await?;
        }
        Ok(())
    }

    /// Returns the next input, or `None` once all connections have ended. It is cancel-safe.
    async fn next(&mut self) -> Option<Next> {
        let again = self.pending.as_ref().and_then(|pending| pending.again_at);
        tokio::select! {
            notice = self.connections.next() => notice.map(|(connection, notice)| Next::Notice(connection, notice)),
            () = sleep_until(again.unwrap_or_else(now)), if again.is_some() => Some(Next::Again),
        }
    }

    async fn follow(&mut self, next: Next) -> Result<()> {
        match next {
            Next::Notice(connection, notice) => self.take(connection, notice).await,
            Next::Again => {
                if let Some(pending) = &mut self.pending {
                    pending.again_at = None;
                    let seat = pending.seat;
                    self.send_again(seat).await;
                }
                Ok(())
            }
        }
    }

    fn is_settled(&self) -> bool {
        let head = self.matches.last().map(|received| (received.match_id, received.head()));
        let is_whole = self.matches.last().and_then(ReceivedLog::referee).is_none_or(Referee::is_settled);
        // The acknowledgement may arrive before the last event of the command.
        let notice = |(match_id, seq)| {
            self.matches.iter().any(|received| received.match_id == match_id && received.head() >= seq)
        };
        let is_answered = self.pending.is_none() && self.acknowledged.is_none_or(notice);
        is_answered && is_whole && self.progress.iter().all(|place| place.is_up && place.at == head)
    }

    /// Handles a notice of a connection.
    async fn take(&mut self, connection: usize, notice: Notice) -> Result<()> {
        match notice {
            Notice::Up(sender) => {
                self.tally.add_up();
                self.progress[connection].is_up = true;
                if let Some(seat) = self.seats.get_mut(connection) {
                    seat.sender = Some(sender);
                    self.send_again(connection).await;
                }
            }
            Notice::Down => {
                self.tally.add_disconnect();
                self.is_interrupted = true;
                self.progress[connection].is_up = false;
                self.in_flight.clear();
                if let Some(seat) = self.seats.get_mut(connection) {
                    seat.sender = None;
                }
            }
            Notice::Snapshot { match_id, seq, history } => {
                for received in &history {
                    self.learn(match_id, received)?;
                }
                self.in_flight.clear();
                self.progress[connection].at = Some((match_id, seq));
            }
            Notice::Event { match_id, received } => {
                self.tally.add_received();
                self.learn(match_id, &received)?;
                self.progress[connection].at = Some((match_id, received.seq));
                self.land(connection, received.seq);
            }
            Notice::Skip { match_id, seq } => self.progress[connection].at = Some((match_id, seq)),
            Notice::Ack { match_id, cmd, seq } => self.acknowledged(match_id, &cmd, seq).await?,
            Notice::Refused { cmd: Some(cmd), code, .. } => self.answered(&cmd, Err(code)).await?,
            Notice::Refused { cmd: None, code, message } => {
                self.wrong.push(format!("connection {connection} was refused, {code:?}: {message}"));
            }
            Notice::Wrong(what) => self.wrong.push(format!("connection {connection}: {what}")),
        }
        Ok(())
    }

    /// Processes an event when the first connection receives it.
    fn learn(&mut self, match_id: MatchId, received: &ReceivedEvent) -> Result<()> {
        let place = self.matches.iter().rposition(|known| known.match_id == match_id);
        let index = place.unwrap_or_else(|| {
            self.matches.push(ReceivedLog::new(match_id));
            self.rematch.clear();
            self.matches.len() - 1
        });
        let news = self.matches[index].take(received).with_context(|| format!("{match_id}"))?;
        match news {
            Some(Event::RematchRequested { color, .. } | Event::RematchAgreed { color, .. }) => {
                self.rematch.insert(color);
            }
            Some(Event::Moved { .. }) => {
                if let Some(sent) = self.sent.take() {
                    let (players, watchers) = (self.seats.len(), self.progress.len() - self.seats.len());
                    self.in_flight.push_back(MoveInFlight { seq: received.seq, sent, players, watchers });
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Counts a connection that received a move.
    fn land(&mut self, connection: usize, seq: u64) {
        let Some(in_flight_move) = self.in_flight.iter_mut().find(|in_flight_move| in_flight_move.seq == seq)
        else {
            return;
        };
        let took = in_flight_move.sent.elapsed();
        if connection < self.seats.len() {
            in_flight_move.players -= 1;
            if in_flight_move.players == 0 {
                self.tally.add_player_time(took);
            }
        } else {
            in_flight_move.watchers -= 1;
            if in_flight_move.watchers == 0 {
                self.tally.add_watcher_time(took);
            }
        }
        while self
            .in_flight
            .front()
            .is_some_and(|in_flight_move| in_flight_move.players + in_flight_move.watchers == 0)
        {
            self.in_flight.pop_front();
        }
    }

    /// Processes an acknowledgement. It must be for the match of the command.
    async fn acknowledged(&mut self, match_id: MatchId, cmd: &CommandId, seq: u64) -> Result<()> {
        if let Some(pending) = self.pending.as_ref().filter(|pending| pending.cmd == *cmd)
            && pending.match_id != match_id
        {
            let wrong = format!("{cmd} was for {} and is acknowledged in {match_id}", pending.match_id);
            self.wrong.push(wrong);
        }
        self.answered(cmd, Ok(seq)).await
    }

    /// Processes the answer to the pending command. It is recorded in the ledger first.
    async fn answered(&mut self, cmd: &CommandId, answer: Result<u64, RefusalCode>) -> Result<()> {
        let Some(mut pending) = self.pending.take_if(|pending| pending.cmd == *cmd) else {
            // The command was sent twice because its connection broke, and was answered twice.
            return Ok(());
        };
        // The server does not know the outcome. Half of these commands are sent again with the same
        // id, as a good client does. The others are checked only against the log.
        if answer == Err(RefusalCode::Internal) && self.rng.index(2) == 0 {
            self.tally.add_refused(RefusalCode::Internal);
            pending.again_at = Some(now() + AFTER_REFUSAL);
            self.pending = Some(pending);
            return Ok(());
        }
        if let Some(ledger) = &self.ledger {
            let answer = match answer {
                Ok(seq) => RecordedAnswer::Done { seq, mv: pending.mv },
                Err(code) => RecordedAnswer::Refused(code),
            };
            let by = self.seats[pending.seat].user;
            ledger
                .record(LedgerEntry { match_id: pending.match_id, by, command_id: pending.cmd, answer })
                .await?;
        }
        match answer {
            Ok(seq) => {
                self.is_interrupted = false;
                self.acknowledged = Some((pending.match_id, seq));
                self.tally.add_done();
                if let Pace::Every(pause) = self.pace {
                    // The latency is measured from the time when the move was due, because a slow
                    // server must not reduce the load.
                    self.due += pause;
                }
            }
            Err(code) => {
                self.is_interrupted |= code == RefusalCode::Internal;
                self.sent = None;
                self.tally.add_refused(code);
                self.due = self.due.max(now() + AFTER_REFUSAL);
            }
        }
        Ok(())
    }

    /// Returns a seat that can act now.
    fn mover(&self) -> Option<usize> {
        if self.pending.is_some() {
            return None;
        }
        let referee = self.matches.last()?.referee().filter(|referee| referee.is_settled())?;
        let game = referee.game()?;
        let color = if game.is_over() {
            referee.seats().keys().copied().find(|color| !self.rematch.contains(color))?
        } else {
            game.position().turn()
        };
        let user = referee.seats().get(&color)?;
        let seat = self.seats.iter().position(|seat| seat.user.to_string() == *user)?;
        self.seats[seat].sender.as_ref().map(|_| seat)
    }

    /// Makes a move, resigns, or requests a rematch after the end.
    async fn act(&mut self) -> Result<()> {
        let seat = self.mover().context("no seat can act")?;
        let received = self.matches.last().context("there is a match")?;
        let (match_id, at) = (received.match_id, received.head());
        let game = received.referee().and_then(|referee| referee.game()).context("it has started")?;
        let resigns = !game.is_over() && self.resigns.is_some_and(|once| self.rng.index(once) == 0);
        let mv = choose(game, &mut self.rng).filter(|_| !resigns);
        self.commands += 1;
        let cmd: CommandId = format!("s{}", self.commands).parse().context("a letter and a number")?;
        let (table, named) = (self.table, cmd.clone());
        let frame = match mv {
            Some(mv) => ClientFrame::Move {
                table,
                cmd: named,
                after: at,
                mv,
                claim_draw: false,
                seat: None,
                match_id: None,
            },
            None if resigns => ClientFrame::Resign { table, cmd: named, seat: None, match_id: None },
            None => {
                let action = if self.rematch.is_empty() { RequestAction::Ask } else { RequestAction::Accept };
                ClientFrame::Rematch { table, cmd: named, action, nonce: None, seat: None, match_id: None }
            }
        };
        self.sent = mv.map(|_| match self.pace {
            Pace::ClosedLoop => now(),
            Pace::Every(_) => self.due,
        });
        self.pending = Some(Pending { seat, frame, cmd, mv, match_id, again_at: None });
        self.send_again(seat).await;
        Ok(())
    }

    /// Sends the pending command, if it belongs to this seat. If the connection is broken, the
    /// command is sent after the reconnection.
    async fn send_again(&mut self, seat: usize) {
        let pending = self.pending.as_ref().filter(|pending| pending.seat == seat);
        if let (Some(pending), Some(sender)) = (pending, &mut self.seats[seat].sender) {
            connection::send(sender, &pending.frame).await.ok();
        }
    }
}

/// Returns any legal move, or `None` if the game is over.
fn choose(game: &Game, rng: &mut Rng) -> Option<Move> {
    if game.is_over() { None } else { rng.pick(&game.position().legal_moves()).copied() }
}
