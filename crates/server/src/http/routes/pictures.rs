//! The routes for pictures of a position, of a match, and of the current match of a table.

use std::num::NonZeroU32;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, RefusalCode, TableId};
use quadrex_rules::{AnyPosition, Color, Move, Setup, Variant};
use serde::Deserialize;
use tower_http::set_header::SetResponseHeaderLayer;

use super::matches::parse_query;
use crate::auth::{Action, Key};
use crate::explore::read_position;
use crate::http::etag::Cacheable;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer};
use crate::picture::{self, DEFAULT_WIDTH, Picture, WIDTHS};

/// Returns the routes. The extension of a path is the format of the picture.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/pictures/position.svg", position_as(PictureFormat::Svg))
        .route("/pictures/position.png", position_as(PictureFormat::Png))
        .route("/pictures/position.card.png", position_as(PictureFormat::Card))
        .route("/pictures/match/{match}", get(draw_match))
        .route("/pictures/table/{table}", get(draw_table))
        .layer(SetResponseHeaderLayer::overriding(
            crate::http::headers::CROSS_ORIGIN_RESOURCE_POLICY,
            HeaderValue::from_static("cross-origin"),
        ))
}

/// The number of pictures as which the rate limit counts an animation of any length.
const ANIMATION_COST: NonZeroU32 = NonZeroU32::new(20).expect("twenty is not zero");

/// The `Cache-Control` of pictures that never change. They may be cached for a year.
const CACHE_FOREVER: &str = "public, max-age=31536000, immutable";

/// The `Cache-Control` of pictures of ended matches. They may be cached only for a day, because a
/// later version of the program may draw them in another way.
const CACHE_ENDED: &str = "public, max-age=86400";

/// The `Cache-Control` of pictures of running matches, which are revalidated each time.
const CACHE_RUNNING: &str = "public, no-cache";

/// The `Cache-Control` of pictures that only some clients may see. They are revalidated each time.
const CACHE_PRIVATE: &str = "private, no-cache";

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PictureFormat {
    Svg,
    Png,
    /// A PNG with the width and height that link previews need.
    Card,
    /// An animation of a match.
    Gif,
}

impl PictureFormat {
    const fn content_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png | Self::Card => "image/png",
            Self::Gif => "image/gif",
        }
    }
}

/// The query of a picture of a position. It has a FEN or FEN4. If it has none, the start position
/// of `variant` is drawn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionQuery {
    fen: Option<String>,
    variant: Option<Variant>,
    bottom: Option<Color>,
    #[serde(rename = "move")]
    mv: Option<Move>,
    width: Option<u32>,
}

/// The query of a picture of a match. `ply` is the number of plies after which the match is drawn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchQuery {
    ply: Option<usize>,
    bottom: Option<Color>,
    width: Option<u32>,
}

/// Returns the route for pictures of positions in one format.
fn position_as(format: PictureFormat) -> MethodRouter<AppState> {
    get(move |State(state): State<AppState>, peer: Peer, headers: HeaderMap, uri: Uri| async move {
        state.draw_position(format, peer, &headers, &uri).await
    })
}

