//! The behavior of the bot. It turns updates from the client into commands. The behavior has
//! neither a connection nor a timer of its own, so that it is easy to test.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Result, bail};
use quadrex_client::{ClientState, TableMirror};
use quadrex_driver::{BestMove, claims_draw};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, TableId, UserId};
use quadrex_rules::Color;
use tokio::sync::mpsc;

use crate::attendance::Attendance;
use crate::engine_task::{EngineSettings, MoveResult};
use crate::reply_policy::ReplyPolicy;
use crate::target::Target;
use crate::think_time::ThinkTimeSettings;

/// The time that the bot waits for a rematch after a match.
const REMATCH_TIMEOUT: Duration = Duration::from_secs(60);

/// The time that the bot waits for the match to start at a table of another user.
const OPEN_TABLE_TIMEOUT: Duration = Duration::from_secs(600);

/// The number of moves in a row that the server may refuse. One move may be refused because it
/// comes too late, but more refusals mean that something is wrong.
pub(crate) const MAX_REFUSALS: u32 = 5;

/// The purpose of a command that the bot has sent. The client returns it with the server's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Sit,
    Leave,
    Move,
    /// The command claims a draw. The number is the number of the last event that changed the
    /// board.
    Claim(u64),
    /// The command answers a request of another player.
    Answer,
}

/// The settings for where and how the bot plays.
#[derive(Debug)]
pub(crate) struct PlaySettings {
    pub(crate) target: Target,
    /// The seat that the bot takes at a table; `None` for the first open seat.
    pub(crate) seat: Option<Color>,
    /// The number of matches after which the bot stops.
    pub(crate) max_matches: Option<u32>,
    /// The number of tables at which the bot plays at the same time.
    pub(crate) max_tables: u32,
    pub(crate) reply_policy: ReplyPolicy,
    pub(crate) think_time: ThinkTimeSettings,
}

/// The state of the bot at all of its tables.
#[derive(Debug)]
pub(crate) struct Bot {
    /// The bot's own user id.
    me: UserId,
    pub(crate) settings: PlaySettings,
    pub(crate) engine_settings: EngineSettings,
    /// The sender through which the engines return their moves.
    pub(crate) results: mpsc::Sender<MoveResult>,
    /// The tables at which the bot is.
    pub(crate) attended: BTreeMap<TableId, Attendance>,
    /// The tables that the bot does not join again.
    pub(crate) excluded: BTreeSet<TableId>,
    /// The number of matches that have ended for the bot.
    pub(crate) played: u32,
    /// True if the bot joins no more tables, because it was asked to stop.
    pub(crate) is_stopping: bool,
}

impl Bot {
    pub(crate) fn new(
        me: UserId,
        settings: PlaySettings,
        engine_settings: EngineSettings,
        results: mpsc::Sender<MoveResult>,
    ) -> Self {
        Self {
            me,
            settings,
            engine_settings,
            results,
            attended: BTreeMap::new(),
            excluded: BTreeSet::new(),
            played: 0,
            is_stopping: false,
        }
    }

    /// Begins to attend a table. The bot watches the table, and takes a seat once it has received
    /// the table's state.
    pub(crate) fn attend(
        &mut self,
        state: &mut ClientState<Purpose>,
        table: TableId,
        invite: Option<String>,
    ) {
        let now = self.engine_settings.clock.now();
        state.watch(table, invite.clone());
        self.attended.insert(table, Attendance::new(table, invite, self.settings.seat, now));
    }

    /// Goes on after the client has connected.
    pub(crate) fn connected(&mut self, state: &mut ClientState<Purpose>) {
        if matches!(self.settings.target, Target::Seek(_)) && !self.is_stopping && !state.is_watching_lobby()
        {
            state.watch_lobby();
        }
        self.seek(state);
    }

    /// Returns true if the bot has nothing left to do.
    pub(crate) fn is_done(&self, state: &ClientState<Purpose>) -> bool {
        let has_played_enough = self.has_played_enough() || self.is_stopping;
        let is_at_table = matches!(self.settings.target, Target::At(_));
        self.attended.is_empty() && !state.has_pending() && (has_played_enough || is_at_table)
    }

    /// Returns true if the bot should open another table now.
    pub(crate) fn wants_table(&self) -> bool {
        matches!(self.settings.target, Target::Open(_)) && self.may_attend_another()
    }

    /// Joins no more tables, and leaves the tables without a running match. Returns the number of
    /// matches that still run.
    pub(crate) fn stop(&mut self, state: &mut ClientState<Purpose>) -> usize {
        self.is_stopping = true;
        if matches!(self.settings.target, Target::Seek(_)) {
            state.unwatch_lobby();
        }
        let idle = self.tables_where(|attendance| !is_playing(state, attendance.table));
        idle.into_iter().for_each(|table| self.leave(state, table, "the bot ends"));
        self.tables_with_match(state).len()
    }

