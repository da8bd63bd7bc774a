//! Sign-in with accounts of other sites, at a local provider.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use futures_util::future::join_all;
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{
    ChangePassword, ConnectedProvider, DeleteUser, NewSession, PersonalData, ProviderSignUp, Session,
    SignInOptions, SignIns, StartProviderSignIn,
};
use quadrex_protocol::user::UserView;
use quadrex_tests::browser::page;
use quadrex_tests::http::PASSWORD;
use quadrex_tests::identity_provider::IdentityProvider;
use quadrex_tests::visitor::HOME;
use quadrex_tests::{Browser, Database, Launch, Server, Visitor};
use serde_json::json;

/// A server and the provider that it knows as `lichess` and as `example`.
pub(crate) struct Site {
    pub(crate) provider: IdentityProvider,
    pub(crate) server: Server,
    pub(crate) launch: Launch,
}

impl Site {
    pub(crate) async fn start() -> Result<Self> {
        Self::start_on(&Database::Sqlite, |launch| launch).await
    }

    /// Starts a server on a database, with further settings.
    pub(crate) async fn start_on(
        database: &Database,
        settings: impl FnOnce(Launch) -> Launch,
    ) -> Result<Self> {
        let provider = IdentityProvider::start().await?;
        let launch = Launch::new(database)?;
        let file = launch.sibling_path("settings.toml");
        std::fs::write(&file, provider.settings(&launch.sibling_path("secret"))?)?;
        let file = file.to_str().context("the path is text")?.to_owned();
        let launch = launch.with_argument("--config").with_argument(file);
        let launch = launch.with_env("QUADREX_LIMITS__SIGN_INS_PER_ACCOUNT", 100);
        let launch = settings(launch);
        let server = launch.start().await?;
        Ok(Self { provider, server, launch })
    }

    fn address(&self) -> SocketAddr {
        self.server.address()
    }

    pub(crate) async fn visit(&self) -> Result<Visitor> {
        Visitor::visit(self.address()).await
    }
}

pub(crate) const COMPLETE: &str = "/sign-in/complete";

pub(crate) fn failed(reason: &str) -> String {
    format!("{HOME}#sign-in-failed={reason}")
}

#[tokio::test]
async fn a_guest_becomes_an_account_by_either_provider_and_signs_in_again() -> Result<()> {
    let site = Site::start().await?;
    let options: SignInOptions = site.server.http().get("/api/sign-in-options").await?.json(200)?;
    let names: Vec<_> =
        options.providers.iter().map(|known| (known.id.as_str(), known.name.as_str())).collect();
    ensure!(names == [("example", "Example"), ("lichess", "Lichess")], "{names:?}");

    for (provider, name, own_name) in [("lichess", "Zug-Zwang", "Ada"), ("example", "bo", "Ben")] {
        let mut home = site.visit().await?;
        let guest = home.user.clone();
        ensure!(home.http().get("/api/me/provider-sign-up").await?.refusal(404)? == RefusalCode::NotFound);
        ensure!(home.through(&site.provider, provider, name, false).await? == COMPLETE);
        let shown: ProviderSignUp = home.http().get("/api/me/provider-sign-up").await?.json(200)?;
        ensure!(
            shown == ProviderSignUp { provider: provider.to_owned(), name: name.to_owned() },
            "{shown:?}"
        );
        ensure!(home.me().await? == guest, "the user is a guest until the name is chosen");

        let account: UserView = home.sign_up(own_name).await?.json(201)?;
        ensure!(account.id == guest.id && account.account && account.name == own_name, "{account:?}");
        ensure!(home.cookie("quadrex_provider").is_none(), "the secret is used up");
        ensure!(home.me().await? == account, "the session stays");
        let SignIns { password, providers } = home.sign_ins().await?;
        let [ConnectedProvider { id, user_name, .. }] = providers.as_slice() else {
            anyhow::bail!("{providers:?}")
        };
        ensure!(!password && id == provider && user_name == name, "{providers:?}");

        // Another browser, which has a guest already.
        let mut library = site.visit().await?;
        ensure!(library.through(&site.provider, provider, name, false).await? == HOME);
        ensure!(library.me().await? == account);
        ensure!(library.cookie("quadrex_earlier").is_some(), "it can return to its guest");
        ensure!(library.cookie("quadrex_provider").is_none());
        let back: Session = library.http().request("POST", "/api/session/back", None).await?.json(200)?;
        ensure!(back.user == library.user, "{back:?}");

        // A browser without any session.
        let mut fresh = library.without_cookies();
        ensure!(fresh.through(&site.provider, provider, name, false).await? == HOME);
        ensure!(fresh.me().await? == account);
    }
    ensure!(site.provider.exchanged() == 6);
    ensure!(site.provider.valid_tokens() == 3, "the tokens of Lichess are revoked");
    site.launch.until_logged("provider_signed_in", 4).await
}

