//! The bot's attendance at one table.

use std::collections::BTreeSet;

use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::{Color, Request, Timestamp};

use super::engine_task::EngineTask;
use super::table_mirror::TableMirror;

/// The state of an attended table.
#[derive(Debug)]
pub(super) struct Attendance {
    pub(super) table: TableId,
    /// The secret of an invite.
    pub(super) invite: Option<String>,
    /// The requested seat.
    pub(super) seat: Option<Color>,
    /// The time of arrival.
    pub(super) arrived_at: Timestamp,
    /// The time of an unanswered request for the table.
    pub(super) watch_sent_at: Option<Timestamp>,
    pub(super) mirror: Option<TableMirror>,
    pub(super) engine: Option<EngineTask>,
    /// True if the bot has held a seat here.
    pub(super) was_seated: bool,
    /// The state of the current match.
    pub(super) progress: MatchProgress,
}

/// The bot's state of one match.
#[derive(Debug, Default)]
pub(super) struct MatchProgress {
    pub(super) match_id: Option<MatchId>,
    /// True if the start of the match has been logged.
    pub(super) is_announced: bool,
    /// The engine's last score, in hundredths of a pawn.
    pub(super) score: Option<i32>,
    /// The answered requests: kind, asker and board.
    pub(super) answered: BTreeSet<(Request, Color, u64)>,
    /// The board on which a claim was refused.
    pub(super) refused_claim: Option<u64>,
    /// The number of our moves refused in a row.
    pub(super) refusals: u32,
    /// The time when the match was over for us.
    pub(super) over_at: Option<Timestamp>,
    /// Our part in a rematch.
    pub(super) rematch: Rematch,
}

/// Our last action on a rematch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Rematch {
    #[default]
    Nothing,
    Asked,
    Answered,
}

impl Attendance {
    pub(super) fn new(table: TableId, invite: Option<String>, seat: Option<Color>, now: Timestamp) -> Self {
        Self {
            table,
            invite,
            seat,
            arrived_at: now,
            watch_sent_at: Some(now),
            mirror: None,
            engine: None,
            was_seated: false,
            progress: MatchProgress::default(),
        }
    }

    /// Replaces the table's copy after a snapshot.
    pub(super) fn replace_mirror(&mut self, mirror: TableMirror) {
        if self.progress.match_id != Some(mirror.match_id) {
            self.progress = MatchProgress { match_id: Some(mirror.match_id), ..MatchProgress::default() };
        }
        self.watch_sent_at = None;
        self.mirror = Some(mirror);
    }

    /// Returns true if we play a running match here.
    pub(super) fn is_playing(&self) -> bool {
        self.mirror.as_ref().is_some_and(TableMirror::is_playing)
    }

    /// Returns the open requests that we have to answer now, each once.
    pub(super) fn requests(&mut self) -> Vec<Request> {
        let Some(mirror) = &self.mirror else { return Vec::new() };
        let Some(own) = mirror.own_color() else { return Vec::new() };
        let mut waiting = Vec::new();
        for open in &mirror.state.requests {
            let is_ours = open.by != own && !open.agreed.contains(&own);
            if is_ours && self.progress.answered.insert((open.request, open.by, mirror.board)) {
                waiting.push(open.request);
            }
        }
        waiting
    }
}