    /// Returns the tables at which the bot plays in a running match.
    pub(crate) fn tables_with_match(&self, state: &ClientState<Purpose>) -> Vec<TableId> {
        self.tables_where(|attendance| is_playing(state, attendance.table))
    }

    /// Returns the attended tables for which `is_included` returns true.
    fn tables_where(&self, is_included: impl Fn(&Attendance) -> bool) -> Vec<TableId> {
        self.attended
            .values()
            .filter(|attendance| is_included(attendance))
            .map(|attendance| attendance.table)
            .collect()
    }

    /// Returns true if the bot has played the number of matches in the settings.
    pub(crate) fn has_played_enough(&self) -> bool {
        self.settings.max_matches.is_some_and(|max_matches| self.played >= max_matches)
    }

    /// Returns true if the bot may attend another table.
    fn may_attend_another(&self) -> bool {
        let attended = u32::try_from(self.attended.len()).unwrap_or(u32::MAX);
        let is_match_left =
            self.settings.max_matches.is_none_or(|max_matches| self.played + attended < max_matches);
        !self.is_stopping && is_match_left && attended < self.settings.max_tables
    }

    /// Leaves the tables at which the bot has waited too long, and seeks another table. Must be
    /// called about every second.
    pub(crate) fn tick(&mut self, state: &mut ClientState<Purpose>) {
        let now = self.engine_settings.clock.now();
        let is_expired = |attendance: &Attendance| {
            let mirror = state.table(attendance.table);
            let is_waiting = mirror.is_some_and(|mirror| mirror.state.phase == Phase::Open);
            let is_over =
                attendance.progress.ended_at.is_some_and(|ended_at| now.since(ended_at) >= REMATCH_TIMEOUT);
            is_over || is_waiting && now.since(attendance.attended_at) >= OPEN_TABLE_TIMEOUT
        };
        for table in self.tables_where(is_expired) {
            let is_over =
                self.attended.get(&table).is_some_and(|attendance| attendance.progress.ended_at.is_some());
            if is_over {
                self.leave(state, table, "no rematch was agreed");
            } else if matches!(self.settings.target, Target::Seek(_)) {
                self.excluded.insert(table);
                self.leave(state, table, "the match did not begin");
            }
        }
        self.seek(state);
    }

    /// Sends the move that an engine has chosen, or claims a draw instead.
    ///
    /// # Errors
    /// Returns an error if the engine has failed too often to be restarted.
    pub(crate) fn handle_result(
        &mut self,
        state: &mut ClientState<Purpose>,
        result: MoveResult,
    ) -> Result<()> {
        let MoveResult { table, match_id, board_seq, answer } = result;
        let BestMove { mv, score } = match answer {
            Ok(answer) => answer,
            Err(failure) => {
                bail!(
                    "{failure}. The match at the table {table} goes on without it: started again with the same token, it plays on"
                )
            }
        };
        let Some(attendance) = self.attended.get_mut(&table) else { return Ok(()) };
        let Some(mirror) = state.table(table).filter(|mirror| mirror.match_id == match_id) else {
            return Ok(());
        };
        // After the engine was asked, moves may have been taken back, or the match may have been
        // paused.
        let Some(legal) = mirror
            .legal
            .as_ref()
            .filter(|_| mirror.board_seq == board_seq && mirror.state.suspension.is_none())
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
        let shall_claim = mirror.state.can_claim_draw
            && progress.refused_claim != Some(board_seq)
            && claims_draw(mirror.only_bots_play(), progress.score);
        let after = mirror.seq;
        if shall_claim {
            state.send(table, match_id, Purpose::Claim(board_seq), |cmd| ClientFrame::ClaimDraw {
                table,
                cmd,
                seat: None,
                match_id: None,
            });
        } else {
            let mv = |cmd| ClientFrame::Move {
                table,
                cmd,
                after,
                mv,
                claim_draw: false,
                seat: None,
                match_id: None,
            };
            state.send(table, match_id, Purpose::Move, mv);
        }
        Ok(())
    }

    /// Attends a suitable table of the lobby, if there is one and the bot looks for tables there.
    pub(crate) fn seek(&mut self, state: &mut ClientState<Purpose>) {
        let Target::Seek(filter) = &self.settings.target else { return };
        if self.may_attend_another()
            && let Some(table) = filter.best_table(state.lobby().tables(), self.me, &self.excluded)
            && !self.attended.contains_key(&table)
        {
            self.attend(state, table, None);
        }
    }
}

/// Returns true if the bot plays in a running match at this table.
fn is_playing(state: &ClientState<Purpose>, table: TableId) -> bool {
    state.table(table).is_some_and(TableMirror::is_playing)
}
