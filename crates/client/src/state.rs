//! The client's state without I/O: frames in, frames out.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::view::Entry;
use quadrex_protocol::{ClientFrame, CmdId, MatchId, RefusalCode, ServerFrame, TableId, UserId};
use quadrex_rules::Timestamp;

use crate::http::is_transient;
use crate::lobby::LobbyMirror;
use crate::pending_commands::{PendingCommand, PendingCommands};
use crate::table_mirror::{MirrorError, TableMirror};

/// The time after which a table that has not arrived is requested again.
const WATCH_TIMEOUT: Duration = Duration::from_secs(10);

/// The watched tables, the lobby and the pending commands of a client. `P` is the caller's purpose of
/// a command.
#[derive(Debug)]
pub struct ClientState<P> {
    me: Option<UserId>,
    clock: Clock,
    entropy: Entropy,
    tables: BTreeMap<TableId, WatchedTable>,
    lobby: LobbyMirror,
    is_watching_lobby: bool,
    pending: PendingCommands<P>,
    outbox: VecDeque<ClientFrame>,
}

/// A watched table.
#[derive(Debug)]
struct WatchedTable {
    table: TableId,
    /// The secret of an invite or a watch link.
    secret: Option<String>,
    /// The copy of the table, once it has arrived.
    mirror: Option<TableMirror>,
    /// The time of an unanswered request for the table.
    requested_at: Option<Timestamp>,
}

/// A change of the state by a frame.
#[derive(Debug)]
pub enum Update<P> {
    /// A table has arrived, or has been replaced.
    Snapshot {
        /// The table.
        table: TableId,
    },
    /// An event has been applied to a table.
    Event {
        /// The table.
        table: TableId,
        /// The event.
        entry: Box<Entry>,
    },
    /// A table has advanced past an event that this client may not see.
    HiddenEvent {
        /// The table.
        table: TableId,
    },
    /// The lobby has changed.
    Lobby,
    /// A command has taken effect.
    Acknowledged(PendingCommand<P>),
    /// A command has been refused for good.
    Refused {
        /// The command.
        command: PendingCommand<P>,
        /// The reason.
        code: RefusalCode,
        /// The reason, for people.
        message: String,
    },
    /// A watched table is not accessible. It stays in the state until [`ClientState::unwatch`].
    TableRefused {
        /// The table.
        table: TableId,
        /// The reason.
        code: RefusalCode,
        /// The reason, for people.
        message: String,
    },
    /// A frame that does not concern the state.
    Frame(Box<ServerFrame>),
}

