//! The one decision about who may do what at a table.

use quadrex_protocol::http::Uses;
use quadrex_protocol::settings::{Privacy, Watchers};
use quadrex_protocol::{RefusalCode, TableId, UserId};
use quadrex_rules::{Color, Timestamp};

use super::Identity;
use quadrex_store::{Link, Purpose};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// To find the table in the lobby's list, by whomever it is asked for.
    List,
    /// To read its summary.
    See,
    /// To be told all that happens there.
    Watch {
        /// The secret shown for it.
        key: Key,
    },
    /// To take a seat.
    Sit {
        /// Which; any if `None`, and then an invite's own seat is meant if it has one.
        seat: Option<Color>,
        /// The secret shown for it.
        key: Key,
    },
    /// To do what only those who sit can: leave, move, resign, offer a draw.
    Play,
    /// To say something there.
    Chat {
        /// Whether the line it comes from watches the table: it was allowed to.
        watches: bool,
    },
    /// To make invites and watch links.
    Invite,
    /// To put somebody out of a seat.
    Kick,
    /// To put a bot into one.
    AddBot,
}

/// What a secret that somebody showed is worth at a table, now and for this somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// None was shown.
    None,
    /// It is no secret of this table.
    Wrong,
    /// It was one of this table, but it expired or somebody else used it up.
    Spent,
    /// It opens the sight of the table.
    Watch,
    /// It opens a seat, this one or any, and the sight of the table.
    Invite {
        /// The one seat, if it is for one.
        seat: Option<Color>,
    },
}

impl Key {
    /// What the link found for a shown secret is worth.
    pub fn of(found: Option<&Link>, table: TableId, by: Option<UserId>, now: Timestamp) -> Self {
        let Some(link) = found.filter(|link| link.table == table) else { return Self::Wrong };
        if link.expires_at <= now {
            return Self::Spent;
        }
        match link.purpose {
            Purpose::Watch => Self::Watch,
            Purpose::Invite { uses: Uses::Single, .. } if link.used_by.is_some() && link.used_by != by => {
                Self::Spent
            }
            Purpose::Invite { seat, .. } => Self::Invite { seat },
        }
    }
}

/// What the decision needs to know of a table.
#[derive(Clone, Copy, Debug)]
pub struct TableFacts<'a> {
    /// Who made it.
    pub host: UserId,
    /// Who may find it.
    pub privacy: Privacy,
    /// Who may watch, beside those who sit and the host.
    pub watchers: Watchers,
    /// Who holds a seat, those who are out of the match too.
    pub seated: &'a [UserId],
    /// The users that the host has kicked.
    pub kicked: &'a [UserId],
}

/// The decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It may be done.
    Allow,
    /// For this identity there is no such table: the answer is the same, byte for byte, as for an unknown one.
    Hidden,
    /// The table may be seen, but this may not be done.
    Refused(Denial),
}

/// Why somebody who may see a table may not do something there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denial {
    /// Only a user can.
    #[error("only a user may do this: get a guest's token first")]
    SignIn,
    /// Only the host can.
    #[error("only the table's host may do this")]
    NotHost,
    /// Only those who sit can.
    #[error("you hold no seat at this table")]
    NotSeated,
    /// It is not for everybody to watch.
    #[error("this table may be watched by link only")]
    LinkNeeded,
    /// It is for nobody to watch.
    #[error("only those who sit at this table may watch it")]
    Unwatched,
    /// Only those who watch can.
    #[error("watch the table before you say something there")]
    NotWatching,
    /// The secret is not good for it.
    #[error("the invite is wrong, used, expired, or for another seat")]
    BadInvite,
    /// The link that a right rested on is no more.
    #[error("the link by which you watched was revoked or has expired")]
    LinkEnded,
    /// The host has kicked this user.
    #[error("the host has kicked you from this table")]
    Kicked,
}

impl Denial {
    /// Its kind on the wire.
    pub fn code(self) -> RefusalCode {
        match self {
            Self::SignIn => RefusalCode::Unauthenticated,
            Self::NotHost | Self::NotWatching | Self::LinkNeeded | Self::Unwatched => RefusalCode::Forbidden,
            Self::Kicked => RefusalCode::Kicked,
            Self::NotSeated => RefusalCode::NotSeated,
            Self::BadInvite | Self::LinkEnded => RefusalCode::BadInvite,
        }
    }
}