/// Draws a match. If the client may not watch the match, draws a placeholder that reveals nothing.
async fn draw_match(
    State(state): State<AppState>,
    peer: Peer,
    Path(name): Path<String>,
    method: Method,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Refusal> {
    let (id, format) = parse_picture_name(&name, &uri)?;
    let query: MatchQuery = parse_query(&uri)?;
    let view = PictureView::new(query.bottom, query.width)?;
    let identity = state.identify(&method, &headers).await?;
    let visible = match state.match_for(&identity, id, &headers).await {
        Ok(visible) => visible,
        Err(refusal) => return state.draw_placeholder(refusal, format, view, peer, &headers).await,
    };
    state.draw_match(visible, format, query.ply, view, peer, &headers).await
}

/// Draws the current match of a table. If the client may not watch it, draws a placeholder that
/// reveals nothing.
async fn draw_table(
    State(state): State<AppState>,
    peer: Peer,
    Path(name): Path<String>,
    method: Method,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Refusal> {
    let (id, format) = parse_picture_name(&name, &uri)?;
    let MatchQuery { ply, bottom, width } = parse_query(&uri)?;
    let view = PictureView::new(bottom, width)?;
    let identity = state.identify(&method, &headers).await?;
    let handle_or_refusal = match id.parse() {
        Ok(table) => state.table_for(&identity, table, Action::Watch { key: Key::None }).await,
        Err(_) => Err(Refusal::no_table()),
    };
    match handle_or_refusal {
        Ok(table) => {
            let visible = (table.table(), table.overview().head.match_id);
            state.draw_match(visible, format, ply, view, peer, &headers).await
        }
        Err(refusal) => state.draw_placeholder(refusal, format, view, peer, &headers).await,
    }
}

/// The orientation and the width of a picture.
#[derive(Clone, Copy, Debug)]
struct PictureView {
    bottom: Option<Color>,
    width: u32,
}

impl PictureView {
    fn new(bottom: Option<Color>, width: Option<u32>) -> Result<Self, Refusal> {
        let width = width.unwrap_or(DEFAULT_WIDTH);
        if WIDTHS.contains(&width) {
            return Ok(Self { bottom, width });
        }
        let message = format_args!("width is {width}, it must be {} to {}", WIDTHS.start(), WIDTHS.end());
        Err(Refusal::new(RefusalCode::BadSetting, message))
    }

    /// Turns a picture so that the requested color is at the bottom. If the color does not play in
    /// the variant, the first color is at the bottom.
    fn orient(self, picture: Picture) -> Picture {
        match self.bottom {
            Some(color) if picture.variant.colors().contains(&color) => picture.seen_by(color),
            _ => picture,
        }
    }

    fn name(self) -> String {
        format!("{} {}", self.bottom.map_or("-", Color::name), self.width)
    }
}

impl AppState {
    async fn draw_position(
        &self,
        format: PictureFormat,
        peer: Peer,
        headers: &HeaderMap,
        uri: &Uri,
    ) -> Result<Response, Refusal> {
        let PositionQuery { fen, variant, bottom, mv, width } = parse_query(uri)?;
        let view = PictureView::new(bottom, width)?;
        let setup = match &fen {
            Some(fen) => read_position(fen, variant)?,
            None => Setup::start(variant.unwrap_or(Variant::DEFAULT)),
        };
        let position =
            AnyPosition::new(&setup).map_err(|error| Refusal::new(RefusalCode::BadSetup, error))?;
        let mut picture = view.orient(Picture::of(&position));
        if let Some(mv) = mv {
            picture = picture.with_move(mv);
        }
        let name = format!("position {setup} {mv:?} {} {format:?}", view.name());
        let picture = self.cached_picture(name, peer, headers, async || Ok(vec![picture]), format, view);
        Ok(Cacheable {
            cache_control: CACHE_FOREVER,
            content_type: format.content_type(),
            body: picture.await?,
        }
        .respond(headers))
    }

    async fn draw_match(
        &self,
        (table, match_id): (TableId, MatchId),
        format: PictureFormat,
        ply: Option<usize>,
        view: PictureView,
        peer: Peer,
        headers: &HeaderMap,
    ) -> Result<Response, Refusal> {
        let overview = self.table(table).await?.overview();
        let is_public = overview.settings().watchers == quadrex_protocol::settings::Watchers::Everybody;
        let is_over = overview.head.match_id != match_id || overview.phase() == Phase::Ended;
        let cache_control = match (is_public, is_over) {
            (false, _) => CACHE_PRIVATE,
            (true, false) => CACHE_RUNNING,
            (true, true) => CACHE_ENDED,
        };
        // The picture of a running match is correct only until the next event.
        let head = if is_over { 0 } else { overview.head.seq };
        let name = format!("match {match_id} {head} {ply:?} {} {format:?}", view.name());
        let scenes = async || {
            let scenes = self.read_match(&self.picture_workers, table, match_id, picture::scenes).await?;
            let picture::Scenes { plies: mut pictures, decisive } = scenes;
            if format != PictureFormat::Gif {
                let last = pictures.len().saturating_sub(1);
                pictures = vec![ply.map_or(decisive, |ply| pictures.swap_remove(ply.min(last)))];
            }
            Ok(pictures.into_iter().map(|scene| view.orient(scene)).collect())
        };
        let body = self.cached_picture(name, peer, headers, scenes, format, view).await?;
        Ok(Cacheable { cache_control, content_type: format.content_type(), body }.respond(headers))
    }

    /// Draws the placeholder for a table or match that does not exist or is hidden: a start
    /// position.
    async fn draw_placeholder(
        &self,
        refusal: Refusal,
        format: PictureFormat,
        view: PictureView,
        peer: Peer,
        headers: &HeaderMap,
    ) -> Result<Response, Refusal> {
        if matches!(refusal.code, RefusalCode::Internal | RefusalCode::Closing) {
            return Err(refusal);
        }
        let start = async || {
            let position = AnyPosition::new(&Setup::start(Variant::DEFAULT)).expect("a variant's own start");
            Ok(vec![Picture { turn: None, ..Picture::of(&position) }])
        };
        let name = format!("placeholder {} {format:?}", view.width);
        let body = self.cached_picture(name, peer, headers, start, format, view).await?;
        Ok(Cacheable { cache_control: CACHE_PRIVATE, content_type: format.content_type(), body }
            .respond(headers))
    }

    /// Returns the picture of this name from the cache, or draws it. `pictures` is called only if
    /// the picture must be drawn and the rate limit allows this.
    async fn cached_picture(
        &self,
        name: String,
        peer: Peer,
        headers: &HeaderMap,
        pictures: impl AsyncFnOnce() -> Result<Vec<Picture>, Refusal>,
        format: PictureFormat,
        view: PictureView,
    ) -> Result<Bytes, Refusal> {
        let draw = async {
            let cost = if format == PictureFormat::Gif { ANIMATION_COST } else { NonZeroU32::MIN };
            self.rate_limits.check_pictures(self.proxies.client_addr(peer.0, headers)?, cost)?;
            self.draw(pictures().await?, format, view).await
        };
        self.pictures.get_or_draw(name, draw).await
    }

    /// Draws pictures in a format on a worker.
    async fn draw(
        &self,
        pictures: Vec<Picture>,
        format: PictureFormat,
        view: PictureView,
    ) -> Result<Bytes, Refusal> {
        let draw = move || {
            let [first, ..] = pictures.as_slice() else { return Vec::new() };
            match format {
                PictureFormat::Svg => picture::svg(first, view.width).into_bytes(),
                PictureFormat::Png => picture::png(first, view.width),
                PictureFormat::Card => picture::card(first),
                PictureFormat::Gif => picture::gif(&pictures),
            }
        };
        Ok(Bytes::from(self.work(&self.picture_workers, "draw a picture", draw).await?))
    }
}

/// Parses a name of the form `ID.svg`, `ID.png`, `ID.gif` or `ID.card.png`.
fn parse_picture_name<'a>(name: &'a str, uri: &Uri) -> Result<(&'a str, PictureFormat), Refusal> {
    let formats = [
        (".svg", PictureFormat::Svg),
        (".card.png", PictureFormat::Card),
        (".png", PictureFormat::Png),
        (".gif", PictureFormat::Gif),
    ];
    let name_and_format =
        formats.into_iter().find_map(|(ending, format)| Some((name.strip_suffix(ending)?, format)));
    name_and_format.ok_or_else(|| {
        let message =
            format_args!("{} is no picture: it must end with .svg, .png, .card.png or .gif", uri.path());
        Refusal::new(RefusalCode::NotFound, message)
    })
}
