//! The edge: HTTP and WebSockets in, HTTP and WebSockets out. Knows no rules.
//!
//! A request becomes a type of the protocol, an identity and a command; the lobby and the tables do the rest. What
//! they refuse, and what cannot even be read, leaves as a code and a sentence.

mod analyse;
mod api;
mod app;
mod assets;
mod body;
mod bot_matches;
mod bots;
mod connections;
mod explore;
mod gate;
mod headers;
mod heads;
mod health;
mod hosts;
mod identify;
mod incoming;
mod line;
mod links;
mod matches;
mod objects;
mod origin;
mod pace;
mod picture_cache;
mod pictures;
mod refuse;
mod standby;
mod tag;
mod visitors;
mod workers;

use std::io;

use axum::http::{Method, StatusCode, Uri};
use axum::response::Response;
use axum::routing::{any, get};
use axum::{Router, middleware};
use quadrex_protocol::RefusalCode;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use app::Parts;
pub use standby::stand_by;

use app::App;
use refuse::Refusal;

/// Serves until `closing` becomes true: then no more connections are taken, requests under way are finished within
/// seconds, and lines are closed by their own tasks.
///
/// # Errors
/// If no connection can ever be accepted again; what the system refuses for a while is waited out.
pub async fn serve(listener: TcpListener, parts: Parts, closing: watch::Receiver<bool>) -> io::Result<()> {
    let (alive, mut all_closed) = tokio::sync::mpsc::channel(1);
    let app = App::new(parts, closing.clone(), alive);
    connections::serve(listener, app.clone(), router(app), closing).await;
    // Lines are tasks of their own: they hold the app, and with it the other end, until they have ended.
    all_closed.recv().await;
    Ok(())
}

/// All routes.
fn router(app: App) -> Router {
    let router = Router::new()
        .merge(api::routes())
        .merge(pictures::routes())
        .route("/ws", any(line::open))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .fallback(get(assets::file))
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(app.clone(), health::fence))
        .layer(middleware::from_fn_with_state(app.clone(), gate::check));
    headers::secure(router, app.origins.is_https()).with_state(app)
}

/// Answers a method that a path does not have.
async fn wrong_method(method: Method, uri: Uri) -> Response {
    let message = format_args!("{method} is not for {}", uri.path()).to_string();
    Refusal::new(RefusalCode::Malformed, message).with_status(StatusCode::METHOD_NOT_ALLOWED)
}
