//! What a table is opened with: chosen once by whoever makes it, and the same for every match there.

use quadrex_rules::{DrawPolicy, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::http::{Privacy, TimeSetting};
use crate::vocabulary::{DrawPolicyText, VariantText};

/// The settings of a table. They never change once it is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct TableSettings {
    /// Which rules.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// Who may find the table.
    pub privacy: Privacy,
    /// The position it starts from (FEN or FEN4), if it is not the variant's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub setup: Option<String>,
    /// The time control.
    pub time: TimeSetting,
    /// How repetition and the move count draw.
    #[ts(as = "DrawPolicyText")]
    #[schemars(with = "DrawPolicyText")]
    pub draws: DrawPolicy,
    /// What becomes of a player who stays away too long.
    pub absence: Absence,
    /// Who may watch, beside those who sit and the host.
    pub watchers: Watchers,
    /// What the players' chat allows.
    pub chat: Chat,
    /// Who may take a seat.
    pub admission: Admission,
    /// Whether the result counts for ratings; a table that is not rated is casual.
    pub rated: bool,
    /// Whether one plays from the seat one took.
    pub seating: Seating,
    /// Without clocks, how long one may think about a move, milliseconds; without it, as long as one likes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub move_limit_ms: Option<u64>,
    /// Whether one person may hold several seats: people around one screen.
    pub hotseat: bool,
}

/// What becomes of a player who stays away too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Absence {
    /// The player goes out.
    Eliminate,
    /// The match waits.
    Wait,
    /// A bot plays in its place until it comes back.
    Bot,
}

/// Who may watch a table, beside those who sit and the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Watchers {
    /// Everybody.
    Everybody,
    /// Who holds a watch link or an invite.
    Link,
    /// Nobody.
    Nobody,
}

/// What the players' chat allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Chat {
    /// Any text.
    On,
    /// The preset phrases only.
    Phrases,
    /// Nothing.
    Off,
}

/// Who may take a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Admission {
    /// Everybody.
    Open,
    /// The host, and who holds an invite.
    Invite,
}

/// Whether one plays from the seat one took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Seating {
    /// One does.
    Chosen,
    /// At the start the seats are drawn by lot.
    Drawn,
}
