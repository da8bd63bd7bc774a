//! The requests to webhooks.

use std::fmt::Write;

use bytes::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, StatusCode};
use quadrex_protocol::http::{WebhookBody, WebhookEvent, WebhookMatch, WebhookPlayer, WebhookTable};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::OutcomeView;
use quadrex_protocol::{hex, position_view};
use quadrex_rules::Timestamp;
use quadrex_store::{NotificationKind, StoredWebhook};
use quadrex_table::TableState;
use ring::hmac;

use super::subject::is_private;
use crate::config::PublicUrl;
use crate::outgoing::{OutgoingHttp, OutgoingRequest};

/// The header with the signature of a request.
const SIGNATURE: HeaderName = HeaderName::from_static("quadrex-signature");

/// The header with the time of a request, which is signed too.
const TIMESTAMP: HeaderName = HeaderName::from_static("quadrex-timestamp");

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TestResult {
    /// The server has answered with this status.
    Answered(StatusCode),
    /// The server has not answered.
    Failed(String),
}

/// Returns the body of the request about a match.
pub(super) fn body(
    kind: NotificationKind,
    at: Timestamp,
    state: &TableState,
    public_url: Option<&PublicUrl>,
) -> WebhookBody {
    let settings = &state.terms().settings;
    let url = |path: String| public_url.map(|public_url| format!("{public_url}{path}"));
    let event = match kind {
        NotificationKind::Started => WebhookEvent::Started,
        NotificationKind::Ended => WebhookEvent::Ended,
        NotificationKind::Opened | NotificationKind::Turn | NotificationKind::Test => WebhookEvent::Opened,
    };
    let table = WebhookTable {
        id: state.table(),
        url: url(format!("/t/{}", state.table())),
        variant: settings.variant,
        time: settings.time,
        rated: settings.rated,
        private: is_private(state),
        host: state.shown_host(),
    };
    let seats = state.seats().iter();
    let players = seats.filter_map(|seat| {
        let user = state.shown_holder(seat.color)?;
        Some(WebhookPlayer { color: seat.color, user })
    });
    let outcome = state.game().and_then(position_view::outcome);
    let of_match = (event != WebhookEvent::Opened).then(|| WebhookMatch {
        id: state.match_id(),
        url: url(format!("/m/{}", state.match_id())),
        players: players.collect(),
        outcome: outcome.clone(),
    });
    let content = content(event, &table, of_match.as_ref(), outcome.as_ref());
    WebhookBody::new(event, at.as_millis(), content, Some(table), of_match)
}

/// Returns a sentence about the event, which chat programs show.
fn content(
    event: WebhookEvent,
    table: &WebhookTable,
    of_match: Option<&WebhookMatch>,
    outcome: Option<&OutcomeView>,
) -> String {
    let variant = table.variant.title();
    let players = of_match.map(|of_match| of_match.players.as_slice()).unwrap_or_default();
    let names = |players: Vec<&UserView>| {
        let mut names: Vec<String> = players.into_iter().map(|user| plain(&user.name)).collect();
        names.dedup();
        names.join(", ")
    };
    let mut text = match event {
        WebhookEvent::Opened if table.host.anonymous => format!("A table was opened: {variant}"),
        WebhookEvent::Started if table.host.anonymous => {
            format!("An anonymous match has started: {variant}")
        }
        WebhookEvent::Opened => format!("{} has opened a table: {variant}", plain(&table.host.name)),
        WebhookEvent::Started => {
            format!("A match has started: {variant}, {}", names(players.iter().map(|it| &it.user).collect()))
        }
        WebhookEvent::Ended => {
            let is_winner = |player: &&WebhookPlayer| {
                outcome.is_some_and(|outcome| outcome.places.get(&player.color) == Some(&1))
            };
            let winners: Vec<_> = players.iter().filter(is_winner).map(|player| &player.user).collect();
            match winners.len() {
                0 => format!("A match was aborted: {variant}"),
                count if count == players.len() => format!("A match has ended in a draw: {variant}"),
                _ => format!("A match has ended: {variant}, won by {}", names(winners)),
            }
        }
        WebhookEvent::Test => "Quadrex reaches this webhook.".to_owned(),
    };
    let url = of_match.and_then(|of_match| of_match.url.as_ref()).or(table.url.as_ref());
    if let Some(url) = url {
        write!(text, "\n{url}").expect("a string accepts all text");
    }
    text
}

/// Returns a name without the characters that Discord reads as formatting.
fn plain(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        if "\\*_~`|>#[]()<@".contains(letter) {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

/// Sends a request to a webhook.
///
/// # Errors
/// Returns the reason as a text for the user if the server does not answer.
pub(super) async fn send(
    webhook: &StoredWebhook,
    body: &WebhookBody,
    http: &OutgoingHttp,
    now: Timestamp,
) -> Result<StatusCode, String> {
    let target = http.target(&webhook.url).map_err(|error| error.to_string())?;
    let body = serde_json::to_vec(body).expect("the body is plain JSON");
    let timestamp = (now.as_millis() / 1000).to_string();
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let signature = signature(&webhook.secret, &timestamp, &body);
    headers.insert(SIGNATURE, HeaderValue::from_str(&signature).expect("hexadecimal digits are ASCII"));
    headers.insert(TIMESTAMP, HeaderValue::from_str(&timestamp).expect("digits are ASCII"));
    let request = OutgoingRequest { method: Method::POST, target, headers, body: Bytes::from(body) };
    http.send(request).await.map(|response| response.status).map_err(|error| error.to_string())
}

/// Sends a test to a webhook.
pub(super) async fn test(webhook: &StoredWebhook, http: &OutgoingHttp, now: Timestamp) -> TestResult {
    let content = "Quadrex reaches this webhook.".to_owned();
    let body = WebhookBody::new(WebhookEvent::Test, now.as_millis(), content, None, None);
    match send(webhook, &body, http, now).await {
        Ok(status) => TestResult::Answered(status),
        Err(reason) => TestResult::Failed(reason),
    }
}

/// Returns the signature of a request: an HMAC-SHA-256 of the time, a dot, and the body.
fn signature(secret: &[u8], timestamp: &str, body: &[u8]) -> String {
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, secret));
    context.update(timestamp.as_bytes());
    context.update(b".");
    context.update(body);
    format!("sha256={}", hex::encode(context.sign().as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of `printf 5.body | openssl dgst -sha256 -hmac secret`.
    #[test]
    fn a_signature_covers_the_time_and_the_body() {
        let expected = "sha256=15afaa123a69f6eccdae0800b0743b4e201a94d48c9eccf0d4b821f330feac13";
        assert_eq!(signature(b"secret", "5", b"body"), expected);
    }

    #[test]
    fn names_have_no_formatting() {
        assert_eq!(plain("*Ann* @here"), "\\*Ann\\* \\@here");
        assert_eq!(plain("Bo-1"), "Bo-1");
    }
}
