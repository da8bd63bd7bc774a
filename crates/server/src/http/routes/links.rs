//! The routes for a table's invites and watch links.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use quadrex_protocol::http::{LinkCreated, LinkKind, LinkList, LinkView, NewInvite, Uses};
use quadrex_protocol::{RefusalCode, TableId, hex};

use super::table_id;
use crate::actor::{TableHandle, TableOverview};
use crate::auth::{Action, Identity, Link, LinkPurpose};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_user};
use crate::telemetry::audit::{AuditAction, AuditEntry};
use quadrex_rules::Color;
use quadrex_store::SecretHash;

/// Returns the routes.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/tables/{table}/invites", post(make_invite))
        .route("/api/tables/{table}/watch-links", post(make_watch_link))
        .route("/api/tables/{table}/links", get(list_links))
        .route("/api/tables/{table}/links/{link}", delete(revoke_link))
}

async fn make_invite(
    State(state): State<AppState>,
    Path(table): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(NewInvite { seat, uses }): JsonBody<NewInvite>,
) -> Result<(StatusCode, Json<LinkCreated>), Refusal> {
    let (identity, table, handle) = state.hosted_table(&method, &headers, &table).await?;
    let audit = state.check_link_rate(&identity, peer, &headers).await?;
    check_seat(&handle.overview(), seat)?;
    let created = state.make_link(table, LinkPurpose::Invite { seat, uses }, &headers).await?;
    audit(AuditAction::InviteCreated).at(table).record();
    Ok(created)
}

async fn make_watch_link(
    State(state): State<AppState>,
    Path(table): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<LinkCreated>), Refusal> {
    let (identity, table, _) = state.hosted_table(&method, &headers, &table).await?;
    let audit = state.check_link_rate(&identity, peer, &headers).await?;
    let created = state.make_link(table, LinkPurpose::Watch, &headers).await?;
    audit(AuditAction::WatchLinkCreated).at(table).record();
    Ok(created)
}

async fn list_links(
    State(state): State<AppState>,
    Path(table): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<LinkList>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let (_, table, _) = state.hosted_table(&method, &headers, &table).await?;
    let links = state.links.list(table, state.now()).await;
    let links = links.map_err(|error| state.fault("list links", &error))?;
    Ok(Json(LinkList { links: links.iter().map(view_of_link).collect() }))
}

/// Removes a link, and revokes the access of the watchers that use it.
async fn revoke_link(
    State(state): State<AppState>,
    Path((table, link)): Path<(String, String)>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let (identity, table, handle) = state.hosted_table(&method, &headers, &table).await?;
    let no_link = || Refusal::new(RefusalCode::NotFound, "this table has no such link");
    let secret = hex::decode(&link).map(SecretHash).ok_or_else(no_link)?;
    let revoked = state.links.revoke(table, secret).await;
    if !revoked.map_err(|error| state.fault("revoke a link", &error))? {
        return Err(no_link());
    }
    let (host, address) = (require_user(&identity)?.id, state.proxies.client_addr(peer.0, &headers)?);
    AuditEntry::new(AuditAction::LinkRevoked).by(host).from(address).at(table).record();
    // If the table's actor has ended, nobody watches the table.
    handle.revoke_link(secret).await.ok();
    Ok(StatusCode::NO_CONTENT)
}

/// Refuses an invite for a seat that the table does not have.
pub(super) fn check_seat(table: &TableOverview, seat: Option<Color>) -> Result<(), Refusal> {
    match seat.filter(|color| table.seats().iter().all(|seat| seat.color != *color)) {
        Some(color) => {
            let message = format_args!("this table has no seat for {color}");
            Err(Refusal::new(RefusalCode::NoSuchSeat, message))
        }
        None => Ok(()),
    }
}

fn view_of_link(link: &Link) -> LinkView {
    let (kind, seat, uses) = match link.purpose {
        LinkPurpose::Invite { seat, uses } => (LinkKind::Invite, seat, uses),
        LinkPurpose::Watch => (LinkKind::Watch, None, Uses::Open),
    };
    LinkView {
        // The id is the hash of the secret. It does not reveal the secret.
        id: hex::encode(&link.secret.0),
        kind,
        seat,
        uses,
        used: link.used_by.is_some(),
        created_at_ms: link.created_at.as_millis(),
        expires_at_ms: link.expires_at.as_millis(),
    }
}

impl AppState {
    /// Returns the sender of a request about a table's links, and the table. Fails if the sender
    /// may not invite users to the table.
    pub(super) async fn hosted_table(
        &self,
        method: &Method,
        headers: &HeaderMap,
        table: &str,
    ) -> Result<(Identity, TableId, TableHandle), Refusal> {
        let identity = self.identify(method, headers).await?;
        let table = table_id(table)?;
        let handle = self.table_for(&identity, table, Action::Invite).await?;
        Ok((identity, table, handle))
    }

    /// Counts the creation of a link. Returns a function that makes its entry in the audit log.
    pub(super) async fn check_link_rate(
        &self,
        identity: &Identity,
        peer: Peer,
        headers: &HeaderMap,
    ) -> Result<impl FnOnce(AuditAction) -> AuditEntry<'static> + use<>, Refusal> {
        let (user, address) = (require_user(identity)?.id, self.proxies.client_addr(peer.0, headers)?);
        self.rate_limits.check_link(user, address).await?;
        Ok(move |action| AuditEntry::new(action).by(user).from(address))
    }

    /// Returns the refusal of a link to a table that has the maximum number of links.
    pub(super) fn too_many_links(&self) -> Refusal {
        let max_links = self.links.max_per_table();
        let message =
            format_args!("this table has {max_links} invites and watch links already; revoke one first");
        Refusal::new(RefusalCode::TooManyLinks, message)
    }

    async fn make_link(
        &self,
        table: TableId,
        purpose: LinkPurpose,
        headers: &HeaderMap,
    ) -> Result<(StatusCode, Json<LinkCreated>), Refusal> {
        let issued = self.links.issue(table, purpose, self.now()).await;
        let issued = issued.map_err(|error| self.fault("make a link", &error))?;
        let (secret, link) = issued.ok_or_else(|| self.too_many_links())?;
        Ok((StatusCode::CREATED, Json(self.link_created(&secret, link.expires_at, headers))))
    }
}
