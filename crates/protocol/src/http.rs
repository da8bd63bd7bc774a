//! Bodies of the HTTP routes under `/api`.

use quadrex_rules::{Color, DrawPolicy, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::bot::BotSeat;
use crate::lot::Nonce;
use crate::settings::{Absence, Admission, Chat, Seating, TableSettings, Watchers};
use crate::view::{Phase, SeatView, UserView};
use crate::vocabulary::{ColorText, DrawPolicyText, VariantText};
use crate::{CmdId, MatchId, RefusalCode, TableId};

/// Who may find and watch a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Privacy {
    /// In the lobby's list, open to all.
    Public,
    /// Known only to its host, those who sit, and those who hold a link.
    Private,
}

/// A table's time control. All durations are milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TimeSetting {
    /// No clocks.
    None,
    /// A stock of time, and a gift after each move.
    Fischer {
        /// What each player starts with.
        base_ms: u64,
        /// What each move adds.
        increment_ms: u64,
    },
    /// A stock of time that begins to run only after a pause in each turn.
    Delay {
        /// What each player starts with.
        base_ms: u64,
        /// The free time at the start of each turn.
        delay_ms: u64,
    },
    /// The same number of days for each turn.
    Correspondence {
        /// Days, 1 to 14.
        days: u8,
    },
}

/// `POST /api/guests`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewGuest {
    /// The name to be shown, 1 to 24 characters; without it one is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// Whether it is a bot, and marked as one wherever it is shown; not if not given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub bot: bool,
}

/// Answer of `POST /api/guests`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GuestCreated {
    /// Who one now is.
    pub user: UserView,
    /// The bearer token; shown once, the server keeps only its hash.
    pub token: String,
}

/// `POST /api/session`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewSession {
    /// The secret of a handover: whom it names, the browser becomes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub handover: Option<String>,
}

/// Answer of `POST /api/session` and of `POST /api/session/back`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Session {
    /// Who the cookie names.
    pub user: UserView,
    /// Who this browser was before a handover, if it can return to that user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub earlier: Option<UserView>,
}

/// `POST /api/handovers/preview`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ShownHandover {
    /// The secret of the handover.
    pub secret: String,
}

/// Answer of `POST /api/handovers/preview`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct HandoverPreview {
    /// The user that the handover names.
    pub user: UserView,
    /// The user that this browser's cookie names now; absent if it names nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub you: Option<UserView>,
}

/// Answer of `GET /api/me`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Me {
    /// Who one is.
    pub user: UserView,
    /// Unfinished tables where one sits or is host, newest first.
    pub tables: Vec<TableSummary>,
    /// What to ask for as `before` to get the tables after these; none if these are the last.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub next: Option<TableId>,
}

/// `POST /api/tables`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct CreateTable {
    /// Which rules.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// Who may find it.
    pub privacy: Privacy,
    /// The host's own seat, taken at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// What the host's seat adds to the lot; made by the server if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub nonce: Option<Nonce>,
    /// A start position (FEN or FEN4); whose turn it says begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub setup: Option<String>,
    /// How repetition and the move count draw; `claim` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<DrawPolicyText>")]
    #[schemars(with = "Option<DrawPolicyText>")]
    pub draws: Option<DrawPolicy>,
    /// The time control; none if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub time: Option<TimeSetting>,
    /// What becomes of a player who stays away too long; `eliminate` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub absence: Option<Absence>,
    /// Who may watch; `everybody` at a public table and `link` at a private one if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub watchers: Option<Watchers>,
    /// What the players' chat allows; `on` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub chat: Option<Chat>,
    /// Who may take a seat; `open` at a public table if not given, always `invite` at a private one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub admission: Option<Admission>,
    /// Whether the result counts for ratings; it does not if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rated: Option<bool>,
    /// Whether one plays from the seat one took; `chosen` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seating: Option<Seating>,
    /// Without clocks, how long one may think about a move, milliseconds. If not given, five minutes at a public
    /// table and as long as one likes at a private one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub move_limit_ms: Option<u64>,
    /// Whether one person may hold several seats; not if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hotseat: Option<bool>,
    /// Bots that sit there from the beginning, beside the host; if all seats are held then, the match starts at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<BotSeat>>")]
    pub bots: Vec<BotSeat>,
    /// The request's name, unique per user: the same request under it gets the same table, for a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cmd: Option<CmdId>,
}

