//! The edge: HTTP and WebSockets in, HTTP and WebSockets out. Knows no rules.
//!
//! A request becomes a type of the protocol, an identity and a command; the lobby and the tables do the rest. What
//! they refuse, and what cannot even be read, leaves as a code and a sentence.

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
mod origin;
mod picture_cache;
mod refusal;
mod routes;
mod standby;
mod state;
mod workers;

use std::io;

use axum::http::{Method, StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;
use axum::{Router, middleware};
use quadrex_protocol::RefusalCode;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub(crate) use connections::Timed;
pub(crate) use json_shape::has_array_for_object;
pub(crate) use refusal::Refusal;
pub(crate) use standby::stand_by;
pub(crate) use state::{App, Parts, Peer, permit, permit_bystander, permit_if_kicked, view_of};

/// Serves until `closing` becomes true: then no more connections are taken, requests under way are finished within
/// seconds, and lines are closed by their own tasks.
///
/// # Errors
/// If no connection can ever be accepted again; what the system refuses for a while is waited out.
pub(crate) async fn serve(
    listener: TcpListener,
    parts: Parts,
    sockets: Router<App>,
    closing: watch::Receiver<bool>,
) -> io::Result<()> {
    let (alive, mut all_closed) = tokio::sync::mpsc::channel(1);
    let app = App::new(parts, closing.clone(), alive);
    connections::serve(listener, app.clone(), router(app, sockets), closing).await;
    // Lines are tasks of their own: they hold the app, and with it the other end, until they have ended.
    all_closed.recv().await;
    Ok(())
}

/// All routes.
fn router(app: App, sockets: Router<App>) -> Router {
    let router = Router::new()
        .merge(routes::routes())
        .merge(routes::picture_routes())
        .merge(sockets)
        .route("/healthz", get(routes::healthz))
        .route("/readyz", get(routes::readyz))
        .fallback(get(assets::file))
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(app.clone(), routes::fence))
        .layer(middleware::from_fn_with_state(app.clone(), gate::check));
    headers::secure(router, app.origins.is_https()).with_state(app)
}

/// Answers a method that a path does not have.
async fn wrong_method(method: Method, uri: Uri) -> Response {
    let message = format_args!("{method} is not for {}", uri.path()).to_string();
    Refusal::new(RefusalCode::Malformed, message).with_status(StatusCode::METHOD_NOT_ALLOWED)
}
