//! The bot's behavior, without a connection or a timer: frames in, frames out.

mod decide;
mod frames;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Result, bail};
use quadrex_clock::Entropy;
use quadrex_driver::{BestMove, claims_draw};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, CmdId, MatchId, TableId, UserId};
use quadrex_rules::Color;
use tokio::sync::mpsc;

use super::attendance::Attendance;
use super::engine_task::{EngineSettings, MoveResult};
use super::lobby::Lobby;
use super::pending_commands::{PendingCommands, Purpose};
use super::reply_policy::ReplyPolicy;
use super::target::Target;
use super::think_time::ThinkTimeArgs;

/// The time that the bot waits for a rematch after a match.
const REMATCH_TIMEOUT: Duration = Duration::from_secs(60);

/// The time that the bot waits at another's table for the match to start.
const OPEN_TABLE_TIMEOUT: Duration = Duration::from_secs(600);

/// The time after which a table that has not arrived is requested again.
const WATCH_TIMEOUT: Duration = Duration::from_secs(10);

/// The number of moves in a row that the server may refuse: a move can be late, but not repeatedly.
const MAX_REFUSALS: u32 = 5;

/// The settings of the bot.
#[derive(Debug)]
pub(super) struct BotSettings {
    pub(super) target: Target,
    pub(super) seat: Option<Color>,
    pub(super) games: Option<u32>,
    pub(super) at_once: u32,
    pub(super) reply_policy: ReplyPolicy,
    pub(super) think_time: ThinkTimeArgs,
}

/// The bot.
#[derive(Debug)]
pub(super) struct Bot {
    me: UserId,
    settings: BotSettings,
    engine_settings: EngineSettings,
    entropy: Entropy,
    results: mpsc::Sender<MoveResult>,
    attended: BTreeMap<TableId, Attendance>,
    pending: PendingCommands,
    lobby: Lobby,
    /// Tables that the bot does not join again.
    excluded: BTreeSet<TableId>,
    /// The number of matches that are over for the bot.
    played: u32,
    is_ending: bool,
    outbox: Vec<ClientFrame>,
}

impl Bot {
    pub(super) fn new(
        me: UserId,
        settings: BotSettings,
        engine_settings: EngineSettings,
        entropy: Entropy,
        results: mpsc::Sender<MoveResult>,
    ) -> Self {
        Self {
            me,
            settings,
            engine_settings,
            entropy,
            results,
            attended: BTreeMap::new(),
            pending: PendingCommands::default(),
            lobby: Lobby::default(),
            excluded: BTreeSet::new(),
            played: 0,
            is_ending: false,
            outbox: Vec::new(),
        }
    }

    /// Returns the frames to send.
    pub(super) fn take_outbox(&mut self) -> Vec<ClientFrame> {
        std::mem::take(&mut self.outbox)
    }

    /// Attends a table.
    pub(super) fn attend(&mut self, table: TableId, invite: Option<String>) {
        let now = self.engine_settings.clock.now();
        let attendance = Attendance::new(table, invite, self.settings.seat, now);
        self.outbox.push(watch_since_last(&attendance));
        self.attended.insert(table, attendance);
    }

    /// Resumes on a new connection: requests every table from its last event, and resends the
    /// commands without an answer.
    pub(super) fn connected(&mut self) {
        let now = self.engine_settings.clock.now();
        self.outbox.clear();
        for attendance in self.attended.values_mut() {
            // For a known table the server sends only what was missed, which may be nothing.
            attendance.watch_sent_at = attendance.mirror.is_none().then_some(now);
            self.outbox.push(watch_since_last(attendance));
        }
        self.outbox.extend(self.pending.all_for_resend());
        if matches!(self.settings.target, Target::Seek(_)) && !self.is_ending {
            self.outbox.push(ClientFrame::WatchLobby {});
        }
        self.seek();
    }

    /// Returns true if nothing is left to do.
    pub(super) fn is_done(&self) -> bool {
        let is_enough = self.is_enough() || self.is_ending;
        let is_at_table = matches!(self.settings.target, Target::At(_));
        self.attended.is_empty() && self.pending.is_empty() && (is_enough || is_at_table)
    }

    /// Returns true if the bot may open a table.
    pub(super) fn wants_table(&self) -> bool {
        matches!(self.settings.target, Target::Open(_)) && self.has_room()
    }

    /// Joins no more tables and leaves those without a running match. Returns the number of running
    /// matches.
    pub(super) fn end(&mut self) -> usize {
        self.is_ending = true;
        if matches!(self.settings.target, Target::Seek(_)) {
            self.outbox.push(ClientFrame::UnwatchLobby {});
        }
        let idle: Vec<TableId> = self.tables(|attendance| !attendance.is_playing());
        idle.into_iter().for_each(|table| self.leave(table, "the bot ends"));
        self.running().len()
    }

    /// Returns the tables with a running match.
    pub(super) fn running(&self) -> Vec<TableId> {
        self.tables(Attendance::is_playing)
    }

    fn tables(&self, is_included: impl Fn(&Attendance) -> bool) -> Vec<TableId> {
        self.attended
            .values()
            .filter(|attendance| is_included(attendance))
            .map(|attendance| attendance.table)
            .collect()
    }

