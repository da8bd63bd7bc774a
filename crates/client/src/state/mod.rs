//! The state of a client. It turns frames from the server into updates, and commands into frames
//! for the server. The state does no input or output of its own, so that it is easy to test.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::view::Entry;
use quadrex_protocol::{ClientFrame, CommandId, MatchId, RefusalCode, ServerFrame, TableId, UserId};
use quadrex_rules::Timestamp;

use crate::http::is_transient;
use crate::lobby::LobbyMirror;
use crate::pending_commands::{PendingCommand, PendingCommands};
use crate::table_mirror::{MirrorError, TableMirror};

/// The time after which a table is requested again if the server has not sent it.
const WATCH_TIMEOUT: Duration = Duration::from_secs(10);

/// The watched tables, the lobby and the pending commands of a client. The caller gives each
/// command a purpose of type `P`. The answer to the command contains this purpose.
#[derive(Debug)]
pub struct ClientState<P> {
    /// The user of this client, if it is signed in.
    me: Option<UserId>,
    clock: Clock,
    entropy: Entropy,
    tables: BTreeMap<TableId, WatchedTable>,
    lobby: LobbyMirror,
    is_watching_lobby: bool,
    pending: PendingCommands<P>,
    /// The number of refusals after which a command is sent again.
    temporary_refusals: u64,
    /// The frames to send to the server.
    outbox: VecDeque<ClientFrame>,
}

/// A table that the client watches.
#[derive(Debug)]
struct WatchedTable {
    table: TableId,
    /// The secret of the invite or watch link by which the client may watch the table.
    secret: Option<String>,
    /// The copy of the table, once the server has sent a snapshot.
    mirror: Option<TableMirror>,
    /// The time of the last request for the table, if it has not been answered.
    requested_at: Option<Timestamp>,
}

/// A change of the state, caused by a frame.
#[derive(Debug)]
pub enum Update<P> {
    /// The server has sent a snapshot of a table, which replaces the earlier copy.
    Snapshot {
        /// The watched table.
        table: TableId,
    },
    /// An event has been applied to a table.
    Event {
        /// The watched table.
        table: TableId,
        /// The event with its number and time.
        entry: Box<Entry>,
    },
    /// An event has happened at a table, and this client may not see the event.
    HiddenEvent {
        /// The watched table.
        table: TableId,
    },
    /// The lobby has changed.
    Lobby,
    /// The server has committed a command.
    Acknowledged(PendingCommand<P>),
    /// The server has refused a command, and it is not sent again.
    Refused {
        /// The refused command.
        command: PendingCommand<P>,
        /// The code of the refusal.
        code: RefusalCode,
        /// The reason in words for people.
        message: String,
    },
    /// The server does not let this client watch a table. The table stays in the state until
    /// [`ClientState::unwatch`].
    TableRefused {
        /// The table that was to be watched.
        table: TableId,
        /// The code of the refusal.
        code: RefusalCode,
        /// The reason in words for people.
        message: String,
    },
    /// A frame has arrived that does not change the state.
    Frame(Box<ServerFrame>),
}

/// The error of a table whose events contradict the rules or each other.
#[derive(Debug, thiserror::Error)]
#[error("the match {match_id} at the table {table} cannot be followed: {error}")]
pub struct SyncError {
    /// The watched table.
    pub table: TableId,
    /// The match whose events are inconsistent.
    pub match_id: MatchId,
    /// The inconsistency.
    pub error: MirrorError,
}

impl<P: PartialEq> ClientState<P> {
    /// Returns the state of a client that watches nothing.
    #[must_use]
    pub fn new(me: Option<UserId>, clock: Clock, entropy: Entropy) -> Self {
        Self {
            me,
            clock,
            entropy,
            tables: BTreeMap::new(),
            lobby: LobbyMirror::default(),
            is_watching_lobby: false,
            pending: PendingCommands::default(),
            temporary_refusals: 0,
            outbox: VecDeque::new(),
        }
    }

    /// Returns the user of this client, if it is signed in.
    #[must_use]
    pub fn me(&self) -> Option<UserId> {
        self.me
    }

    /// Returns the clock that gives the times in this state.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns a new id for a command or a request.
    ///
    /// # Panics
    /// Never panics, because a UUID is a valid command id.
    #[must_use]
    pub fn new_command_id(&self) -> CommandId {
        self.entropy.uuid(self.clock.now()).to_string().parse().expect("a UUID is a command id")
    }

