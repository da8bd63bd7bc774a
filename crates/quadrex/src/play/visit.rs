//! The bot at one table.

use std::collections::BTreeSet;

use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::{Color, Request, Timestamp};

use super::mind::Mind;
use super::place::Place;

/// What is kept of a table while the bot is there.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) table: TableId,
    /// The secret of an invite.
    pub(super) invite: Option<String>,
    /// The seat that is wanted.
    pub(super) wanted: Option<Color>,
    /// Since when.
    pub(super) since: Timestamp,
    /// When the table was last asked for and has not come.
    pub(super) asked_at: Option<Timestamp>,
    pub(super) place: Option<Place>,
    pub(super) mind: Option<Mind>,
    /// Whether it has had a seat.
    pub(super) was_seated: bool,
    /// What belongs to the match that is played.
    pub(super) course: Course,
}

/// What is kept of one match.
#[derive(Debug, Default)]
pub(super) struct Course {
    pub(super) match_id: Option<MatchId>,
    /// Whether it was said that it has begun.
    pub(super) is_told: bool,
    /// How the engine thinks it stands, hundredths of a pawn.
    pub(super) worth: Option<i32>,
    /// Requests that were answered: what, by whom, on which board.
    pub(super) answered: BTreeSet<(Request, Color, u64)>,
    /// The board on which a claim was refused.
    pub(super) vain_claim: Option<u64>,
    /// How many of our moves were refused without one between that was not.
    pub(super) refusals: u32,
    /// When it was over for us.
    pub(super) over_at: Option<Timestamp>,
    /// Whether a rematch was asked for, or one was answered.
    pub(super) rematch: Rematch,
}

/// What was said about a rematch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Rematch {
    #[default]
    Nothing,
    Asked,
    Answered,
}

impl Visit {
    pub(super) fn new(table: TableId, invite: Option<String>, wanted: Option<Color>, now: Timestamp) -> Self {
        Self {
            table,
            invite,
            wanted,
            since: now,
            asked_at: Some(now),
            place: None,
            mind: None,
            was_seated: false,
            course: Course::default(),
        }
    }

    /// Takes in a table as a snapshot tells it.
    pub(super) fn arrive(&mut self, place: Place) {
        if self.course.match_id != Some(place.match_id) {
            self.course = Course { match_id: Some(place.match_id), ..Course::default() };
        }
        self.asked_at = None;
        self.place = Some(place);
    }

    /// Whether we are in a running match here.
    pub(super) fn is_playing(&self) -> bool {
        self.place.as_ref().is_some_and(Place::is_played)
    }

    /// The open requests that are for us to answer now, each once.
    pub(super) fn requests(&mut self) -> Vec<Request> {
        let Some(place) = &self.place else { return Vec::new() };
        let Some(own) = place.own_color() else { return Vec::new() };
        let mut waiting = Vec::new();
        for open in &place.state.requests {
            let is_ours = open.by != own && !open.agreed.contains(&own);
            if is_ours && self.course.answered.insert((open.request, open.by, place.board)) {
                waiting.push(open.request);
            }
        }
        waiting
    }
}
