//! The route that tells what the engine thinks of a position.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::analysis::Analyse;
use quadrex_rules::Variant;

use crate::auth::User;
use crate::bots::{AnalysisError, Closeness};
use crate::explore::game_after;
use crate::http::body::read_json;
use crate::http::refusal::Refusal;
use crate::http::state::{App, Peer, require_user};

/// The route.
pub(crate) fn routes() -> Router<App> {
    Router::new().route("/api/analyse", post(analyse))
}

/// Has the engine look at a position. One must be somebody for it, so that it can be known whom it would help. When the
/// client goes away, the search ends with this.
async fn analyse(
    State(app): State<App>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    let identity = app.identify(&method, &headers).await?;
    let user = require_user(&identity)?;
    app.visitors.count_analysis(user.id, app.visitors.address(peer.0, &headers)?)?;
    let wish: Analyse = read_json(body, app.limits.explore_bytes).await?;
    let closeness = Closeness { lines: wish.lines, nodes: wish.nodes };
    let most = app.limits.explore_plies;
    let game = app
        .work(&app.workers, "read a position", move || game_after(&wish.setup, &wish.moves, most))
        .await??;
    app.no_help_in_own_match(user, game.config().setup.variant).await?;
    match app.bots.analyse(&game, closeness, user.id).await {
        Ok(analysis) => Ok(Json(analysis.as_ref()).into_response()),
        Err(error) => Err(app.no_analysis(&error)),
    }
}

impl App {
    /// Refuses whoever plays a match of this variant that is not over, whatever the position: one that is not the match's own
    /// could be its next one, or the same with a pawn elsewhere, and no comparison would tell. Who is out may look.
    async fn no_help_in_own_match(&self, user: &User, variant: Variant) -> Result<(), Refusal> {
        if !self.lobby.plays(user.id, variant).await? {
            return Ok(());
        }
        let message = format_args!(
            "you play a match of {variant} that is not over: the engine helps nobody in it, and looks at no position of \
             {variant} for you until it is"
        );
        Err(Refusal::new(RefusalCode::Playing, message))
    }

    fn no_analysis(&self, error: &AnalysisError) -> Refusal {
        let code = match error {
            AnalysisError::Off => RefusalCode::Forbidden,
            AnalysisError::OutOfRange { .. } => RefusalCode::BadSetting,
            AnalysisError::Over => RefusalCode::Ended,
            AnalysisError::TooManyOwn => RefusalCode::RateLimited,
            AnalysisError::Busy => RefusalCode::Busy,
            AnalysisError::Broken => return self.fault("analyse a position", error),
        };
        Refusal::new(code, error)
    }
}