/// Whether this identity may do this at this table. Whether the match allows it (whose turn it is, whether the seat
/// is free) is the table's own question and comes after.
pub fn authorize(identity: &Identity, table: &TableFacts<'_>, action: Action) -> Access {
    let user = identity.id();
    let is_host = user == Some(table.host);
    let is_seated = user.is_some_and(|user| table.seated.contains(&user));
    decide(user, is_host, is_seated, table, action)
}

/// The same for one who neither sits there nor is host any more.
pub fn authorize_bystander(identity: &Identity, table: &TableFacts<'_>, action: Action) -> Access {
    decide(identity.id(), false, false, table, action)
}

/// Returns the decision for this identity after a kick; an anonymous identity cannot be kicked.
pub fn authorize_if_kicked(identity: &Identity, table: &TableFacts<'_>, action: Action) -> Access {
    identity.id().map_or(Access::Allow, |_| decide_kicked(table, action))
}

fn decide(
    user: Option<UserId>,
    is_host: bool,
    is_seated: bool,
    table: &TableFacts<'_>,
    action: Action,
) -> Access {
    let is_kicked = user.is_some_and(|user| table.kicked.contains(&user));
    if is_kicked && !is_host && !is_seated {
        return decide_kicked(table, action);
    }
    let sees = is_host || is_seated || table.privacy == Privacy::Public;
    match action {
        Action::List => match table.privacy {
            Privacy::Public => Access::Allow,
            Privacy::Private => Access::Hidden,
        },
        Action::See if sees => Access::Allow,
        Action::See => Access::Hidden,
        Action::Watch { .. } if is_host || is_seated => Access::Allow,
        Action::Watch { key } => match (key, table.watchers) {
            (Key::None | Key::Wrong, _) if !sees => Access::Hidden,
            (_, Watchers::Nobody) => Access::Refused(Denial::Unwatched),
            (_, Watchers::Everybody) if sees => Access::Allow,
            (Key::Watch | Key::Invite { .. }, _) => Access::Allow,
            (Key::None, _) => Access::Refused(Denial::LinkNeeded),
            (Key::Wrong | Key::Spent, _) => Access::Refused(Denial::BadInvite),
        },
        Action::Sit { seat, key } => match key {
            Key::None | Key::Wrong if !sees => Access::Hidden,
            _ if user.is_none() => Access::Refused(Denial::SignIn),
            Key::None => Access::Allow,
            Key::Invite { seat: opens } if seat.is_none() || opens.is_none() || seat == opens => {
                Access::Allow
            }
            Key::Wrong | Key::Spent | Key::Watch | Key::Invite { .. } => Access::Refused(Denial::BadInvite),
        },
        Action::Chat { watches } if !sees && !watches => Access::Hidden,
        Action::Play | Action::Invite | Action::Kick | Action::AddBot if !sees => Access::Hidden,
        Action::Play | Action::Invite | Action::Kick | Action::AddBot | Action::Chat { .. }
            if user.is_none() =>
        {
            Access::Refused(Denial::SignIn)
        }
        Action::Chat { watches } if watches || is_seated => Access::Allow,
        Action::Chat { .. } => Access::Refused(Denial::NotWatching),
        Action::Play if is_seated => Access::Allow,
        Action::Play => Access::Refused(Denial::NotSeated),
        Action::Invite | Action::Kick | Action::AddBot if is_host => Access::Allow,
        Action::Invite | Action::Kick | Action::AddBot => Access::Refused(Denial::NotHost),
    }
}

/// Decides for a kicked user: no link works, and only a public table for everybody may still be watched.
fn decide_kicked(table: &TableFacts<'_>, action: Action) -> Access {
    match (action, table.privacy, table.watchers) {
        (_, Privacy::Private, _) => Access::Hidden,
        (Action::List | Action::See, ..) | (Action::Watch { .. }, _, Watchers::Everybody) => Access::Allow,
        (Action::Watch { .. }, _, Watchers::Nobody) => Access::Refused(Denial::Unwatched),
        _ => Access::Refused(Denial::Kicked),
    }
}

#[cfg(test)]
mod tests;
