//! HTTP: the routes, the files of the browser client, and the connections over which requests are
//! received. This module does not depend on the rules of the game.
//!
//! A request is parsed into a type of the protocol, and its sender is identified. Then the lobby or
//! a table handles the request. The answer to a refused request is a code and a sentence.

mod assets;
mod auth;
mod body;
mod connections;
mod etag;
mod gate;
mod headers;
mod hosts;
mod json_shape;
mod link_preview;
mod metrics;
mod origin;
mod passwords;
mod picture_cache;
mod redirect;
mod refusal;
mod routes;
mod standby;
mod state;
mod tls;
mod user_agent;
mod workers;

use std::io;

use axum::extract::Request;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::get;
use axum::{Router, middleware};
use futures_util::future::OptionFuture;
use quadrex_metrics::Stopwatch;
use quadrex_protocol::RefusalCode;
use quadrex_runtime::Listener;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::stop::{OpenConnections, StopStage};
use crate::telemetry::metrics::METRICS;
use redirect::redirect_to;

pub(crate) use connections::TimedStream;
pub(crate) use json_shape::has_array_in_place_of_object;
pub(crate) use metrics::serve_metrics;
pub(crate) use refusal::Refusal;
pub(crate) use standby::stand_by;
pub(crate) use state::{
    AppDeps, AppState, Peer, permit, permit_bystander, permit_if_kicked, require_user, view_of,
};
pub(crate) use tls::Tls;
pub use tls::TlsError;

/// The addresses on which the server listens for clients.
#[derive(Debug)]
pub(crate) struct Listeners {
    pub(crate) listener: Listener,
    /// The TLS of the connections, if the server has it itself.
    pub(crate) tls: Option<Tls>,
    /// The address on which plain HTTP is redirected, with the origin to which it is redirected.
    pub(crate) redirect: Option<(TcpListener, String)>,
}

/// Serves requests until the server closes its connections. After that no more connections are accepted. The
/// requests that are being handled are finished within seconds, and each WebSocket is closed by its
/// task. `websocket` is the route of the WebSocket, and
/// `connections` counts the open ones.
///
/// # Errors
/// Returns an error if no connection can ever be accepted again. After a temporary error, the
/// function waits and tries again.
pub(crate) async fn serve(
    listeners: Listeners,
    deps: AppDeps,
    websocket: Router<AppState>,
    stop_stage: watch::Receiver<StopStage>,
    connections: OpenConnections,
) -> io::Result<()> {
    let (sockets_open, mut all_closed) = tokio::sync::mpsc::channel(1);
    let state = AppState::new(deps, stop_stage.clone(), connections, sockets_open);
    let Listeners { listener, tls, redirect } = listeners;
    let redirecting = redirect.map(|(listener, origin)| {
        connections::serve(listener.into(), state.clone(), redirect_to(origin), None, stop_stage.clone())
    });
    let serving = connections::serve(listener, state.clone(), router(state, websocket), tls, stop_stage);
    tokio::join!(serving, OptionFuture::from(redirecting));
    // Until it ends, the task of each WebSocket owns a clone of the state, which contains the
    // sender. The channel therefore closes when the last of these tasks ends.
    all_closed.recv().await;
    Ok(())
}

/// Returns all routes.
fn router(state: AppState, websocket: Router<AppState>) -> Router {
    let router = Router::new()
        .merge(routes::routes())
        .merge(routes::picture_routes())
        .merge(websocket)
        .route("/healthz", get(routes::healthz))
        .route("/readyz", get(routes::readyz))
        .fallback(get(assets::file))
        .method_not_allowed_fallback(method_not_allowed)
        .layer(middleware::from_fn_with_state(state.clone(), routes::fence))
        .layer(middleware::from_fn_with_state(state.clone(), gate::check))
        .layer(middleware::from_fn(measure));
    headers::secure(router, state.origins.is_https()).with_state(state)
}

/// Measures a request. A request that opens a WebSocket does not count.
async fn measure(request: Request, next: Next) -> Response {
    let duration = Stopwatch::start();
    let response = next.run(request).await;
    let class = match response.status().as_u16() {
        200..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        500.. => "5xx",
        _ => return response,
    };
    METRICS.commands.http_duration.observe(class, duration.elapsed());
    response
}

/// Refuses a request with a method that its path does not support.
pub(crate) async fn method_not_allowed(method: Method, uri: Uri) -> Response {
    let message = format_args!("{method} is not for {}", uri.path()).to_string();
    Refusal::new(RefusalCode::Malformed, message).into_response_with(StatusCode::METHOD_NOT_ALLOWED)
}