#[tokio::test]
async fn only_the_browser_that_began_finishes_a_sign_in_and_only_once() -> Result<()> {
    let site = Site::start().await?;
    let mut ada = site.visit().await?;
    let url = ada.start("lichess", false).await?;
    let back = site.provider.agree(&url, "ada")?;
    let stale = "/#sign-in-failed=stale_sign_in";

    let mut eve = site.visit().await?;
    ensure!(eve.open(&back).await? == stale, "a browser without the cookie");
    eve.start("lichess", false).await?;
    ensure!(eve.open(&back).await? == stale, "a browser with the cookie of another sign-in");
    ensure!(ada.open(&back.replace("/lichess/", "/example/")).await? == stale, "another provider");
    // The attempt at the other provider has used the sign-in up.
    ensure!(ada.open(&back).await? == stale);
    ensure!(site.provider.exchanged() == 0, "no code was sent to the provider");

    let url = ada.start("lichess", false).await?;
    let back = site.provider.agree(&url, "ada")?;
    ensure!(ada.open(&back).await? == COMPLETE);
    ensure!(ada.open(&back).await? == stale, "the same code again");
    ensure!(site.provider.exchanged() == 1);

    // Requests without the parameters of a provider.
    for path in ["", "?state=", "?state=a&code=b", "?code=b"] {
        ensure!(eve.open(&format!("/api/providers/lichess/callback{path}")).await? == stale, "{path}");
    }
    let unknown = page(site.address()).get("/api/providers/nobody/callback").await?;
    ensure!(unknown.refusal(404)? == RefusalCode::NotFound);
    Ok(())
}

#[tokio::test]
async fn of_200_requests_with_one_code_one_is_accepted() -> Result<()> {
    let site = Site::start().await?;
    let mut ada = site.visit().await?;
    ensure!(ada.through(&site.provider, "lichess", "ada", false).await? == COMPLETE);
    let account: UserView = ada.sign_up("Ada").await?.json(201)?;

    let mut library = site.visit().await?;
    let url = library.start("lichess", false).await?;
    let back = site.provider.agree(&url, "ada")?;
    let visitors = vec![library; 200];
    let opened = visitors.into_iter().map(async |mut visitor| {
        let page = visitor.open(&back).await?;
        Ok::<_, anyhow::Error>((page, visitor.me().await?))
    });
    let opened = join_all(opened).await.into_iter().collect::<Result<Vec<_>>>()?;
    let signed_in = opened.iter().filter(|(page, user)| page == HOME && *user == account).count();
    let stale =
        opened.iter().filter(|(page, user)| page.ends_with("stale_sign_in") && *user != account).count();
    ensure!((signed_in, stale) == (1, 199), "{signed_in} signed in, {stale} were refused");
    ensure!(site.provider.exchanged() == 2);

    // A sign-up, too, creates one account.
    let mut ben = site.visit().await?;
    ensure!(ben.through(&site.provider, "lichess", "ben", false).await? == COMPLETE);
    let sign_ups = (0..200).map(|number| {
        let mut ben = ben.clone();
        async move { ben.sign_up(&format!("Ben{number}")).await }
    });
    let answers = join_all(sign_ups).await.into_iter().collect::<Result<Vec<_>>>()?;
    let created = answers.iter().filter(|answer| answer.status == 201).count();
    ensure!(created == 1, "{created} accounts");
    ensure!(ben.sign_ins().await?.providers.len() == 1);
    Ok(())
}

