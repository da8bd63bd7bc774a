//! The reasons for which a table refuses commands.

use quadrex_protocol::chat::{LONGEST_TEXT, Room};
use quadrex_protocol::conditional::MAX_CONDITIONAL_LINES;
use quadrex_protocol::settings::RatingRange;
use quadrex_protocol::{MatchId, RefusalCode};
use quadrex_rules::{Color, Move, Request};

use crate::conditional_moves::LineProblem;
use crate::illegal_move::IllegalReason;

/// The reason for which a table refuses a command. The user sees the text of the reason. A refused
/// command changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// Another user holds the seat.
    #[error("{color}'s seat is held by {holder}")]
    SeatTaken {
        /// The color of the seat.
        color: Color,
        /// The name of the user who holds the seat.
        holder: String,
    },
    /// All seats are held.
    #[error("every seat of this table is held")]
    TableFull,
    /// The user holds a seat already.
    #[error("you hold {color}'s seat here already")]
    AlreadySeated {
        /// The color of the seat.
        color: Color,
    },
    /// The user holds no seat.
    #[error("you hold no seat at this table")]
    NotSeated,
    /// Another user holds the named seat, or the seat is open.
    #[error("you do not hold {color}'s seat")]
    NotYourSeat {
        /// The color of the named seat.
        color: Color,
    },
    /// A bot replaces the user, who must return to the seat first.
    #[error("a bot plays in your place: take {color}'s seat back first")]
    ReplacedByBot {
        /// The color of the user's seat.
        color: Color,
    },
    /// Guests may not sit at a rated table.
    #[error("rated matches are played by users with an account")]
    GuestAtRated,
    /// The user's rating is outside the range that the host has chosen.
    #[error("the host has opened these seats for players with a rating of {range}")]
    OutsideRatingRange {
        /// The range.
        range: RatingRange,
    },
    /// The user has left rated matches, and must wait before the next one.
    #[error("you have left rated matches; you may play a rated match again in {}", minutes(*.left_ms))]
    RatedWait {
        /// The time that is left, in milliseconds.
        left_ms: u64,
    },
    /// Bots may not sit at a rated table.
    #[error("at a rated table only people play")]
    BotAtRated,
    /// The user holds several seats, and the command does not say for which of them it is meant.
    #[error("you hold several seats here: say with seat whether this is for {}", joined_by_or(held))]
    WhichSeat {
        /// The colors of the seats for which the command may be meant. There are at least two.
        held: Vec<Color>,
    },
    /// The table has no such seat.
    #[error("this table has no seat for {color}")]
    NoSuchSeat {
        /// The color of the named seat.
        color: Color,
    },
    /// Only the host and users with an invite may take a seat.
    #[error("a seat at this table needs an invite")]
    InviteNeeded,
    /// The host has kicked the user.
    #[error("the host has kicked you from this table; you may not sit here again")]
    Kicked,
    /// The user has blocked the host or a seated user.
    #[error("you have blocked somebody at this table")]
    PlayerBlocked,
    /// The host or a seated user has blocked the user. The text does not reveal it.
    #[error("you cannot join this table")]
    CannotJoin,
    /// Only the host may do this.
    #[error("only the table's host may do this")]
    NotHost,
    /// Nobody can be kicked from the seat, because it is open.
    #[error("nobody holds {color}'s seat")]
    SeatOpen {
        /// The color of the seat.
        color: Color,
    },
    /// The host cannot kick itself.
    #[error("{color}'s seat is your own: leave it instead")]
    OwnSeat {
        /// The color of the seat.
        color: Color,
    },
    /// The invite is for another seat.
    #[error("the invite is for {invited}'s seat, not {asked}'s")]
    OtherSeat {
        /// The color of the seat that the invite is for.
        invited: Color,
        /// The color of the seat that the user asked for.
        asked: Color,
    },
    /// The match has not started.
    #[error("the match has not started: seats are still open")]
    NotStarted,
    /// The match has started, so the seats cannot change.
    #[error("the match has started already")]
    AlreadyStarted,
    /// The match is over.
    #[error("the match is over")]
    Ended,
    /// The command names a match that is not the table's current match.
    #[error("the table is at match {at} now, not at the one that this is for")]
    OtherMatch {
        /// The table's current match.
        at: MatchId,
    },
    /// The match is not over, so there can be no rematch yet.
    #[error("the match is not over")]
    NotOver,
    /// Another player has requested a rematch already.
    #[error("{by} has asked for another match: agree or decline")]
    RematchOpen {
        /// The color of the player who has requested the rematch.
        by: Color,
    },
    /// A player has declined a rematch. Only that player may now request another rematch.
    #[error("{by} wants no other match, or has left")]
    RematchDeclined {
        /// The color of the player who has declined.
        by: Color,
    },
    /// There is no rematch request for the user to answer.
    #[error("nobody waits for your answer about another match")]
    NoRematch,
    /// The next match has started.
    #[error("this match is over, and the next has begun")]
    Rematched,
    /// The table is closed.
    #[error("the table is closed")]
    Closed,
    /// The board or the turn has changed since the last event that the client knew.
    #[error("the board changed at event {changed}, the move was made at event {after}")]
    Stale {
        /// The number of the event that changed the board or the turn.
        changed: u64,
        /// The number of the last event that the client knew.
        after: u64,
    },
    /// The client names an event that has not happened yet.
    #[error("the move was made at event {after}, the match is only at event {head}")]
    Ahead {
        /// The number of the event that the client names.
        after: u64,
        /// The number of the match's last event.
        head: u64,
    },
    /// The move is illegal.
    #[error("{mv} is not legal here: {reason}")]
    IllegalMove {
        /// The move that was refused.
        mv: Move,
        /// The reason for which the move is illegal.
        reason: IllegalReason,
    },
    /// The match is no correspondence match, so there are no conditional moves.
    #[error("conditional moves are for correspondence matches")]
    NotCorrespondence,
    /// It is the user's turn, so the user moves instead of storing conditional moves.
    #[error("it is your turn: make your move first")]
    OwnTurn,
    /// There are too many lines of conditional moves.
    #[error("a seat has at most {MAX_CONDITIONAL_LINES} lines of conditional moves, these are {count}")]
    TooManyLines {
        /// The number of lines.
        count: usize,
    },
    /// A line of conditional moves is not possible.
    #[error("line {line}, step {step}: {problem}")]
    ConditionalLine {
        /// The number of the line, from 1.
        line: usize,
        /// The number of the step, from 1.
        step: usize,
        /// The problem.
        problem: LineProblem,
    },
    /// The request is for casual tables, but the table is rated.
    #[error("a {request} can be asked for at casual tables only")]
    RequestAtRated {
        /// The request: a takeback or a pause.
        request: Request,
    },
    /// The user may not write in the chat room.
    #[error("{}", room_is_for(*asked))]
    OtherRoom {
        /// The room that the message was meant for.
        asked: Room,
    },
    /// The host has disabled the players' chat.
    #[error("the players of this table do not chat")]
    NoChat,
    /// The host allows the players to write preset phrases only.
    #[error("the players of this table speak in preset phrases only")]
    PhrasesOnly,
    /// The text of a message is empty or too long after invisible characters were removed.
    #[error("a message has 1 to {LONGEST_TEXT} characters, this one has {length}")]
    TextLength {
        /// The number of characters of the text.
        length: usize,
    },
    /// The user has written too many messages in a short time.
    #[error("too many messages in a short time; wait a moment")]
    TooManyMessages,
    /// The match is paused.
    #[error("the match is paused")]
    Paused,
    /// The match waits for an absent player.
    #[error("the match waits for {color}")]
    Waiting {
        /// The color of the player.
        color: Color,
    },
    /// There is no pause to end.
    #[error("the match is not paused")]
    NotPaused,
    /// The time for pauses is used up.
    #[error("the match has been paused for ten minutes in all, which is the most")]
    PauseTimeSpent,
    /// The command reports an expired deadline or lost time, but the deadline has not expired, or
    /// no time was lost.
    #[error("this is not due")]
    NotDue,
    /// The rules of the game refuse the command.
    #[error(transparent)]
    Rules(quadrex_rules::Rejection),
}

