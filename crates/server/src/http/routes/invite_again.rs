//! The route by which a player of an ended match invites the others to another one.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::post;
use axum::{Json, Router};
use quadrex_protocol::archive::MatchSummary;
use quadrex_protocol::bot::BotSeat;
use quadrex_protocol::http::{CreateTable, InviteAgain, InvitedAgain, TableCreated, TokenScope};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{RefusalCode, UserId};
use quadrex_store::InvitationAdded;

use crate::auth::{Action, Key};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_scope};
use crate::people::RelationKind;

/// Returns the route.
pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/api/matches/{match}/invite-again", post(invite_again))
}

/// Creates a table with the settings of an ended match, and invites the other players of the match.
async fn invite_again(
    State(state): State<AppState>,
    Path(match_id): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(request): JsonBody<InviteAgain>,
) -> Result<(StatusCode, Json<InvitedAgain>), Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let (earlier_table, match_id) = state.find_match(&match_id).await?;
    state.permit_for_match(&identity, earlier_table, Action::Share).await?;
    let host = require_scope(&identity, TokenScope::Host)?.view();
    let played = state.started_match(match_id).await?;
    if played.ended_at_ms.is_none() {
        return Err(Refusal::new(RefusalCode::AlreadyStarted, "the match is not over yet"));
    }
    let overview = state.table(earlier_table).await?.overview();
    // A player who has left the group plays without it.
    let is_member = state.member_key(&identity, &overview).await? == Key::Member;
    let mut settings = overview.settings().clone();
    settings.group = settings.group.filter(|_| is_member);
    let own_seat = played.seats.iter().find(|seat| is_held_by(seat.user.as_ref(), host.id));
    let table = CreateTable {
        seat: request.seat.or(own_seat.map(|seat| seat.color)),
        bots: bots_of(&played),
        cmd: request.cmd,
        ..settings.into()
    };
    let address = state.proxies.client_addr(peer.0, &headers)?;
    let TableCreated { table, match_id } = state.create_table(table, host.clone(), address).await?;
    let overview = state.table(table).await?.overview();
    let mut invited = Vec::new();
    for other in others(&played, host.id) {
        if state.invite_player(&overview, host.id, &other).await? {
            invited.push(other);
        }
    }
    Ok((StatusCode::CREATED, Json(InvitedAgain { table, match_id, invited })))
}

impl AppState {
    /// Invites a player of an earlier match, unless the host blocks the player, or the player was
    /// deleted. Returns whether the player is invited.
    async fn invite_player(
        &self,
        table: &crate::actor::TableOverview,
        host: UserId,
        player: &UserView,
    ) -> Result<bool, Refusal> {
        let relations = self.relations.to(host, player.id).await;
        let relations = relations.map_err(|error| self.fault("look up the relation of two users", &error))?;
        if relations.contains(&RelationKind::Block) {
            return Ok(false);
        }
        let added = self.invite(table, host, player.id, None).await?;
        Ok(matches!(added, InvitationAdded::Added | InvitationAdded::Known))
    }
}

/// Returns the server's bots of a match with their seats.
fn bots_of(played: &MatchSummary) -> Vec<BotSeat> {
    let bots = played.seats.iter().filter_map(|seat| Some((seat.color, seat.user.as_ref()?.bot.as_ref()?)));
    bots.filter_map(|(color, bot)| Some(BotSeat { seat: Some(color), bot: bot.choice()? })).collect()
}

/// Returns the players of a match other than this one and the server's bots.
fn others(played: &MatchSummary, user: UserId) -> Vec<UserView> {
    let mut others: Vec<UserView> = Vec::new();
    for player in played.seats.iter().filter_map(|seat| seat.user.clone()) {
        let is_known = others.iter().any(|other| other.id == player.id);
        if player.id != user && !player.is_server_bot() && !is_known {
            others.push(player);
        }
    }
    others
}

fn is_held_by(holder: Option<&UserView>, user: UserId) -> bool {
    holder.is_some_and(|holder| holder.id == user)
}
