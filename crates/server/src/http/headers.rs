//! What every HTTP answer says about itself to browsers.

use axum::Router;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use tower_http::set_header::SetResponseHeaderLayer;

/// All that a page loads comes from this server alone, nothing stands inline, nobody may frame the page. No text becomes
/// code or markup (Trusted Types), but for the address of the service worker (`crates/web/src/offline/updates.ts`).
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types quadrex-worker";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // An invite's secret stands in the fragment, which no referrer holds; the table's id need not travel either.
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    // But for pictures, which other sites may show (`super::routes::pictures`).
    (CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
    (HeaderName::from_static("permissions-policy"), PERMISSIONS_POLICY),
];

/// The header that says which sites may load an answer into their pages.
pub(crate) const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// Features of the browser that no page of the client uses.
const PERMISSIONS_POLICY: &str = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), \
     midi=(), display-capture=(), browsing-topics=()";

/// For a year, browsers that came by https come by nothing else.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// The time after which to come again, in seconds, where an answer does not say otherwise.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// Adds the headers to all answers of a router.
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

/// Says when to come again, for answers that ask for it.
async fn with_retry_after(mut response: Response) -> Response {
    if matches!(response.status(), StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        response.headers_mut().entry(header::RETRY_AFTER).or_insert(RETRY_AFTER);
    }
    response
}
