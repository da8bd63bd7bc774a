//! The decision about what an identity may do at a table. No other module makes this decision.

use quadrex_protocol::http::{TokenScope, Uses};
use quadrex_protocol::settings::{Privacy, Watchers};
use quadrex_protocol::{RefusalCode, TableId, UserId};
use quadrex_rules::{Color, Timestamp};

use super::Identity;
use quadrex_store::{Link, LinkPurpose};

/// An action at a table that needs a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// See the table in a list of the lobby. Such a list is the same for everybody.
    List,
    /// See the summary of the table.
    See {
        /// The right of the identity.
        key: Key,
    },
    /// Receive the events of the table.
    Watch {
        /// The right that the presented secret gives.
        key: Key,
    },
    /// Read a match of the table: its replay, exports, pictures and review.
    Replay {
        /// True if the request contains the secret of a share link of the match.
        shared: bool,
        /// The right of the identity at the table.
        key: Key,
    },
    /// Create or remove the user's own share link of a match of the table.
    Share,
    /// Take a seat.
    Sit {
        /// The wanted seat. `None` means the seat of the invite, or any seat.
        seat: Option<Color>,
        /// The right that the presented secret gives.
        key: Key,
    },
    /// Send a command that only a seated player may send, such as a move.
    Play,
    /// Send a chat message.
    Chat {
        /// True if the sender's connection watches the table. It could start to watch only with a
        /// right.
        watches: bool,
    },
    /// Create invites and watch links.
    Invite,
    /// Remove a user from a seat.
    Kick,
    /// Give a seat to a bot.
    AddBot,
}

/// The right that the secret of an invite or a watch link gives to an identity at a table now, or that
/// the identity has as a member of a group. The secret works like a key to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// No secret was presented.
    None,
    /// The identity is a member of the group for which the table was created.
    Member,
    /// The secret does not belong to this table.
    Wrong,
    /// The secret belongs to this table, but it has expired, or another user has used it up.
    Spent,
    /// The secret gives the right to watch the table.
    Watch,
    /// The secret gives the right to watch the table and to take a seat.
    Invite {
        /// The seat that the invite is for; `None` for any open seat.
        seat: Option<Color>,
    },
}

impl Action {
    /// Returns the action with this right, if the right matters for it and no other one was presented.
    #[must_use]
    pub fn with_key(self, key: Key) -> Self {
        match self {
            Self::See { key: Key::None } => Self::See { key },
            Self::Watch { key: Key::None } => Self::Watch { key },
            Self::Replay { shared, key: Key::None } => Self::Replay { shared, key },
            Self::Sit { seat, key: Key::None } => Self::Sit { seat, key },
            other => other,
        }
    }
}

impl Key {
    /// Returns the right that a secret gives to the user `by`. `found` is the link of this secret,
    /// if the store has such a link.
    pub fn of(found: Option<&Link>, table: TableId, by: Option<UserId>, now: Timestamp) -> Self {
        let Some(link) = found.filter(|link| link.table == table) else { return Self::Wrong };
        if link.expires_at <= now {
            return Self::Spent;
        }
        match link.purpose {
            LinkPurpose::Watch => Self::Watch,
            LinkPurpose::Invite { uses: Uses::Single, .. }
                if link.used_by.is_some() && link.used_by != by =>
            {
                Self::Spent
            }
            LinkPurpose::Invite { seat, .. } => Self::Invite { seat },
        }
    }
}

/// The facts about a table on which the decision depends.
#[derive(Clone, Copy, Debug)]
pub struct TableFacts<'a> {
    /// The host of the table.
    pub host: UserId,
    /// The visibility of the table: public or private.
    pub privacy: Privacy,
    /// The kind of clients that may watch. The seated users and the host may always watch.
    pub watchers: Watchers,
    /// The seated users, including eliminated ones.
    pub seated: &'a [UserId],
    /// The users that the host has kicked.
    pub kicked: &'a [UserId],
}

/// The decision about an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The action is allowed.
    Allow,
    /// The table is hidden from this identity. The answer must be byte for byte the same as the
    /// answer about a table that does not exist.
    Hidden,
    /// The table is visible, but the action is not allowed.
    Refused(Denial),
}

/// The reason for which an action is refused at a visible table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denial {
    /// Only a user may do this.
    #[error("only a user may do this: get a guest's token first")]
    SignIn,
    /// The token does not have this scope.
    #[error("this needs a token with the scope {0}")]
    MissingScope(TokenScope),
    /// No token with scopes may do this.
    #[error("a token cannot do this; do it in a browser in which you are signed in")]
    Token,
    /// Only the host may do this.
    #[error("only the table's host may do this")]
    NotHost,
    /// Only a seated user may do this.
    #[error("you hold no seat at this table")]
    NotSeated,
    /// The table may be watched only by people with a link.
    #[error("this table may be watched by link only")]
    LinkNeeded,
    /// Only the seated users and the host may watch.
    #[error("only those who sit at this table may watch it")]
    Unwatched,
    /// Only a watcher may do this.
    #[error("watch the table before you say something there")]
    NotWatching,
    /// The secret of the invite does not allow this.
    #[error("the invite is wrong, used, expired, or for another seat")]
    BadInvite,
    /// The link that gave the client access was revoked or has expired.
    #[error("the link by which you watched was revoked or has expired")]
    LinkEnded,
    /// The host has kicked this user.
    #[error("the host has kicked you from this table")]
    Kicked,
}

