//! Reasons for which a table refuses a command.

use quadrex_protocol::chat::{LONGEST_TEXT, Room};
use quadrex_protocol::{MatchId, RefusalCode};
use quadrex_rules::{Color, Move};

use crate::illegal_move::IllegalReason;

/// The reason for which a table refuses a command, as the user sees it. A refusal changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The seat is held by another user.
    #[error("{color}'s seat is held by {holder}")]
    SeatTaken {
        /// The seat.
        color: Color,
        /// The name of its holder.
        holder: String,
    },
    /// All seats are held.
    #[error("every seat of this table is held")]
    TableFull,
    /// The user holds a seat already.
    #[error("you hold {color}'s seat here already")]
    AlreadySeated {
        /// The seat.
        color: Color,
    },
    /// The user holds no seat.
    #[error("you hold no seat at this table")]
    NotSeated,
    /// The named seat is another user's, or open.
    #[error("you do not hold {color}'s seat")]
    NotYourSeat {
        /// The named seat.
        color: Color,
    },
    /// A bot replaces the user.
    #[error("a bot plays in your place: take {color}'s seat back first")]
    StoodIn {
        /// The user's seat.
        color: Color,
    },
    /// Bots may not sit at a rated table.
    #[error("at a rated table only people play")]
    BotAtRated,
    /// The user holds several seats, and the command may be for more than one.
    #[error("you hold several seats here: say with seat whether this is for {}", one_of(held))]
    WhichSeat {
        /// The seats it may be for, two or more.
        held: Vec<Color>,
    },
    /// The table has no such seat.
    #[error("this table has no seat for {color}")]
    NoSuchSeat {
        /// The named seat.
        color: Color,
    },
    /// Seats are for the host and for users with an invite.
    #[error("a seat at this table needs an invite")]
    InviteNeeded,
    /// The host has kicked the user.
    #[error("the host has kicked you from this table; you may not sit here again")]
    Kicked,
    /// The action is the host's alone.
    #[error("only the table's host may do this")]
    NotHost,
    /// There is nobody to kick from the seat.
    #[error("nobody holds {color}'s seat")]
    SeatOpen {
        /// The seat.
        color: Color,
    },
    /// The host cannot kick itself.
    #[error("{color}'s seat is your own: leave it instead")]
    OwnSeat {
        /// The seat.
        color: Color,
    },
    /// The invite is for another seat.
    #[error("the invite is for {invited}'s seat, not {asked}'s")]
    OtherSeat {
        /// The seat of the invite.
        invited: Color,
        /// The requested seat.
        asked: Color,
    },
    /// The match has not started.
    #[error("the match has not started: seats are still open")]
    NotStarted,
    /// The match has started, which fixes the seats.
    #[error("the match has started already")]
    AlreadyStarted,
    /// The match is over.
    #[error("the match is over")]
    Ended,
    /// The command names another match than the table's present one.
    #[error("the table is at match {at} now, not at the one that this is for")]
    OtherMatch {
        /// The present match of the table.
        at: MatchId,
    },
    /// A rematch is possible only after the end.
    #[error("the match is not over")]
    NotOver,
    /// A rematch is requested already.
    #[error("{by} has asked for another match: agree or decline")]
    RematchOpen {
        /// The color.
        by: Color,
    },
    /// A player has declined a rematch, and is the one to request it.
    #[error("{by} wants no other match, or has left")]
    RematchDeclined {
        /// The color.
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
    /// The board or the turn has changed since the event that the move was made at.
    #[error("the board changed at event {changed}, the move was made at event {after}")]
    Stale {
        /// The number of the event that changed it.
        changed: u64,
        /// The number of the event that the move was made at.
        after: u64,
    },
    /// The move was made at an event that does not exist yet.
    #[error("the move was made at event {after}, the match is only at event {head}")]
    Ahead {
        /// The number of the event that the move was made at.
        after: u64,
        /// The number of the last event.
        head: u64,
    },
    /// The move is illegal.
    #[error("{mv} is not legal here: {reason}")]
    IllegalMove {
        /// The move.
        mv: Move,
        /// The reason.
        reason: IllegalReason,
    },
    /// The table is rated.
    #[error("a takeback can be asked for at casual tables only")]
    TakebackRated,
    /// The user does not belong to the chat room.
    #[error("{}", room_is_for(*asked))]
    OtherRoom {
        /// The room of the message.
        asked: Room,
    },
    /// The host has disabled the players' chat.
    #[error("the players of this table do not chat")]
    NoChat,
    /// The host allows preset phrases only.
    #[error("the players of this table speak in preset phrases only")]
    PhrasesOnly,
    /// The cleaned text is empty or too long.
    #[error("a message has 1 to {LONGEST_TEXT} characters, this one has {length}")]
    TextLength {
        /// The number of its characters.
        length: usize,
    },
    /// The user has written too many messages in a short time.
    #[error("too many messages in a short time; wait a moment")]
    TooManyWords,
    /// The match is paused.
    #[error("the match is paused")]
    Paused,
    /// The match waits for a player.
    #[error("the match waits for {color}")]
    Waiting {
        /// The color of the player.
        color: Color,
    },
    /// There is no pause to end.
    #[error("the match is not paused")]
    NotPaused,
    /// The match has been paused for as long as it may be.
    #[error("the match has been paused for ten minutes in all, which is the most")]
    PausesSpent,
    /// The deadline has not expired.
    #[error("this is not due")]
    NotDue,
    /// The rules refuse it.
    #[error(transparent)]
    Rules(quadrex_rules::Rejection),
}

