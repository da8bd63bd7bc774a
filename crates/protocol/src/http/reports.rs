//! Reports: users report other users, and operators handle the reports.

use std::fmt;
use std::str::FromStr;

use quadrex_rules::Color;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::chat::{ChatMessage, Room};
use crate::user::UserView;
use crate::vocabulary::ColorText;
use crate::{MatchId, TableId, UserId};

/// The reason for a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ReportReason {
    /// Insults, spam or threats in the chat.
    Chat,
    /// Help from an engine or from another person.
    Cheating,
    /// Players who help each other against the others, spare each other, or lose on purpose.
    UnfairPlay,
    /// A player who lets the clock run, or leaves matches.
    Stalling,
    /// An offensive name.
    Name,
    /// Another reason, which the text explains.
    Other,
}

impl ReportReason {
    /// All reasons.
    pub const ALL: [Self; 6] =
        [Self::Chat, Self::Cheating, Self::UnfairPlay, Self::Stalling, Self::Name, Self::Other];

    /// Returns the name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Cheating => "cheating",
            Self::UnfairPlay => "unfair_play",
            Self::Stalling => "stalling",
            Self::Name => "name",
            Self::Other => "other",
        }
    }

    /// Returns whether a report with this reason must contain a moment of a match.
    #[must_use]
    pub const fn needs_moment(self) -> bool {
        match self {
            Self::Chat | Self::Cheating | Self::UnfairPlay | Self::Stalling => true,
            Self::Name | Self::Other => false,
        }
    }
}

/// The outcome of a report, chosen by the operator who closes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ReportOutcome {
    /// Nothing was done.
    NoAction,
    /// The user was warned.
    Warned,
    /// The user was suspended.
    Suspended,
    /// The user has another name now.
    Renamed,
    /// The table was closed.
    TableClosed,
    /// Something else was done, which the note explains.
    Other,
}

impl ReportOutcome {
    /// All outcomes.
    pub const ALL: [Self; 6] =
        [Self::NoAction, Self::Warned, Self::Suspended, Self::Renamed, Self::TableClosed, Self::Other];

    /// Returns the name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoAction => "no_action",
            Self::Warned => "warned",
            Self::Suspended => "suspended",
            Self::Renamed => "renamed",
            Self::TableClosed => "table_closed",
            Self::Other => "other",
        }
    }
}

/// The error for a text that is not the name of a reason or an outcome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is none of {known}")]
pub struct UnknownName {
    given: String,
    known: String,
}

fn named<T: Copy>(all: &[T], name: fn(T) -> &'static str, text: &str) -> Result<T, UnknownName> {
    all.iter().copied().find(|value| name(*value) == text).ok_or_else(|| UnknownName {
        given: text.to_owned(),
        known: all.iter().map(|value| name(*value)).collect::<Vec<_>>().join(", "),
    })
}

impl FromStr for ReportReason {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        named(&Self::ALL, Self::name, text)
    }
}

impl fmt::Display for ReportReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ReportOutcome {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        named(&Self::ALL, Self::name, text)
    }
}

impl fmt::Display for ReportOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The moment of a match that a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ReportMoment {
    /// The match, which the reporter must be able to read.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The number of the last event before the report.
    pub at: u64,
    /// The number of the event with the reported chat message; absent if the report is not about a
    /// certain message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub message: Option<u64>,
}

/// The body of `POST /api/reports`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewReport {
    /// The reported user.
    pub user: UserId,
    /// The reason.
    pub reason: ReportReason,
    /// A description of what happened, at most 1000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// The moment; only a report with the reason `name` or `other` may have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub moment: Option<ReportMoment>,
}

/// A report in the data of the user who sent it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OwnReport {
    /// The reported user.
    pub user: UserId,
    /// The name of the reported user at the time of the report.
    pub name: String,
    /// The reason.
    pub reason: ReportReason,
    /// The text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// The moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub moment: Option<ReportMoment>,
    /// The time of the report, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// True until an operator has closed the report.
    pub open: bool,
}

/// The moment of a match in a report, as operators see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AdminReportMoment {
    /// The table.
    pub table: TableId,
    /// The match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The number of the last event before the report.
    pub at: u64,
    /// The number of the event with the reported chat message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub message: Option<u64>,
}

/// The end of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ReportClosure {
    /// The time, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The operator who has closed the report.
    pub by: UserView,
    /// The outcome.
    pub outcome: ReportOutcome,
    /// The note of the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
}

/// A report as operators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AdminReport {
    /// The number of the report.
    pub number: u64,
    /// The user who sent the report.
    pub reporter: UserView,
    /// The reported user.
    pub reported: UserView,
    /// The name of the reported user at the time of the report.
    pub reported_name: String,
    /// The reason.
    pub reason: ReportReason,
    /// The text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// The moment; absent if the report is not about a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub moment: Option<AdminReportMoment>,
    /// The time of the report, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// The end of the report; absent while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub closed: Option<ReportClosure>,
}

/// The answer to `GET /api/admin/reports`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AdminReportList {
    /// The reports, newest first.
    pub reports: Vec<AdminReport>,
    /// The value of `before` that requests the next page; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<u64>,
}

/// A chat message around the moment of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ReportedMessage {
    /// The number of the event.
    pub seq: u64,
    /// The time, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The sender.
    pub user: UserView,
    /// The sender's seat, if the sender has a seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub color: Option<Color>,
    /// The room.
    pub room: Room,
    /// The message.
    pub message: ChatMessage,
}

/// The answer to `GET /api/admin/reports/{report}`, and to closing a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AdminReportDetails {
    /// The report.
    pub report: AdminReport,
    /// The path of the page with the position at the moment; absent if the report is not about a
    /// match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<String>,
    /// The chat messages around the moment, in both rooms.
    pub messages: Vec<ReportedMessage>,
    /// The match as PGN or PGN4, also if the operator may not watch the table; absent if the match
    /// has not started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub notation: Option<String>,
    /// The number of all reports about the user, including this one.
    pub reports_about: u32,
    /// The number of open reports about the user.
    pub open_reports_about: u32,
}

/// The body of `POST /api/admin/reports/{report}/close`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct CloseReport {
    /// The outcome.
    pub outcome: ReportOutcome,
    /// A note for operators, 1 to 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_on_the_wire() {
        for reason in ReportReason::ALL {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.name());
            assert_eq!(reason.name().parse(), Ok(reason));
        }
        for outcome in ReportOutcome::ALL {
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.name());
            assert_eq!(outcome.name().parse(), Ok(outcome));
        }
        let error = "Warned".parse::<ReportOutcome>().unwrap_err().to_string();
        assert_eq!(error, "\"Warned\" is none of no_action, warned, suspended, renamed, table_closed, other");
    }
}
