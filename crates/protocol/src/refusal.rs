//! The codes of refusals, for programs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The kind of a refusal. The message beside it is for people; the code is for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum RefusalCode {
    /// Not a JSON object with the fields this frame or body has.
    Malformed,
    /// No frame has this `t`.
    UnknownType,
    /// The frame or body is larger than allowed.
    TooLarge,
    /// Too many frames in too short a time.
    RateLimited,
    /// `hello` must come first, and once.
    HelloExpected,
    /// The token or cookie is unknown.
    BadToken,
    /// This requires a user: a token or a cookie.
    Unauthenticated,
    /// You play an unfinished match of this variant: no help from the engine until it ends.
    Playing,
    /// There is no such thing, or you may not see it.
    NotFound,
    /// You may see it, but not do this.
    Forbidden,
    /// The host has kicked you from this table.
    Kicked,
    /// Another user holds that seat.
    SeatTaken,
    /// All seats are held.
    TableFull,
    /// You hold a seat here already.
    AlreadySeated,
    /// You hold no seat here, or not the one named.
    NotSeated,
    /// You hold several seats here: name the one it is for.
    WhichSeat,
    /// A bot plays for your seat: take the seat back first.
    Substituted,
    /// The variant has no seat of that color.
    NoSuchSeat,
    /// The invite is wrong, used, expired, or for another seat.
    BadInvite,
    /// The table has as many invites and watch links as it may have.
    TooManyLinks,
    /// The handover is wrong, used or expired.
    BadHandover,
    /// The match has not started.
    NotStarted,
    /// The match has started already.
    AlreadyStarted,
    /// The table's match is not the one named.
    OtherMatch,
    /// The match has ended.
    Ended,
    /// You are eliminated from this match.
    Eliminated,
    /// It is another player's turn.
    NotYourTurn,
    /// The board changed since the `seq` the move was made at.
    Stale,
    /// The rules do not allow the move.
    IllegalMove,
    /// The match is paused, or waits for a player.
    Paused,
    /// There is no pause that could be ended, or none may begin.
    NotPaused,
    /// There is no draw to claim.
    NoDrawToClaim,
    /// A request of that kind is already open, was made this turn, or cannot be made here.
    RequestRefused,
    /// No request of that kind is open for you to answer.
    NoOpenRequest,
    /// You belong to another chat room of the table now.
    WrongRoom,
    /// The host has turned the players' chat off, or limited it to preset phrases.
    ChatOff,
    /// The text is empty, too long or invalid.
    BadText,
    /// You have used this `cmd` for another request.
    CmdTaken,
    /// No match can start from this start position.
    BadSetup,
    /// A setting is outside its range.
    BadSetting,
    /// The cookie came with a request from another site.
    BadOrigin,
    /// The engine is busy; try again later.
    Busy,
    /// The server is about to stop; try again later.
    Closing,
    /// An internal error of the server; the message contains an id that is also in the server's
    /// log.
    Internal,
}