impl Rejection {
    /// Returns the code of the refusal on the wire, by which programs distinguish refusals.
    #[must_use]
    pub fn code(&self) -> RefusalCode {
        match self {
            Self::SeatTaken { .. } => RefusalCode::SeatTaken,
            Self::TableFull => RefusalCode::TableFull,
            Self::AlreadySeated { .. } => RefusalCode::AlreadySeated,
            Self::NotSeated | Self::NotYourSeat { .. } | Self::SeatOpen { .. } => RefusalCode::NotSeated,
            Self::ReplacedByBot { .. } => RefusalCode::Substituted,
            Self::GuestAtRated => RefusalCode::AccountNeeded,
            Self::OutsideRatingRange { .. } => RefusalCode::OutsideRatingRange,
            Self::RatedWait { .. } => RefusalCode::RatedWait,
            Self::BotAtRated => RefusalCode::Forbidden,
            Self::WhichSeat { .. } => RefusalCode::WhichSeat,
            Self::NoSuchSeat { .. } => RefusalCode::NoSuchSeat,
            Self::InviteNeeded | Self::OtherSeat { .. } => RefusalCode::BadInvite,
            Self::Kicked => RefusalCode::Kicked,
            Self::PlayerBlocked => RefusalCode::PlayerBlocked,
            Self::CannotJoin | Self::NotHost | Self::OwnSeat { .. } => RefusalCode::Forbidden,
            Self::NotStarted => RefusalCode::NotStarted,
            Self::AlreadyStarted => RefusalCode::AlreadyStarted,
            Self::NotOver => RefusalCode::AlreadyStarted,
            Self::RematchOpen { .. } | Self::RematchDeclined { .. } => RefusalCode::RequestRefused,
            Self::NoRematch => RefusalCode::NoOpenRequest,
            Self::OtherMatch { .. } => RefusalCode::OtherMatch,
            Self::Ended | Self::Closed | Self::Rematched => RefusalCode::Ended,
            Self::Stale { .. } | Self::Ahead { .. } => RefusalCode::Stale,
            Self::IllegalMove { .. } => RefusalCode::IllegalMove,
            Self::NotCorrespondence | Self::OwnTurn => RefusalCode::RequestRefused,
            Self::ConditionalLine { problem: LineProblem::Illegal { .. }, .. } => RefusalCode::IllegalMove,
            Self::TooManyLines { .. } | Self::ConditionalLine { .. } => RefusalCode::BadSetting,
            Self::RequestAtRated { .. } => RefusalCode::RequestRefused,
            Self::OtherRoom { .. } => RefusalCode::WrongRoom,
            Self::NoChat | Self::PhrasesOnly => RefusalCode::ChatOff,
            Self::TextLength { .. } => RefusalCode::BadText,
            Self::TooManyMessages => RefusalCode::RateLimited,
            Self::Paused | Self::Waiting { .. } => RefusalCode::Paused,
            Self::NotPaused | Self::PauseTimeSpent => RefusalCode::NotPaused,
            Self::NotDue => RefusalCode::NotYourTurn,
            Self::Rules(rejection) => code_of_rules(rejection),
        }
    }
}

