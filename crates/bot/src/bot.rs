//! The bot's behavior, without a connection or a timer: from updates of the client's state to
//! commands.

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

/// The time that the bot waits at another's table for the match to start.
const OPEN_TABLE_TIMEOUT: Duration = Duration::from_secs(600);

/// The number of moves in a row that the server may refuse: a move can be late, but not repeatedly.
pub(crate) const MAX_REFUSALS: u32 = 5;

/// The purpose of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Sit,
    Leave,
    Move,
    /// Claims a draw, on this board.
    Claim(u64),
    /// Answers a request.
    Answer,
}

/// The settings of the bot's play.
#[derive(Debug)]
pub(crate) struct PlaySettings {
    pub(crate) target: Target,
    pub(crate) seat: Option<Color>,
    pub(crate) games: Option<u32>,
    pub(crate) at_once: u32,
    pub(crate) reply_policy: ReplyPolicy,
    pub(crate) think_time: ThinkTimeSettings,
}

/// The bot.
#[derive(Debug)]
pub(crate) struct Bot {
    me: UserId,
    pub(crate) settings: PlaySettings,
    pub(crate) engine_settings: EngineSettings,
    pub(crate) results: mpsc::Sender<MoveResult>,
    pub(crate) attended: BTreeMap<TableId, Attendance>,
    /// Tables that the bot does not join again.
    pub(crate) excluded: BTreeSet<TableId>,
    /// The number of matches that are over for the bot.
    pub(crate) played: u32,
    pub(crate) is_ending: bool,
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
            is_ending: false,
        }
    }

    /// Attends a table.
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

    /// Continues on a new connection.
    pub(crate) fn connected(&mut self, state: &mut ClientState<Purpose>) {
        if matches!(self.settings.target, Target::Seek(_)) && !self.is_ending && !state.is_watching_lobby() {
            state.watch_lobby();
        }
        self.seek(state);
    }

    /// Returns true if nothing is left to do.
    pub(crate) fn is_done(&self, state: &ClientState<Purpose>) -> bool {
        let is_enough = self.is_enough() || self.is_ending;
        let is_at_table = matches!(self.settings.target, Target::At(_));
        self.attended.is_empty() && !state.has_pending() && (is_enough || is_at_table)
    }

    /// Returns true if the bot may open a table.
    pub(crate) fn wants_table(&self) -> bool {
        matches!(self.settings.target, Target::Open(_)) && self.has_room()
    }

    /// Joins no more tables and leaves those without a running match. Returns the number of running
    /// matches.
    pub(crate) fn end(&mut self, state: &mut ClientState<Purpose>) -> usize {
        self.is_ending = true;
        if matches!(self.settings.target, Target::Seek(_)) {
            state.unwatch_lobby();
        }
        let idle = self.tables(|attendance| !is_playing(state, attendance.table));
        idle.into_iter().for_each(|table| self.leave(state, table, "the bot ends"));
        self.running(state).len()
    }

    /// Returns the tables with a running match.
    pub(crate) fn running(&self, state: &ClientState<Purpose>) -> Vec<TableId> {
        self.tables(|attendance| is_playing(state, attendance.table))
    }

    fn tables(&self, is_included: impl Fn(&Attendance) -> bool) -> Vec<TableId> {
        self.attended
            .values()
            .filter(|attendance| is_included(attendance))
            .map(|attendance| attendance.table)
            .collect()
    }

    pub(crate) fn is_enough(&self) -> bool {
        self.settings.games.is_some_and(|games| self.played >= games)
    }

    /// Returns true if another match may start, in addition to those at the attended tables.
    fn has_room(&self) -> bool {
        let attended = u32::try_from(self.attended.len()).unwrap_or(u32::MAX);
        let is_left = self.settings.games.is_none_or(|games| self.played + attended < games);
        !self.is_ending && is_left && attended < self.settings.at_once
    }

    /// Handles timeouts; to be called about every second.
    pub(crate) fn tick(&mut self, state: &mut ClientState<Purpose>) {
        let now = self.engine_settings.clock.now();
        let is_expired = |attendance: &Attendance| {
            let mirror = state.table(attendance.table);
            let waits = mirror.is_some_and(|mirror| mirror.state.phase == Phase::Open);
            let is_over =
                attendance.progress.over_at.is_some_and(|over_at| now.since(over_at) >= REMATCH_TIMEOUT);
            is_over || waits && now.since(attendance.arrived_at) >= OPEN_TABLE_TIMEOUT
        };
        for table in self.tables(is_expired) {
            let is_over =
                self.attended.get(&table).is_some_and(|attendance| attendance.progress.over_at.is_some());
            if is_over {
                self.leave(state, table, "no rematch was agreed");
            } else if matches!(self.settings.target, Target::Seek(_)) {
                self.excluded.insert(table);
                self.leave(state, table, "the match did not begin");
            }
        }
        self.seek(state);
    }

    /// Handles a result of an engine.
    ///
    /// # Errors
    /// If the engine has failed for good.
    pub(crate) fn handle_result(
        &mut self,
        state: &mut ClientState<Purpose>,
        result: MoveResult,
    ) -> Result<()> {
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
        let Some(mirror) = state.table(table).filter(|mirror| mirror.match_id == match_id) else {
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
        let after = mirror.seq;
        if claims {
            state.send(table, match_id, Purpose::Claim(board), |cmd| ClientFrame::ClaimDraw {
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

    /// Attends a suitable table of the lobby, if there is one.
    pub(crate) fn seek(&mut self, state: &mut ClientState<Purpose>) {
        let Target::Seek(filter) = &self.settings.target else { return };
        if self.has_room()
            && let Some(table) = filter.best_table(state.lobby().tables(), self.me, &self.excluded)
            && !self.attended.contains_key(&table)
        {
            self.attend(state, table, None);
        }
    }
}

/// Returns true if the bot plays a running match at a table.
fn is_playing(state: &ClientState<Purpose>, table: TableId) -> bool {
    state.table(table).is_some_and(TableMirror::is_playing)
}