impl CreateTable {
    /// The wish for a table with nothing special.
    #[must_use]
    pub const fn plain(variant: Variant, privacy: Privacy) -> Self {
        Self {
            variant,
            privacy,
            seat: None,
            nonce: None,
            setup: None,
            draws: None,
            time: None,
            absence: None,
            watchers: None,
            chat: None,
            admission: None,
            rated: None,
            seating: None,
            move_limit_ms: None,
            hotseat: None,
            bots: Vec::new(),
            cmd: None,
        }
    }
}

/// Answer of `POST /api/tables`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TableCreated {
    /// The new table.
    pub table: TableId,
    /// Its match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
}

/// `POST /api/quick-join`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct QuickJoin {
    /// Which rules.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// The time control; if not given, any but correspondence, and none at a table that is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub time: Option<TimeSetting>,
    /// What the seat adds to the lot; made by the server if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub nonce: Option<Nonce>,
    /// The request's name, unique per user: the same request under it gets the same seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cmd: Option<CmdId>,
}

/// Answer of `POST /api/quick-join`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct QuickJoined {
    /// The table.
    pub table: TableId,
    /// Its match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The seat one holds there.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub seat: Color,
}

/// Answer of `GET /api/tables`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TableList {
    /// Public tables that are open or running, newest first.
    pub tables: Vec<TableSummary>,
    /// What to ask for as `before` to get the tables after these; none if these are the last.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub next: Option<TableId>,
    /// How many there are in all.
    pub counts: LobbyCounts,
}

/// The numbers of all public tables that are open or running, and of the people who sit there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LobbyCounts {
    /// Tables with open seats.
    pub open: u32,
    /// Tables where a match runs.
    pub running: u32,
    /// Seats that people hold there; the server's bots do not count.
    pub players: u32,
}

/// What changes at a table while its match goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TableStatus {
    /// Which table.
    pub table: TableId,
    /// Who is to move, while the match runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub turn: Option<Color>,
    /// Moves made so far.
    pub plies: u32,
    /// How many watch without a seat.
    pub spectators: u32,
}

/// A table as the lobby shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TableSummary {
    /// Which table.
    pub table: TableId,
    /// What it was opened with.
    pub settings: TableSettings,
    /// Who is host now.
    pub host: UserView,
    /// Open, running or ended.
    pub phase: Phase,
    /// The seats in turn order.
    pub seats: Vec<SeatView>,
    /// Who is to move, while the match runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub turn: Option<Color>,
    /// Moves made so far.
    pub plies: u32,
    /// How many watch without a seat.
    #[serde(default)]
    pub spectators: u32,
    /// When it was made, milliseconds since the Unix epoch.
    pub created_at_ms: u64,
}

/// `POST /api/tables/{table}/invites`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewInvite {
    /// The one seat it opens; any open seat if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// How often it opens one.
    pub uses: Uses,
}

/// How often an invite opens a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Uses {
    /// Once.
    Single,
    /// Until it expires.
    Open,
}

/// Answer of `POST /api/tables/{table}/invites`, of `POST /api/tables/{table}/watch-links` and of
/// `POST /api/handovers`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LinkCreated {
    /// Goes into the link's fragment: `/t/<table>#invite=<secret>`, `#watch=<secret>`, or `#seat=<secret>` for a
    /// handover. Shown once.
    pub secret: String,
    /// When it ends, milliseconds since the Unix epoch.
    pub expires_at_ms: u64,
}

/// The body of every HTTP answer with a status of 400 or above.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ErrorBody {
    /// What kind of refusal, for programs.
    pub code: RefusalCode,
    /// What is wrong, for people.
    pub message: String,
}
