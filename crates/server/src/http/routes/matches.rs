//! The routes for matches and their players.

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use quadrex_protocol::archive::{MatchList, MatchSummary, MatchView, UserPage};
use quadrex_protocol::review::ReviewStatus;
use quadrex_protocol::{MatchId, MatchRecord, RefusalCode, TableId, UserId};
use quadrex_rules::notation::{Notation, Tags};
use quadrex_rules::{Timestamp, Variant};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use time::OffsetDateTime;

use crate::archive::{ArchiveCursor, ArchiveQuery, NamePrefix};
use crate::auth::{Action, Identity, Key, User};
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_user};
use crate::http::workers::Workers;
use crate::reviews::ReviewError;
use quadrex_table::{CorruptLog, History, Viewer, match_view, notation};

/// Returns the routes.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/matches", get(list_matches))
        .route("/api/matches/{match}", get(show_match))
        .route("/api/matches/{match}/record", get(show_record))
        .route("/api/matches/{match}/notation", get(show_notation))
        .route("/api/matches/{match}/review", get(show_review).post(request_review))
        .route("/api/users/{user}", get(show_user))
}

/// The default number of matches in a list.
const DEFAULT_LIMIT: u16 = 20;

/// The largest number of matches in a list.
const MAX_LIMIT: u16 = 100;

/// The query of a list of matches.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchesQuery {
    user: Option<UserId>,
    /// The beginning of the name of a player in the match.
    player: Option<String>,
    variant: Option<Variant>,
    before: Option<String>,
    limit: Option<u16>,
}

/// Lists the started matches that the client may see, newest first.
async fn list_matches(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Json<MatchList>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let MatchesQuery { user, player, variant, before, limit } = parse_query(&uri)?;
    let player: Option<NamePrefix> = player
        .map(|start| start.parse())
        .transpose()
        .map_err(|error| Refusal::new(RefusalCode::BadSetting, format_args!("player: {error}")))?;
    let before: Option<ArchiveCursor> = before
        .map(|place| place.parse())
        .transpose()
        .map_err(|error| Refusal::new(RefusalCode::Malformed, format_args!("before: {error}")))?;
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        let message = format_args!("limit is {limit}, it must be 1 to {MAX_LIMIT}");
        return Err(Refusal::new(RefusalCode::BadSetting, message));
    }
    let query = ArchiveQuery { user, player, variant, before, seen_by: identity.id(), limit };
    let listed = state.archive.list(query).await;
    let mut list = listed.map_err(|error| state.fault("list matches", &error))?;
    for listed in &mut list.matches {
        state.fill_plies(listed).await;
    }
    Ok(Json(list))
}

