//! Why something was refused, as programs read it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The kind of a refusal. The sentence beside it is for people; this is for programs.
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
    /// The token or cookie names nobody.
    BadToken,
    /// One must be somebody to do this.
    Unauthenticated,
    /// You play a match of this variant that is not over: no help from the engine until it is.
    Playing,
    /// There is no such thing, or it is not for you.
    NotFound,
    /// You see it, but may not do this.
    Forbidden,
    /// The host has kicked you from this table.
    Kicked,
    /// Somebody holds that seat.
    SeatTaken,
    /// All seats are held.
    TableFull,
    /// You hold a seat here already.
    AlreadySeated,
    /// You hold no seat here, or not the one named.
    NotSeated,
    /// You hold several seats here: name the one it is for.
    WhichSeat,
    /// A bot plays in your place: take your seat back first.
    StoodIn,
    /// The variant has no seat of that color.
    NoSuchSeat,
    /// The invite is wrong, used, expired, or for another seat.
    BadInvite,
    /// The handover is wrong, used or expired.
    BadHandover,
    /// The match has not started.
    NotStarted,
    /// The match has started already.
    AlreadyStarted,
    /// The table is at another match than the one named.
    OtherMatch,
    /// The match has ended.
    Ended,
    /// You are out of this match.
    Eliminated,
    /// It is somebody else's turn.
    NotYourTurn,
    /// The board changed since the `seq` the move was made at.
    Stale,
    /// The rules do not allow the move.
    IllegalMove,
    /// The match is paused, or waits for somebody.
    Paused,
    /// There is no pause that could be ended, or none may begin.
    NotPaused,
    /// There is no draw to be claimed.
    NoDrawToClaim,
    /// A request of that kind is open already, was made this turn, or cannot be made here.
    RequestRefused,
    /// No request of that kind is open that you could answer.
    NoOpenRequest,
    /// One speaks in another room of the table now.
    WrongRoom,
    /// The host lets the players not chat, or in preset phrases only.
    ChatOff,
    /// The text is empty or too long, or cannot be read.
    BadText,
    /// Another request of yours has that `cmd`.
    CmdTaken,
    /// The start position is not one a match can start from.
    BadSetup,
    /// A setting is outside its range.
    BadSetting,
    /// The cookie came with a request from another site.
    BadOrigin,
    /// The engine has too much to do; come again.
    Busy,
    /// The server is about to stop; come again.
    Closing,
    /// The server's fault; the message holds an id that its log names too.
    Internal,
}
