//! Invites and watch links.

use quadrex_rules::Color;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::vocabulary::ColorText;

/// The body of `POST /api/tables/{table}/invites`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewInvite {
    /// The only seat that the invite grants; any open seat if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// The number of seats that the invite grants.
    pub uses: Uses,
}

/// The number of seats that an invite grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Uses {
    /// One seat.
    Single,
    /// Any number of seats, until the invite expires.
    Open,
}

/// The answer to `POST /api/tables/{table}/invites`, to `POST /api/tables/{table}/watch-links` and
/// to `POST /api/handovers`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LinkCreated {
    /// The secret for the link's fragment: `/t/<table>#invite=<secret>`, `#watch=<secret>`, or
    /// `#seat=<secret>` for a handover. No other request returns it.
    pub secret: String,
    /// The time when the link expires, in milliseconds since the Unix epoch.
    pub expires_at_ms: u64,
    /// The origin that the link needs, such as `http://192.168.1.7:8080`. It is present if the
    /// origin of the request works only on the server's own machine, and other machines reach the
    /// server by another origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub origin: Option<String>,
}

/// The answer to `GET /api/tables/{table}/links`: the unexpired invites and watch links, oldest
/// first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LinkList {
    /// The links.
    pub links: Vec<LinkView>,
}

/// An invite or a watch link in the host's list. It does not contain the secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LinkView {
    /// The id of the link in `DELETE /api/tables/{table}/links/{link}`. The id alone gives no right
    /// at the table.
    pub id: String,
    /// The right that the link gives.
    pub kind: LinkKind,
    /// The only seat that the invite grants; any open seat if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// The number of times that the link can be used.
    pub uses: Uses,
    /// True if a user has taken a seat with the invite.
    pub used: bool,
    /// The time when the link was created, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// The time when the link expires, in milliseconds since the Unix epoch.
    pub expires_at_ms: u64,
}

/// The right that a link gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// The right to take a seat.
    Invite,
    /// The right to watch the table.
    Watch,
}
