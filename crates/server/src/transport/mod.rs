//! The edge: HTTP and WebSockets in, HTTP and WebSockets out. Knows no rules.
//!
//! A request becomes a type of the protocol, an identity and a command; the lobby and the tables do the rest. What
//! they refuse, and what cannot even be read, leaves as a code and a sentence.

mod analyse;
mod api;
mod app;
mod assets;
mod body;
mod bots;
mod explore;
mod headers;
mod heads;
mod health;
mod identify;
mod incoming;
mod line;
mod matches;
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
use std::net::SocketAddr;

use axum::http::{Method, StatusCode, Uri};
use axum::response::Response;
use axum::routing::{any, get};
use axum::serve::ListenerExt;
use axum::{Router, middleware};
use quadrex_protocol::RefusalCode;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use app::Parts;
pub use standby::stand_by;

use app::App;
use refuse::Refusal;

/// Serves until `closing` becomes true: then no more connections are taken, requests under way are finished, and
/// lines are closed by their own tasks.
///
/// # Errors
/// If the listener breaks.
pub async fn serve(listener: TcpListener, parts: Parts, closing: watch::Receiver<bool>) -> io::Result<()> {
    let (alive, mut all_closed) = tokio::sync::mpsc::channel(1);
    let app = App::new(parts, closing.clone(), alive);
    let service = router(app).into_make_service_with_connect_info::<SocketAddr>();
    let mut stop = closing;
    let stopped = async move {
        // An error says that whoever could have said so has gone.
        stop.wait_for(|closing| *closing).await.ok();
    };
    // Frames are small and each is wanted at once: they do not wait for the acknowledgement of the one before.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("a connection without TCP_NODELAY: {error}");
        }
    });
    axum::serve(listener, service).with_graceful_shutdown(stopped).await?;
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
        .with_state(app);
    headers::secure(router)
}

/// Answers a method that a path does not have.
async fn wrong_method(method: Method, uri: Uri) -> Response {
    let message = format_args!("{method} is not for {}", uri.path()).to_string();
    Refusal::new(RefusalCode::Malformed, message).with_status(StatusCode::METHOD_NOT_ALLOWED)
}