/// Returns a match that the client may read.
async fn show_match(
    State(state): State<AppState>,
    peer: Peer,
    Path(match_id): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<MatchView>, Refusal> {
    let (identity, table, match_id) = state.requested_match(peer, &method, &headers, &match_id).await?;
    let viewer = identity.id().map_or(Viewer::Anonymous, Viewer::User);
    let now = state.now();
    Ok(Json(
        state
            .read_match(&state.workers, table, match_id, move |history| match_view(history, viewer, now))
            .await?,
    ))
}

/// Returns the record of a match that the client may read.
async fn show_record(
    State(state): State<AppState>,
    peer: Peer,
    Path(match_id): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<MatchRecord>, Refusal> {
    let (_, _, match_id) = state.requested_match(peer, &method, &headers, &match_id).await?;
    Ok(Json(state.lobby.record(match_id).await?))
}

/// Returns the PGN or PGN4 of a match that the client may read.
async fn show_notation(
    State(state): State<AppState>,
    peer: Peer,
    Path(match_id): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let (_, table, match_id) = state.requested_match(peer, &method, &headers, &match_id).await?;
    let mut tags = Tags::new();
    tags.set("Event", "Quadrex");
    tags.set("Site", &format!("{}/m/{match_id}", state.origins.of(&headers)));
    let exported = state.read_match(&state.workers, table, match_id, move |history| {
        let date = date(history.state().opened_at());
        tags.set("Date", &date);
        Some((date, history.state().terms().settings.variant, notation(history, &tags)?))
    });
    let Some((date, variant, text)) = exported.await? else {
        return Err(Refusal::new(RefusalCode::NotStarted, "the match has not begun"));
    };
    let ending = match variant.notation() {
        Notation::Pgn => "pgn",
        Notation::Pgn4 => "pgn4",
    };
    let id = match_id.to_string();
    let name = format!("quadrex-{variant}-{}-{}.{ending}", date.replace('.', "-"), &id[id.len() - 6..]);
    let about = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((about, text).into_response())
}

/// Returns the state of a match's review. If the review is finished, also returns the review.
async fn show_review(
    State(state): State<AppState>,
    peer: Peer,
    Path(match_id): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<ReviewStatus>, Refusal> {
    let (_, _, match_id) = state.requested_match(peer, &method, &headers, &match_id).await?;
    let summary = state.started_match(match_id).await?;
    let status = state.reviews.status(&summary).await;
    Ok(Json(status.map_err(|error| state.fault("look up a review", &error))?))
}

/// Requests the review of a match that has ended. The client must be signed in, as for analyses.
/// Reviews and analyses share one rate limit.
async fn request_review(
    State(state): State<AppState>,
    peer: Peer,
    Path(match_id): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<ReviewStatus>), Refusal> {
    let (identity, _, match_id) = state.requested_match(peer, &method, &headers, &match_id).await?;
    let user = require_user(&identity)?;
    state.rate_limits.check_analysis(user.id, state.proxies.client_addr(peer.0, &headers)?).await?;
    let summary = state.started_match(match_id).await?;
    let status = state.reviews.request(&summary).await.map_err(|error| match error {
        ReviewError::Store(error) => state.fault("request a review", &error),
        error => Refusal::new(error.code(), error),
    })?;
    let code =
        if matches!(status, ReviewStatus::Done { .. }) { StatusCode::OK } else { StatusCode::ACCEPTED };
    Ok((code, Json(status)))
}

/// Returns a user with the user's standings in those matches that the client may see.
async fn show_user(
    State(state): State<AppState>,
    peer: Peer,
    Path(user): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<UserPage>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let user = state.find_user(&user).await?;
    let standings = state.archive.standings(user.id, identity.id()).await;
    let standings = standings.map_err(|error| state.fault("compute a user's standings", &error))?;
    let ratings = state.archive.ratings_of(user.id, state.now()).await;
    let ratings = ratings.map_err(|error| state.fault("read a user's ratings", &error))?;
    let relation = state.relation_to(&identity, user.id).await?;
    let created_at_ms = user.created_at.as_millis();
    Ok(Json(UserPage { user: user.view(), created_at_ms, standings, ratings, relation }))
}

impl AppState {
    /// Counts a lookup in the archive.
    pub(crate) fn check_lookup_rate(&self, peer: Peer, headers: &HeaderMap) -> Result<(), Refusal> {
        Ok(self.rate_limits.check_lookup(self.proxies.client_addr(peer.0, headers)?)?)
    }

    /// Returns a user by the text of its id.
    pub(super) async fn find_user(&self, user: &str) -> Result<User, Refusal> {
        let no_user = || Refusal::new(RefusalCode::NotFound, "there is no such user");
        let user: UserId = user.parse().map_err(|_| no_user())?;
        let found = self.guests.find(user).await.map_err(|error| self.fault("look up a user", &error))?;
        found.ok_or_else(no_user)
    }

    /// Returns the sender of a request about a match, the table of the match, and the match. Fails
    /// if the sender may not read the match.
    ///
    /// # Errors
    /// Returns the refusal for too many lookups, or the errors of [`match_for`](Self::match_for).
    pub(super) async fn requested_match(
        &self,
        peer: Peer,
        method: &Method,
        headers: &HeaderMap,
        match_id: &str,
    ) -> Result<(Identity, TableId, MatchId), Refusal> {
        self.check_lookup_rate(peer, headers)?;
        let identity = self.identify(method, headers).await?;
        let (table, match_id) = self.match_for(&identity, match_id, headers).await?;
        Ok((identity, table, match_id))
    }

    /// Returns the archived summary of a started match.
    pub(super) async fn started_match(&self, match_id: MatchId) -> Result<MatchSummary, Refusal> {
        let found = self.archive.find(match_id).await;
        let found = found.map_err(|error| self.fault("look a match up in the archive", &error))?;
        let not_started = || Refusal::new(RefusalCode::NotStarted, "the match has not begun");
        Ok(found.ok_or_else(not_started)?.summary)
    }

    /// Sets the number of plies of a running match from its table. The archive's entry has the
    /// number from the start of the match.
    pub(crate) async fn fill_plies(&self, listed: &mut MatchSummary) {
        if listed.ended_at_ms.is_some() {
            return;
        }
        if let Ok(Some(table)) = self.lobby.running(listed.table).await {
            let overview = table.overview();
            if overview.head.match_id == listed.match_id {
                listed.plies = overview.status.plies;
            }
        }
    }

    /// Returns a match that this identity may read, and the match's table. The headers may contain
    /// the secret of a share link, which permits this.
    ///
    /// # Errors
    /// Returns a refusal if the match does not exist, or if the identity may not read it.
    pub(crate) async fn match_for(
        &self,
        identity: &Identity,
        match_id: &str,
        headers: &HeaderMap,
    ) -> Result<(TableId, MatchId), Refusal> {
        let (table, match_id) = self.find_match(match_id).await?;
        let shared = self.is_shared(match_id, headers).await?;
        self.permit_for_match(identity, table, Action::Replay { shared, key: Key::None }).await?;
        Ok((table, match_id))
    }

    /// Returns a match by the text of its id, and its table. It does not check whether the client
    /// may read the match.
    pub(crate) async fn find_match(&self, match_id: &str) -> Result<(TableId, MatchId), Refusal> {
        let match_id: MatchId = match_id.parse().map_err(|_| Refusal::no_match())?;
        let table = self.lobby.table_of(match_id).await?.ok_or_else(Refusal::no_match)?;
        Ok((table, match_id))
    }

    /// Checks that a client may do something with a match of this table, and refuses it otherwise.
    /// If the table is hidden from the client, the refusal says that the match does not exist.
    pub(crate) async fn permit_for_match(
        &self,
        identity: &Identity,
        table: TableId,
        action: Action,
    ) -> Result<(), Refusal> {
        let permitted = self.table_for(identity, table, action).await;
        let of_match = |refusal: Refusal| match refusal.code {
            RefusalCode::NotFound => Refusal::no_match(),
            _ => refusal,
        };
        permitted.map(drop).map_err(of_match)
    }

    /// Replays a match from its log and applies `read` to its history. This work runs on one of the
    /// `workers`.
    pub(crate) async fn read_match<T: Send + 'static>(
        &self,
        workers: &Workers,
        table: TableId,
        match_id: MatchId,
        read: impl FnOnce(&History) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let (origin, events) = self.lobby.read_log(table, match_id).await?;
        let replay = move || Ok::<T, CorruptLog>(read(&History::replay(origin, events)?));
        self.work(workers, "read a match", replay).await?.map_err(|error| self.fault("read a match", &error))
    }
}

/// Parses the query of a URL. Refuses unknown fields.
pub(crate) fn parse_query<T: DeserializeOwned>(uri: &Uri) -> Result<T, Refusal> {
    let query = Query::try_from_uri(uri);
    query
        .map(|Query(query)| query)
        .map_err(|error| Refusal::new(RefusalCode::Malformed, format_args!("malformed query: {error}")))
}

/// Returns the date of a time in the form that PGN uses.
fn date(at: Timestamp) -> String {
    let seconds = i64::try_from(at.as_millis() / 1_000).unwrap_or(i64::MAX);
    let day = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    format!("{:04}.{:02}.{:02}", day.year(), u8::from(day.month()), day.day())
}
