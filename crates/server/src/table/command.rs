//! What may be asked of a table, and why it may be refused.

use quadrex_protocol::chat::{ChatMessage, LONGEST_TEXT, Room};
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{MatchId, RefusalCode, RequestAction};
use quadrex_rules::{Color, Move, Request};

use super::deadlines::Timer;
use super::illegal::Why;
use super::outage::Outage;

/// Something a person or the table's own timer asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableCommand {
    /// A person wants something.
    Person {
        /// Who.
        by: UserView,
        /// For which of the person's seats, if that was said.
        seat: Option<Color>,
        /// What.
        action: Action,
    },
    /// The table's own timer has come to a deadline.
    Timer(Timer),
    /// Nobody could move for a while, and that time is given back.
    MakeGood(Outage),
    /// Nobody has been there for as long as the table may stay without people.
    Close,
}

/// What a person may want of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// To take a seat before the start.
    Sit {
        /// Which one; the first open one if none is named.
        seat: Option<Color>,
        /// The invite shown, already found to be good for this table.
        invite: Option<Invitation>,
        /// What the seat adds to the lot.
        nonce: Nonce,
    },
    /// To give the seat back before the start, or all one holds.
    Leave,
    /// To put somebody out of a seat before the start.
    Kick {
        /// Whose seat.
        color: Color,
    },
    /// To have another match with the same people, or not.
    Rematch {
        /// What is done.
        action: RequestAction,
        /// What the seat adds to the lot.
        nonce: Nonce,
        /// A new match's id: the next one, if this asks for it.
        next: MatchId,
    },
    /// To have a bot in an open seat before the start.
    AddBot {
        /// Which one; the first open one if none is named.
        seat: Option<Color>,
        /// The bot.
        bot: UserView,
        /// What the seat adds to the lot.
        nonce: Nonce,
    },
    /// To make a move.
    Move {
        /// The last event the player had seen.
        at: u64,
        /// The move.
        mv: Move,
        /// Whether a draw is claimed that the move brings about (RULES G11).
        claim_draw: bool,
    },
    /// To resign (RULES G12).
    Resign,
    /// To end a pause.
    Resume,
    /// To ask all still in for their consent, or to answer such a request (RULES G9, S4).
    Request {
        /// To what.
        request: Request,
        /// Whether to ask, or which answer.
        action: RequestAction,
    },
    /// To claim a draw before moving (RULES G11).
    ClaimDraw,
    /// To say something (RULES D15).
    Chat {
        /// In which room.
        room: Room,
        /// What.
        message: ChatMessage,
    },
}

/// What a good invite opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The one seat; any open one if none is named.
    pub seat: Option<Color>,
}