    /// Watches a table. A private table needs the secret of an invite or a watch link.
    pub fn watch(&mut self, table: TableId, secret: Option<String>) {
        let watched = WatchedTable { table, secret, mirror: None, requested_at: Some(self.clock.now()) };
        self.outbox.push_back(watched.request());
        self.tables.insert(table, watched);
    }

    /// Stops watching a table, and drops the pending commands for it.
    pub fn unwatch(&mut self, table: TableId) {
        self.pending.remove_table(table, None);
        if self.tables.remove(&table).is_some() {
            self.outbox.push_back(ClientFrame::Unwatch { table });
        }
    }

    /// Requests a new snapshot of a watched table.
    pub fn reload(&mut self, table: TableId) {
        if let Some(watched) = self.tables.get_mut(&table) {
            watched.requested_at = Some(self.clock.now());
            self.outbox.push_back(watched.snapshot_request());
        }
    }

    /// Returns the copy of a watched table, once the server has sent a snapshot.
    #[must_use]
    pub fn table(&self, table: TableId) -> Option<&TableMirror> {
        self.tables.get(&table)?.mirror.as_ref()
    }

    /// Watches the lobby.
    pub fn watch_lobby(&mut self) {
        self.is_watching_lobby = true;
        self.outbox.push_back(ClientFrame::WatchLobby {});
    }

    /// Stops watching the lobby.
    pub fn unwatch_lobby(&mut self) {
        self.is_watching_lobby = false;
        self.outbox.push_back(ClientFrame::UnwatchLobby {});
    }

    /// Returns true if the client watches the lobby.
    #[must_use]
    pub fn is_watching_lobby(&self) -> bool {
        self.is_watching_lobby
    }

    /// Returns the list of tables in the lobby. It is up to date while the client watches the
    /// lobby.
    #[must_use]
    pub fn lobby(&self) -> &LobbyMirror {
        &self.lobby
    }

    /// Sends a command to a match under a new id. The command is kept until the server answers it.
    /// It is sent again after a temporary refusal or a reconnect.
    pub fn send(
        &mut self,
        table: TableId,
        match_id: MatchId,
        purpose: P,
        command: impl FnOnce(CommandId) -> ClientFrame,
    ) {
        let command_id = self.new_command_id();
        let frame = command(command_id.clone()).for_match(match_id);
        self.outbox.push_back(frame.clone());
        self.pending.push((table, match_id), command_id, purpose, frame);
    }

    /// Returns true if a command of this purpose is pending for a table.
    #[must_use]
    pub fn is_pending(&self, table: TableId, purpose: &P) -> bool {
        self.pending.has(table, purpose)
    }

    /// Returns true if any command is pending.
    #[must_use]
    pub fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Returns the number of refusals so far after which a command is sent again.
    #[must_use]
    pub fn temporary_refusals(&self) -> u64 {
        self.temporary_refusals
    }

    /// Returns the next frame to send, without removing it from the outbox.
    #[must_use]
    pub fn peek_outgoing(&self) -> Option<&ClientFrame> {
        self.outbox.front()
    }

    /// Removes the next frame from the outbox. Must be called after the frame has been sent.
    pub fn pop_outgoing(&mut self) -> Option<ClientFrame> {
        self.outbox.pop_front()
    }

    /// Continues on a new connection: requests the missed events of every table, and sends the
    /// unanswered commands again.
    pub fn connected(&mut self) {
        let now = self.clock.now();
        self.outbox.clear();
        for watched in self.tables.values_mut() {
            // If the client has a copy of the table, the server may have nothing to send, so no
            // answer is expected.
            watched.requested_at = watched.mirror.is_none().then_some(now);
            self.outbox.push_back(watched.request());
        }
        self.outbox.extend(self.pending.all_for_resend());
        if self.is_watching_lobby {
            self.outbox.push_back(ClientFrame::WatchLobby {});
        }
    }

    /// Sends postponed commands that are due, and repeats requests for tables that the server has
    /// not sent. Must be called about every second.
    pub fn tick(&mut self) {
        let now = self.clock.now();
        self.outbox.extend(self.pending.due(now));
        for watched in self.tables.values_mut() {
            if watched.requested_at.is_some_and(|at| now.since(at) >= WATCH_TIMEOUT) {
                watched.requested_at = Some(now);
                self.outbox.push_back(watched.request());
            }
        }
    }

