//! The bot's state at one table.

use std::collections::BTreeSet;

use quadrex_client::TableMirror;
use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::{Color, Request, Timestamp};

use crate::engine_task::EngineTask;

/// The bot's presence at one table.
#[derive(Debug)]
pub(crate) struct Attendance {
    pub(crate) table: TableId,
    /// The secret of the invite by which the bot may sit here.
    pub(crate) invite: Option<String>,
    /// The seat that the bot asks for; `None` for the first open seat.
    pub(crate) seat: Option<Color>,
    /// The time at which the bot began to attend the table.
    pub(crate) attended_at: Timestamp,
    pub(crate) engine: Option<EngineTask>,
    /// True if the bot has had a seat here.
    pub(crate) was_seated: bool,
    /// The state of the current match.
    pub(crate) progress: MatchProgress,
}

/// The memory of the bot about one match.
#[derive(Debug, Default)]
pub(crate) struct MatchProgress {
    pub(crate) match_id: Option<MatchId>,
    /// True if the start of the match has been logged.
    pub(crate) is_announced: bool,
    /// The engine's last score, in centipawns.
    pub(crate) score: Option<i32>,
    /// The requests that the bot has answered: their kind, the color that made them, and the number
    /// of the last event that had changed the board.
    pub(crate) answered: BTreeSet<(Request, Color, u64)>,
    /// The number of the last event that had changed the board when the server refused the bot's
    /// draw claim.
    pub(crate) refused_claim: Option<u64>,
    /// The number of the bot's moves that the server has refused in a row.
    pub(crate) refusals: u32,
    /// The time at which the match ended for the bot.
    pub(crate) ended_at: Option<Timestamp>,
    /// The bot's last action on a rematch.
    pub(crate) rematch: Rematch,
}

/// The bot's last action on a rematch.
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
            attended_at: now,
            engine: None,
            was_seated: false,
            progress: MatchProgress::default(),
        }
    }

    /// Resets the state of the match if the table has another match now.
    pub(crate) fn set_match(&mut self, match_id: MatchId) {
        if self.progress.match_id != Some(match_id) {
            self.progress = MatchProgress { match_id: Some(match_id), ..MatchProgress::default() };
        }
    }

    /// Returns the open requests of other players that the bot has not answered. A further call
    /// does not return them again.
    pub(crate) fn take_open_requests(&mut self, mirror: &TableMirror) -> Vec<Request> {
        let Some(own_color) = mirror.own_color() else { return Vec::new() };
        let mut unanswered = Vec::new();
        for open in &mirror.state.requests {
            let must_answer = open.by != own_color && !open.agreed.contains(&own_color);
            if must_answer && self.progress.answered.insert((open.request, open.by, mirror.board_seq)) {
                unanswered.push(open.request);
            }
        }
        unanswered
    }
}