/// Why a table refused a command. Shown to the person; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The seat is held.
    #[error("{color}'s seat is held by {holder}")]
    SeatTaken {
        /// Which.
        color: Color,
        /// By whom, as shown.
        holder: String,
    },
    /// Every seat is held.
    #[error("every seat of this table is held")]
    TableFull,
    /// The person holds a seat.
    #[error("you hold {color}'s seat here already")]
    AlreadySeated {
        /// Which.
        color: Color,
    },
    /// The person holds no seat.
    #[error("you hold no seat at this table")]
    NotSeated,
    /// The person names a seat of somebody else's, or an open one.
    #[error("you do not hold {color}'s seat")]
    NotYourSeat {
        /// Which was named.
        color: Color,
    },
    /// A bot plays in the person's place.
    #[error("a bot plays in your place: take {color}'s seat back first")]
    StoodIn {
        /// The person's seat.
        color: Color,
    },
    /// Bots would spoil the measure.
    #[error("at a rated table only people play")]
    BotAtRated,
    /// The person holds several seats, and it is not clear for which one this is.
    #[error("you hold several seats here: say with seat whether this is for {}", one_of(held))]
    WhichSeat {
        /// Those it may be for, two or more.
        held: Vec<Color>,
    },
    /// The table has no such seat.
    #[error("this table has no seat for {color}")]
    NoSuchSeat {
        /// Which was asked for.
        color: Color,
    },
    /// The table's seats are for its host and for those with an invite.
    #[error("a seat at this table needs an invite")]
    InviteNeeded,
    /// The host has put the person out of a seat here.
    #[error("the host has put you out of a seat at this table; you may not sit here again")]
    Kicked,
    /// Only the host may do it.
    #[error("only the table's host may do this")]
    NotHost,
    /// Nobody sits there who could be put out.
    #[error("nobody holds {color}'s seat")]
    SeatOpen {
        /// Which.
        color: Color,
    },
    /// Nobody puts oneself out.
    #[error("{color}'s seat is your own: leave it instead")]
    OwnSeat {
        /// Which.
        color: Color,
    },
    /// The invite opens another seat.
    #[error("the invite is for {invited}'s seat, not {asked}'s")]
    OtherSeat {
        /// The seat of the invite.
        invited: Color,
        /// The seat asked for.
        asked: Color,
    },
    /// Nothing can be played before all seats are held.
    #[error("the match has not started: seats are still open")]
    NotStarted,
    /// Seats are fixed once the match runs.
    #[error("the match has started already")]
    AlreadyStarted,
    /// Nothing can be done at a match that is over.
    #[error("the match is over")]
    Ended,
    /// The command is for another match of this table, or for one that is none of its.
    #[error("the table is at match {at} now, not at the one that this is for")]
    OtherMatch {
        /// The match the table is at.
        at: MatchId,
    },
    /// Another match can be asked for only after the end.
    #[error("the match is not over")]
    NotOver,
    /// Somebody has asked already.
    #[error("{by} has asked for another match: agree or decline")]
    RematchOpen {
        /// Who.
        by: Color,
    },
    /// Somebody has said no, and would have to ask.
    #[error("{by} wants no other match, or has left")]
    RematchDeclined {
        /// Who.
        by: Color,
    },
    /// Nobody has asked, or the person has agreed already.
    #[error("nobody waits for your answer about another match")]
    NoRematch,
    /// The next match has begun.
    #[error("this match is over, and the next has begun")]
    Rematched,
    /// Nothing can be done at a table that has closed.
    #[error("the table is closed")]
    Closed,
    /// The board or the turn changed since the move was thought of.
    #[error("the board changed at event {changed}, the move was made at event {at}")]
    Stale {
        /// The event that changed it.
        changed: u64,
        /// The event the move was made at.
        at: u64,
    },
    /// The client names an event that has not happened.
    #[error("the move was made at event {at}, the match is only at event {head}")]
    Ahead {
        /// The event the move was made at.
        at: u64,
        /// The last event there is.
        head: u64,
    },
    /// The rules do not allow the move.
    #[error("{mv} is not legal here: {why}")]
    IllegalMove {
        /// The move.
        mv: Move,
        /// Why not.
        why: Why,
    },
    /// What was played for ratings stands.
    #[error("a takeback can be asked for at casual tables only")]
    TakebackRated,
    /// Somebody speaks in the room they do not belong to.
    #[error("{}", room_is_for(*asked))]
    OtherRoom {
        /// Where they wanted to.
        asked: Room,
    },
    /// The host allows no chat of the players.
    #[error("the players of this table do not chat")]
    NoChat,
    /// The host allows preset phrases only.
    #[error("the players of this table speak in preset phrases only")]
    PhrasesOnly,
    /// A text that is empty or too long, once it is cleaned.
    #[error("a message has 1 to {LONGEST_TEXT} characters, this one has {length}")]
    TextLength {
        /// Its characters.
        length: usize,
    },
    /// Somebody has written too much in a short time.
    #[error("too many messages in a short time; wait a moment")]
    TooManyWords,
    /// Nobody moves while the match is paused.
    #[error("the match is paused")]
    Paused,
    /// Nobody moves while the match waits for somebody.
    #[error("the match waits for {color}")]
    Waiting {
        /// For whom.
        color: Color,
    },
    /// There is no pause to be ended.
    #[error("the match is not paused")]
    NotPaused,
    /// The match has been paused for as long as it may.
    #[error("the match has been paused for ten minutes in all, which is the most")]
    PausesSpent,
    /// The time for what the timer asks has not come.
    #[error("this is not due")]
    NotDue,
    /// The rules refuse it for another reason.
    #[error(transparent)]
    Rules(quadrex_rules::Rejection),
}

impl Rejection {
    /// The code a program reads.
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

/// Several colors as a choice.
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

/// The code for a refusal by the rules.
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