    /// Handles a frame, and returns what has changed.
    ///
    /// # Errors
    /// Returns [`SyncError`] if a table's events contradict the rules or each other.
    pub fn handle_frame(&mut self, frame: ServerFrame) -> Result<Option<Update<P>>, SyncError> {
        if self.lobby.apply_frame(&frame) {
            return Ok(Some(Update::Lobby));
        }
        match frame {
            ServerFrame::Snapshot { table, match_id, seq, view } => {
                let Some(watched) = self.tables.get_mut(&table) else { return Ok(None) };
                let mirror = TableMirror::new((match_id, seq), *view, self.me, self.clock.now());
                watched.mirror = Some(mirror.map_err(|error| SyncError { table, match_id, error })?);
                watched.requested_at = None;
                self.pending.remove_table(table, Some(match_id));
                Ok(Some(Update::Snapshot { table }))
            }
            ServerFrame::Event { table, match_id, entry, state, legal_moves, .. } => {
                let now = self.clock.now();
                let is_applied =
                    self.advance(table, match_id, |mirror| mirror.apply(&entry, state, legal_moves, now))?;
                Ok(is_applied.then(|| Update::Event { table, entry: Box::new(entry) }))
            }
            ServerFrame::Skip { table, seq, match_id } => {
                let is_applied = self.advance(table, match_id, |mirror| mirror.skip(seq))?;
                Ok(is_applied.then_some(Update::HiddenEvent { table }))
            }
            ServerFrame::Ack { cmd, .. } => Ok(self.pending.remove_answered(&cmd).map(Update::Acknowledged)),
            ServerFrame::Refused { cmd: Some(cmd), code, message, .. } => {
                Ok(self.handle_refusal(&cmd, code, message))
            }
            ServerFrame::Refused { cmd: None, table: Some(table), code, message, .. } => {
                // After a temporary refusal the request is repeated by `tick`.
                let is_final = !is_transient(code) && self.tables.contains_key(&table);
                Ok(is_final.then_some(Update::TableRefused { table, code, message }))
            }
            ServerFrame::Pong { ref heads } => {
                for (table, head) in heads {
                    let is_behind =
                        |mirror: &TableMirror| mirror.match_id != head.match_id || mirror.seq < head.seq;
                    if let Some(watched) = self.tables.get(table)
                        && watched.mirror.as_ref().is_some_and(is_behind)
                    {
                        self.outbox.push_back(watched.request());
                    }
                }
                Ok(Some(Update::Frame(Box::new(frame))))
            }
            frame => Ok(Some(Update::Frame(Box::new(frame)))),
        }
    }

    /// Advances a table by an event of its match. Returns false if nothing has changed, because the
    /// event is already known or belongs to another match, or because events before it are missing.
    /// Missing events are requested.
    fn advance(
        &mut self,
        table: TableId,
        match_id: MatchId,
        apply: impl FnOnce(&mut TableMirror) -> Result<(), MirrorError>,
    ) -> Result<bool, SyncError> {
        let Some(watched) = self.tables.get_mut(&table) else { return Ok(false) };
        let Some(mirror) = watched.mirror.as_mut().filter(|mirror| mirror.match_id == match_id) else {
            return Ok(false);
        };
        match apply(mirror) {
            Ok(()) => Ok(true),
            Err(MirrorError::Gap { seq, last }) => {
                if seq > last {
                    self.outbox.push_back(watched.request());
                }
                Ok(false)
            }
            Err(error) => Err(SyncError { table, match_id, error }),
        }
    }

    /// Handles the refusal of a command. Keeps the command for another attempt if the refusal is
    /// temporary.
    fn handle_refusal(
        &mut self,
        command_id: &CommandId,
        code: RefusalCode,
        message: String,
    ) -> Option<Update<P>> {
        let command = self.pending.remove_answered(command_id)?;
        if is_transient(code) {
            self.temporary_refusals += 1;
            self.pending.postpone(command, self.clock.now());
            return None;
        }
        Some(Update::Refused { command, code, message })
    }
}

impl WatchedTable {
    /// Returns a request for the events after the last known event.
    fn request(&self) -> ClientFrame {
        let known = self.mirror.as_ref();
        let (match_id, after) = (known.map(|mirror| mirror.match_id), known.map(|mirror| mirror.seq));
        ClientFrame::Watch { table: self.table, match_id, after, secret: self.secret.clone(), preview: false }
    }

    /// Returns a request for a snapshot.
    fn snapshot_request(&self) -> ClientFrame {
        let (table, secret) = (self.table, self.secret.clone());
        ClientFrame::Watch { table, match_id: None, after: None, secret, preview: false }
    }
}