#[tokio::test]
async fn a_failed_sign_in_leads_back_with_the_reason() -> Result<()> {
    let site = Site::start().await?;
    let mut ada = site.visit().await?;
    let guest = ada.user.clone();
    let url = ada.start("lichess", false).await?;
    let state =
        url.split("state=").nth(1).and_then(|rest| rest.split('&').next()).context("a state")?.to_owned();
    let refused = format!("/api/providers/lichess/callback?error=access_denied&state={state}");
    ensure!(ada.open(&refused).await? == failed("provider_refused"));

    // A code that the provider does not know.
    let url = ada.start("lichess", false).await?;
    let back = site.provider.agree(&url, "ada")?;
    ensure!(ada.open(&back.replace("code=", "code=x")).await? == failed("provider_failed"));

    // A code of another provider (RFC 9207).
    let url = ada.start("example", false).await?;
    let other_issuer = format!("{}&iss=https%3A%2F%2Fevil.example", site.provider.agree(&url, "ada")?);
    ensure!(ada.open(&other_issuer).await? == failed("provider_failed"));
    let exchanged = site.provider.exchanged();
    ensure!(exchanged == 0, "the code was not sent to the wrong provider");

    // ID tokens that are not for this sign-in.
    for (claim, value) in [
        ("nonce", json!("another")),
        ("aud", json!("another")),
        ("iss", json!("https://evil.example")),
        ("exp", json!(1)),
        ("sub", json!("")),
        ("sub", json!("x".repeat(256))),
    ] {
        site.provider.set_wrong_claim(claim, value);
        let page = ada.through(&site.provider, "example", "ada", false).await?;
        ensure!(page == failed("provider_failed"), "{claim}: {page}");
    }
    ensure!(ada.me().await? == guest);
    ensure!(ada.http().get("/api/me/provider-sign-up").await?.status == 404);

    // A name that cannot be an account's changes nothing, and the sign-up can be repeated.
    ensure!(ada.through(&site.provider, "lichess", "ada", false).await? == COMPLETE);
    site.server.http().account("Taken").await?;
    for (name, status, code) in [
        ("Taken", 409, RefusalCode::NameTaken),
        ("", 400, RefusalCode::BadSetting),
        ("...", 400, RefusalCode::BadSetting),
    ] {
        ensure!(ada.sign_up(name).await?.refusal(status)? == code, "{name}");
    }
    ada.sign_up("Ada").await?.json::<UserView>(201)?;
    ensure!(ada.sign_up("Adele").await?.refusal(409)? == RefusalCode::AlreadyAccount);

    for return_to in ["//evil.example", "https://evil.example", "/a#b", ""] {
        let request = StartProviderSignIn { return_to: return_to.to_owned(), connect: false };
        let answer = ada.http().post("/api/providers/lichess/start", &request).await?;
        ensure!(answer.refusal(400)? == RefusalCode::BadSetting, "{return_to}");
    }
    let request = StartProviderSignIn { return_to: "/".to_owned(), connect: false };
    let unknown = ada.http().post("/api/providers/nobody/start", &request).await?;
    ensure!(unknown.refusal(404)? == RefusalCode::NotFound);
    let foreign = ada.outside().with_header("Origin", "https://evil.example");
    let foreign = foreign.post("/api/providers/lichess/start", &request).await?;
    ensure!(foreign.refusal(403)? == RefusalCode::BadOrigin);
    let stranger = ada.without_cookies().outside().with_header("Origin", "https://evil.example");
    let stranger = stranger.post("/api/providers/lichess/start", &request).await?;
    ensure!(stranger.refusal(403)? == RefusalCode::BadOrigin, "another site gives a browser no sign-in");
    Ok(())
}

