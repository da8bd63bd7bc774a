//! The sessions of a user.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The answer to `GET /api/sessions`: the browsers and programs that act as the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SessionList {
    /// The sessions, newest first, at most 200.
    pub sessions: Vec<SessionView>,
}

/// A session of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SessionView {
    /// The id with which the user ends the session. It is not the session's token.
    pub id: String,
    /// The kind of client.
    pub client: SessionClient,
    /// The name of the client, such as `Firefox, Linux`; absent if it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// The time at which the session began, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// The time at which the session was used last, exact to the hour, in milliseconds since the
    /// Unix epoch; absent if it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seen_at_ms: Option<u64>,
    /// True for the session of the request itself.
    pub is_current: bool,
}

/// The kind of client of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SessionClient {
    /// A browser, with a cookie.
    Browser,
    /// A program, with a bearer token.
    Program,
}

/// The answer to `DELETE /api/sessions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SessionsEnded {
    /// The number of sessions that have ended.
    pub ended: u32,
}
