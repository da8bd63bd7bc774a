//! Every route.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::TableId;
use quadrex_protocol::http::ErrorBody;
use quadrex_tests::InProcessServer;
use quadrex_tests::http::Response;
use uuid::Uuid;

use super::table::{Stage, Table};
use super::users::User;

/// A request, with `{table}` and the like in the path as in the server's list of routes.
pub(super) struct Route {
    method: &'static str,
    path: &'static str,
    body: Option<&'static str>,
    /// The progress of the match at which the request makes sense; `None` if it concerns no table.
    pub(super) stage: Option<Stage>,
}

/// Returns a well-formed id that nothing has.
pub(super) const fn absent_table() -> TableId {
    TableId(Uuid::from_u128(0x0189_0000_0000_7000_8000_0000_0000_0000))
}

/// A report about the host of a table.
const REPORT: &str = r#"{"user": "{host}", "reason": "stalling", "moment": {"match": "{match}", "at": 1}}"#;

/// A request that removes all conditional moves of a seat.
const CONDITIONAL_MOVES: &str = r#"{"match": "{match}", "after": 1, "lines": []}"#;

/// A request for the board before the first step of a line. The match began after the event.
const CONDITIONAL_BOARD: &str = r#"{"match": "{match}", "after": 1, "steps": []}"#;

/// A push subscription with the keys of the example in RFC 8291.
const PUSH_SUBSCRIPTION: &str = r#"{"endpoint": "https://push.example/1", "language": "en", "keys": {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}"#;

/// A webhook.
const WEBHOOK: &str = r#"{"url": "https://chess.example/hook", "events": ["ended"]}"#;

/// The choice of a mail address.
const MAIL: &str = r#"{"address": "somebody@mail.example", "language": "en"}"#;

/// A new password with a link that nobody was sent.
const RESET: &str = r#"{"secret": "wrong", "password": "correct horse"}"#;

impl Route {
    const fn new(method: &'static str, path: &'static str, body: Option<&'static str>) -> Self {
        Self { method, path, body, stage: None }
    }

    const fn at(stage: Stage, method: &'static str, path: &'static str, body: Option<&'static str>) -> Self {
        Self { method, path, body, stage: Some(stage) }
    }

    /// Returns all routes.
    pub(super) fn all() -> Vec<Self> {
        let mut routes = Self::of_tables();
        routes.extend(Self::without_table());
        routes
    }

