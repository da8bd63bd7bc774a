//! The subject of a notification: the match in its present state.

use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, TableId, UserId};
use quadrex_store::{DueNotification, NotificationKind};
use quadrex_table::{History, TableState};

use crate::fault::Fault;
use crate::lobby::Lobby;

/// Reads a match from its log. Returns `None` if the log cannot be replayed.
pub(super) async fn read(
    lobby: &Lobby,
    table: TableId,
    match_id: MatchId,
) -> Result<Option<TableState>, Fault> {
    let (identity, log) = lobby.read_log(table, match_id).await?;
    let replay = move || History::replay(identity, log).ok().map(|history| history.state().clone());
    Ok(quadrex_runtime::run_blocking(replay).await.unwrap_or(None))
}

/// Returns whether a user still has to be notified by push.
pub(super) fn concerns(due: &DueNotification, state: &TableState) -> bool {
    let player = state.turn().and_then(|turn| state.holder(turn)).map(|holder| holder.id);
    let is_turn = player == Some(due.user) && state.open_turn().is_some_and(|turn| turn.player == due.user);
    match due.kind {
        NotificationKind::Turn => is_turn && state.plies() == due.ply,
        NotificationKind::Started => {
            let is_correspondence = matches!(state.terms().settings.time, TimeSetting::Correspondence { .. });
            // The player to move in a correspondence match is notified of the turn instead.
            state.phase() == Phase::Running && holds_seat(state, due.user) && !(is_correspondence && is_turn)
        }
        NotificationKind::Opened | NotificationKind::Ended | NotificationKind::Test => false,
    }
}

fn holds_seat(state: &TableState, user: UserId) -> bool {
    state.seats().iter().filter_map(|seat| seat.holder.as_ref()).any(|holder| holder.id == user)
}

/// Returns the names of the players other than `user`, in turn order. Returns no names while they are
/// hidden.
pub(super) fn opponents(state: &TableState, user: UserId) -> Vec<String> {
    if state.hides_names() {
        return Vec::new();
    }
    let holders = state.seats().iter().filter_map(|seat| seat.holder.as_ref());
    let mut others: Vec<&UserView> = holders.filter(|holder| holder.id != user).collect();
    others.dedup_by_key(|other| other.id);
    others.into_iter().map(|other| other.name.clone()).collect()
}

/// Returns whether the lobby does not list the table.
pub(super) fn is_private(state: &TableState) -> bool {
    state.terms().settings.privacy == Privacy::Private
}
