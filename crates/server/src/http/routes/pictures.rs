//! The routes that draw: a position, a match, a table.

use std::num::NonZeroU32;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use axum::response::Response;
use axum::routing::get;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, RefusalCode, TableId};
use quadrex_rules::{AnyPosition, Color, Move, Setup, Variant};
use serde::Deserialize;
use tower_http::set_header::SetResponseHeaderLayer;

use super::matches::read_query;
use crate::auth::{Action, Key};
use crate::explore::read_position;
use crate::http::etag::Tagged;
use crate::http::refusal::Refusal;
use crate::http::state::{App, Peer};
use crate::picture::{self, DEFAULT_WIDTH, Picture, WIDTHS};

/// The routes. What is drawn in which form says the ending of the name.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/pictures/position.svg", get(draw_position_as_svg))
        .route("/pictures/position.png", get(draw_position_as_png))
        .route("/pictures/position.card.png", get(draw_position_as_card))
        .route("/pictures/match/{match}", get(draw_match))
        .route("/pictures/table/{table}", get(draw_table))
        .layer(SetResponseHeaderLayer::overriding(
            crate::http::headers::CROSS_ORIGIN_RESOURCE_POLICY,
            HeaderValue::from_static("cross-origin"),
        ))
}

/// A film counts as many pictures as this, whatever its length.
const FILM_COST: NonZeroU32 = NonZeroU32::new(20).expect("twenty is not zero");

/// What never changes may be kept for a year; what is over for a day, as it may come to look better; what goes on, and
/// what only some may see, is asked for again each time.
const FOREVER: &str = "public, max-age=31536000, immutable";
const OVER: &str = "public, max-age=86400";
const GOES_ON: &str = "public, no-cache";
const NOT_FOR_ALL: &str = "private, no-cache";

/// In which form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Svg,
    Png,
    /// A PNG of the shape that other sites show beside links.
    Card,
    /// All of a match.
    Gif,
}

impl Form {
    const fn kind(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png | Self::Card => "image/png",
            Self::Gif => "image/gif",
        }
    }
}

/// A position: a FEN or FEN4, or the start of a variant.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionWanted {
    fen: Option<String>,
    variant: Option<Variant>,
    bottom: Option<Color>,
    #[serde(rename = "move")]
    mv: Option<Move>,
    width: Option<u32>,
}

/// A match after so many plies; as it stands if not given.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchWanted {
    ply: Option<usize>,
    bottom: Option<Color>,
    width: Option<u32>,
}

