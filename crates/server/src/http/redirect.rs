//! The redirection of plain HTTP to HTTPS.

use axum::Router;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Redirect;
use axum::routing::get;

use super::routes::healthz;

/// Returns the router that redirects every request to the same path of this origin.
pub(crate) fn redirect_to(origin: String) -> Router {
    Router::new().route("/healthz", get(healthz)).fallback(redirect).with_state(origin)
}

async fn redirect(State(origin): State<String>, uri: Uri) -> Redirect {
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    Redirect::permanent(&format!("{origin}{path}"))
}
