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
    /// You have blocked somebody at this table.
    PlayerBlocked,
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
    /// The link that was sent by mail is wrong, used or expired.
    BadMailLink,
    /// There is no such account or recovery key, or the password is wrong.
    WrongCredentials,
    /// The name belongs to an account, or belonged to one.
    NameTaken,
    /// The password is too short, too long, or easy to guess.
    InvalidPassword,
    /// The user has an account already.
    AlreadyAccount,
    /// Guests may not do this: create an account, or sign in.
    AccountNeeded,
    /// The user's rating is outside the range of the table.
    OutsideRatingRange,
    /// You have left rated matches, and must wait before the next one. `GET /api/me` has the time.
    RatedWait,
    /// The name of the account was changed a short time ago.
    RenameTooSoon,
    /// The sign-in provider cannot be reached.
    ProviderFailed,
    /// The user would not be able to sign in any more: set a password first.
    LastSignIn,
    /// The token does not have the scope that the request needs.
    MissingScope,
    /// The user is suspended, and may only read. The message contains the reason.
    Suspended,
    /// The user has the maximum number of tokens.
    TooManyTokens,
    /// The list of users that you have blocked, muted or follow is full.
    ListFull,
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

impl RefusalCode {
    /// Returns the name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::UnknownType => "unknown_type",
            Self::TooLarge => "too_large",
            Self::RateLimited => "rate_limited",
            Self::HelloExpected => "hello_expected",
            Self::BadToken => "bad_token",
            Self::Unauthenticated => "unauthenticated",
            Self::Playing => "playing",
            Self::NotFound => "not_found",
            Self::Forbidden => "forbidden",
            Self::Kicked => "kicked",
            Self::PlayerBlocked => "player_blocked",
            Self::SeatTaken => "seat_taken",
            Self::TableFull => "table_full",
            Self::AlreadySeated => "already_seated",
            Self::NotSeated => "not_seated",
            Self::WhichSeat => "which_seat",
            Self::Substituted => "substituted",
            Self::NoSuchSeat => "no_such_seat",
            Self::BadInvite => "bad_invite",
            Self::TooManyLinks => "too_many_links",
            Self::BadHandover => "bad_handover",
            Self::BadMailLink => "bad_mail_link",
            Self::WrongCredentials => "wrong_credentials",
            Self::NameTaken => "name_taken",
            Self::InvalidPassword => "invalid_password",
            Self::AlreadyAccount => "already_account",
            Self::AccountNeeded => "account_needed",
            Self::OutsideRatingRange => "outside_rating_range",
            Self::RatedWait => "rated_wait",
            Self::RenameTooSoon => "rename_too_soon",
            Self::ProviderFailed => "provider_failed",
            Self::LastSignIn => "last_sign_in",
            Self::MissingScope => "missing_scope",
            Self::Suspended => "suspended",
            Self::TooManyTokens => "too_many_tokens",
            Self::ListFull => "list_full",
            Self::NotStarted => "not_started",
            Self::AlreadyStarted => "already_started",
            Self::OtherMatch => "other_match",
            Self::Ended => "ended",
            Self::Eliminated => "eliminated",
            Self::NotYourTurn => "not_your_turn",
            Self::Stale => "stale",
            Self::IllegalMove => "illegal_move",
            Self::Paused => "paused",
            Self::NotPaused => "not_paused",
            Self::NoDrawToClaim => "no_draw_to_claim",
            Self::RequestRefused => "request_refused",
            Self::NoOpenRequest => "no_open_request",
            Self::WrongRoom => "wrong_room",
            Self::ChatOff => "chat_off",
            Self::BadText => "bad_text",
            Self::CmdTaken => "cmd_taken",
            Self::BadSetup => "bad_setup",
            Self::BadSetting => "bad_setting",
            Self::BadOrigin => "bad_origin",
            Self::Busy => "busy",
            Self::Closing => "closing",
            Self::Internal => "internal",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every name is also the text of one code, so no two codes have the same name.
    #[test]
    fn the_name_of_a_code_is_its_text_on_the_wire() {
        for code in [
            RefusalCode::Malformed,
            RefusalCode::UnknownType,
            RefusalCode::TooLarge,
            RefusalCode::RateLimited,
            RefusalCode::HelloExpected,
            RefusalCode::BadToken,
            RefusalCode::Unauthenticated,
            RefusalCode::Playing,
            RefusalCode::NotFound,
            RefusalCode::Forbidden,
            RefusalCode::Kicked,
            RefusalCode::PlayerBlocked,
            RefusalCode::SeatTaken,
            RefusalCode::TableFull,
            RefusalCode::AlreadySeated,
            RefusalCode::NotSeated,
            RefusalCode::WhichSeat,
            RefusalCode::Substituted,
            RefusalCode::NoSuchSeat,
            RefusalCode::BadInvite,
            RefusalCode::TooManyLinks,
            RefusalCode::BadHandover,
            RefusalCode::BadMailLink,
            RefusalCode::WrongCredentials,
            RefusalCode::NameTaken,
            RefusalCode::InvalidPassword,
            RefusalCode::AlreadyAccount,
            RefusalCode::AccountNeeded,
            RefusalCode::OutsideRatingRange,
            RefusalCode::RatedWait,
            RefusalCode::RenameTooSoon,
            RefusalCode::ProviderFailed,
            RefusalCode::LastSignIn,
            RefusalCode::MissingScope,
            RefusalCode::Suspended,
            RefusalCode::TooManyTokens,
            RefusalCode::ListFull,
            RefusalCode::NotStarted,
            RefusalCode::AlreadyStarted,
            RefusalCode::OtherMatch,
            RefusalCode::Ended,
            RefusalCode::Eliminated,
            RefusalCode::NotYourTurn,
            RefusalCode::Stale,
            RefusalCode::IllegalMove,
            RefusalCode::Paused,
            RefusalCode::NotPaused,
            RefusalCode::NoDrawToClaim,
            RefusalCode::RequestRefused,
            RefusalCode::NoOpenRequest,
            RefusalCode::WrongRoom,
            RefusalCode::ChatOff,
            RefusalCode::BadText,
            RefusalCode::CmdTaken,
            RefusalCode::BadSetup,
            RefusalCode::BadSetting,
            RefusalCode::BadOrigin,
            RefusalCode::Busy,
            RefusalCode::Closing,
            RefusalCode::Internal,
        ] {
            assert_eq!(serde_json::to_value(code).unwrap(), code.name());
        }
    }
}