impl Denial {
    /// Returns the code of the refusal on the wire.
    pub fn code(self) -> RefusalCode {
        match self {
            Self::SignIn => RefusalCode::Unauthenticated,
            Self::MissingScope(_) => RefusalCode::MissingScope,
            Self::Token | Self::NotHost | Self::NotWatching | Self::LinkNeeded | Self::Unwatched => {
                RefusalCode::Forbidden
            }
            Self::Kicked => RefusalCode::Kicked,
            Self::NotSeated => RefusalCode::NotSeated,
            Self::BadInvite | Self::LinkEnded => RefusalCode::BadInvite,
        }
    }
}

/// Decides whether an identity may perform an action at a table. The table itself decides
/// afterwards whether the match allows the action, for example whether it is the player's turn.
pub fn authorize(identity: &Identity, table: &TableFacts<'_>, action: Action) -> Access {
    let user = identity.id();
    let is_host = user == Some(table.host);
    let is_seated = user.is_some_and(|user| table.seated.contains(&user));
    match decide(user, is_host, is_seated, table, action) {
        Access::Allow => {
            identity.check_scope(action.scope()).map_or_else(Access::Refused, |()| Access::Allow)
        }
        refused => refused,
    }
}

/// Returns the decision that [`authorize`] would make if the identity were neither seated nor the
/// host.
pub fn authorize_bystander(identity: &Identity, table: &TableFacts<'_>, action: Action) -> Access {
    decide(identity.id(), false, false, table, action)
}

/// Returns the decision that [`authorize`] would make if the host had kicked the identity. An
/// anonymous identity cannot be kicked.
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
    let is_visible = is_host || is_seated || table.privacy == Privacy::Public;
    match action {
        Action::Replay { shared: true, .. } => Access::Allow,
        Action::Replay { shared: false, key } => {
            decide(user, is_host, is_seated, table, Action::Watch { key })
        }
        Action::List => match table.privacy {
            Privacy::Public => Access::Allow,
            Privacy::Private => Access::Hidden,
        },
        Action::See { key } if is_visible || key == Key::Member => Access::Allow,
        Action::See { .. } => Access::Hidden,
        Action::Watch { .. } if is_host || is_seated => Access::Allow,
        Action::Watch { .. } if quadrex_runtime::has_planted!(WatchWithoutLink) => Access::Allow,
        Action::Watch { key } => match (key, table.watchers) {
            (Key::None | Key::Wrong, _) if !is_visible => Access::Hidden,
            (_, Watchers::Nobody) => Access::Refused(Denial::Unwatched),
            (_, Watchers::Everybody) if is_visible => Access::Allow,
            (Key::Watch | Key::Invite { .. } | Key::Member, _) => Access::Allow,
            (Key::None, _) => Access::Refused(Denial::LinkNeeded),
            (Key::Wrong | Key::Spent, _) => Access::Refused(Denial::BadInvite),
        },
        Action::Sit { seat, key } => match key {
            Key::None | Key::Wrong if !is_visible => Access::Hidden,
            _ if user.is_none() => Access::Refused(Denial::SignIn),
            Key::None | Key::Member => Access::Allow,
            Key::Invite { seat: invited } if seat.is_none() || invited.is_none() || seat == invited => {
                Access::Allow
            }
            Key::Wrong | Key::Spent | Key::Watch | Key::Invite { .. } => Access::Refused(Denial::BadInvite),
        },
        Action::Chat { watches } if !is_visible && !watches => Access::Hidden,
        Action::Play | Action::Share | Action::Invite | Action::Kick | Action::AddBot if !is_visible => {
            Access::Hidden
        }
        Action::Play
        | Action::Share
        | Action::Invite
        | Action::Kick
        | Action::AddBot
        | Action::Chat { .. }
            if user.is_none() =>
        {
            Access::Refused(Denial::SignIn)
        }
        Action::Chat { watches } if watches || is_seated => Access::Allow,
        Action::Chat { .. } => Access::Refused(Denial::NotWatching),
        Action::Play | Action::Share if is_seated => Access::Allow,
        Action::Play | Action::Share => Access::Refused(Denial::NotSeated),
        Action::Invite | Action::Kick | Action::AddBot if is_host => Access::Allow,
        Action::Invite | Action::Kick | Action::AddBot => Access::Refused(Denial::NotHost),
    }
}

/// Decides for a kicked user. Links give such a user no right. If everybody may watch a public
/// table, a kicked user may still watch it and read its matches.
fn decide_kicked(table: &TableFacts<'_>, action: Action) -> Access {
    match (action, table.privacy, table.watchers) {
        (_, Privacy::Private, _) => Access::Hidden,
        (Action::List | Action::See { .. }, ..)
        | (Action::Watch { .. } | Action::Replay { .. }, _, Watchers::Everybody) => Access::Allow,
        (Action::Watch { .. } | Action::Replay { .. }, _, Watchers::Nobody) => {
            Access::Refused(Denial::Unwatched)
        }
        _ => Access::Refused(Denial::Kicked),
    }
}

#[cfg(test)]
mod tests;
