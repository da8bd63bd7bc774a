//! The log and the metrics contain no tokens, no secrets and no messages, even if the log contains
//! everything. The audit log names users by their ids.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::archive::ShareCreated;
use quadrex_protocol::chat::Room;
use quadrex_protocol::http::{CreateTable, NewInvite, NewSession, SessionList, Uses};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{ClientFrame, hex};
use quadrex_rules::{Color, Variant};
use quadrex_tests::{Browser, Client, Database, Launch};

const MESSAGE: &str = "my bishop waits on c4";

/// Everything that was issued or sent in secret, with its name.
#[derive(Default)]
struct Secrets(Vec<(&'static str, String)>);

impl Secrets {
    fn add(&mut self, name: &'static str, secret: &str) {
        self.0.push((name, secret.to_owned()));
    }

    /// Returns the names of the secrets that a text contains, as text or in hexadecimal.
    fn found_in(&self, text: &str) -> Vec<&'static str> {
        let lower = text.to_lowercase();
        let is_found =
            |secret: &str| text.contains(secret) || lower.contains(&hex::encode(secret.as_bytes()));
        self.0.iter().filter(|(_, secret)| is_found(secret)).map(|(name, _)| *name).collect()
    }
}

/// Plays a private match with everything that needs a secret. Returns the secrets.
async fn play_in_secret(launch: &Launch) -> Result<Secrets> {
    let mut secrets = Secrets::default();
    let server = launch.start().await?;
    let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
    secrets.add("a bearer token in a header", &ada.token);
    secrets.add("a bearer token in a frame", &ben.token);
    let hosting = server.http().as_guest(&ada);
    let request = CreateTable::plain(Variant::Classic, Privacy::Private);
    let made = hosting.create(&CreateTable { seat: Some(Color::White), ..request }).await?;
    let invite = hosting.invite(made.table, &NewInvite { seat: None, uses: Uses::Open }).await?.secret;
    let watch_link = hosting.watch_link(made.table).await?.secret;
    secrets.add("an invite", &invite);
    secrets.add("a watch link", &watch_link);

    let mut white = server.connect(&ada).await?;
    white.watch(made.table).await?;
    let mut black = server.connect(&ben).await?;
    black.watch_with(made.table, Some(invite.clone())).await?;
    let sit = black.sit(made.table, Some(Color::Black), Some(&invite));
    let seq = black.accepted(&sit).await?;
    white.until_seq(made.table, seq).await?;
    let mut spectator = Client::open(server.address(), None).await?;
    spectator.watch_with(made.table, Some(watch_link)).await?;
    let chat = white.chat(made.table, Room::Seated, MESSAGE);
    let seq = white.accepted(&chat).await?;
    secrets.add("a message", MESSAGE);
    black.until_seq(made.table, seq).await?;
    let mv = white.mv(made.table, "e2e4".parse()?)?;
    white.accepted(&mv).await?;

    let handover = hosting.handover().await?.secret;
    secrets.add("a handover", &handover);
    let phone = Browser::visit(server.address()).await?;
    secrets.add("a cookie", phone.cookie.split('=').nth(1).context("a cookie has a value")?);
    let redeemed = phone
        .http()
        .post("/api/session", &NewSession { handover: Some(handover), ..NewSession::default() })
        .await?;
    let phone = Browser::given_by(server.address(), &redeemed)?;
    secrets.add("the cookie of a handover", phone.cookie.split('=').nth(1).context("it has a value")?);
    drop(phone.connect().await?);
    let sessions: SessionList = phone.http().get("/api/sessions").await?.json(200)?;
    let own = sessions.sessions.iter().find(|session| session.is_current).context("it is listed")?;
    let ended = phone.http().request("DELETE", &format!("/api/sessions/{}", own.id), None).await?;
    ensure!(ended.status == 204, "{}", ended.status);

    let links = hosting.links(made.table).await?;
    hosting.revoke(made.table, &links[1].id).await?;
    let resign = white.resign(made.table);
    let seq = white.accepted(&resign).await?;
    black.until_seq(made.table, seq).await?;
    let path = format!("/api/matches/{}", made.match_id);
    let shared: ShareCreated = hosting.request("POST", &format!("{path}/share"), None).await?.json(201)?;
    secrets.add("a share link", &shared.secret);
    let reader = server.http().with_header("Share-Secret", &shared.secret);
    ensure!(reader.get(&path).await?.status == 200, "everybody may read a shared match");
    let metrics = launch.metrics().await?.scrape().await?.text;
    ensure!(secrets.found_in(&metrics) == [""; 0], "the metrics contain {:?}", secrets.found_in(&metrics));
    for id in [ada.user.id.to_string(), made.table.to_string(), made.match_id.to_string(), "Ada".to_owned()] {
        ensure!(!metrics.contains(&id), "the metrics contain {id}");
    }
    // The end of a connection is logged when the server has stopped.
    for client in [&mut white, &mut black, &mut spectator] {
        client.send(&ClientFrame::Ping {}).await?;
    }
    server.terminate().await?;
    launch.until_logged("stopped", 1).await?;
    Ok(secrets)
}

#[tokio::test]
async fn the_log_and_the_metrics_contain_no_secrets() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?
        .with_metrics()
        .with_env("QUADREX_LOG__FILTER", "trace,tungstenite=trace");
    let secrets = play_in_secret(&launch).await?;
    ensure!(secrets.0.len() == 9, "{} secrets", secrets.0.len());
    let log = launch.log();
    let is_detailed = |line: &str| line.contains(" TRACE ") && line.contains(" quadrex_server::");
    ensure!(log.lines().any(is_detailed), "the log has everything");
    for (name, secret) in &secrets.0 {
        let line = log.lines().find(|line| secrets.found_in(line).contains(name));
        ensure!(line.is_none(), "the log contains {name}, {secret}: {line:?}");
    }
    Ok(())
}

