//! Share links. With a share link, a player of a private match lets everybody who has the link read
//! the match.

use anyhow::{Result, ensure};
use quadrex_protocol::archive::{MatchView, ShareCreated, ShareStatus};
use quadrex_protocol::http::{CreateTable, NewInvite, Uses};
use quadrex_protocol::review::ReviewStatus;
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{ClientFrame, MatchId, MatchRecord, RefusalCode, RequestAction, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::{Client, Database, Guest, Http, Launch, Server};

use crate::bots::with_fast_bots;

/// The header with the secret of a share link.
const SHARE_SECRET: &str = "Share-Secret";

/// The parts of a match that a client can read, as suffixes of the match's path.
const PARTS: [&str; 4] = ["", "/record", "/notation", "/review"];

/// A private match between two guests, and their connections.
struct PrivateMatch {
    server: Server,
    table: TableId,
    match_id: MatchId,
    ada: Guest,
    ben: Guest,
    clients: [Client; 2],
}

impl PrivateMatch {
    /// Starts a private match in which Ada plays White and Ben plays Black.
    async fn start(launch: &Launch) -> Result<Self> {
        let server = launch.start().await?;
        let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
        let request = CreateTable::plain(Variant::Classic, Privacy::Private);
        let hosting = server.http().as_guest(&ada);
        let made = hosting.create(&CreateTable { seat: Some(Color::White), ..request }).await?;
        let invite = hosting.invite(made.table, &NewInvite { seat: None, uses: Uses::Open }).await?.secret;
        let mut clients = [server.connect(&ada).await?, server.connect(&ben).await?];
        clients[0].watch(made.table).await?;
        clients[1].watch_with(made.table, Some(invite.clone())).await?;
        let sit = clients[1].sit(made.table, Some(Color::Black), Some(&invite));
        let seq = clients[1].accepted(&sit).await?;
        for client in &mut clients {
            client.until_seq(made.table, seq).await?;
        }
        Ok(Self { server, table: made.table, match_id: made.match_id, ada, ben, clients })
    }

    /// Resigns for White.
    async fn end(&mut self) -> Result<()> {
        let [white, black] = &mut self.clients;
        let resign = white.resign(self.table);
        let seq = white.accepted(&resign).await?;
        black.until_seq(self.table, seq).await?;
        Ok(())
    }

    fn path(&self) -> String {
        format!("/api/matches/{}", self.match_id)
    }

    fn as_ada(&self) -> Http {
        self.server.http().as_guest(&self.ada)
    }
}

async fn share(http: &Http, path: &str) -> Result<ShareCreated> {
    http.request("POST", &format!("{path}/share"), None).await?.json(201)
}

/// Returns whether a client may read the match. The answer must be the same for all its parts.
async fn may_read(http: &Http, path: &str) -> Result<bool> {
    let mut allowed = Vec::new();
    for part in PARTS {
        let answer = http.get(&format!("{path}{part}")).await?;
        ensure!([200, 404].contains(&answer.status), "{part}: {answer:?}");
        allowed.push(answer.status == 200);
    }
    let first = allowed[0];
    ensure!(allowed.iter().all(|one| *one == first), "{allowed:?} of {PARTS:?}");
    Ok(first)
}

async fn opens_one_match_until_it_is_removed(database: &Database) -> Result<()> {
    let mut played = PrivateMatch::start(&with_fast_bots(database)?).await?;
    played.end().await?;
    let (path, nobody) = (played.path(), played.server.http());
    let [ada, ben] = [&played.ada, &played.ben].map(|guest| nobody.as_guest(guest));
    let eve = nobody.as_guest(&played.server.guest("Eve").await?);
    ensure!(may_read(&ada, &path).await? && !may_read(&nobody, &path).await?);
    let none: ShareStatus = ada.get(&format!("{path}/share")).await?.json(200)?;
    ensure!(none.created_at_ms.is_none());

    let ShareCreated { secret, created_at_ms, .. } = share(&ada, &path).await?;
    let shared: ShareStatus = ada.get(&format!("{path}/share")).await?.json(200)?;
    ensure!(shared.created_at_ms == Some(created_at_ms));
    for http in [&nobody, &eve] {
        let by_link = http.with_header(SHARE_SECRET, &secret);
        ensure!(may_read(&by_link, &path).await?, "everybody who has the link reads the match");
        ensure!(!may_read(&http.with_header(SHARE_SECRET, "nonsense"), &path).await?);
        let view: MatchView = by_link.get(&path).await?.json(200)?;
        ensure!(view.view.your_seats.is_empty() && view.match_id == played.match_id);
        let _: MatchRecord = by_link.get(&format!("{path}/record")).await?.json(200)?;
        // The link gives access to the match, but not to its table.
        let table = by_link.get(&format!("/api/tables/{}", played.table)).await?;
        ensure!(table.refusal(404)? == RefusalCode::NotFound);
    }
    let by_link = eve.with_header(SHARE_SECRET, &secret);
    let picture = format!("/pictures/match/{}.svg", played.match_id);
    let [drawn, hidden] = [by_link.get(&picture).await?, eve.get(&picture).await?];
    ensure!(
        drawn.status == 200 && hidden.status == 200 && drawn.body != hidden.body,
        "the picture is the match's"
    );
    ensure!(drawn.header("cache-control") == Some("private, no-cache"), "{drawn:?}");

    // Each player has a link. A new link replaces only the same player's earlier link.
    let bens = share(&ben, &path).await?.secret;
    let replaced = share(&ada, &path).await?.secret;
    ensure!(!may_read(&nobody.with_header(SHARE_SECRET, &secret), &path).await?);
    ensure!(may_read(&nobody.with_header(SHARE_SECRET, &replaced), &path).await?);
    ensure!(ada.request("DELETE", &format!("{path}/share"), None).await?.status == 204);
    ensure!(!may_read(&nobody.with_header(SHARE_SECRET, &replaced), &path).await?);
    ensure!(may_read(&nobody.with_header(SHARE_SECRET, &bens), &path).await?);
    let again = ada.request("DELETE", &format!("{path}/share"), None).await?;
    ensure!(again.refusal(404)? == RefusalCode::NotFound);
    Ok(())
}

#[tokio::test]
async fn a_share_link_opens_one_match_until_it_is_removed_in_sqlite() -> Result<()> {
    opens_one_match_until_it_is_removed(&Database::Sqlite).await
}

#[tokio::test]
async fn a_share_link_opens_one_match_until_it_is_removed_in_postgres() -> Result<()> {
    opens_one_match_until_it_is_removed(&Database::postgres().await?).await
}

/// Everybody who has the link and an identity can request the review of the match.
#[tokio::test]
async fn a_review_can_be_requested_by_a_share_link() -> Result<()> {
    let launch = with_fast_bots(&Database::Sqlite)?.with_env("QUADREX_REVIEWS__NODES", 200);
    let mut played = PrivateMatch::start(&launch).await?;
    let command = played.clients[0].mv(played.table, "e2e4".parse()?)?;
    let seq = played.clients[0].accepted(&command).await?;
    played.clients[1].until_seq(played.table, seq).await?;
    played.end().await?;
    let secret = share(&played.as_ada(), &played.path()).await?.secret;
    let eve = played.server.http().as_guest(&played.server.guest("Eve").await?);
    let path = format!("{}/review", played.path());
    let hidden = eve.request("POST", &path, None).await?;
    ensure!(hidden.refusal(404)? == RefusalCode::NotFound);
    let requested = eve.with_header(SHARE_SECRET, &secret).request("POST", &path, None).await?;
    let _: ReviewStatus = requested.json(requested.status)?;
    ensure!([200, 202].contains(&requested.status), "{requested:?}");
    Ok(())
}

/// Only players can share a match, and only after its end. A stranger does not learn that the match
/// exists.
#[tokio::test]
async fn who_may_not_share_a_match_is_refused() -> Result<()> {
    let mut played = PrivateMatch::start(&Launch::new(&Database::Sqlite)?).await?;
    let path = format!("{}/share", played.path());
    let (nobody, ada) = (played.server.http(), played.as_ada());
    let eve = nobody.as_guest(&played.server.guest("Eve").await?);
    let running = ada.request("POST", &path, None).await?;
    ensure!(running.refusal(403)? == RefusalCode::Forbidden, "{running:?}");
    played.end().await?;
    let secret = share(&ada, &played.path()).await?.secret;
    let missing = format!("/api/matches/{}/share", uuid::Uuid::from_u128(7));
    for http in [nobody.clone(), eve.clone(), eve.with_header(SHARE_SECRET, &secret)] {
        for method in ["GET", "POST", "DELETE"] {
            let hidden = http.request(method, &path, None).await?;
            let absent = http.request(method, &missing, None).await?;
            ensure!(hidden.refusal(404)? == RefusalCode::NotFound, "{method}: {hidden:?}");
            ensure!(hidden.body == absent.body && hidden.body.contains("no such match"), "{hidden:?}");
        }
    }
    let read = nobody.with_header(SHARE_SECRET, &secret);
    let absent = read.get(&format!("/api/matches/{}", uuid::Uuid::from_u128(7))).await?;
    let hidden = nobody.get(&played.path()).await?;
    ensure!(absent.body == hidden.body && absent.body.contains("no such match"), "{absent:?}");
    Ok(())
}

/// The link of a match gives no access to the next match at the table.
#[tokio::test]
async fn a_share_link_does_not_open_the_rematch() -> Result<()> {
    let mut played = PrivateMatch::start(&Launch::new(&Database::Sqlite)?).await?;
    played.end().await?;
    let secret = share(&played.as_ada(), &played.path()).await?.secret;
    let table = played.table;
    for (client, action) in played.clients.iter_mut().zip([RequestAction::Ask, RequestAction::Accept]) {
        let cmd = client.next_command_id();
        let rematch = ClientFrame::Rematch { table, cmd, action, nonce: None, seat: None, match_id: None };
        client.accepted(&rematch).await?;
    }
    let first = played.match_id;
    let is_next = |client: &Client| client.table(table).is_ok_and(|watched| watched.match_id() != first);
    played.clients[1].until("the next match", is_next).await?;
    let next = played.clients[1].table(table)?.match_id();
    let by_link = played.server.http().with_header(SHARE_SECRET, &secret);
    ensure!(by_link.get(&format!("/api/matches/{next}")).await?.status == 404);
    ensure!(may_read(&by_link, &played.path()).await?);
    Ok(())
}

#[tokio::test]
async fn the_rate_of_share_links_is_limited() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?.with_env("QUADREX_LIMITS__LINKS_BURST", 3);
    let mut played = PrivateMatch::start(&launch.with_env("QUADREX_LIMITS__LINKS_PER_MINUTE", 1)).await?;
    played.end().await?;
    let ada = played.as_ada();
    // The invite counts towards the same limit.
    for _ in 0..2 {
        share(&ada, &played.path()).await?;
    }
    let limited = ada.request("POST", &format!("{}/share", played.path()), None).await?;
    ensure!(limited.refusal(429)? == RefusalCode::RateLimited && limited.header("retry-after").is_some());
    Ok(())
}
