//! The creation of a table, from the request of a host to the first events of the match.

use quadrex_protocol::http::CreateTable;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, RefusalCode, UserId};
use quadrex_rules::{Color, StartError, Timestamp};

use super::{FindError, Stopped};
use crate::actor::seat_holders;
use crate::fault::Fault;
use quadrex_store::NewTable;
use quadrex_table::{
    Action, History, MatchTerms, NumberedEvent, PlayerCommand, Rejection, SettingError, TableIdentity,
    TableState, check_player, validate_settings,
};

/// The longest base time, in milliseconds: a week.
const MAX_BASE_MS: u64 = 7 * 86_400_000;

/// The longest increment or delay, in milliseconds: an hour.
const MAX_INCREMENT_MS: u64 = 3_600_000;

/// The largest number of days for a turn of a correspondence match.
const MAX_DAYS: u64 = 14;

/// The reason for which a table could not be created.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A setting is invalid or contradicts another setting.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// No match can start from the position in the settings (RULES S1).
    #[error("no match can start from the setup: {0}")]
    Start(#[from] StartError),
    /// A number of the time control is out of range.
    #[error("{field} is {value}, it must be {min} to {max}")]
    Time {
        /// The name of the number.
        field: &'static str,
        /// The requested value.
        value: u64,
        /// The smallest allowed value.
        min: u64,
        /// The largest allowed value.
        max: u64,
    },
    /// The host cannot take the requested seat.
    #[error(transparent)]
    Seat(#[from] Rejection),
    /// A different request of the same user has the same `cmd`.
    #[error("another request of yours has that cmd")]
    CmdTaken,
    /// Another node of the cluster has refused the request.
    #[error("{text}")]
    Elsewhere {
        /// The code of the refusal.
        code: RefusalCode,
        /// The reason, for people.
        text: String,
    },
    /// The store failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The server is shutting down.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl OpenError {
    /// Returns the code of the refusal, unless the server failed or is shutting down.
    #[must_use]
    pub fn code(&self) -> Option<RefusalCode> {
        match self {
            Self::Setting(error) => Some(error.code()),
            Self::Start(_) => Some(RefusalCode::BadSetup),
            Self::Time { .. } => Some(RefusalCode::BadSetting),
            Self::CmdTaken => Some(RefusalCode::CmdTaken),
            Self::Seat(rejection) => Some(rejection.code()),
            Self::Elsewhere { code, .. } => Some(*code),
            Self::Fault(_) | Self::Stopped(_) => None,
        }
    }
}

impl From<FindError> for OpenError {
    fn from(error: FindError) -> Self {
        match error {
            FindError::Stopped(stopped) => Self::Stopped(stopped),
            FindError::Fault(fault) => Self::Fault(fault),
        }
    }
}

/// A table that is being created.
#[derive(Debug)]
pub(super) struct TableDraft {
    host: UserView,
    identity: TableIdentity,
    at: Timestamp,
    terms: MatchTerms,
    state: TableState,
    events: Vec<Event>,
}

impl TableDraft {
    /// Validates the request of `host`. If the request has no nonce (the host's contribution to the
    /// lot, the verifiable draw), `nonce` is used.
    pub(super) fn new(
        request: CreateTable,
        host: UserView,
        identity: TableIdentity,
        nonce: Nonce,
        at: Timestamp,
    ) -> Result<Self, OpenError> {
        let (seat, nonce) = (request.seat, request.nonce.clone().unwrap_or(nonce));
        let settings = validate_settings(request)?;
        check_time(settings.time)?;
        check_player(&settings, &host)?;
        let terms = MatchTerms::new(settings, host.clone()).map_err(SettingError::from)?;
        let state = TableState::open(identity, terms.clone(), at)?;
        let events = vec![terms.opened_event(identity.lot_key.secret(identity.match_id).commitment())];
        let mut draft = Self { host, identity, at, terms, state, events };
        if seat.is_some() {
            draft.apply(Action::Sit { seat, invite: None, nonce, rating: None })?;
        }
        Ok(draft)
    }

    /// Gives a bot this seat, or the first open seat if none is given.
    pub(super) fn add_bot(
        &mut self,
        seat: Option<Color>,
        bot: UserView,
        nonce: Nonce,
    ) -> Result<(), OpenError> {
        self.apply(Action::AddBot { seat, bot, nonce })
    }

    /// Applies an action of the host.
    fn apply(&mut self, action: Action) -> Result<(), OpenError> {
        let command = PlayerCommand { by: self.host.clone(), seat: None, action };
        let events = self.state.decide_player_command(&command, self.at)?;
        events.iter().for_each(|event| self.state.apply(event, self.at));
        self.events.extend(events);
        Ok(())
    }

    /// Returns the host, if the host has a seat of a rated match.
    pub(super) fn rated_host(&self) -> Option<UserId> {
        (self.terms.settings.rated && self.state.is_seated(self.host.id)).then_some(self.host.id)
    }

    /// Returns the table in the form in which the store adds it.
    pub(super) fn row(&self) -> NewTable {
        NewTable {
            table: self.identity.table,
            match_id: self.identity.match_id,
            lot_key: self.identity.lot_key,
            host: self.host.id,
            privacy: self.terms.settings.privacy,
            at: self.at,
            events: self.events.clone(),
            holders: seat_holders(&self.state),
        }
    }

    /// Returns the history of the match. Must be called only after the table was stored.
    pub(super) fn history(self) -> History {
        let at = self.at;
        let events = (1..).zip(self.events).map(|(seq, event)| NumberedEvent { seq, at, event }).collect();
        History::replay(self.identity, events).expect("its events were just decided")
    }
}

fn check_time(time: TimeSetting) -> Result<(), OpenError> {
    let check = |field, value, min, max| match (min..=max).contains(&value) {
        true => Ok(()),
        false => Err(OpenError::Time { field, value, min, max }),
    };
    match time {
        TimeSetting::None => Ok(()),
        TimeSetting::Fischer { base_ms, increment_ms } => {
            check("time.base_ms", base_ms, 1, MAX_BASE_MS)?;
            check("time.increment_ms", increment_ms, 0, MAX_INCREMENT_MS)
        }
        TimeSetting::Delay { base_ms, delay_ms } => {
            check("time.base_ms", base_ms, 1, MAX_BASE_MS)?;
            check("time.delay_ms", delay_ms, 0, MAX_INCREMENT_MS)
        }
        TimeSetting::Correspondence { days } => check("time.days", days.into(), 1, MAX_DAYS),
    }
}