/// The error of a table whose events contradict the rules or each other.
#[derive(Debug, thiserror::Error)]
#[error("the match {match_id} at the table {table} cannot be followed: {error}")]
pub struct SyncError {
    /// The table.
    pub table: TableId,
    /// The match.
    pub match_id: MatchId,
    /// The contradiction.
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
            outbox: VecDeque::new(),
        }
    }

    /// Returns the client's user, if it has one.
    #[must_use]
    pub fn me(&self) -> Option<UserId> {
        self.me
    }

    /// Returns the clock.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns a new id for a command or a request.
    ///
    /// # Panics
    /// Never: a UUID is a command id.
    #[must_use]
    pub fn new_command_id(&self) -> CmdId {
        self.entropy.uuid(self.clock.now()).to_string().parse().expect("a UUID is a command id")
    }

    /// Watches a table, with the secret of its link if it is private.
    pub fn watch(&mut self, table: TableId, secret: Option<String>) {
        let watched = WatchedTable { table, secret, mirror: None, requested_at: Some(self.clock.now()) };
        self.outbox.push_back(watched.request());
        self.tables.insert(table, watched);
    }

    /// Stops watching a table, and drops its pending commands.
    pub fn unwatch(&mut self, table: TableId) {
        self.pending.remove_table(table, None);
        if self.tables.remove(&table).is_some() {
            self.outbox.push_back(ClientFrame::Unwatch { table });
        }
    }

    /// Requests the full state of a watched table.
    pub fn reload(&mut self, table: TableId) {
        if let Some(watched) = self.tables.get_mut(&table) {
            watched.requested_at = Some(self.clock.now());
            self.outbox.push_back(watched.full_request());
        }
    }

    /// Returns the copy of a watched table, once it has arrived.
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

    /// Returns true if the lobby is watched.
    #[must_use]
    pub fn is_watching_lobby(&self) -> bool {
        self.is_watching_lobby
    }

    /// Returns the lobby's list, which is up to date while it is watched.
    #[must_use]
    pub fn lobby(&self) -> &LobbyMirror {
        &self.lobby
    }

    /// Sends a command to a match under a new id. It is kept until the server answers it, and sent
    /// again after a temporary refusal or a reconnect.
    pub fn send(
        &mut self,
        table: TableId,
        match_id: MatchId,
        purpose: P,
        command: impl FnOnce(CmdId) -> ClientFrame,
    ) {
        let cmd = self.new_command_id();
        let frame = command(cmd.clone()).for_match(match_id);
        self.outbox.push_back(frame.clone());
        self.pending.push((table, match_id), cmd, purpose, frame);
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

    /// Returns the next frame to send without removing it.
    #[must_use]
    pub fn next_outgoing(&self) -> Option<&ClientFrame> {
        self.outbox.front()
    }

    /// Removes the next frame to send, after it has been sent.
    pub fn pop_outgoing(&mut self) -> Option<ClientFrame> {
        self.outbox.pop_front()
    }

    /// Resumes on a new connection: requests every table from its last event, and sends the commands
    /// without an answer again.
    pub fn connected(&mut self) {
        let now = self.clock.now();
        self.outbox.clear();
        for watched in self.tables.values_mut() {
            // For a known table the server sends only what was missed, which may be nothing.
            watched.requested_at = watched.mirror.is_none().then_some(now);
            self.outbox.push_back(watched.request());
        }
        self.outbox.extend(self.pending.all_for_resend());
        if self.is_watching_lobby {
            self.outbox.push_back(ClientFrame::WatchLobby {});
        }
    }

    /// Sends what is due: postponed commands, and requests for tables that have not arrived. To be
    /// called about every second.
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
    /// [`SyncError`] if a table's events contradict the rules or each other.
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
            ServerFrame::Event { table, match_id, entry, state, legal_moves } => {
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
                Ok(self.refused(&cmd, code, message))
            }
            ServerFrame::Refused { cmd: None, table: Some(table), code, message, .. } => {
                // A request that was refused for a moment is repeated after a while.
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

    /// Advances a table by an event of its match. Returns false if nothing has changed: the event is
    /// already known, is of another match, or comes after a gap, and then the missing events are
    /// requested.
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

    fn refused(&mut self, cmd: &CmdId, code: RefusalCode, message: String) -> Option<Update<P>> {
        let command = self.pending.remove_answered(cmd)?;
        if is_transient(code) {
            self.pending.postpone(command, self.clock.now());
            return None;
        }
        Some(Update::Refused { command, code, message })
    }
}

impl WatchedTable {
    /// Returns a request for the events since the last known one.
    fn request(&self) -> ClientFrame {
        let known = self.mirror.as_ref();
        let (match_id, after) = (known.map(|mirror| mirror.match_id), known.map(|mirror| mirror.seq));
        ClientFrame::Watch { table: self.table, match_id, after, secret: self.secret.clone(), preview: false }
    }

    /// Returns a request for the full state.
    fn full_request(&self) -> ClientFrame {
        let (table, secret) = (self.table, self.secret.clone());
        ClientFrame::Watch { table, match_id: None, after: None, secret, preview: false }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TABLE: &str = "0192f0c1-2345-7000-8000-000000000001";
    const MATCH: &str = "0192f0c1-2345-7000-8000-0000000000aa";

    fn state() -> (ClientState<u8>, TableId, MatchId, Clock) {
        let clock = Clock::manual(Timestamp::from_millis(1_000_000));
        let state = ClientState::new(None, clock.clone(), Entropy::seeded(1));
        (state, TABLE.parse().unwrap(), MATCH.parse().unwrap(), clock)
    }

    fn outgoing(state: &mut ClientState<u8>) -> Vec<ClientFrame> {
        std::iter::from_fn(|| state.pop_outgoing()).collect()
    }

    fn resign(table: TableId) -> impl Fn(CmdId) -> ClientFrame {
        move |cmd| ClientFrame::Resign { table, cmd, seat: None, match_id: None }
    }

    fn refusal(cmd: &CmdId, table: TableId, code: RefusalCode) -> ServerFrame {
        let message = "no".to_owned();
        ServerFrame::Refused { cmd: Some(cmd.clone()), table: Some(table), match_id: None, code, message }
    }

    #[test]
    fn a_command_is_sent_again_under_its_id_until_it_is_answered() {
        let (mut state, table, match_id, clock) = state();
        state.send(table, match_id, 7, resign(table));
        let sent = outgoing(&mut state);
        let cmd = sent[0].cmd().unwrap().clone();
        state.connected();
        assert_eq!(outgoing(&mut state), sent, "a new connection");
        let update = state.handle_frame(refusal(&cmd, table, RefusalCode::RateLimited)).unwrap();
        assert!(update.is_none() && state.is_pending(table, &7), "a temporary refusal is no answer");
        state.tick();
        assert_eq!(outgoing(&mut state), []);
        clock.advance(Duration::from_secs(1));
        state.tick();
        assert_eq!(outgoing(&mut state), sent);
        let update = state.handle_frame(refusal(&cmd, table, RefusalCode::NotYourTurn)).unwrap();
        let Some(Update::Refused { command, .. }) = update else { panic!("{update:?}") };
        assert_eq!((command.purpose, state.has_pending()), (7, false));
        state.connected();
        assert_eq!(outgoing(&mut state), []);
    }

    #[test]
    fn a_table_that_does_not_arrive_is_requested_again() {
        let (mut state, table, _, clock) = state();
        state.watch(table, Some("secret".to_owned()));
        let request = outgoing(&mut state);
        clock.advance(WATCH_TIMEOUT - Duration::from_millis(1));
        state.tick();
        assert_eq!(outgoing(&mut state), []);
        clock.advance(Duration::from_millis(1));
        state.tick();
        assert_eq!(outgoing(&mut state), request);
    }

    /// Returns a frame, with the table and the match in it.
    fn frame(mut frame: serde_json::Value) -> ServerFrame {
        frame["table"] = TABLE.into();
        frame["match"] = MATCH.into();
        serde_json::from_value(frame).unwrap()
    }

    /// Returns the snapshot of a match that has started.
    fn snapshot() -> ServerFrame {
        let start = json!({"type": "started", "first_player": "white", "secret": "0".repeat(64)});
        frame(json!({"t": "snapshot", "seq": 2, "view": {
            "settings": {
                "variant": "classic", "privacy": "public", "time": {"kind": "none"}, "draws": "claim",
                "absence": "eliminate", "watchers": "everybody", "chat": "on", "admission": "open", "rated": false,
                "seating": "chosen", "hotseat": false,
            },
            "host": {"id": "0192f0c1-2345-7000-8000-0000000000ff", "name": "Ada"},
            "board": {"files": 8, "ranks": 8, "holes": []},
            "start": {}, "pieces": {}, "your_seats": [], "players": [], "spectators": 0,
            "seats": [], "history": [{"seq": 2, "at_ms": 0, "event": start}],
            "state": {
                "phase": "running", "turn": "white", "active_players": ["white", "black"], "eliminated": [],
                "checks": [], "can_claim_draw": false,
            },
        }}))
    }

    fn moved(seq: u64, color: &str, mv: &str) -> ServerFrame {
        let event = json!({"type": "moved", "color": color, "move": mv});
        frame(json!({"t": "event", "seq": seq, "at_ms": 0, "event": event, "state": {}}))
    }

    fn plies(state: &ClientState<u8>, table: TableId) -> usize {
        state.table(table).and_then(TableMirror::game).map_or(0, |game| game.moves().len())
    }

    #[test]
    fn missed_events_are_requested_and_known_ones_ignored() {
        let (mut state, table, match_id, _) = state();
        state.watch(table, None);
        outgoing(&mut state);
        let update = state.handle_frame(snapshot()).unwrap();
        assert!(matches!(update, Some(Update::Snapshot { .. })), "{update:?}");
        let update = state.handle_frame(moved(3, "white", "e2e4")).unwrap();
        assert!(matches!(update, Some(Update::Event { .. })), "{update:?}");
        assert!(state.handle_frame(moved(3, "white", "e2e4")).unwrap().is_none(), "it is known");
        assert_eq!((plies(&state, table), outgoing(&mut state)), (1, Vec::new()));

        let since = |after| ClientFrame::Watch {
            table,
            match_id: Some(match_id),
            after: Some(after),
            secret: None,
            preview: false,
        };
        assert!(state.handle_frame(moved(5, "white", "d2d4")).unwrap().is_none(), "event 4 is missing");
        assert_eq!((plies(&state, table), outgoing(&mut state)), (1, vec![since(3)]));
        state.handle_frame(moved(4, "black", "e7e5")).unwrap();
        let heads = json!({TABLE: {"match": MATCH, "seq": 4}});
        state.handle_frame(frame(json!({"t": "pong", "heads": heads}))).unwrap();
        assert_eq!((plies(&state, table), outgoing(&mut state)), (2, Vec::new()), "it is up to date");
        let heads = json!({TABLE: {"match": MATCH, "seq": 5}});
        state.handle_frame(frame(json!({"t": "pong", "heads": heads}))).unwrap();
        assert_eq!(outgoing(&mut state), [since(4)]);
        state.connected();
        assert_eq!(outgoing(&mut state), [since(4)]);

        let error = state.handle_frame(moved(5, "white", "e4e6")).unwrap_err();
        assert!(matches!(error.error, MirrorError::Event { seq: 5, .. }), "{error}");
    }

    #[test]
    fn only_a_final_refusal_of_a_table_is_an_update() {
        let (mut state, table, _, _) = state();
        state.watch(table, None);
        let message = String::new;
        let refused = |code| ServerFrame::Refused {
            cmd: None,
            table: Some(table),
            match_id: None,
            code,
            message: message(),
        };
        assert!(state.handle_frame(refused(RefusalCode::RateLimited)).unwrap().is_none());
        let update = state.handle_frame(refused(RefusalCode::NotFound)).unwrap();
        assert!(matches!(update, Some(Update::TableRefused { .. })), "{update:?}");
        state.unwatch(table);
        assert!(state.handle_frame(refused(RefusalCode::NotFound)).unwrap().is_none(), "it is not watched");
    }
}
