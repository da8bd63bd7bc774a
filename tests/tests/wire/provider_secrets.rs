//! The secrets of sign-ins with other sites: their lifetimes, and the places in which they must not be.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_tests::identity_provider::IdentityProvider;
use quadrex_tests::raw_sql::RawSql;
use quadrex_tests::visitor::HOME;
use quadrex_tests::{Database, InProcessServer, Launch, Visitor};
use url::Url;

use crate::providers::{COMPLETE, Site, failed};

/// The name of the cookie with the secret of a sign-in or a sign-up.
const COOKIE: &str = "quadrex_provider";

/// Returns a parameter of a URL.
fn parameter(url: &str, name: &str) -> Result<String> {
    let url = Url::parse("http://chess.example")?.join(url)?;
    let found = url.query_pairs().find(|(known, _)| known == name);
    Ok(found.with_context(|| format!("{url} has no {name}"))?.1.into_owned())
}

/// The secrets of some sign-ins, each with a name.
#[derive(Default)]
struct Secrets(Vec<(&'static str, String)>);

impl Secrets {
    fn add(&mut self, name: &'static str, secret: &str) -> Result<()> {
        ensure!(secret.len() >= 8, "{name} is short: {secret}");
        self.0.push((name, secret.to_owned()));
        Ok(())
    }

    fn add_cookie(&mut self, name: &'static str, visitor: &Visitor, cookie: &str) -> Result<()> {
        self.add(name, visitor.cookie(cookie).with_context(|| format!("there is no {name}"))?)
    }

    /// Returns the names of the secrets in some text.
    fn found_in(&self, text: &str) -> Vec<&'static str> {
        self.0.iter().filter(|(_, secret)| text.contains(secret)).map(|(name, _)| *name).collect()
    }
}

/// Makes an account with an identity, and signs in with it. Returns the secrets of both, except those
/// between the server and the provider.
async fn sign_up_and_in(site: &Site, provider: &str, name: &str) -> Result<Secrets> {
    let mut secrets = Secrets::default();
    let mut home = site.visit().await?;
    let url = home.start(provider, false).await?;
    secrets.add("a state", &parameter(&url, "state")?)?;
    secrets.add_cookie("a state in a cookie", &home, COOKIE)?;
    let back = site.provider.agree(&url, name)?;
    secrets.add("a code", &parameter(&back, "code")?)?;
    ensure!(home.open(&back).await? == COMPLETE);
    secrets.add_cookie("a sign-up", &home, COOKIE)?;
    ensure!(home.sign_up(name).await?.status == 201);
    let mut library = site.visit().await?;
    ensure!(library.through(&site.provider, provider, name, false).await? == HOME);
    secrets.add_cookie("a session", &library, "quadrex_session")?;
    Ok(secrets)
}

/// Not even the most detailed log has a secret, and the database has only hashes.
#[tokio::test]
async fn the_secrets_of_sign_ins_are_not_in_the_log_or_the_database() -> Result<()> {
    let launch = |launch: Launch| launch.with_env("QUADREX_LOG__FILTER", "trace");
    let site = Site::start_on(&Database::Sqlite, launch).await?;
    let mut secrets = sign_up_and_in(&site, "lichess", "Ada").await?;
    secrets.0.extend(sign_up_and_in(&site, "example", "Ben").await?.0);
    let Site { provider, server, launch } = site;
    for (_, content) in RawSql::of(&launch)?.image()? {
        let found = secrets.found_in(&String::from_utf8_lossy(&content));
        ensure!(found.is_empty(), "the database contains {found:?}");
    }
    for secret in provider.secrets() {
        secrets.add("a secret between the server and the provider", &secret)?;
    }
    ensure!(secrets.0.len() == 10 + 11, "{} secrets", secrets.0.len());
    server.terminate().await?;
    let log = launch.log();
    ensure!(log.contains(" DEBUG ") && log.contains("a browser has signed in"), "the log is detailed");
    let found = secrets.found_in(&log);
    ensure!(found.is_empty(), "the log contains {found:?}");
    Ok(())
}

/// Each sign-in has secrets of its own, and the browser does not receive those of the server.
#[tokio::test]
async fn each_sign_in_has_its_own_secrets() -> Result<()> {
    let site = Site::start().await?;
    let mut seen = std::collections::BTreeSet::new();
    for provider in ["lichess", "lichess", "example", "example"] {
        let mut visitor = site.visit().await?;
        let answer = visitor.try_to_start(provider, false).await?;
        let url = answer.json::<quadrex_protocol::http::ProviderSignInStarted>(200)?.url;
        let state = parameter(&url, "state")?;
        ensure!(seen.insert(state.clone()) && seen.insert(parameter(&url, "code_challenge")?), "{url}");
        ensure!(visitor.cookie(COOKIE) == Some(&state), "only this browser has the state");
        ensure!(provider == "lichess" || seen.insert(parameter(&url, "nonce")?), "{url}");
        let back = site.provider.agree(&url, "ada")?;
        ensure!(visitor.open(&back).await? == COMPLETE);
        let key = visitor.cookie(COOKIE).context("the key of the sign-up")?;
        ensure!(seen.insert(key.to_owned()), "the sign-up has another secret than the sign-in");
        for secret in site.provider.secrets() {
            ensure!(!answer.body.contains(&secret), "the browser has received {secret}");
        }
    }
    let secrets = site.provider.secrets();
    let different: std::collections::BTreeSet<_> = secrets.iter().collect();
    ensure!(different.len() == secrets.len(), "a secret was used twice: {secrets:?}");
    Ok(())
}

/// Scripts cannot read the cookie. Other sites send it only when they lead the browser here.
#[tokio::test]
async fn the_cookie_of_a_sign_in_is_for_this_server_alone() -> Result<()> {
    let start = async |site: &Site, origin: &str, name: &str| {
        let mut visitor = Visitor::visit_site(site.server.address(), origin).await?;
        let answer = visitor.try_to_start("lichess", false).await?;
        ensure!(answer.status == 200, "{answer:?}");
        let cookies = answer.headers.iter().filter(|(header, _)| header == "set-cookie");
        let mut cookies = cookies.map(|(_, cookie)| cookie.clone());
        let cookie = cookies.find(|cookie| cookie.starts_with(&format!("{name}=")));
        let cookie = cookie.with_context(|| format!("there is no {name}"))?;
        let attributes: Vec<_> = cookie.split("; ").skip(1).map(str::to_owned).collect();
        anyhow::Ok(attributes)
    };
    let site = Site::start().await?;
    let attributes = start(&site, &format!("http://{}", site.server.address()), COOKIE).await?;
    ensure!(attributes == ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=3600"], "{attributes:?}");
    let public = |launch: Launch| launch.with_env("QUADREX_SERVER__PUBLIC_URL", "https://chess.example");
    let site = Site::start_on(&Database::Sqlite, public).await?;
    let attributes = start(&site, "https://chess.example", "__Host-quadrex_provider").await?;
    ensure!(attributes == ["HttpOnly", "SameSite=Lax", "Secure", "Path=/", "Max-Age=3600"], "{attributes:?}");
    Ok(())
}

#[tokio::test]
async fn a_sign_in_works_for_15_minutes_and_a_sign_up_for_an_hour() -> Result<()> {
    let provider = IdentityProvider::start().await?;
    let folder = tempfile::tempdir()?;
    let settings = provider.settings(&folder.path().join("secret"))?;
    let server = InProcessServer::start_with_file(&settings, &[]).await?;
    let mut ada = Visitor::visit(server.address()).await?;
    let in_time = Duration::from_secs(15 * 60 - 30);
    for (wait, is_in_time) in [(in_time, true), (in_time + Duration::from_secs(31), false)] {
        let url = ada.start("lichess", false).await?;
        let back = provider.agree(&url, "ada")?;
        server.skip(wait);
        let page = ada.open(&back).await?;
        let expected = if is_in_time { COMPLETE } else { "/#sign-in-failed=stale_sign_in" };
        ensure!(page == expected, "{wait:?}: {page}");
    }
    for (wait, is_in_time) in [(3_570, true), (3_601, false)] {
        let mut guest = Visitor::visit(server.address()).await?;
        ensure!(guest.through(&provider, "lichess", &format!("user{wait}"), false).await? == COMPLETE);
        server.skip(Duration::from_secs(wait));
        let shown = guest.http().get("/api/me/provider-sign-up").await?;
        let created = guest.sign_up(&format!("Name {wait}")).await?;
        if is_in_time {
            ensure!(shown.status == 200 && created.status == 201, "{wait}: {created:?}");
        } else {
            ensure!(shown.refusal(404)? == RefusalCode::NotFound && created.status == 404, "{wait}");
        }
    }
    Ok(())
}

/// The metadata name the URLs to which the server sends codes and its own secret. They are requested
/// again after an hour.
#[tokio::test]
async fn metadata_of_another_issuer_are_refused() -> Result<()> {
    let provider = IdentityProvider::start().await?;
    let folder = tempfile::tempdir()?;
    let settings = provider.settings(&folder.path().join("secret"))?;
    let server = InProcessServer::start_with_file(&settings, &[]).await?;
    let mut ada = Visitor::visit(server.address()).await?;
    ada.start("example", false).await?;
    provider.set_wrong_issuer("https://evil.example");
    ada.start("example", false).await.context("the metadata are known")?;
    server.skip(Duration::from_secs(3_601));
    let answer = ada.try_to_start("example", false).await?;
    ensure!(answer.refusal(502)? == RefusalCode::ProviderFailed, "{answer:?}");
    Ok(())
}

#[tokio::test]
async fn responses_with_an_error_give_no_identity() -> Result<()> {
    let site = Site::start().await?;
    site.provider.fail();
    let mut ada = site.visit().await?;
    let answer = ada.try_to_start("example", false).await?;
    ensure!(answer.refusal(502)? == RefusalCode::ProviderFailed, "{answer:?}");
    let page = ada.through(&site.provider, "lichess", "ada", false).await?;
    ensure!(page == failed("provider_failed"), "{page}");
    Ok(())
}

/// A provider that sends the browser back with an error has not given a code.
#[tokio::test]
async fn a_code_beside_an_error_is_not_used() -> Result<()> {
    let site = Site::start().await?;
    let mut ada = site.visit().await?;
    let url = ada.start("lichess", false).await?;
    let back = format!("{}&error=server_error", site.provider.agree(&url, "ada")?);
    ensure!(ada.open(&back).await? == failed("provider_failed"));
    ensure!(site.provider.exchanged() == 0);
    Ok(())
}
