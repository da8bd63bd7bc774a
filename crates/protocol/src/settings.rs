//! Settings of a table. Its creator chooses them, and they apply to every match at the table.

use std::fmt;

use quadrex_rules::{DrawPolicy, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::GroupId;
use crate::vocabulary::{DrawPolicyText, VariantText};

/// The settings of a table. They never change after the table was created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct TableSettings {
    /// The variant.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// The visibility.
    pub privacy: Privacy,
    /// The start position (FEN or FEN4), if it is not the variant's normal start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub setup: Option<String>,
    /// The time control.
    pub time: TimeSetting,
    /// The handling of draws by repetition and move count: by claim or automatic.
    #[ts(as = "DrawPolicyText")]
    #[schemars(with = "DrawPolicyText")]
    pub draws: DrawPolicy,
    /// The consequence for a player who stays away too long.
    pub absence: Absence,
    /// The users who may watch. The players and the host always may.
    pub watchers: Watchers,
    /// The kind of messages that the players' chat room allows.
    pub chat: Chat,
    /// The users who may take a seat.
    pub admission: Admission,
    /// True if the result counts for ratings; otherwise the table is casual.
    pub rated: bool,
    /// The ratings of the users who may take a seat of a rated table without an invite; absent for
    /// all ratings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rating_range: Option<RatingRange>,
    /// The way in which seats are assigned to players.
    pub seating: Seating,
    /// The time limit for a move in a match without clocks, in milliseconds; absent for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub move_limit_ms: Option<u64>,
    /// True if a user may hold several seats, for several people who share a screen.
    pub hotseat: bool,
    /// The group for which the table was created, whose members see the table and sit there without an
    /// invite; absent for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub group: Option<GroupId>,
    /// True if the names of the users at the table are hidden until the match is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub anonymous: bool,
}

/// The visibility of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Privacy {
    /// The lobby lists the table, and everybody may join.
    Public,
    /// Only the host, the players and the holders of a link can find the table.
    Private,
}

/// A table's time control. All durations are milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TimeSetting {
    /// No clocks.
    None,
    /// An initial time and an increment. The increment is added after each move.
    Fischer {
        /// The time that each player starts with.
        base_ms: u64,
        /// The time that each move adds.
        increment_ms: u64,
    },
    /// An initial time and a delay. In each turn the clock starts to run after the delay.
    Delay {
        /// The time that each player starts with.
        base_ms: u64,
        /// The free time at the start of each turn.
        delay_ms: u64,
    },
    /// A number of days for each turn.
    Correspondence {
        /// The number of days, 1 to 14.
        days: u8,
    },
}

/// The consequence for a player who stays away too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Absence {
    /// The player is eliminated.
    Eliminate,
    /// The match waits.
    Wait,
    /// A bot plays in the player's place until the player comes back.
    Bot,
}

/// The users who may watch a table. Its players and its host always may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Watchers {
    /// Everybody.
    Everybody,
    /// Holders of a watch link or an invite.
    Link,
    /// Only the players and the host.
    Nobody,
}

/// The kind of messages that the players' chat room allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Chat {
    /// Any text.
    On,
    /// The preset phrases only.
    Phrases,
    /// No messages.
    Off,
}

/// The users who may take a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Admission {
    /// Everybody.
    Open,
    /// The host and holders of an invite.
    Invite,
}

/// A range of ratings. At least one of its limits is present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RatingRange {
    /// The lowest rating of the range, 0 to 4000; absent for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub min: Option<u16>,
    /// The highest rating of the range, 0 to 4000; absent for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub max: Option<u16>,
}

impl RatingRange {
    /// Returns whether a rating is in the range.
    #[must_use]
    pub fn contains(self, rating: i32) -> bool {
        self.min.is_none_or(|min| i32::from(min) <= rating)
            && self.max.is_none_or(|max| rating <= i32::from(max))
    }
}

impl fmt::Display for RatingRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.min, self.max) {
            (Some(min), Some(max)) => write!(f, "{min} to {max}"),
            (Some(min), None) => write!(f, "{min} or more"),
            (None, Some(max)) => write!(f, "{max} or less"),
            (None, None) => f.write_str("any"),
        }
    }
}

/// The assignment of seats to players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Seating {
    /// Each player keeps the seat that it chose.
    Chosen,
    /// The seats are drawn by lot at the start.
    Drawn,
}
