//! The server of the metrics. It has an address of its own, which is not for the public.

use std::sync::Arc;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use futures_util::future::BoxFuture;
use tokio::net::TcpListener;

use super::routes::healthz;

/// A function that returns the metrics as text.
pub(crate) type MetricsText = Arc<dyn Fn() -> BoxFuture<'static, String> + Send + Sync>;

/// Answers requests for `/metrics` and `/healthz` without end.
pub(crate) async fn serve_metrics(listener: TcpListener, text: MetricsText) {
    let metrics = move || {
        let text = text();
        async move { ([(CONTENT_TYPE, quadrex_metrics::MEDIA_TYPE)], text.await) }
    };
    let router = Router::new().route("/metrics", get(metrics)).route("/healthz", get(healthz));
    // Axum waits and tries again if a connection cannot be accepted.
    if let Err(error) = axum::serve(listener, router).await {
        tracing::error!("the metrics are not served any more: {error}");
    }
}
