//! Refusals in the form in which they are sent to clients. Frames and HTTP responses use the same
//! type.

use std::fmt;
use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quadrex_protocol::http::ErrorBody;
use quadrex_protocol::{CommandId, MatchId, RefusalCode, ServerFrame, TableId};

use crate::auth::{Denial, UserSuspension};
use crate::fault::Fault;
use crate::limits::{BadForwardedFor, LimitExceeded};
use crate::telemetry::metrics::METRICS;
use quadrex_rules::Timestamp;
use quadrex_table::Rejection;
use time::OffsetDateTime;

/// A refusal of a request, with a code for programs and a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The reason as a code.
    pub(crate) code: RefusalCode,
    /// The reason as a sentence.
    pub(crate) message: String,
    /// The current match of the table, if a table has refused a command.
    pub(crate) match_id: Option<MatchId>,
    /// The time after which the same request may be tried again.
    retry_after: Option<Duration>,
    /// The HTTP status, if it differs from the usual status of the code.
    status: Option<StatusCode>,
}

impl Refusal {
    /// Returns a refusal with this sentence.
    pub(crate) fn new(code: RefusalCode, message: impl fmt::Display) -> Self {
        Self { code, message: message.to_string(), match_id: None, retry_after: None, status: None }
    }

    /// Returns the refusal for a table that does not exist or is hidden. It is the same in both
    /// cases, so that it does not reveal whether a private table exists.
    pub(crate) fn no_table() -> Self {
        Self::new(RefusalCode::NotFound, "there is no such table, or it is not for you")
    }

    /// Returns the refusal for a wrong name or a wrong password. It is the same in both cases, so that
    /// it does not reveal whether an account exists.
    pub(crate) fn wrong_credentials() -> Self {
        Self::new(RefusalCode::WrongCredentials, "there is no account with this name and password")
    }

    /// Returns the refusal for a name that belongs to an account.
    pub(crate) fn name_taken() -> Self {
        Self::new(RefusalCode::NameTaken, "this name belongs to an account, or looks like such a name")
    }

    /// Returns the refusal for a match that does not exist or is hidden. The client cannot
    /// distinguish the two cases.
    pub(crate) fn no_match() -> Self {
        Self::new(RefusalCode::NotFound, "there is no such match, or it is not for you")
    }

    /// Returns the refusal for a suspended user. The end of the suspension is also the time after
    /// which the request may be tried again.
    pub(crate) fn suspended(suspension: &UserSuspension, now: Timestamp) -> Self {
        let reason = &suspension.reason;
        match suspension.until {
            Some(until) => {
                let message = format_args!("you are suspended until {}: {reason}", minute_of(until));
                Self::new(RefusalCode::Suspended, message).after(until.since(now))
            }
            None => Self::new(RefusalCode::Suspended, format_args!("you are suspended: {reason}")),
        }
    }

    /// Returns the refusal for an invite that gives no seat at the table.
    pub(crate) fn bad_invite() -> Self {
        Denial::BadInvite.into()
    }

    /// Returns the refusal of a server that is about to stop.
    pub(crate) fn closing() -> Self {
        Self::new(RefusalCode::Closing, "the server is about to stop; come again in a moment")
    }

    /// Returns the refusal for a fault. It contains the fault's id, under which the cause was
    /// logged.
    pub(crate) fn fault(fault: Fault) -> Self {
        Self::new(RefusalCode::Internal, fault)
    }

    /// Adds the current match of the table that has refused a command.
    pub(crate) fn at(self, match_id: MatchId) -> Self {
        Self { match_id: Some(match_id), ..self }
    }

    /// Sets an HTTP status other than the usual one of the code.
    pub(crate) fn with_status(self, status: StatusCode) -> Self {
        Self { status: Some(status), ..self }
    }

