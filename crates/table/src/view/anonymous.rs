//! Anonymous matches. Until such a match is over, users see the colors of the other users at the table,
//! and neither their names nor their ids. The log has the real users.

use std::borrow::Cow;

use quadrex_protocol::http::TableSummary;
use quadrex_protocol::settings::TableSettings;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{Entry, Phase, SeatView, TableView};
use quadrex_protocol::{Event, TableId, UserId};
use quadrex_rules::Color;
use uuid::Uuid;

use super::viewer::Viewer;
use crate::state::TableState;

/// The part of a user in an anonymous match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A player.
    Player(Color),
    /// The host.
    Host,
    /// A user without a seat.
    Spectator,
}

impl Part {
    /// Returns the number of the part, which distinguishes the made-up ids of a table.
    const fn number(self) -> u128 {
        match self {
            Self::Host => 1,
            Self::Spectator => 2,
            Self::Player(color) => 3 + color as u128,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Host => "Host".to_owned(),
            Self::Spectator => "Spectator".to_owned(),
            Self::Player(color) => {
                let (first, rest) = color.name().split_at(1);
                first.to_ascii_uppercase() + rest
            }
        }
    }
}

/// Returns a made-up user that stands for a user with this part.
fn stand_in(table: TableId, part: Part) -> UserView {
    UserView {
        id: UserId(Uuid::from_u128(table.0.as_u128() ^ part.number())),
        name: part.name(),
        account: false,
        bot: None,
        anonymous: true,
    }
}

/// Returns whether the names of users are hidden at a table with these settings.
#[must_use]
pub fn hides_names(settings: &TableSettings, phase: Phase) -> bool {
    settings.anonymous && phase != Phase::Ended
}

/// Replaces a user by a stand-in, unless it is a bot of the server or the user `keep`.
fn hide(user: &mut UserView, table: TableId, part: Part, keep: Option<UserId>) {
    if !user.is_server_bot() && keep != Some(user.id) {
        *user = stand_in(table, part);
    }
}

/// Returns a summary as a user sees it, or as everybody else sees it. If names are hidden, only the
/// user's own name remains.
#[must_use]
pub fn shown_summary(mut summary: TableSummary, viewer: Option<UserId>) -> TableSummary {
    if hides_names(&summary.settings, summary.phase) {
        hide(&mut summary.host, summary.table, Part::Host, viewer);
        hide_seats(&mut summary.seats, summary.table, viewer);
    }
    summary
}

/// Replaces the users in seats of an anonymous match by stand-ins. The user `keep` remains.
pub fn hide_seats(seats: &mut [SeatView], table: TableId, keep: Option<UserId>) {
    for seat in seats {
        if let Some(user) = &mut seat.user {
            hide(user, table, Part::Player(seat.color), keep);
        }
    }
}

/// Replaces the people in an event by stand-ins. The user `keep` remains.
fn hide_people(event: &mut Event, table: TableId, keep: Option<UserId>) {
    match event {
        Event::Opened { host, kicked, .. } => {
            kicked.clear();
            hide(host, table, Part::Host, keep);
        }
        Event::HostChanged { host } => hide(host, table, Part::Host, keep),
        Event::Seated { color, user, .. } => hide(user, table, Part::Player(*color), keep),
        Event::Started { seats, .. } => {
            for (color, user) in seats {
                hide(user, table, Part::Player(*color), keep);
            }
        }
        Event::MessageSent { user, color, .. } => {
            hide(user, table, color.map_or(Part::Spectator, Part::Player), keep);
        }
        other => other.people_mut().for_each(|user| hide(user, table, Part::Spectator, keep)),
    }
}

/// Removes the names from the events of a log, if the match is anonymous and not over.
pub fn hide_names_in_log(events: Vec<&mut Event>, table: TableId) {
    let is_anonymous = matches!(events.first(), Some(Event::Opened { settings, .. }) if settings.anonymous);
    let is_end = |event: &&mut Event| {
        matches!(event, Event::Ended { .. } | Event::Aborted { .. } | Event::Closed { .. })
    };
    if is_anonymous && !events.iter().any(is_end) {
        events.into_iter().for_each(|event| hide_people(event, table, None));
    }
}

/// Returns the user for whom a made-up user of a table stands. `summary` has the real users.
#[must_use]
pub fn real_user(summary: &TableSummary, made_up: UserId) -> Option<UserId> {
    let stands_for = |part| stand_in(summary.table, part).id == made_up;
    let holder = summary.seats.iter().find(|seat| stands_for(Part::Player(seat.color)));
    match holder {
        Some(seat) => seat.user.as_ref().map(|user| user.id),
        None => stands_for(Part::Host).then_some(summary.host.id),
    }
}

impl TableState {
    /// Returns whether the names of the users at the table are hidden now.
    #[must_use]
    pub fn hides_names(&self) -> bool {
        hides_names(&self.terms().settings, self.phase())
    }

    /// Returns the holder of a seat as users without a seat see it.
    #[must_use]
    pub fn shown_holder(&self, color: Color) -> Option<UserView> {
        let mut holder = self.holder(color)?.clone();
        if self.hides_names() {
            hide(&mut holder, self.table(), Part::Player(color), None);
        }
        Some(holder)
    }

    /// Returns the host as other users see it.
    #[must_use]
    pub fn shown_host(&self) -> UserView {
        let mut host = self.host().clone();
        if self.hides_names() {
            hide(&mut host, self.table(), Part::Host, None);
        }
        host
    }

    /// Returns the user whose own name a viewer sees although names are hidden: the viewer, if it is
    /// a player or the host.
    fn own_user(&self, viewer: Viewer) -> Option<UserId> {
        viewer.user().filter(|user| self.members().contains(user))
    }

    /// Returns an entry as a viewer sees it.
    pub(super) fn shown_entry<'a>(&self, entry: &'a Entry, viewer: Viewer) -> Cow<'a, Entry> {
        if !self.hides_names() || (entry.event.people().next().is_none()) {
            return Cow::Borrowed(entry);
        }
        let mut shown = entry.clone();
        hide_people(&mut shown.event, self.table(), self.own_user(viewer));
        Cow::Owned(shown)
    }

    /// Returns the people in an entry who see their own names in it although names are hidden.
    pub(super) fn own_viewers(&self, entry: &Entry) -> Vec<UserId> {
        if !self.hides_names() {
            return Vec::new();
        }
        let members = self.members();
        let people = entry.event.people().map(|user| user.id);
        people.filter(|user| members.contains(user)).collect()
    }

    /// Hides the names in a view of the table.
    pub(super) fn hide_names_in(&self, view: &mut TableView, viewer: Viewer) {
        if !self.hides_names() {
            return;
        }
        let keep = self.own_user(viewer);
        hide(&mut view.host, self.table(), Part::Host, keep);
        hide_seats(&mut view.seats, self.table(), keep);
        view.history.iter_mut().for_each(|entry| hide_people(&mut entry.event, self.table(), keep));
        view.link_visitors.clear();
    }
}
