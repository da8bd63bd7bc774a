//! Bodies of the HTTP routes under `/api`.

use quadrex_rules::{Color, DrawPolicy, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::bot::BotSeat;
use crate::lot::Nonce;
use crate::settings::{Absence, Admission, Chat, Privacy, Seating, TableSettings, TimeSetting, Watchers};
use crate::user::UserView;
use crate::view::{Phase, SeatView};
use crate::vocabulary::{ColorText, DrawPolicyText, VariantText};
use crate::{CmdId, MatchId, RefusalCode, TableId};

/// `POST /api/guests`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewGuest {
    /// The display name, 1 to 24 characters; generated if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// True for a bot, which is marked as one wherever it is displayed; false if not given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub bot: bool,
}

/// `PATCH /api/me`, answered with a [`UserView`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RenameUser {
    /// The new display name, 1 to 24 characters.
    pub name: String,
}

/// Answer of `POST /api/guests`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GuestCreated {
    /// The new user.
    pub user: UserView,
    /// The bearer token. It is returned only here; the server stores just its hash.
    pub token: String,
}

/// `POST /api/session`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewSession {
    /// The secret of a handover; the browser becomes the user that it names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub handover: Option<String>,
}

/// Answer of `POST /api/session` and of `POST /api/session/back`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Session {
    /// The user that the cookie names.
    pub user: UserView,
    /// The user of this browser before a handover, if it can return to that user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub previous_user: Option<UserView>,
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
    /// The user that this browser's cookie names now; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub you: Option<UserView>,
}

/// Answer of `GET /api/me`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Me {
    /// The current user.
    pub user: UserView,
    /// Unfinished tables where the user holds a seat or is host, newest first.
    pub tables: Vec<TableSummary>,
    /// The value of `before` that requests the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub next: Option<TableId>,
}

/// `POST /api/tables`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct CreateTable {
    /// The variant.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// The visibility.
    pub privacy: Privacy,
    /// The host's own seat, taken at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// The contribution of the host's seat to the lot; made by the server if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub nonce: Option<Nonce>,
    /// The start position (FEN or FEN4); its player to move begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub setup: Option<String>,
    /// The handling of draws by repetition and move count; `claim` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<DrawPolicyText>")]
    #[schemars(with = "Option<DrawPolicyText>")]
    pub draws: Option<DrawPolicy>,
    /// The time control; none if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub time: Option<TimeSetting>,
    /// The consequence for a player who stays away too long; `eliminate` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub absence: Option<Absence>,
    /// The users who may watch; if not given, `everybody` at a public table and `link` at a private
    /// one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub watchers: Option<Watchers>,
    /// The players' chat; `on` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub chat: Option<Chat>,
    /// The users who may take a seat; `open` at a public table if not given, always `invite` at a
    /// private one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub admission: Option<Admission>,
    /// True if the result counts for ratings; false if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rated: Option<bool>,
    /// The assignment of seats; `chosen` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seating: Option<Seating>,
    /// The time limit for a move in a match without clocks, in milliseconds. If not given, five
    /// minutes at a public table and no limit at a private one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub move_limit_ms: Option<u64>,
    /// True if a user may hold several seats; false if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hotseat: Option<bool>,
    /// Bots that hold seats from the creation, in addition to the host. If all seats are then held,
    /// the match starts at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<BotSeat>>")]
    pub bots: Vec<BotSeat>,
    /// The request's id, unique per user: repeating the request with it returns the same table, for
    /// a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cmd: Option<CmdId>,
}

impl CreateTable {
    /// Returns a request for a table with default settings.
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
    /// The variant.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// The time control. If not given, any except correspondence is accepted, and a new table has
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub time: Option<TimeSetting>,
    /// The contribution of the seat to the lot; made by the server if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub nonce: Option<Nonce>,
    /// The request's id, unique per user: repeating the request with it returns the same seat.
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
    /// The seat taken.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub seat: Color,
}

/// Answer of `GET /api/tables`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TableList {
    /// Public tables that are open or running, newest first.
    pub tables: Vec<TableSummary>,
    /// The value of `before` that requests the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub next: Option<TableId>,
    /// The total numbers.
    pub counts: LobbyCounts,
}

/// The numbers of all public tables that are open or running, and of the people seated there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LobbyCounts {
    /// Tables with open seats.
    pub open: u32,
    /// Tables with a running match.
    pub running: u32,
    /// Seats held there by people; the server's bots do not count.
    pub players: u32,
}

/// The activity on the server as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Activity {
    /// People with an open connection; bots do not count.
    pub online: u32,
    /// Public matches that have begun within the last 24 hours.
    pub matches_today: u32,
}

/// A table where the user is seated or host, as the user's own list has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OwnTable {
    /// The summary.
    #[serde(flatten)]
    #[ts(flatten)]
    pub summary: TableSummary,
    /// The table's match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// True if the user may move now.
    pub your_move: bool,
    /// The time until the user must have moved, in milliseconds, if it is limited.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub left_ms: Option<u64>,
}

/// The part of a table's summary that changes while its match runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TableStatus {
    /// The table.
    pub table: TableId,
    /// The player to move, while the match runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub turn: Option<Color>,
    /// The number of moves so far.
    pub plies: u32,
    /// The number of people who watch without a seat.
    pub spectators: u32,
}

/// A table in the lobby's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TableSummary {
    /// The table.
    pub table: TableId,
    /// The table's settings.
    pub settings: TableSettings,
    /// The current host.
    pub host: UserView,
    /// Open, running or ended.
    pub phase: Phase,
    /// The seats in turn order.
    pub seats: Vec<SeatView>,
    /// The player to move, while the match runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub turn: Option<Color>,
    /// The number of moves so far.
    pub plies: u32,
    /// The number of people who watch without a seat.
    #[serde(default)]
    pub spectators: u32,
    /// The time of the table's creation, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
}

/// `POST /api/tables/{table}/invites`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewInvite {
    /// The one seat that it grants; any open seat if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// The number of seats that it grants.
    pub uses: Uses,
}

/// The number of seats that an invite grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Uses {
    /// One seat.
    Single,
    /// Any number, until it expires.
    Open,
}

/// Answer of `POST /api/tables/{table}/invites`, of `POST /api/tables/{table}/watch-links` and of
/// `POST /api/handovers`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LinkCreated {
    /// The secret for the link's fragment: `/t/<table>#invite=<secret>`, `#watch=<secret>`, or
    /// `#seat=<secret>` for a handover. It is returned only here.
    pub secret: String,
    /// The time when it expires, in milliseconds since the Unix epoch.
    pub expires_at_ms: u64,
    /// The origin for the link, if the one of the request works on this machine only and other
    /// machines reach the server by another (`http://192.168.1.7:8080`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub origin: Option<String>,
}

/// Answer of `GET /api/tables/{table}/links`: the unexpired invites and watch links, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LinkList {
    /// The links.
    pub links: Vec<LinkView>,
}

/// An invite or a watch link as its table's host sees it, without the secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LinkView {
    /// Its id in `DELETE /api/tables/{table}/links/{link}`. It gives no right at the table.
    pub id: String,
    /// The right that it gives.
    pub kind: LinkKind,
    /// The one seat that an invite is for; any if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// The number of uses.
    pub uses: Uses,
    /// True if a user has taken a seat with it.
    pub used: bool,
    /// The time of its creation, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// The time when it expires, in milliseconds since the Unix epoch.
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

/// The body of every HTTP answer with a status of 400 or above.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ErrorBody {
    /// The kind of refusal, for programs.
    pub code: RefusalCode,
    /// The reason, for people.
    pub message: String,
}
