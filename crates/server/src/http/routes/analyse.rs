//! The route for engine analyses.

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
use crate::bots::{AnalysisError, Effort};
use crate::explore::game_after;
use crate::http::body::read_json;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_user};

/// The route.
pub(crate) fn routes() -> Router<AppState> {
    Router::new().route("/api/analyse", post(analyse))
}

/// Analyses a position with the engine. The client must be signed in, because a user may not get
/// the engine's help in a running match of its own. The search ends when the client disconnects.
async fn analyse(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_user(&identity)?;
    state.rate_limits.check_analysis(user.id, state.proxies.client_addr(peer.0, &headers)?).await?;
    let request: Analyse = read_json(body, state.limits.explore_bytes).await?;
    let effort = Effort { lines: request.lines, nodes: request.nodes };
    let max_plies = state.limits.explore_plies;
    let game = state
        .work(&state.workers, "read a position", move || {
            game_after(&request.setup, &request.moves, max_plies)
        })
        .await??;
    state.refuse_help_in_own_match(user, game.config().setup.variant).await?;
    match state.bots.analyse(&game, effort, user.id).await {
        Ok(analysis) => Ok(Json(analysis.as_ref()).into_response()),
        Err(error) => Err(state.analysis_refusal(&error)),
    }
}

impl AppState {
    /// Refuses an analysis for a user who is still in a running match of this variant.
    ///
    /// The refusal does not depend on the position. A comparison with the positions of the match
    /// would not be enough: the requested position could be one that the match will reach, or a
    /// position of the match with a small change. Eliminated players may analyse.
    async fn refuse_help_in_own_match(&self, user: &User, variant: Variant) -> Result<(), Refusal> {
        if !self.lobby.plays(user.id, variant).await? {
            return Ok(());
        }
        let message = format_args!(
            "you play a match of {variant} that is not over: the engine helps nobody in it, and looks at no position of \
             {variant} for you until it is"
        );
        Err(Refusal::new(RefusalCode::Playing, message))
    }

    fn analysis_refusal(&self, error: &AnalysisError) -> Refusal {
        let code = match error {
            AnalysisError::Off => RefusalCode::Forbidden,
            AnalysisError::OutOfRange { .. } => RefusalCode::BadSetting,
            AnalysisError::Over => RefusalCode::Ended,
            AnalysisError::UserLimit => RefusalCode::RateLimited,
            AnalysisError::Busy => RefusalCode::Busy,
            AnalysisError::Broken => return self.fault("analyse a position", error),
        };
        Refusal::new(code, error)
    }
}
