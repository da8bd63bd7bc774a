//! The routes about matches that are or were played, and about who played them.

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use quadrex_protocol::archive::{MatchList, MatchSummary, MatchView, UserPage};
use quadrex_protocol::{MatchId, MatchRecord, RefusalCode, TableId, UserId};
use quadrex_rules::notation::{Notation, Tags};
use quadrex_rules::{Timestamp, Variant};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use time::OffsetDateTime;

use crate::archive::{ArchivePlace, ArchiveQuery, NameStart};
use crate::auth::{Action, Identity, Key};
use crate::http::refusal::Refusal;
use crate::http::state::{App, Peer};
use crate::http::workers::Workers;
use crate::table::{History, Unreadable, Viewer, match_view, notation};

/// The routes.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/api/matches", get(list_matches))
        .route("/api/matches/{match}", get(show_match))
        .route("/api/matches/{match}/record", get(show_record))
        .route("/api/matches/{match}/notation", get(show_notation))
        .route("/api/users/{user}", get(show_user))
}

/// Matches a list has, if it is not said, and at most.
const USUAL_LENGTH: u16 = 20;
const LONGEST: u16 = 100;

/// Which matches are wanted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    user: Option<UserId>,
    /// How the name of somebody who played begins.
    player: Option<String>,
    variant: Option<Variant>,
    before: Option<String>,
    limit: Option<u16>,
}

/// Matches that have begun, the newest first, as far as who asks may see them.
async fn list_matches(
    State(app): State<App>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Json<MatchList>, Refusal> {
    app.count_lookup(peer, &headers)?;
    let identity = app.identify(&method, &headers).await?;
    let Wanted { user, player, variant, before, limit } = read_query(&uri)?;
    let player: Option<NameStart> = player
        .map(|start| start.parse())
        .transpose()
        .map_err(|error| Refusal::new(RefusalCode::BadSetting, format_args!("player: {error}")))?;
    let before: Option<ArchivePlace> = before
        .map(|place| place.parse())
        .transpose()
        .map_err(|error| Refusal::new(RefusalCode::Malformed, format_args!("before: {error}")))?;
    let limit = limit.unwrap_or(USUAL_LENGTH);
    if !(1..=LONGEST).contains(&limit) {
        let message = format_args!("limit is {limit}, it must be 1 to {LONGEST}");
        return Err(Refusal::new(RefusalCode::BadSetting, message));
    }
    let query = ArchiveQuery { user, player, variant, before, seen_by: identity.id(), limit };
    let listed = app.archive.list(query).await;
    let mut list = listed.map_err(|error| app.fault("list matches", &error))?;
    for listed in &mut list.matches {
        app.tell_plies(listed).await;
    }
    Ok(Json(list))
}

/// A match, for whoever may watch it.
async fn show_match(
    State(app): State<App>,
    peer: Peer,
    Path(match_id): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<MatchView>, Refusal> {
    app.count_lookup(peer, &headers)?;
    let identity = app.identify(&method, &headers).await?;
    let viewer = identity.id().map_or(Viewer::Anonymous, Viewer::User);
    let now = app.now();
    let (table, match_id) = app.match_for(&identity, &match_id).await?;
    Ok(Json(
        app.read_match(&app.workers, table, match_id, move |history| match_view(history, viewer, now))
            .await?,
    ))
}

/// A match as a record, for whoever may watch it.
async fn show_record(
    State(app): State<App>,
    peer: Peer,
    Path(match_id): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<MatchRecord>, Refusal> {
    app.count_lookup(peer, &headers)?;
    let identity = app.identify(&method, &headers).await?;
    let (_, match_id) = app.match_for(&identity, &match_id).await?;
    Ok(Json(app.lobby.record(match_id).await?))
}

/// A match as PGN or PGN4, for whoever may watch it.
async fn show_notation(
    State(app): State<App>,
    peer: Peer,
    Path(match_id): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    app.count_lookup(peer, &headers)?;
    let identity = app.identify(&method, &headers).await?;
    let (table, match_id) = app.match_for(&identity, &match_id).await?;
    let mut tags = Tags::new();
    tags.set("Event", "Quadrex");
    tags.set("Site", &format!("{}/m/{match_id}", app.origins.of(&headers)));
    let told = app.read_match(&app.workers, table, match_id, move |history| {
        let date = date(history.state().opened_at());
        tags.set("Date", &date);
        Some((date, history.state().terms().settings.variant, notation(history, &tags)?))
    });
    let Some((date, variant, text)) = told.await? else {
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

/// Somebody, and how they did as far as who asks may see it.
async fn show_user(
    State(app): State<App>,
    peer: Peer,
    Path(user): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<UserPage>, Refusal> {
    app.count_lookup(peer, &headers)?;
    let identity = app.identify(&method, &headers).await?;
    let nobody = || Refusal::new(RefusalCode::NotFound, "there is no such user");
    let user: UserId = user.parse().map_err(|_| nobody())?;
    let found = app.guests.find(user).await.map_err(|error| app.fault("look up a user", &error))?;
    let user = found.ok_or_else(nobody)?;
    let standings = app.archive.standings(user.id, identity.id()).await;
    let standings = standings.map_err(|error| app.fault("count somebody's matches", &error))?;
    Ok(Json(UserPage { since_ms: user.created_at.as_millis(), user: user.view(), standings }))
}

impl App {
    /// Counts something that is asked of the archive.
    pub(crate) fn count_lookup(&self, peer: Peer, headers: &HeaderMap) -> Result<(), Refusal> {
        self.visitors.count_lookup(self.visitors.address(peer.0, headers)?)
    }

    /// The archive knows how a match began and ended; how far one is that runs, its table knows.
    pub(crate) async fn tell_plies(&self, listed: &mut MatchSummary) {
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

    /// A match that this identity may watch, and its table. Of any other there is none, or the table's own refusal.
    pub(crate) async fn match_for(
        &self,
        identity: &Identity,
        match_id: &str,
    ) -> Result<(TableId, MatchId), Refusal> {
        let match_id: MatchId = match_id.parse().map_err(|_| Refusal::no_table())?;
        let table = self.lobby.table_of(match_id).await?.ok_or_else(Refusal::no_table)?;
        self.table_for(identity, table, Action::Watch { key: Key::None }).await?;
        Ok((table, match_id))
    }

    /// Reads a match from its log, and does something with it, by one of these workers.
    pub(crate) async fn read_match<T: Send + 'static>(
        &self,
        workers: &Workers,
        table: TableId,
        match_id: MatchId,
        look: impl FnOnce(&History) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let (origin, facts) = self.lobby.facts(table, match_id).await?;
        let read = move || Ok::<T, Unreadable>(look(&History::replay(origin, facts)?));
        self.work(workers, "read a match", read).await?.map_err(|error| self.fault("read a match", &error))
    }
}

/// What stands behind the `?`, strictly.
pub(crate) fn read_query<T: DeserializeOwned>(uri: &Uri) -> Result<T, Refusal> {
    let read = Query::try_from_uri(uri);
    read.map(|Query(wanted)| wanted)
        .map_err(|error| Refusal::new(RefusalCode::Malformed, format_args!("malformed query: {error}")))
}

/// A day as PGN writes it.
fn date(at: Timestamp) -> String {
    let seconds = i64::try_from(at.as_millis() / 1_000).unwrap_or(i64::MAX);
    let day = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    format!("{:04}.{:02}.{:02}", day.year(), u8::from(day.month()), day.day())
}