    fn is_enough(&self) -> bool {
        self.settings.games.is_some_and(|games| self.played >= games)
    }

    /// Returns true if another match may start, in addition to those at the attended tables.
    fn has_room(&self) -> bool {
        let attended = u32::try_from(self.attended.len()).unwrap_or(u32::MAX);
        let is_left = self.settings.games.is_none_or(|games| self.played + attended < games);
        !self.is_ending && is_left && attended < self.settings.at_once
    }

    /// Handles timeouts; to be called about every second.
    ///
    /// # Errors
    /// If the bot cannot continue.
    pub(super) fn tick(&mut self) -> Result<()> {
        let now = self.engine_settings.clock.now();
        self.outbox.extend(self.pending.due(now));
        for attendance in self.attended.values_mut() {
            if attendance.watch_sent_at.is_some_and(|asked| now.since(asked) >= WATCH_TIMEOUT) {
                attendance.watch_sent_at = Some(now);
                self.outbox.push(watch_since_last(attendance));
            }
        }
        let is_expired = |attendance: &Attendance| {
            let waits = attendance.mirror.as_ref().is_some_and(|mirror| mirror.state.phase == Phase::Open);
            let is_over =
                attendance.progress.over_at.is_some_and(|over_at| now.since(over_at) >= REMATCH_TIMEOUT);
            is_over || waits && now.since(attendance.arrived_at) >= OPEN_TABLE_TIMEOUT
        };
        for table in self.tables(is_expired) {
            let is_over =
                self.attended.get(&table).is_some_and(|attendance| attendance.progress.over_at.is_some());
            if is_over {
                self.leave(table, "nobody wanted another match");
            } else if matches!(self.settings.target, Target::Seek(_)) {
                self.excluded.insert(table);
                self.leave(table, "the match did not begin");
            }
        }
        self.seek();
        Ok(())
    }

    /// Handles a result of an engine.
    ///
    /// # Errors
    /// If the engine has failed for good.
    pub(super) fn handle_result(&mut self, result: MoveResult) -> Result<()> {
        let MoveResult { table, match_id, board, answer } = result;
        let BestMove { mv, score } = match answer {
            Ok(answer) => answer,
            Err(failure) => {
                bail!(
                    "{failure}. The match at the table {table} goes on without it: started again with the same token, it plays on"
                )
            }
        };
        let Some(attendance) = self.attended.get_mut(&table) else { return Ok(()) };
        let Some(mirror) = attendance.mirror.as_ref().filter(|mirror| mirror.match_id == match_id) else {
            return Ok(());
        };
        // Meanwhile moves may have been taken back, or the match paused.
        let Some(legal) =
            mirror.legal.as_ref().filter(|_| mirror.board == board && mirror.state.suspension.is_none())
        else {
            return Ok(());
        };
        if !legal.contains(&mv) {
            bail!(
                "the engine moves {mv} at the table {table}, which our rules allow and the server's do not: is one of both out of date?"
            );
        }
        let progress = &mut attendance.progress;
        progress.score = score.or(progress.score);
        let claims = mirror.state.can_claim_draw
            && progress.refused_claim != Some(board)
            && claims_draw(mirror.is_among_bots(), progress.score);
        let (of, at) = ((table, match_id), mirror.seq);
        if claims {
            self.send(of, Purpose::Claim(board), |cmd| ClientFrame::ClaimDraw {
                table,
                cmd,
                seat: None,
                match_id: None,
            });
        } else {
            let mv = |cmd| ClientFrame::Move {
                table,
                cmd,
                after: at,
                mv,
                claim_draw: false,
                seat: None,
                match_id: None,
            };
            self.send(of, Purpose::Move, mv);
        }
        Ok(())
    }

    /// Sends a command under a new id.
    fn send(&mut self, of: (TableId, MatchId), purpose: Purpose, frame: impl FnOnce(CmdId) -> ClientFrame) {
        let cmd = self.entropy.uuid(self.engine_settings.clock.now()).to_string();
        let cmd: CmdId = cmd.parse().expect("a UUID names a command");
        let frame = frame(cmd.clone()).for_match(of.1);
        self.outbox.push(frame.clone());
        self.pending.push(of, cmd, purpose, frame);
    }

    /// Attends a suitable table of the lobby, if there is one.
    fn seek(&mut self) {
        let Target::Seek(filter) = &self.settings.target else { return };
        if self.has_room()
            && let Some(table) = self.lobby.best_table(filter, self.me, &self.excluded)
            && !self.attended.contains_key(&table)
        {
            self.attend(table, None);
        }
    }
}

/// Returns a request for a table's events since the last known one.
fn watch_since_last(attendance: &Attendance) -> ClientFrame {
    let known = attendance.mirror.as_ref();
    let (match_id, after) = (known.map(|mirror| mirror.match_id), known.map(|mirror| mirror.seq));
    ClientFrame::Watch {
        table: attendance.table,
        match_id,
        after,
        secret: attendance.invite.clone(),
        preview: false,
    }
}

/// Returns a request for the full state of a table.
fn watch_from_start(attendance: &Attendance) -> ClientFrame {
    let (table, secret) = (attendance.table, attendance.invite.clone());
    ClientFrame::Watch { table, match_id: None, after: None, secret, preview: false }
}