/// The name comes from another site, and users see it.
#[tokio::test]
async fn the_name_of_an_identity_is_short_and_visible() -> Result<()> {
    let site = Site::start().await?;
    let mut ada = site.visit().await?;
    let name = format!("A\u{7}d\na{}", "!".repeat(200));
    ensure!(ada.through(&site.provider, "example", &name, false).await? == COMPLETE);
    let shown: ProviderSignUp = ada.http().get("/api/me/provider-sign-up").await?.json(200)?;
    ensure!(shown.name == format!("Ada{}", "!".repeat(97)), "{shown:?}");
    Ok(())
}

#[tokio::test]
async fn an_account_connects_and_disconnects_providers() -> Result<()> {
    let site = Site::start().await?;
    let mut ada = site.visit().await?;
    let request = StartProviderSignIn { return_to: HOME.to_owned(), connect: true };
    let as_guest = ada.http().post("/api/providers/lichess/start", &request).await?;
    ensure!(as_guest.refusal(403)? == RefusalCode::AccountNeeded);
    let account = ada.http().create_account("Ada").await?;

    ensure!(ada.through(&site.provider, "lichess", "ada", true).await? == HOME);
    ensure!(ada.through(&site.provider, "lichess", "ada", true).await? == HOME, "the same account again");
    ensure!(ada.through(&site.provider, "lichess", "other", true).await? == failed("other_connected"));
    ensure!(ada.through(&site.provider, "example", "ada", true).await? == HOME);
    let connected: Vec<_> = ada.sign_ins().await?.providers.into_iter().map(|known| known.id).collect();
    ensure!(connected == ["example", "lichess"], "{connected:?}");

    let mut library = site.visit().await?;
    ensure!(library.through(&site.provider, "example", "ada", false).await? == HOME);
    ensure!(library.me().await? == account);

    // The account at the provider belongs to Ada.
    let mut ben = site.visit().await?;
    ben.http().create_account("Ben").await?;
    ensure!(ben.through(&site.provider, "lichess", "ada", true).await? == failed("already_connected"));

    // A sign-in that has begun is not finished after its session has ended.
    let url = library.start("lichess", true).await?;
    let back = site.provider.agree(&url, "third")?;
    ada.http().request("DELETE", "/api/sessions", None).await?;
    ensure!(library.open(&back).await? == failed("stale_sign_in"));

    let remove = async |visitor: &Visitor, provider: &str| {
        visitor.http().request("DELETE", &format!("/api/me/sign-ins/{provider}"), None).await
    };
    ensure!(remove(&ada, "lichess").await?.status == 204);
    ensure!(remove(&ada, "lichess").await?.refusal(404)? == RefusalCode::NotFound);
    ensure!(remove(&ada, "example").await?.status == 204, "the password remains");
    let mut stranger = site.visit().await?;
    ensure!(
        stranger.through(&site.provider, "lichess", "ada", false).await? == COMPLETE,
        "it is nobody's now"
    );
    Ok(())
}

