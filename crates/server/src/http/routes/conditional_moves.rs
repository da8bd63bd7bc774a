//! The routes of the conditional moves of players in correspondence matches. Each user reads only the
//! own ones.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method};
use axum::routing::{get, post};
use axum::{Json, Router};
use quadrex_cluster::message::SeatOrigin;
use quadrex_protocol::explore::{Exploration, Explore, ExploreSetup};
use quadrex_protocol::http::{
    ConditionalBoard, ConditionalMoves, MatchConditionalMoves, SeatConditionalMoves, SetConditionalMoves,
    TokenScope,
};
use quadrex_protocol::{CommandId, MatchId, TableId, UserId};
use quadrex_store::StoredConditionalMoves;
use quadrex_table::{self as table, History, PlayerCommand, Rejection};

use super::table_id;
use crate::actor::{Answer, CONDITIONAL_COMMAND, CommandRequest};
use crate::auth::Action;
use crate::explore::explore;
use crate::http::body::read_json;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_scope, require_user};

/// The id of the command that stores conditional moves. It is never in a log.
const COMMAND_ID: &str = "set-conditional-moves";

/// The number of attempts to send the command, if the actor of the table has just ended.
const ATTEMPTS: usize = 2;

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/tables/{table}/conditional-moves", get(show).put(set))
        .route("/api/tables/{table}/conditional-moves/board", post(show_board))
}

/// Returns the user's conditional moves in the current match.
async fn show(
    State(state): State<AppState>,
    Path(table): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<ConditionalMoves>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let table = table_id(&table)?;
    let handle = state.table_for(&identity, table, Action::Play).await?;
    let user = require_user(&identity)?.id;
    Ok(Json(state.conditional_moves(table, handle.overview().head.match_id, user).await?))
}

/// Stores the conditional moves of a seat.
async fn set(
    State(state): State<AppState>,
    Path(table): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<ConditionalMoves>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let table = table_id(&table)?;
    let user = require_scope(&identity, TokenScope::Play)?;
    state.table_for(&identity, table, Action::Play).await?;
    let SetConditionalMoves { match_id, after, seat, lines } =
        read_json(body, state.limits.explore_bytes).await?;
    let request = CommandRequest {
        command: PlayerCommand {
            by: user.view(),
            seat,
            action: table::Action::SetConditionalMoves { after, lines },
        },
        command_id: COMMAND_ID.parse::<CommandId>().expect("the id is short and visible"),
        match_id: Some(match_id),
        redeemed_invite: None,
        origin: SeatOrigin::default(),
    };
    for _ in 0..ATTEMPTS {
        let Ok(answer) = state.table(table).await?.send_command(request.clone()).await else { continue };
        return match answer {
            Answer::Done { .. } => Ok(Json(state.conditional_moves(table, match_id, user.id).await?)),
            Answer::Refused { code, text, .. } => Err(Refusal::new(code, text)),
            Answer::InviteUsed => Err(Refusal::bad_invite()),
            Answer::Fault(fault) => Err(Refusal::fault(fault)),
        };
    }
    Err(Refusal::closing())
}

/// Returns the position after the steps of a line.
async fn show_board(
    State(state): State<AppState>,
    Path(table): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Exploration>, Refusal> {
    state.rate_limits.check_exploration(state.proxies.client_addr(peer.0, &headers)?)?;
    let identity = state.identify(&method, &headers).await?;
    let table = table_id(&table)?;
    require_scope(&identity, TokenScope::Play)?;
    let handle = state.table_for(&identity, table, Action::Play).await?;
    let ConditionalBoard { match_id, after, steps } = read_json(body, state.limits.explore_bytes).await?;
    let current = handle.overview().head.match_id;
    if match_id != current {
        return Err(refusal(&Rejection::OtherMatch { at: current }));
    }
    let read = move |history: &History| history.state().conditional_position(after, &steps);
    let position = state.read_match(&state.workers, table, match_id, read).await?;
    let position = position.map_err(|rejection| refusal(&rejection))?;
    let request = Explore {
        setup: ExploreSetup::Text {
            text: position.setup().to_string(),
            variant: Some(position.variant()),
            plies: None,
        },
        moves: Vec::new(),
    };
    let max_plies = state.limits.explore_plies;
    Ok(Json(state.work(&state.workers, "explore a line", move || explore(&request, max_plies)).await??))
}

fn refusal(rejection: &Rejection) -> Refusal {
    Refusal::new(rejection.code(), rejection)
}

impl AppState {
    /// Returns the conditional moves of a user in a match, and which of them were made.
    async fn conditional_moves(
        &self,
        table: TableId,
        match_id: MatchId,
        user: UserId,
    ) -> Result<ConditionalMoves, Refusal> {
        let stored = self.lobby.conditional_moves(match_id, user).await?;
        let commands = self.lobby.commands_with(match_id, user, CONDITIONAL_COMMAND).await?;
        let read = move |history: &History| {
            let head = history.state().head();
            let seat = |StoredConditionalMoves { color, after, lines, .. }| {
                let lines = history.remaining_lines(&table::ConditionalMoves { color, after, lines });
                (!lines.is_empty()).then_some(SeatConditionalMoves { color, after: head, lines })
            };
            let played = commands.into_iter().filter_map(|seq| history.last_move_up_to(seq)).collect();
            ConditionalMoves { match_id, seats: stored.into_iter().filter_map(seat).collect(), played }
        };
        self.read_match(&self.workers, table, match_id, read).await
    }

    /// Returns the conditional moves of a user in all matches.
    pub(super) async fn all_conditional_moves(
        &self,
        user: UserId,
    ) -> Result<Vec<MatchConditionalMoves>, Refusal> {
        let view = |StoredConditionalMoves { match_id, color, after, lines, .. }| MatchConditionalMoves {
            match_id,
            color,
            after,
            lines,
        };
        Ok(self.lobby.all_conditional_moves(user).await?.into_iter().map(view).collect())
    }
}