    /// Sets the time after which the request may be tried again.
    pub(crate) fn after(self, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..self }
    }

    /// Returns the `refused` frame. The ids name the refused command and its table.
    pub(crate) fn frame(self, command_id: Option<CommandId>, table: Option<TableId>) -> ServerFrame {
        let Self { code, message, match_id, .. } = self;
        ServerFrame::Refused { cmd: command_id, table, match_id, code, message }
    }

    /// Returns the usual HTTP status of the code.
    fn status(&self) -> StatusCode {
        match self.code {
            RefusalCode::Malformed
            | RefusalCode::UnknownType
            | RefusalCode::HelloExpected
            | RefusalCode::NoSuchSeat
            | RefusalCode::BadText
            | RefusalCode::BadSetup
            | RefusalCode::InvalidPassword
            | RefusalCode::BadSetting => StatusCode::BAD_REQUEST,
            RefusalCode::BadToken | RefusalCode::Unauthenticated => StatusCode::UNAUTHORIZED,
            RefusalCode::Forbidden
            | RefusalCode::Kicked
            | RefusalCode::Playing
            | RefusalCode::BadOrigin
            | RefusalCode::BadInvite
            | RefusalCode::BadHandover
            | RefusalCode::WrongCredentials
            | RefusalCode::AccountNeeded
            | RefusalCode::OutsideRatingRange
            | RefusalCode::MissingScope
            | RefusalCode::Suspended => StatusCode::FORBIDDEN,
            RefusalCode::NotFound => StatusCode::NOT_FOUND,
            RefusalCode::BadMailLink => StatusCode::GONE,
            RefusalCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            RefusalCode::RateLimited | RefusalCode::RatedWait | RefusalCode::RenameTooSoon => {
                StatusCode::TOO_MANY_REQUESTS
            }
            RefusalCode::SeatTaken
            | RefusalCode::TableFull
            | RefusalCode::TooManyLinks
            | RefusalCode::TooManyTokens
            | RefusalCode::ListFull
            | RefusalCode::PlayerBlocked
            | RefusalCode::NameTaken
            | RefusalCode::AlreadyAccount
            | RefusalCode::AlreadySeated
            | RefusalCode::NotSeated
            | RefusalCode::WhichSeat
            | RefusalCode::Substituted
            | RefusalCode::NotStarted
            | RefusalCode::AlreadyStarted
            | RefusalCode::OtherMatch
            | RefusalCode::Ended
            | RefusalCode::Eliminated
            | RefusalCode::NotYourTurn
            | RefusalCode::Stale
            | RefusalCode::IllegalMove
            | RefusalCode::Paused
            | RefusalCode::NotPaused
            | RefusalCode::NoDrawToClaim
            | RefusalCode::WrongRoom
            | RefusalCode::ChatOff
            | RefusalCode::LastSignIn
            | RefusalCode::CmdTaken
            | RefusalCode::RequestRefused
            | RefusalCode::NoOpenRequest => StatusCode::CONFLICT,
            RefusalCode::ProviderFailed => StatusCode::BAD_GATEWAY,
            RefusalCode::Busy | RefusalCode::Closing => StatusCode::SERVICE_UNAVAILABLE,
            RefusalCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Counts the refusal, and returns the HTTP response with this status.
    pub(crate) fn into_response_with(self, status: StatusCode) -> Response {
        METRICS.commands.refusals.inc(self.code.name());
        let retry_after = self.retry_after;
        let body = Json(ErrorBody { code: self.code, message: self.message });
        let mut response = (status, body).into_response();
        if let Some(wait) = retry_after {
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        response
    }
}

/// Returns the minute of a time in UTC, rounded up, such as "2026-09-21 14:05 UTC".
fn minute_of(time: Timestamp) -> String {
    let minutes = time.as_millis().div_ceil(60_000);
    let seconds = i64::try_from(minutes * 60).unwrap_or(i64::MAX);
    let Ok(time) = OffsetDateTime::from_unix_timestamp(seconds) else { return "a later time".to_owned() };
    let (year, month, day) = (time.year(), u8::from(time.month()), time.day());
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", time.hour(), time.minute())
}

impl From<LimitExceeded> for Refusal {
    fn from(error: LimitExceeded) -> Self {
        Self { retry_after: error.retry_after, ..Self::new(RefusalCode::RateLimited, error) }
    }
}

impl From<BadForwardedFor> for Refusal {
    fn from(error: BadForwardedFor) -> Self {
        Self::new(RefusalCode::Malformed, error)
    }
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        Self::new(rejection.code(), rejection)
    }
}

impl From<Denial> for Refusal {
    fn from(denial: Denial) -> Self {
        Self::new(denial.code(), denial)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = self.status.unwrap_or_else(|| self.status());
        self.into_response_with(status)
    }
}
