//! The security headers of every HTTP response.

use axum::Router;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use tower_http::set_header::SetResponseHeaderLayer;

/// The content security policy. A page may load resources only from this server. It may not have
/// inline code, and other pages cannot frame it. No text can become code or markup (Trusted Types).
/// The only exception is the address of the service worker (`crates/web/src/offline/updates.ts`).
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types quadrex-worker";

/// The security headers with their values.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // The secret of an invite is in the fragment of the URL. A fragment is never a part of the
    // referrer. With this policy, other sites do not learn the table's id either.
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    // Pictures have another value, because other sites may show them (`super::routes::pictures`).
    (CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
    (HeaderName::from_static("permissions-policy"), PERMISSIONS_POLICY),
];

/// The header that names the sites that may load a response into their pages.
pub(crate) const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// The features of the browser that are disabled, because no page of the client uses them.
const PERMISSIONS_POLICY: &str = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), \
     midi=(), display-capture=(), browsing-topics=()";

/// The value that makes a browser that has once used https use only https for a year.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// The default value of `Retry-After`, in seconds.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// Adds the security headers to all responses of a router.
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

/// Adds `Retry-After` to responses with the status 429 or 503.
async fn with_retry_after(mut response: Response) -> Response {
    if matches!(response.status(), StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        response.headers_mut().entry(header::RETRY_AFTER).or_insert(RETRY_AFTER);
    }
    response
}