#[tokio::test]
async fn an_account_without_a_password_keeps_a_way_in() -> Result<()> {
    let site = Site::start().await?;
    let mut ada = site.visit().await?;
    ensure!(ada.through(&site.provider, "lichess", "ada", false).await? == COMPLETE);
    let account: UserView = ada.sign_up("Ada").await?.json(201)?;
    let remove = ada.http().request("DELETE", "/api/me/sign-ins/lichess", None).await?;
    ensure!(remove.refusal(409)? == RefusalCode::LastSignIn);
    let export: PersonalData = ada.http().get("/api/me/export").await?.json(200)?;
    ensure!(export.providers.len() == 1 && export.providers[0].user_name == "ada", "{export:?}");

    // No password opens the account.
    let sign_in = async |password: &str| {
        let request = NewSession {
            name: Some("Ada".to_owned()),
            password: Some(password.to_owned()),
            ..NewSession::default()
        };
        page(site.address()).post("/api/session", &request).await
    };
    for password in [PASSWORD, "", "none", "$argon2id$none"] {
        ensure!(sign_in(password).await?.refusal(403)? == RefusalCode::WrongCredentials, "{password}");
    }
    let change = async |current: Option<&str>, new: &str| {
        let change = ChangePassword { current: current.map(str::to_owned), new: new.to_owned() };
        let body = serde_json::to_string(&change)?;
        ada.http().request("PUT", "/api/account/password", Some(&body)).await
    };
    ensure!(change(Some("guess"), PASSWORD).await?.refusal(403)? == RefusalCode::WrongCredentials);
    ensure!(change(None, PASSWORD).await?.status == 200);
    ensure!(change(None, "another one").await?.refusal(403)? == RefusalCode::WrongCredentials);
    ensure!(sign_in(PASSWORD).await?.json::<Session>(200)?.user == account);
    ensure!(ada.sign_ins().await?.password);
    let remove = ada.http().request("DELETE", "/api/me/sign-ins/lichess", None).await?;
    ensure!(remove.status == 204);

    // An account without a password is deleted without one, and its identity is free again.
    let mut ben = site.visit().await?;
    ensure!(ben.through(&site.provider, "example", "ben", false).await? == COMPLETE);
    ben.sign_up("Ben").await?.json::<UserView>(201)?;
    let wrong = DeleteUser { password: Some("guess".to_owned()) };
    ensure!(ben.http().post("/api/me/delete", &wrong).await?.status == 403);
    ensure!(ben.http().post("/api/me/delete", &DeleteUser::default()).await?.status == 204);
    ensure!(site.visit().await?.through(&site.provider, "example", "ben", false).await? == COMPLETE);
    Ok(())
}

#[tokio::test]
async fn a_provider_that_cannot_be_reached_is_named() -> Result<()> {
    let Site { provider, server, launch } = Site::start().await?;
    drop(provider);
    let visitor = Browser::visit(server.address()).await?;
    let request = StartProviderSignIn { return_to: "/".to_owned(), connect: false };
    let answer = visitor.http().post("/api/providers/example/start", &request).await?;
    ensure!(
        answer.refusal(502)? == RefusalCode::ProviderFailed && answer.body.contains("Example"),
        "{answer:?}"
    );
    launch.until_logged("a sign-in cannot begin", 1).await
}

#[tokio::test]
async fn wrong_settings_of_providers_prevent_the_start() -> Result<()> {
    let check = async |settings: &str| {
        let launch = Launch::new(&Database::Sqlite)?;
        let file = launch.sibling_path("settings.toml");
        std::fs::write(&file, settings)?;
        let file = file.to_str().context("the path is text")?.to_owned();
        let ended = launch.with_argument("--config").with_argument(file).run().await?;
        ensure!(ended.status.code() == Some(1) && ended.stderr.lines().count() == 1, "{ended:?}");
        Ok(ended.stderr)
    };
    let provider = |id: &str, kind: &str, rest: &str| {
        format!("[providers.{id}]\nkind = {kind:?}\ntitle = \"T\"\nurl = \"https://id.example\"\n{rest}")
    };
    for (settings, expected) in [
        (provider("Big", "lichess", "client_id = \"q\""), "\"Big\" is not"),
        (provider("id", "saml", "client_id = \"q\""), "unknown variant `saml`"),
        (provider("id", "lichess", "client_id = \"\""), "id.client_id: it must not be empty"),
        (provider("id", "lichess", ""), "missing field `client_id`"),
        (
            provider("id", "openid_connect", "client_id = \"q\"\nclient_secret_file = \"/nowhere\""),
            "providers.id.client_secret_file: /nowhere: No such file",
        ),
    ] {
        let error = check(&settings).await?;
        ensure!(error.contains(expected), "{expected}: {error}");
    }
    Ok(())
}
