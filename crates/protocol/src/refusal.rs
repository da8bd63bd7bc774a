//! The codes of refusals, for programs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The kind of a refusal. The message beside it is for people; the code is for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum RefusalCode {
    /// The frame or body is not a JSON object with the expected fields.
    Malformed,
    /// No frame has this `t`.
    UnknownType,
    /// The frame or body is larger than allowed.
    TooLarge,
    /// Too many frames in too short a time.
    RateLimited,
    /// The first frame must be `hello`, and `hello` may not be repeated.
    HelloExpected,
    /// The token or cookie is unknown.
    BadToken,
    /// The request requires a user, identified by a token or a cookie.
    Unauthenticated,
    /// You play an unfinished match of this variant. The engine does not help you until the match
    /// ends.
    Playing,
    /// The requested resource does not exist, or you may not see it.
    NotFound,
    /// You may see the requested resource, but your request is not allowed.
    Forbidden,
    /// The host has kicked you from this table.
    Kicked,
    /// Another user holds that seat.
    SeatTaken,
    /// All seats are held.
    TableFull,
    /// You hold a seat here already.
    AlreadySeated,
    /// You hold no seat here, or not the seat that the command names.
    NotSeated,
    /// You hold several seats here. Name the seat that the command is for.
    WhichSeat,
    /// A bot plays in your place. Take the seat back first.
    Substituted,
    /// The variant has no seat of that color.
    NoSuchSeat,
    /// The invite is wrong, used, expired, or for another seat.
    BadInvite,
    /// The table has the maximum number of invites and watch links.
    TooManyLinks,
    /// The handover is wrong, used or expired.
    BadHandover,
    /// The match has not started.
    NotStarted,
    /// The match has started already.
    AlreadyStarted,
    /// The table's current match is not the match that the command names.
    OtherMatch,
    /// The match has ended.
    Ended,
    /// You are eliminated from this match.
    Eliminated,
    /// It is another player's turn.
    NotYourTurn,
    /// The board or the turn has changed since the event that the move names in `after`.
    Stale,
    /// The rules do not allow the move.
    IllegalMove,
    /// The match is paused, or waits for a player.
    Paused,
    /// The match is not paused, so there is no pause to end.
    NotPaused,
    /// There is no draw to claim.
    NoDrawToClaim,
    /// You cannot make this request now: a request of this kind is open, you have made such a
    /// request in this turn, or the table does not allow such requests.
    RequestRefused,
    /// No request of that kind is open for you to answer.
    NoOpenRequest,
    /// You belong to another chat room of the table now.
    WrongRoom,
    /// The host has turned the players' chat off, or limited it to preset phrases.
    ChatOff,
    /// The text is empty, too long or invalid.
    BadText,
    /// You have used this `cmd` for a different request.
    CmdTaken,
    /// No match can start from this start position.
    BadSetup,
    /// A setting is outside its range.
    BadSetting,
    /// The request has a cookie but comes from another site.
    BadOrigin,
    /// The engine is busy; try again later.
    Busy,
    /// The server is about to stop; try again later.
    Closing,
    /// An internal error of the server; the message contains an id that is also in the server's
    /// log.
    Internal,
}
