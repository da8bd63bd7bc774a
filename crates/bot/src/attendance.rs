//! The bot's state of one table.

use std::collections::BTreeSet;

use quadrex_client::TableMirror;
use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::{Color, Request, Timestamp};

use crate::engine_task::EngineTask;

/// The state of an attended table.
#[derive(Debug)]
pub(crate) struct Attendance {
    pub(crate) table: TableId,
    /// The secret of an invite.
    pub(crate) invite: Option<String>,
    /// The requested seat.
    pub(crate) seat: Option<Color>,
    /// The time of arrival.
    pub(crate) arrived_at: Timestamp,
    pub(crate) engine: Option<EngineTask>,
    /// True if the bot has had a seat here.
    pub(crate) was_seated: bool,
    /// The state of the current match.
    pub(crate) progress: MatchProgress,
}

/// The bot's state of one match.
#[derive(Debug, Default)]
pub(crate) struct MatchProgress {
    pub(crate) match_id: Option<MatchId>,
    /// True if the start of the match has been logged.
    pub(crate) is_announced: bool,
    /// The engine's last score, in hundredths of a pawn.
    pub(crate) score: Option<i32>,
    /// The answered requests: kind, asker and board.
    pub(crate) answered: BTreeSet<(Request, Color, u64)>,
    /// The board on which a claim was refused.
    pub(crate) refused_claim: Option<u64>,
    /// The number of our moves refused in a row.
    pub(crate) refusals: u32,
    /// The time when the match was over for us.
    pub(crate) over_at: Option<Timestamp>,
    /// Our part in a rematch.
    pub(crate) rematch: Rematch,
}

/// Our last action on a rematch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rematch {
    #[default]
    Nothing,
    Asked,
    Answered,
}

impl Attendance {
    pub(crate) fn new(table: TableId, invite: Option<String>, seat: Option<Color>, now: Timestamp) -> Self {
        Self {
            table,
            invite,
            seat,
            arrived_at: now,
            engine: None,
            was_seated: false,
            progress: MatchProgress::default(),
        }
    }

    /// Starts over if the table has another match now.
    pub(crate) fn set_match(&mut self, match_id: MatchId) {
        if self.progress.match_id != Some(match_id) {
            self.progress = MatchProgress { match_id: Some(match_id), ..MatchProgress::default() };
        }
    }

    /// Returns the open requests that we have to answer now, each once.
    pub(crate) fn requests(&mut self, mirror: &TableMirror) -> Vec<Request> {
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
