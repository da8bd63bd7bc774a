//! The views of a table: data that the server sends, derived from the table's state.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_protocol::UserId;
use quadrex_protocol::http::{TableStatus, TableSummary};
use quadrex_protocol::position_view::{eliminated, outcome, pieces, reserves, stalemated, turn_hints};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{
    BoardView, ClockView, Entry, RequestView, SeatView, StateView, SuspensionKind, SuspensionView, TableView,
    TurnHints,
};
use quadrex_rules::{Color, Game, Move, Request, Timestamp};

use super::present::PresenceView;
use crate::state::{Seat, Stage, Suspension, TableState};
use crate::time::millis;

/// Returns everything that changes during a match, except the pieces. The clocks are those at
/// `now`.
#[must_use]
pub fn state_view(state: &TableState, now: Timestamp) -> StateView {
    let position = state.position();
    let game = state.game();
    StateView {
        phase: state.phase(),
        turn: state.turn(),
        active_players: position.active_players().collect(),
        eliminated: game.map(eliminated).unwrap_or_default(),
        checks: position.checks().collect(),
        facing_mate: running(state).map(|game| game.position().facing_mate()).unwrap_or_default(),
        reserves: reserves(position),
        clock: game.and_then(|game| clock(state, game, now)),
        requests: game.map(requests_view).unwrap_or_default(),
        can_claim_draw: running(state).is_some_and(|game| game.may_claim_draw(now)),
        outcome: game.and_then(outcome),
        stalemated: game.and_then(stalemated),
        move_left_ms: state.move_limit_left_ms(now),
        suspension: state.suspension_view(now),
        vacations: running(state)
            .map(|game| state.vacations.among(game.position().active_players()))
            .unwrap_or_default(),
        aborted: game.and_then(Game::aborted),
        rematch: state.rematch().view(),
        closed: state.is_closed(),
    }
}

/// Returns the legal moves of the player to move, while the match runs.
#[must_use]
pub fn legal_moves(state: &TableState) -> Option<(Color, Vec<Move>)> {
    Some((state.turn()?, state.position().legal_moves()))
}

/// Returns the hints that explain the rules to the player to move. Returns `None` if that player is
/// a bot of the server, which needs no hints. `legal_moves` are the player's moves.
pub(super) fn hints_for((turn, legal_moves): (Color, &[Move]), state: &TableState) -> Option<TurnHints> {
    let is_server_bot = state.player(turn).is_some_and(UserView::is_server_bot);
    if is_server_bot { None } else { turn_hints(state.position(), legal_moves) }
}

/// Returns the whole view of a table for one viewer. `history` contains the entries that the viewer
/// may see, and `your_seats` contains the viewer's seats.
#[must_use]
pub fn table_view<'a>(
    state: &TableState,
    history: impl IntoIterator<Item = &'a Entry>,
    present: &PresenceView,
    your_seats: Vec<Color>,
    now: Timestamp,
) -> TableView {
    let terms = state.terms();
    let legal =
        legal_moves(state).filter(|(turn, _)| your_seats.contains(turn) && !state.is_substituted(*turn));
    TableView {
        settings: terms.settings.clone(),
        host: state.host().clone(),
        board: BoardView::of(terms.settings.variant),
        seats: seats(state),
        start: pieces(state.start()),
        pieces: pieces(state.position()),
        history: history.into_iter().cloned().collect(),
        state: state_view(state, now),
        hints: legal.as_ref().and_then(|(turn, moves)| hints_for((*turn, moves), state)),
        legal_moves: legal.map(|(_, legal)| legal),
        your_seats,
        players: present.players.clone(),
        spectators: present.spectators,
        link_visitors: Vec::new(),
        kicked: false,
    }
}

/// Returns the summary of a table for the lobby. The number of spectators in it is zero, because
/// the state does not contain this number.
#[must_use]
pub fn summary(state: &TableState) -> TableSummary {
    TableSummary {
        table: state.table(),
        settings: state.terms().settings.clone(),
        host: state.host().clone(),
        phase: state.phase(),
        seats: seats(state),
        turn: state.turn(),
        plies: state.plies(),
        spectators: 0,
        created_at_ms: state.opened_at().as_millis(),
    }
}

/// Returns the fields of the summary that change with every move.
#[must_use]
pub fn status(state: &TableState, spectators: u32) -> TableStatus {
    TableStatus { table: state.table(), turn: state.turn(), plies: state.plies(), spectators }
}

/// Returns whether the host, the phase and the seats of a summary are up to date. The settings are
/// not compared, because they never change. The fields of [`status`] are not compared either.
#[must_use]
pub fn is_outline_of(summary: &TableSummary, state: &TableState) -> bool {
    let is_same_seat =
        |(shown, seat): (&SeatView, &Seat)| shown.user == seat.holder && shown.substitute == seat.substitute;
    summary.phase == state.phase()
        && summary.host == *state.host()
        && summary.seats.len() == state.seats().len()
        && summary.seats.iter().zip(state.seats()).all(is_same_seat)
}

/// Returns the users who are still in the running match, including users whom a bot replaces.
pub(super) fn playing(state: &TableState) -> impl Iterator<Item = UserId> {
    let game = running(state);
    let is_playing = move |color| game.is_some_and(|game| game.position().is_playing(color));
    let holders = state.seats().iter().filter(move |seat| is_playing(seat.color));
    holders.filter_map(|seat| seat.holder.as_ref()).map(|holder| holder.id)
}

fn running(state: &TableState) -> Option<&Game> {
    match state.stage() {
        Stage::Running(game) => Some(game),
        Stage::Open | Stage::Ended(_) => None,
    }
}

fn seats(state: &TableState) -> Vec<SeatView> {
    let view = |seat: &Seat| SeatView {
        color: seat.color,
        side: seat.color.side().into(),
        user: seat.holder.clone(),
        substitute: seat.substitute.clone(),
    };
    state.seats().iter().map(view).collect()
}

fn clock(state: &TableState, game: &Game, now: Timestamp) -> Option<ClockView> {
    let clocks = game.clock();
    let mut left_ms = BTreeMap::new();
    for seat in state.seats() {
        left_ms.insert(seat.color, millis(clocks.remaining(seat.color, now)?));
    }
    Some(ClockView {
        left_ms,
        running: clocks.running(),
        delay_left_ms: millis(clocks.free(now)),
        first_move: clocks.turn_is_first(),
    })
}

/// Returns the open requests.
fn requests_view(game: &Game) -> Vec<RequestView> {
    let view = |request| {
        let open = game.request(request)?;
        Some(RequestView { request, by: open.by, agreed: open.agreed.clone() })
    };
    Request::ALL.into_iter().filter_map(view).collect()
}

impl TableState {
    /// Returns the current suspension in its form on the wire, at `now`.
    pub(crate) fn suspension_view(&self, now: Timestamp) -> Option<SuspensionView> {
        let (kind, color) = match self.suspensions.current()? {
            Suspension::Paused { .. } => (SuspensionKind::Paused, None),
            Suspension::Waiting { color, .. } => (SuspensionKind::Waiting, Some(color)),
            Suspension::Resuming { color, .. } => (SuspensionKind::Resuming, color),
        };
        let time_left = self.suspensions.deadline().map_or(Duration::ZERO, |due| due.at.since(now));
        Some(SuspensionView { kind, color, left_ms: millis(time_left) })
    }
}