impl Rejection {
    /// Returns the code for programs.
    #[must_use]
    pub fn code(&self) -> RefusalCode {
        match self {
            Self::SeatTaken { .. } => RefusalCode::SeatTaken,
            Self::TableFull => RefusalCode::TableFull,
            Self::AlreadySeated { .. } => RefusalCode::AlreadySeated,
            Self::NotSeated | Self::NotYourSeat { .. } | Self::SeatOpen { .. } => RefusalCode::NotSeated,
            Self::StoodIn { .. } => RefusalCode::Substituted,
            Self::BotAtRated => RefusalCode::Forbidden,
            Self::WhichSeat { .. } => RefusalCode::WhichSeat,
            Self::NoSuchSeat { .. } => RefusalCode::NoSuchSeat,
            Self::InviteNeeded | Self::OtherSeat { .. } => RefusalCode::BadInvite,
            Self::Kicked => RefusalCode::Kicked,
            Self::NotHost | Self::OwnSeat { .. } => RefusalCode::Forbidden,
            Self::NotStarted => RefusalCode::NotStarted,
            Self::AlreadyStarted => RefusalCode::AlreadyStarted,
            Self::NotOver => RefusalCode::AlreadyStarted,
            Self::RematchOpen { .. } | Self::RematchDeclined { .. } => RefusalCode::RequestRefused,
            Self::NoRematch => RefusalCode::NoOpenRequest,
            Self::OtherMatch { .. } => RefusalCode::OtherMatch,
            Self::Ended | Self::Closed | Self::Rematched => RefusalCode::Ended,
            Self::Stale { .. } | Self::Ahead { .. } => RefusalCode::Stale,
            Self::IllegalMove { .. } => RefusalCode::IllegalMove,
            Self::TakebackRated => RefusalCode::RequestRefused,
            Self::OtherRoom { .. } => RefusalCode::WrongRoom,
            Self::NoChat | Self::PhrasesOnly => RefusalCode::ChatOff,
            Self::TextLength { .. } => RefusalCode::BadText,
            Self::TooManyWords => RefusalCode::RateLimited,
            Self::Paused | Self::Waiting { .. } => RefusalCode::Paused,
            Self::NotPaused | Self::PausesSpent => RefusalCode::NotPaused,
            Self::NotDue => RefusalCode::NotYourTurn,
            Self::Rules(rejection) => code_of_rules(rejection),
        }
    }
}

/// Formats several colors as a choice.
fn one_of(colors: &[Color]) -> String {
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
    use quadrex_rules::Rejection as R;
    match rejection {
        R::MatchOver => RefusalCode::Ended,
        R::UnknownColor { .. } => RefusalCode::NoSuchSeat,
        R::Eliminated { .. } => RefusalCode::Eliminated,
        R::NotYourTurn { .. } | R::TimeIsUp { .. } | R::TimeIsNotUp => RefusalCode::NotYourTurn,
        R::IllegalMove { .. } => RefusalCode::IllegalMove,
        R::NothingToClaim { .. } => RefusalCode::NoDrawToClaim,
        R::RequestOpen { .. } | R::RequestSpent { .. } | R::NothingToTakeBack { .. } => {
            RefusalCode::RequestRefused
        }
        R::NoRequest { .. } | R::AlreadyAgreed { .. } => RefusalCode::NoOpenRequest,
    }
}
