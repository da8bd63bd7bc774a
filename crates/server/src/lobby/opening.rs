//! Making a table: from what a host asks for to the first events of its match.

use quadrex_protocol::Event;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::user::UserView;
use quadrex_rules::{Color, StartError, Timestamp};

use super::Stopped;
use crate::fault::Fault;
use crate::table::{
    Action, Fact, History, Origin, Rejection, SettingError, TableCommand, TableState, Terms, settle,
};
use quadrex_store::NewTable;

/// The longest stock of time, milliseconds: a week.
const LONGEST_BASE_MS: u64 = 7 * 86_400_000;

/// The longest increment or delay, milliseconds: an hour.
const LONGEST_GIFT_MS: u64 = 3_600_000;

/// The most days for a turn in correspondence.
const MOST_DAYS: u64 = 14;

/// Why a table was not made.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A setting cannot be, or does not go with the others.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// No match can start from the set-up (RULES S1).
    #[error("no match can start from the setup: {0}")]
    Start(#[from] StartError),
    /// The time control is outside what is allowed.
    #[error("{field} is {value}, it must be {least} to {most}")]
    Time {
        /// Which number.
        field: &'static str,
        /// What it is.
        value: u64,
        /// The least it may be.
        least: u64,
        /// The most it may be.
        most: u64,
    },
    /// The host's own seat cannot be taken.
    #[error(transparent)]
    Seat(#[from] Rejection),
    /// Another request of this user has that name.
    #[error("another request of yours has that cmd")]
    CmdTaken,
    /// The store could not keep the table.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The server is about to end.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// A table about to be made.
#[derive(Debug)]
pub(super) struct Opening {
    host: UserView,
    origin: Origin,
    at: Timestamp,
    terms: Terms,
    state: TableState,
    events: Vec<Event>,
}

impl Opening {
    /// Judges what `host` asks for; `nonce` is what the host's seat adds to the lot if the request has none.
    pub(super) fn new(
        request: CreateTable,
        host: UserView,
        origin: Origin,
        nonce: Nonce,
        at: Timestamp,
    ) -> Result<Self, OpenError> {
        let (seat, nonce) = (request.seat, request.nonce.clone().unwrap_or(nonce));
        let settings = settle(request)?;
        check_time(settings.time)?;
        let terms = Terms::new(settings, host.clone()).map_err(SettingError::from)?;
        let state = TableState::open(origin, terms.clone(), at)?;
        let events = vec![terms.opened(origin.lot_key.secret(origin.match_id).commitment())];
        let mut opening = Self { host, origin, at, terms, state, events };
        if seat.is_some() {
            opening.have_done(Action::Sit { seat, invite: None, nonce })?;
        }
        Ok(opening)
    }

    /// Puts a bot into this seat, or into the first open one.
    pub(super) fn add_bot(
        &mut self,
        seat: Option<Color>,
        bot: UserView,
        nonce: Nonce,
    ) -> Result<(), OpenError> {
        self.have_done(Action::AddBot { seat, bot, nonce })
    }

    /// Has done what the host wants.
    fn have_done(&mut self, action: Action) -> Result<(), OpenError> {
        let command = TableCommand::Person { by: self.host.clone(), seat: None, action };
        let events = self.state.decide(&command, self.at)?;
        events.iter().for_each(|event| self.state.apply(event, self.at));
        self.events.extend(events);
        Ok(())
    }

    /// What the store is to keep.
    pub(super) fn row(&self) -> NewTable {
        NewTable {
            table: self.origin.table,
            match_id: self.origin.match_id,
            lot_key: self.origin.lot_key,
            host: self.host.id,
            privacy: self.terms.settings.privacy,
            at: self.at,
            events: self.events.clone(),
        }
    }

    /// The match, once it is kept.
    pub(super) fn history(self) -> History {
        let at = self.at;
        let facts = (1..).zip(self.events).map(|(seq, event)| Fact { seq, at, event }).collect();
        History::replay(self.origin, facts).expect("its events were just decided")
    }
}

fn check_time(time: TimeSetting) -> Result<(), OpenError> {
    let check = |field, value, least, most| match (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(OpenError::Time { field, value, least, most }),
    };
    match time {
        TimeSetting::None => Ok(()),
        TimeSetting::Fischer { base_ms, increment_ms } => {
            check("time.base_ms", base_ms, 1, LONGEST_BASE_MS)?;
            check("time.increment_ms", increment_ms, 0, LONGEST_GIFT_MS)
        }
        TimeSetting::Delay { base_ms, delay_ms } => {
            check("time.base_ms", base_ms, 1, LONGEST_BASE_MS)?;
            check("time.delay_ms", delay_ms, 0, LONGEST_GIFT_MS)
        }
        TimeSetting::Correspondence { days } => check("time.days", days.into(), 1, MOST_DAYS),
    }
}