    /// Returns the routes that concern one table or match.
    fn of_tables() -> Vec<Self> {
        use Stage::{Ended, Open, Running};
        vec![
            Self::at(Open, "GET", "/api/tables/{table}", None),
            Self::at(Open, "POST", "/api/tables/{table}/invites", Some(r#"{"uses": "single"}"#)),
            Self::at(Open, "POST", "/api/tables/{table}/watch-links", None),
            Self::at(Open, "GET", "/api/tables/{table}/links", None),
            Self::at(Open, "DELETE", "/api/tables/{table}/links/{link}", None),
            Self::at(Open, "POST", "/api/tables/{table}/invitations", Some(r#"{"user": "{other}"}"#)),
            Self::at(Open, "GET", "/api/tables/{table}/invitations", None),
            Self::at(Open, "DELETE", "/api/tables/{table}/invitations/{other}", None),
            Self::at(Open, "GET", "/pictures/table/{table}", None),
            Self::at(Open, "POST", "/api/admin/tables/{table}/close", Some(r#"{"reason": "abuse"}"#)),
            Self::at(Running, "GET", "/api/matches/{match}", None),
            Self::at(Running, "GET", "/api/matches/{match}/record", None),
            Self::at(Running, "GET", "/api/matches/{match}/notation", None),
            Self::at(Running, "GET", "/api/matches/{match}/ratings", None),
            Self::at(Running, "GET", "/api/matches/{match}/review", None),
            Self::at(Running, "POST", "/api/matches/{match}/review", None),
            Self::at(Running, "GET", "/api/matches/{match}/share", None),
            Self::at(Running, "POST", "/api/matches/{match}/share", None),
            Self::at(Running, "GET", "/api/tables/{table}/conditional-moves", None),
            Self::at(Running, "PUT", "/api/tables/{table}/conditional-moves", Some(CONDITIONAL_MOVES)),
            Self::at(Running, "POST", "/api/tables/{table}/conditional-moves/board", Some(CONDITIONAL_BOARD)),
            Self::at(Running, "POST", "/api/reports", Some(REPORT)),
            Self::at(Running, "GET", "/pictures/match/{match}", None),
            Self::at(Ended, "POST", "/api/matches/{match}/invite-again", Some("{}")),
            Self::at(Ended, "GET", "/api/matches/{match}", None),
            Self::at(Ended, "GET", "/api/matches/{match}/review", None),
            Self::at(Ended, "POST", "/api/matches/{match}/review", None),
            Self::at(Ended, "GET", "/api/matches/{match}/share", None),
            Self::at(Ended, "POST", "/api/matches/{match}/share", None),
            Self::at(Ended, "DELETE", "/api/matches/{match}/share", None),
        ]
    }

    /// Returns the routes that concern the user, or are the same for everybody.
    fn without_table() -> Vec<Self> {
        let setup = r#"{"setup": {"kind": "start", "variant": "classic"}}"#;
        let table = r#"{"variant": "classic", "privacy": "private"}"#;
        let rated = r#"{"variant": "classic", "privacy": "public", "rated": true, "time": {"kind": "fischer", "base_ms": 60000, "increment_ms": 0}}"#;
        let password = r#"{"current": "correct horse", "new": "battery staple"}"#;
        let reason = r#"{"reason": "abuse"}"#;
        vec![
            // The operator is none any more after changing the name.
            Self::new("GET", "/api/admin/users?name=guest", None),
            Self::new("GET", "/api/admin/users/{user}", None),
            Self::new("GET", "/api/admin/users/{user}/export", None),
            Self::new("POST", "/api/admin/users/{user}/suspend", Some(reason)),
            Self::new("POST", "/api/admin/users/{user}/restore", Some(reason)),
            Self::new(
                "POST",
                "/api/admin/users/{user}/rename",
                Some(r#"{"name": "Other Name", "reason": "abuse"}"#),
            ),
            Self::new("POST", "/api/admin/users/{user}/revoke", Some(reason)),
            Self::new("POST", "/api/admin/users/{user}/warn", Some(r#"{"text": "abuse"}"#)),
            Self::new("POST", "/api/me/warnings/{warning}/acknowledge", None),
            Self::new("GET", "/api/admin/pairs", None),
            Self::new("GET", "/api/admin/pairs/{user}/{other}", None),
            Self::new("GET", "/api/admin/reports", None),
            Self::new("GET", "/api/admin/reports/{report}", None),
            Self::new("POST", "/api/admin/reports/{report}/close", Some(r#"{"outcome": "warned"}"#)),
            Self::new("POST", "/api/admin/users/{user}/delete", Some(r#"{"reason": ""}"#)),
            Self::new("GET", "/api/me/export", None),
            Self::new("GET", "/api/me/vacation", None),
            Self::new("PUT", "/api/me/vacation", Some(r#"{"days": 1}"#)),
            Self::new("DELETE", "/api/me/vacation", None),
            Self::new("GET", "/api/me/blocks", None),
            Self::new("PUT", "/api/me/blocks/{other}", None),
            Self::new("DELETE", "/api/me/blocks/{other}", None),
            Self::new("GET", "/api/me/follows", None),
            Self::new("PUT", "/api/me/follows/{other}", None),
            Self::new("DELETE", "/api/me/follows/{other}", None),
            Self::new("GET", "/api/me/opponents", None),
            Self::new("GET", "/api/me/mutes", None),
            Self::new("PUT", "/api/me/mutes/{other}", None),
            Self::new("DELETE", "/api/me/mutes/{other}", None),
            Self::new("GET", "/api/me/notifications", None),
            Self::new("PUT", "/api/me/notifications", Some(r#"{"turn": true, "started": true}"#)),
            Self::new("POST", "/api/me/push-subscriptions", Some(PUSH_SUBSCRIPTION)),
            Self::new("DELETE", "/api/me/push-subscriptions/{browser}", None),
            Self::new("POST", "/api/me/push-subscriptions/{browser}/test", None),
            Self::new("GET", "/api/me/webhooks", None),
            Self::new("POST", "/api/me/webhooks", Some(WEBHOOK)),
            Self::new("PUT", "/api/me/webhooks/{webhook}", Some(WEBHOOK)),
            Self::new("DELETE", "/api/me/webhooks/{webhook}", None),
            Self::new("POST", "/api/me/webhooks/{webhook}/test", None),
            Self::new("PUT", "/api/me/mail", Some(MAIL)),
            Self::new("DELETE", "/api/me/mail", None),
            Self::new("POST", "/api/mail/confirm", Some(r#"{"secret": "wrong"}"#)),
            Self::new("POST", "/api/mail/unsubscribe/{secret}", None),
            Self::new("POST", "/api/password-resets", Some(r#"{"name": "", "language": "en"}"#)),
            Self::new("POST", "/api/password-resets/confirm", Some(RESET)),
            Self::new("POST", "/api/me/delete", Some(r#"{"password": "a wrong one"}"#)),
            Self::new("GET", "/api/tables", None),
            Self::new("POST", "/api/tables", Some(table)),
            Self::new("POST", "/api/tables", Some(rated)),
            Self::new("GET", "/api/matches", None),
            Self::new("GET", "/api/users/{user}", None),
            Self::new("GET", "/api/users/{user}/ratings/classic/blitz", None),
            Self::new("GET", "/api/ratings/classic/blitz", None),
            Self::new("GET", "/api/bots", None),
            Self::new("POST", "/api/explore", Some(setup)),
            Self::new(
                "POST",
                "/api/analyse",
                Some(r#"{"setup": {"kind": "start", "variant": "classic"}, "nodes": 100}"#),
            ),
            Self::new("POST", "/api/quick-join", Some(r#"{"variant": "classic"}"#)),
            Self::new("GET", "/pictures/position.svg?variant=classic", None),
            Self::new("GET", "/pictures/position.png?variant=classic", None),
            Self::new("GET", "/pictures/position.card.png?variant=classic", None),
            Self::new("POST", "/api/guests", Some("{}")),
            Self::new("POST", "/api/session", Some("{}")),
            Self::new("POST", "/api/session/back", None),
            Self::new("POST", "/api/handovers", None),
            Self::new("POST", "/api/handovers/preview", Some(r#"{"secret": "nothing"}"#)),
            Self::new("GET", "/api/me", None),
            Self::new("PATCH", "/api/me", Some(r#"{"name": "Another Name"}"#)),
            Self::new(
                "POST",
                "/api/account",
                Some(r#"{"name": "New Account", "password": "correct horse"}"#),
            ),
            Self::new("PUT", "/api/account/password", Some(password)),
            Self::new("GET", "/api/sign-in-options", None),
            Self::new("POST", "/api/providers/{provider}/start", Some(r#"{"return_to": "/"}"#)),
            Self::new("GET", "/api/providers/{provider}/callback", None),
            Self::new("GET", "/api/me/provider-sign-up", None),
            Self::new("POST", "/api/me/provider-sign-up", Some(r#"{"name": "New Account"}"#)),
            Self::new("GET", "/api/me/sign-ins", None),
            Self::new("DELETE", "/api/me/sign-ins/{provider}", None),
            Self::new("POST", "/api/recovery-key", None),
            Self::new("DELETE", "/api/recovery-key", None),
            Self::new("POST", "/api/groups", Some(r#"{"name": "Thursday four"}"#)),
            Self::new("GET", "/api/me/groups", None),
            Self::new("GET", "/api/groups/{group}", None),
            Self::new("PATCH", "/api/groups/{group}", Some(r#"{"name": "Friday four"}"#)),
            Self::new("DELETE", "/api/groups/{group}", None),
            Self::new("POST", "/api/groups/{group}/join", Some("{}")),
            Self::new("POST", "/api/groups/{group}/secret", None),
            Self::new("GET", "/api/groups/{group}/members", None),
            Self::new("PUT", "/api/groups/{group}/members/{other}", Some(r#"{"role": "member"}"#)),
            Self::new("DELETE", "/api/groups/{group}/members/{other}", None),
            Self::new("GET", "/api/groups/{group}/tables", None),
            Self::new("GET", "/api/groups/{group}/standings", None),
            Self::new("GET", "/api/me/invitations", None),
            Self::new("POST", "/api/me/invitations/{table}/accept", None),
            Self::new("DELETE", "/api/me/invitations/{table}", None),
            Self::new("GET", "/api/sessions", None),
            Self::new("DELETE", "/api/sessions", None),
            Self::new("DELETE", "/api/sessions/{session}", None),
            Self::new("GET", "/api/tokens", None),
            Self::new("POST", "/api/tokens", Some(r#"{"name": "program", "scopes": ["read"]}"#)),
            Self::new("DELETE", "/api/tokens/{token}", None),
        ]
    }

    pub(super) fn name(&self) -> String {
        let rated = if self.body.is_some_and(|body| body.contains("rated")) { " (rated)" } else { "" };
        format!("{} {}{rated}", self.method, self.path)
    }

    /// Returns true if the table or the user is another one after the request.
    pub(super) fn changes(&self) -> bool {
        let is_of_user = matches!(self.path, "/api/me" | "/api/account" | "/api/account/password");
        self.method != "GET" && self.path != "/api/reports" && (is_of_user || self.stage.is_some())
    }

    /// Makes the request as a user, and returns the outcome. What is hidden must be answered like
    /// what does not exist.
    pub(super) async fn cell(
        &self,
        server: &InProcessServer,
        user: &User,
        table: Option<&Table>,
    ) -> Result<String> {
        let http = user.http(server);
        let absent = absent_table().to_string();
        let host = table.map(|table| table.host.to_string()).unwrap_or_default();
        let ids = table.map(|table| (table.id.to_string(), table.match_id.to_string(), table.link.as_str()));
        let (table, match_id, link) = ids.unwrap_or((absent.clone(), absent.clone(), "nothing"));
        let path = |table: &str, match_id: &str| {
            let path =
                self.path.replace("{table}", table).replace("{match}", match_id).replace("{link}", link);
            path.replace("{user}", &user.id.to_string())
                .replace("{other}", &user.other.to_string())
                .replace("{group}", &absent)
                .replace("{session}", "nothing")
                .replace("{token}", "nothing")
                .replace("{report}", "0")
                .replace("{warning}", "0")
                .replace("{browser}", "nothing")
                .replace("{webhook}", "nothing")
                .replace("{provider}", "nothing")
                .replace("{secret}", "nothing")
        };
        let body = |match_id: &str| {
            let fill = |body: &str| body.replace("{match}", match_id).replace("{host}", &host);
            self.body.map(|body| fill(body).replace("{other}", &user.other.to_string()))
        };
        let request = async |path: String, body: Option<String>| {
            let path =
                if path.starts_with("/pictures/") && !path.contains('?') { path + ".svg" } else { path };
            http.request(self.method, &path, body.as_deref()).await
        };
        let answer = request(path(&table, &match_id), body(&match_id)).await?;
        let cell = outcome(&answer).with_context(|| format!("{} as {}", self.name(), user.name))?;
        if self.stage.is_none() {
            return Ok(cell);
        }
        let other = request(path(&absent, &absent), body(&absent)).await?;
        if self.path.starts_with("/pictures/") && answer.bytes == other.bytes {
            return Ok("blank".to_owned());
        }
        if cell == "not_found" {
            ensure!(answer.is_like(&other), "{} as {}: {answer:?} and {other:?}", self.name(), user.name);
        }
        Ok(cell)
    }
}

fn outcome(answer: &Response) -> Result<String> {
    if (200..300).contains(&answer.status) {
        return Ok("ok".to_owned());
    }
    let body: ErrorBody = serde_json::from_str(&answer.body).with_context(|| format!("{answer:?}"))?;
    Ok(body.code.name().to_owned())
}

/// The matrix has every route of the server: each is found in the sources by its path and methods.
#[test]
fn every_route_is_in_the_matrix() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/server/src/http/routes");
    let mut routes = BTreeSet::new();
    for file in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let source = std::fs::read_to_string(file?.path())?;
        for call in source.split(".route(\"").skip(1) {
            let (path, handlers) = call.split_once("\",").context("a path")?;
            let handlers = handlers.split([';', '\n']).next().unwrap_or_default();
            let methods = ["get", "post", "put", "patch", "delete"];
            let used: Vec<_> =
                methods.into_iter().filter(|method| handlers.contains(&format!("{method}("))).collect();
            let used = if used.is_empty() && path.starts_with("/pictures/") { vec!["get"] } else { used };
            routes.extend(used.into_iter().map(|method| format!("{} {path}", method.to_uppercase())));
        }
    }
    ensure!(routes.len() > 40, "the routes are found: {routes:?}");
    let matrix: BTreeSet<_> = Route::all().iter().map(pattern).collect();
    let missing: Vec<_> = routes.difference(&matrix).collect();
    ensure!(missing.is_empty(), "{missing:?}");
    Ok(())
}

/// Returns the method and the path in the form in which the server names them.
fn pattern(route: &Route) -> String {
    let path = route.path.split('?').next().unwrap_or_default();
    let path = path.replace("/classic/blitz", "/{variant}/{speed}").replace("{other}", "{user}");
    let path = path.replace("/{user}/{user}", "/{one}/{other}");
    format!("{} {path}", route.method)
}
