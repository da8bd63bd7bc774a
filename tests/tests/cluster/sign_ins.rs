//! Sign-ins that begin at one node and go on at another one: with other sites, and with links that are
//! sent by mail.

use anyhow::{Context, Result, ensure};
use futures_util::future::try_join_all;
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{NewSession, Session};
use quadrex_tests::contest::without_rate_limits;
use quadrex_tests::identity_provider::IdentityProvider;
use quadrex_tests::smtp::SmtpServer;
use quadrex_tests::visitor::HOME;
use quadrex_tests::{Client, Http, Launch, Nodes, Visitor};
use serde_json::json;

/// The URL of the site, behind which a load balancer chooses a node for each request.
const SITE: &str = "http://chess.example";

const STALE: &str = "/#sign-in-failed=stale_sign_in";

/// Adds the settings of a site with this provider.
fn with_provider(launch: Launch, provider: &IdentityProvider) -> Launch {
    let (file, secret) = (launch.sibling_path("settings.toml"), launch.sibling_path("secret"));
    let settings = provider.settings(&secret).expect("the data folder can be written");
    std::fs::write(&file, settings).expect("the data folder can be written");
    let file = file.to_str().expect("the path is text").to_owned();
    let launch = without_rate_limits(launch).with_argument("--config").with_argument(file);
    launch.with_env("QUADREX_SERVER__PUBLIC_URL", SITE)
}

/// The browser comes back from the provider to another node, and chooses its name at a third one.
#[tokio::test]
async fn a_sign_in_begins_at_one_node_and_comes_back_to_another_one() -> Result<()> {
    let provider = IdentityProvider::start().await?;
    let nodes = Nodes::start_with(3, |launch| with_provider(launch, &provider)).await?;
    let [first, second, third] = nodes.addresses()[..] else { anyhow::bail!("three nodes") };
    for (name, at) in [("lichess", "Ada"), ("example", "Ben")] {
        let mut home = Visitor::visit_site(first, SITE).await?;
        let back = provider.agree(&home.start(name, false).await?, at)?;
        let mut home = home.at(second);
        ensure!(home.open(&back).await? == "/sign-in/complete");
        let mut home = home.at(third);
        ensure!(home.http().get("/api/me/provider-sign-up").await?.status == 200);
        ensure!(home.sign_up(at).await?.status == 201);
        for node in nodes.addresses() {
            ensure!(home.at(node).me().await?.name == at && home.at(node).me().await?.account);
            let again = home.at(node).open(&back).await?;
            ensure!(again == STALE, "the code was used: {again}");
        }
        // The account is known at all nodes.
        let mut library = Visitor::visit_site(third, SITE).await?;
        let back = provider.agree(&library.start(name, false).await?, at)?;
        let mut library = library.at(first);
        ensure!(library.open(&back).await? == HOME && library.at(second).me().await?.name == at);
    }
    ensure!(provider.exchanged() == 4);
    Ok(())
}

/// A browser that comes back to all nodes at the same time is signed in by one of them.
#[tokio::test]
async fn a_sign_in_works_once_at_all_nodes_together() -> Result<()> {
    const ROUNDS: usize = 30;
    let provider = IdentityProvider::start().await?;
    let nodes = Nodes::start_with(3, |launch| with_provider(launch, &provider)).await?;
    let addresses = nodes.addresses();
    let first = *addresses.first().context("a node")?;
    let mut home = Visitor::visit_site(first, SITE).await?;
    ensure!(home.through(&provider, "lichess", "ada", false).await? == "/sign-in/complete");
    ensure!(home.sign_up("Ada").await?.status == 201);
    let library = Visitor::visit_site(first, SITE).await?;
    for round in 0..ROUNDS {
        let mut library = library.clone();
        let back = provider.agree(&library.start("lichess", false).await?, "ada")?;
        let mut visitors: Vec<_> = addresses.iter().cycle().take(6).map(|node| library.at(*node)).collect();
        let pages = try_join_all(visitors.iter_mut().map(|visitor| visitor.open(&back))).await?;
        let signed_in = pages.iter().filter(|page| *page == HOME).count();
        let stale = pages.iter().filter(|page| *page == STALE).count();
        ensure!((signed_in, stale) == (1, 5), "round {round}: {pages:?}");
        ensure!(provider.exchanged() == round + 2, "round {round}");
    }
    Ok(())
}

/// The link is requested at one node and works at all nodes together once. The sessions of the user
/// end at all nodes.
#[tokio::test]
async fn a_link_that_sets_a_password_works_at_another_node_and_once() -> Result<()> {
    let smtp = SmtpServer::start().await?;
    let settings = |launch| {
        let settings = smtp.settings().into_iter();
        settings.fold(without_rate_limits(launch), |launch, (name, value)| launch.with_env(name, value))
    };
    let nodes = Nodes::start_with(3, settings).await?;
    let [first, second, third] = nodes.addresses()[..] else { anyhow::bail!("three nodes") };
    let ada = Http::new(first).account("Ada").await?;
    let address = json!({"address": "ada@mail.example", "language": "en"});
    let http = Http::new(second).as_guest(&ada);
    ensure!(http.request("PUT", "/api/me/mail", Some(&address.to_string())).await?.status == 204);
    let secret = smtp.until_received(1).await?.secret("/mail/confirm")?;
    let confirmed = Http::new(third).post("/api/mail/confirm", &json!({"secret": secret})).await?;
    ensure!(confirmed.status == 204, "{confirmed:?}");
    let request = json!({"name": "Ada", "language": "en"});
    ensure!(Http::new(first).post("/api/password-resets", &request).await?.status == 204);
    let secret = smtp.until_received(2).await?.secret("/password-reset")?;

    let mut client = Client::open(third, Some(&ada)).await?;
    let addresses: Vec<_> = nodes.addresses().into_iter().skip(1).cycle().take(6).collect();
    let password = |number: usize| format!("the new password {number}");
    let set = addresses.iter().enumerate().map(async |(number, node)| {
        let body = json!({"secret": secret, "password": password(number)});
        Http::new(*node).post("/api/password-resets/confirm", &body).await
    });
    let answers = try_join_all(set).await?;
    let was_set: Vec<_> = (0..answers.len()).filter(|number| answers[*number].status == 204).collect();
    let [winner] = was_set[..] else { anyhow::bail!("{answers:?}") };
    for (_, other) in answers.iter().enumerate().filter(|(number, _)| *number != winner) {
        ensure!(other.refusal(410)? == RefusalCode::BadMailLink);
    }
    let body = json!({"secret": secret, "password": "yet another one"});
    let again = Http::new(first).post("/api/password-resets/confirm", &body).await?;
    ensure!(again.refusal(410)? == RefusalCode::BadMailLink, "the link was used");
    client.close_code().await.context("the connections to all nodes are closed")?;
    for node in nodes.addresses() {
        let old = Http::new(node).as_guest(&ada).get("/api/me").await?;
        ensure!(old.refusal(401)? == RefusalCode::BadToken, "the session has ended at all nodes");
        let request = NewSession {
            name: Some("Ada".to_owned()),
            password: Some(password(winner)),
            ..NewSession::default()
        };
        let new: Session = Http::new(node).post("/api/session", &request).await?.json(200)?;
        ensure!(new.user.id == ada.user.id);
    }
    Ok(())
}