#[tokio::test]
async fn the_audit_log_has_sessions_links_handovers_and_closed_tables() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?
        .with_metrics()
        .with_env("QUADREX_LOG__FILTER", "error,audit=info,quadrex_server::app=info")
        .with_env("QUADREX_TABLES__CLOSE_ENDED_SECONDS", 0);
    let secrets = play_in_secret(&launch).await?;
    let log = launch.log();
    ensure!(secrets.found_in(&log) == [""; 0], "it contains {:?}", secrets.found_in(&log));
    let entries: Vec<&str> = log.lines().filter(|line| line.contains(" audit: ")).collect();
    for (action, count) in [
        ("guest_created", 3),
        ("invite_created", 1),
        ("watch_link_created", 1),
        ("link_revoked", 1),
        ("handover_created", 1),
        ("handover_redeemed", 1),
        ("sessions_ended", 1),
        ("share_created", 1),
    ] {
        let found: Vec<_> =
            entries.iter().filter(|line| line.contains(&format!("action=\"{action}\""))).collect();
        ensure!(found.len() == count, "{action}: {found:?} in {entries:?}");
        ensure!(found.iter().all(|line| line.contains("address=127.0.0.1")), "{found:?}");
        ensure!(found.iter().all(|line| line.contains("user.id=")), "{found:?}");
    }
    ensure!(!entries.iter().any(|line| line.contains("Ada") || line.contains("Ben")), "{entries:?}");
    Ok(())
}

#[tokio::test]
async fn kicks_and_closed_tables_are_in_the_audit_log() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?
        .with_env("QUADREX_LOG__FILTER", "error,audit=info")
        .with_env("QUADREX_TABLES__CLOSE_OPEN_SECONDS", 1);
    let server = launch.start().await?;
    let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
    let mut host = server.connect(&ada).await?;
    let request = CreateTable::plain(Variant::Dilkel, Privacy::Public);
    let request = CreateTable { seat: Some(Color::Red), ..request };
    let table = server.http().as_guest(&ada).create(&request).await?.table;
    host.watch(table).await?;
    let mut guest = server.connect(&ben).await?;
    guest.watch(table).await?;
    let sit = guest.sit(table, Some(Color::Blue), None);
    let seq = guest.accepted(&sit).await?;
    host.until_seq(table, seq).await?;
    let kick = ClientFrame::Kick { table, cmd: host.next_command_id(), color: Color::Blue, match_id: None };
    host.accepted(&kick).await?;
    launch.until_logged("action=\"kicked\"", 1).await?;
    let log = launch.log();
    let line = log.lines().find(|line| line.contains("action=\"kicked\"")).context("it is logged")?;
    for field in [format!("user.id={}", ada.user.id), format!("table.id={table}"), "seat=blue".to_owned()] {
        ensure!(line.contains(&field), "{field} is not in {line}");
    }
    drop((host, guest));
    launch.until_logged("action=\"table_closed\"", 1).await?;
    let log = launch.log();
    let line = log.lines().find(|line| line.contains("action=\"table_closed\"")).context("it is logged")?;
    ensure!(line.contains(&format!("table.id={table}")), "{line}");
    Ok(())
}