/// Returns a time in minutes, rounded up.
fn minutes(millis: u64) -> String {
    match millis.div_ceil(60_000) {
        1 => "1 minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}

/// Returns the names of several colors, separated by "or".
fn joined_by_or(colors: &[Color]) -> String {
    let names: Vec<&str> = colors.iter().map(|color| color.name()).collect();
    names.join(" or ")
}

fn room_is_for(room: Room) -> &'static str {
    match room {
        Room::Seated => "that room is for those who sit and are still in",
        Room::Bystanders => "that room is for those who do not sit, or are out",
    }
}

/// Returns the code for a refusal by the rules.
fn code_of_rules(rejection: &quadrex_rules::Rejection) -> RefusalCode {
    use quadrex_rules::Rejection as ByRules;
    match rejection {
        ByRules::MatchOver => RefusalCode::Ended,
        ByRules::UnknownColor { .. } => RefusalCode::NoSuchSeat,
        ByRules::Eliminated { .. } => RefusalCode::Eliminated,
        ByRules::NotYourTurn { .. } | ByRules::TimeIsUp { .. } | ByRules::TimeIsNotUp => {
            RefusalCode::NotYourTurn
        }
        ByRules::IllegalMove { .. } => RefusalCode::IllegalMove,
        ByRules::NothingToClaim { .. } => RefusalCode::NoDrawToClaim,
        ByRules::RequestOpen { .. }
        | ByRules::AlreadyRequestedThisTurn { .. }
        | ByRules::NothingToTakeBack { .. } => RefusalCode::RequestRefused,
        ByRules::NoRequest { .. } | ByRules::AlreadyAgreed { .. } => RefusalCode::NoOpenRequest,
    }
}