async fn draw_position_as_svg(
    State(app): State<App>,
    peer: Peer,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Refusal> {
    app.draw_position(Form::Svg, peer, &headers, &uri).await
}

async fn draw_position_as_png(
    State(app): State<App>,
    peer: Peer,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Refusal> {
    app.draw_position(Form::Png, peer, &headers, &uri).await
}

async fn draw_position_as_card(
    State(app): State<App>,
    peer: Peer,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Refusal> {
    app.draw_position(Form::Card, peer, &headers, &uri).await
}

/// A match, for whoever may watch it; for others, and where there is none, a picture that tells nothing.
async fn draw_match(
    State(app): State<App>,
    peer: Peer,
    Path(name): Path<String>,
    method: Method,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Refusal> {
    let (id, form) = id_and_form(&name, &uri)?;
    let wanted: MatchWanted = read_query(&uri)?;
    let look = Look::new(wanted.bottom, wanted.width)?;
    let identity = app.identify(&method, &headers).await?;
    let seen = match app.match_for(&identity, id).await {
        Ok(seen) => seen,
        Err(refusal) => return app.draw_nothing(refusal, form, look, peer, &headers).await,
    };
    app.draw_match(seen, form, wanted.ply, look, peer, &headers).await
}

/// The match that a table is at, likewise.
async fn draw_table(
    State(app): State<App>,
    peer: Peer,
    Path(name): Path<String>,
    method: Method,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Refusal> {
    let (id, form) = id_and_form(&name, &uri)?;
    let MatchWanted { ply, bottom, width } = read_query(&uri)?;
    let look = Look::new(bottom, width)?;
    let identity = app.identify(&method, &headers).await?;
    let found = match id.parse() {
        Ok(table) => app.table_for(&identity, table, Action::Watch { key: Key::None }).await,
        Err(_) => Err(Refusal::no_table()),
    };
    match found {
        Ok(table) => {
            let seen = (table.table(), table.overview().head.match_id);
            app.draw_match(seen, form, ply, look, peer, &headers).await
        }
        Err(refusal) => app.draw_nothing(refusal, form, look, peer, &headers).await,
    }
}

/// From where a picture looks, and how wide it is.
#[derive(Clone, Copy, Debug)]
struct Look {
    bottom: Option<Color>,
    width: u32,
}

impl Look {
    fn new(bottom: Option<Color>, width: Option<u32>) -> Result<Self, Refusal> {
        let width = width.unwrap_or(DEFAULT_WIDTH);
        if WIDTHS.contains(&width) {
            return Ok(Self { bottom, width });
        }
        let message = format_args!("width is {width}, it must be {} to {}", WIDTHS.start(), WIDTHS.end());
        Err(Refusal::new(RefusalCode::BadSetting, message))
    }

    /// The picture seen so; a color that does not play there sees it like the first.
    fn of(self, picture: Picture) -> Picture {
        match self.bottom {
            Some(color) if picture.variant.colors().contains(&color) => picture.seen_by(color),
            _ => picture,
        }
    }

    fn name(self) -> String {
        format!("{} {}", self.bottom.map_or("-", Color::name), self.width)
    }
}

impl App {
    async fn draw_position(
        &self,
        form: Form,
        peer: Peer,
        headers: &HeaderMap,
        uri: &Uri,
    ) -> Result<Response, Refusal> {
        let PositionWanted { fen, variant, bottom, mv, width } = read_query(uri)?;
        let look = Look::new(bottom, width)?;
        let setup = match &fen {
            Some(fen) => read_position(fen, variant)?,
            None => Setup::start(variant.unwrap_or(Variant::Dilkel)),
        };
        let position =
            AnyPosition::new(&setup).map_err(|error| Refusal::new(RefusalCode::BadSetup, error))?;
        let mut picture = look.of(Picture::of(&position));
        if let Some(mv) = mv {
            picture = picture.with_move(mv);
        }
        let name = format!("position {setup} {mv:?} {} {form:?}", look.name());
        let drawn = self.drawn(name, peer, headers, async || Ok(vec![picture]), form, look);
        Ok(Tagged { caching: FOREVER, kind: form.kind(), data: drawn.await? }.answer(headers))
    }

    async fn draw_match(
        &self,
        (table, match_id): (TableId, MatchId),
        form: Form,
        ply: Option<usize>,
        look: Look,
        peer: Peer,
        headers: &HeaderMap,
    ) -> Result<Response, Refusal> {
        let overview = self.table(table).await?.overview();
        let is_public = overview.settings().watchers == quadrex_protocol::settings::Watchers::Everybody;
        let is_over = overview.head.match_id != match_id || overview.phase() == Phase::Ended;
        let caching = match (is_public, is_over) {
            (false, _) => NOT_FOR_ALL,
            (true, false) => GOES_ON,
            (true, true) => OVER,
        };
        // A running match looks so only until its next event.
        let head = if is_over { 0 } else { overview.head.seq };
        let name = format!("match {match_id} {head} {ply:?} {} {form:?}", look.name());
        let scenes = async || {
            let mut scenes = self.read_match(&self.picture_workers, table, match_id, picture::scenes).await?;
            if form != Form::Gif {
                let last = scenes.len().saturating_sub(1);
                scenes = vec![scenes.swap_remove(ply.unwrap_or(last).min(last))];
            }
            Ok(scenes.into_iter().map(|scene| look.of(scene)).collect())
        };
        let data = self.drawn(name, peer, headers, scenes, form, look).await?;
        Ok(Tagged { caching, kind: form.kind(), data }.answer(headers))
    }

    /// A picture for who may not see what is asked for, or when there is nothing: the start of a match.
    async fn draw_nothing(
        &self,
        refusal: Refusal,
        form: Form,
        look: Look,
        peer: Peer,
        headers: &HeaderMap,
    ) -> Result<Response, Refusal> {
        if matches!(refusal.code, RefusalCode::Internal | RefusalCode::Closing) {
            return Err(refusal);
        }
        let start = async || {
            let position = AnyPosition::new(&Setup::start(Variant::Dilkel)).expect("a variant's own start");
            Ok(vec![Picture { turn: None, ..Picture::of(&position) }])
        };
        let name = format!("nothing {} {form:?}", look.width);
        let data = self.drawn(name, peer, headers, start, form, look).await?;
        Ok(Tagged { caching: NOT_FOR_ALL, kind: form.kind(), data }.answer(headers))
    }

    /// Returns the picture of this name, from the cache or drawn in a form. The pictures it is made of are made only then,
    /// and if the address may have so much drawn.
    async fn drawn(
        &self,
        name: String,
        peer: Peer,
        headers: &HeaderMap,
        pictures: impl AsyncFnOnce() -> Result<Vec<Picture>, Refusal>,
        form: Form,
        look: Look,
    ) -> Result<Bytes, Refusal> {
        let drawn = async {
            let cost = if form == Form::Gif { FILM_COST } else { NonZeroU32::MIN };
            self.visitors.count_pictures(self.visitors.address(peer.0, headers)?, cost)?;
            self.draw(pictures().await?, form, look).await
        };
        self.pictures.get_or_draw(name, drawn).await
    }

    /// Draws pictures in a form, when a worker is free.
    async fn draw(&self, pictures: Vec<Picture>, form: Form, look: Look) -> Result<Bytes, Refusal> {
        let draw = move || {
            let [first, ..] = pictures.as_slice() else { return Vec::new() };
            match form {
                Form::Svg => picture::svg(first, look.width).into_bytes(),
                Form::Png => picture::png(first, look.width),
                Form::Card => picture::card(first),
                Form::Gif => picture::gif(&pictures),
            }
        };
        Ok(Bytes::from(self.work(&self.picture_workers, "draw a picture", draw).await?))
    }
}

/// `ID.svg`, `ID.png`, `ID.gif`, and `ID.card.png`.
fn id_and_form<'a>(name: &'a str, uri: &Uri) -> Result<(&'a str, Form), Refusal> {
    let forms = [(".svg", Form::Svg), (".card.png", Form::Card), (".png", Form::Png), (".gif", Form::Gif)];
    let found = forms.into_iter().find_map(|(ending, form)| Some((name.strip_suffix(ending)?, form)));
    found.ok_or_else(|| {
        let message =
            format_args!("{} is no picture: it must end with .svg, .png, .card.png or .gif", uri.path());
        Refusal::new(RefusalCode::NotFound, message)
    })
}
