//! The security headers of every HTTP response.

use axum::Router;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use tower_http::set_header::SetResponseHeaderLayer;

/// A page loads everything from this server alone, has nothing inline, and cannot be framed. No
/// text becomes code or markup (Trusted Types), except for the address of the service worker
/// (`crates/web/src/offline/updates.ts`).
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types quadrex-worker";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // An invite's secret is in the fragment, which no referrer has; the table's id need not travel
    // either.
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    // Except for pictures, which other sites may show (`super::routes::pictures`).
    (CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
    (HeaderName::from_static("permissions-policy"), PERMISSIONS_POLICY),
];

/// The header for the sites that may load a response into their pages.
pub(crate) const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// Features of the browser that no page of the client uses.
const PERMISSIONS_POLICY: &str = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), \
     midi=(), display-capture=(), browsing-topics=()";

/// For a year, browsers that used https use nothing else.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// The default of `Retry-After`, in seconds.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// Adds the headers to all responses of a router.
pub(crate) fn secure<S: Clone + Send + Sync + 'static>(router: Router<S>, is_https: bool) -> Router<S> {
    let router = router.layer(axum::middleware::map_response(with_retry_after));
    let router = if is_https {
        router.layer(SetResponseHeaderLayer::overriding(header::STRICT_TRANSPORT_SECURITY, HSTS))
    } else {
        router
    };
    HEADERS.into_iter().fold(router, |router, (name, value)| {
        router.layer(SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value)))
    })
}

/// Adds `Retry-After` to the responses that need it.
async fn with_retry_after(mut response: Response) -> Response {
    if matches!(response.status(), StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        response.headers_mut().entry(header::RETRY_AFTER).or_insert(RETRY_AFTER);
    }
    response
}
