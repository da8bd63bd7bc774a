//! Mail: the address of an account, which is confirmed by a link, and notifications by mail.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{CreateTable, MailSettings, NotificationSettings, PersonalData};
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::{RefusalCode, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::http::{PASSWORD, Response};
use quadrex_tests::notification_queue::{until_none_waits, until_waiting};
use quadrex_tests::smtp::{Mail, PUBLIC_URL, SmtpServer};
use quadrex_tests::{Client, Database, Guest, Http, InProcessServer, Launch, PATIENCE};
use serde_json::json;
use tokio::time::timeout;

/// The time after which a turn is notified by mail.
const DELAY: Duration = Duration::from_secs(301);

const DAY: Duration = Duration::from_secs(86_400);

pub(crate) async fn start() -> Result<(InProcessServer, SmtpServer)> {
    let smtp = SmtpServer::start().await?;
    let settings = smtp.settings();
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Ok((InProcessServer::start_with(&settings).await?, smtp))
}

pub(crate) async fn choose(http: &Http, address: &str) -> Result<Response> {
    let body = json!({"address": address, "language": "en"});
    http.request("PUT", "/api/me/mail", Some(&body.to_string())).await
}

async fn confirm(http: &Http, secret: &str) -> Result<Response> {
    http.post("/api/mail/confirm", &json!({"secret": secret})).await
}

/// Adds an address and confirms it. `count` is the number of mails that were sent until then.
pub(crate) async fn add_address(http: &Http, smtp: &SmtpServer, address: &str, count: usize) -> Result<()> {
    ensure!(choose(http, address).await?.status == 204);
    let secret = smtp.until_received(count).await?.secret("/mail/confirm")?;
    ensure!(confirm(http, &secret).await?.status == 204);
    Ok(())
}

async fn settings(http: &Http) -> Result<MailSettings> {
    let settings: NotificationSettings = http.get("/api/me/notifications").await?.json(200)?;
    settings.mail.context("no mail settings")
}

/// Starts a correspondence match of two users, in which the first one makes a move.
async fn play(address: std::net::SocketAddr, first: &Guest, second: &Guest) -> Result<(TableId, Client)> {
    let time = Some(TimeSetting::Correspondence { days: 3 });
    let request = CreateTable { time, seat: Some(Color::White), ..plain(Variant::Classic) };
    let table = Http::new(address).as_guest(first).create(&request).await?.table;
    let (mut one, mut two) =
        (Client::open(address, Some(first)).await?, Client::open(address, Some(second)).await?);
    one.watch(table).await?;
    two.watch(table).await?;
    let sit = two.sit(table, None, None);
    let seq = two.accepted(&sit).await?;
    one.until_seq(table, seq).await?;
    let command = one.mv(table, "e2e4".parse()?)?;
    let seq = one.accepted(&command).await?;
    two.until_seq(table, seq).await?;
    Ok((table, two))
}

fn check_notification(mail: &Mail, table: TableId) -> Result<String> {
    ensure!(mail.to == "ben@mail.example" && mail.from == "post@chess.example", "{mail:?}");
    ensure!(mail.header("From")? == "Quadrex <post@chess.example>");
    ensure!(mail.header("To")? == "ben@mail.example");
    ensure!(mail.header("Auto-Submitted")? == "auto-generated");
    ensure!(mail.header("Message-ID")?.ends_with("@chess.example>"));
    ensure!(mail.header("Date").is_ok());
    ensure!(mail.header("List-Unsubscribe-Post")? == "List-Unsubscribe=One-Click");
    ensure!(mail.body.contains("Classic against Ada"), "{mail:?}");
    ensure!(mail.body.contains(&format!("{PUBLIC_URL}/t/{table}\n")), "{mail:?}");
    let one_click = mail.header("List-Unsubscribe")?.trim_matches(['<', '>']);
    let path = one_click.strip_prefix(PUBLIC_URL).context(one_click.to_owned())?.to_owned();
    let page = mail.secret("/mail/unsubscribe")?;
    ensure!(path == format!("/api/mail/unsubscribe/{page}"), "{path}");
    Ok(path)
}

async fn check_mail(database: Database) -> Result<()> {
    let smtp = SmtpServer::start().await?;
    let mut launch = Launch::new(&database)?
        .with_env("QUADREX_NOTIFICATIONS__DELAY_SECONDS", "0")
        .with_env("QUADREX_MAIL__DELAY_SECONDS", "0")
        .with_env("QUADREX_LOG__FILTER", "debug");
    for (name, value) in smtp.settings() {
        launch = launch.with_env(name, value);
    }
    let server = launch.start().await?;
    let (ada, ben) = (server.http().account("Ada").await?, server.http().account("Ben").await?);
    let http = server.http().as_guest(&ben);
    ensure!(
        settings(&http).await?
            == MailSettings {
                address: None,
                confirmed: false,
                language: None,
                notifications: true,
                pending: None,
            }
    );
    // The texts of mail servers may contain the address, and are not logged.
    smtp.refuse(&["550 no ben@mail.example"]);
    ensure!(choose(&http, "ben@mail.example").await?.status == 204);
    launch.until_logged("a link is not sent by mail", 1).await?;
    ensure!(choose(&http, "ben@mail.example").await?.status == 204);
    let mail = smtp.until_received(1).await?;
    ensure!(mail.to == "ben@mail.example" && mail.header("Subject")? == "Please confirm your email address");
    let waiting = settings(&http).await?;
    ensure!(waiting.address.as_deref() == Some("ben@mail.example") && !waiting.confirmed, "{waiting:?}");
    let secret = mail.secret("/mail/confirm")?;
    ensure!(confirm(&server.http(), "wrong").await?.refusal(410)? == RefusalCode::BadMailLink);
    ensure!(confirm(&server.http(), &secret).await?.status == 204);
    ensure!(
        confirm(&server.http(), &secret).await?.refusal(410)? == RefusalCode::BadMailLink,
        "it works once"
    );
    ensure!(settings(&http).await?.confirmed);
    let (table, client) = play(server.address(), &ada, &ben).await?;
    // The start of the match, and the turn.
    let mail = smtp.until_received(2).await?;
    let mails = if mail.body.contains("turn") {
        smtp.mails()
    } else {
        smtp.until_received(3).await.map(|_| smtp.mails())?
    };
    let turn = mails.iter().find(|mail| mail.body.starts_with("It\u{2019}s your turn")).context("no turn")?;
    let unsubscribe = check_notification(turn, table)?;
    drop(client);
    let changed = http.request("POST", &unsubscribe, Some("List-Unsubscribe=One-Click")).await?;
    ensure!(changed.status == 204, "{changed:?}");
    ensure!(!settings(&http).await?.notifications && settings(&http).await?.confirmed);
    ensure!(http.request("DELETE", "/api/me/mail", None).await?.status == 204);
    ensure!(settings(&http).await?.address.is_none());
    let log = launch.log();
    ensure!(log.contains("mail_confirmed") && log.contains("mail_removed"));
    let key = unsubscribe.rsplit('/').next().context("the key")?;
    for hidden in ["mail.example", secret.as_str(), key] {
        ensure!(!log.contains(hidden), "the log contains {hidden}");
    }
    Ok(())
}

#[tokio::test]
async fn an_address_is_confirmed_and_receives_turns_on_sqlite() -> Result<()> {
    check_mail(Database::Sqlite).await
}

#[tokio::test]
async fn an_address_is_confirmed_and_receives_turns_on_postgres() -> Result<()> {
    check_mail(Database::postgres().await?).await
}

#[tokio::test]
async fn a_link_works_for_a_day_and_only_the_last_one_works() -> Result<()> {
    let (server, smtp) = start().await?;
    let http = server.http().as_guest(&server.http().account("Ada").await?);
    choose(&http, "ada@one.example").await?;
    let first = smtp.until_received(1).await?.secret("/mail/confirm")?;
    choose(&http, "ada@two.example").await?;
    let second = smtp.until_received(2).await?;
    ensure!(second.to == "ada@two.example");
    ensure!(confirm(&http, &first).await?.refusal(410)? == RefusalCode::BadMailLink, "it was replaced");
    server.skip(DAY);
    let second = second.secret("/mail/confirm")?;
    ensure!(confirm(&http, &second).await?.refusal(410)? == RefusalCode::BadMailLink, "it has expired");
    ensure!(settings(&http).await?.address.is_none(), "an address that is not confirmed is dropped");
    Ok(())
}

#[tokio::test]
async fn an_address_stays_until_another_one_is_confirmed() -> Result<()> {
    let (server, smtp) = start().await?;
    let http = server.http().as_guest(&server.http().account("Ada").await?);
    add_address(&http, &smtp, "ada@one.example", 1).await?;
    choose(&http, "ada@two.example").await?;
    let secret = smtp.until_received(2).await?.secret("/mail/confirm")?;
    let both = settings(&http).await?;
    ensure!(both.address.as_deref() == Some("ada@one.example") && both.confirmed);
    ensure!(both.pending.as_deref() == Some("ada@two.example"));
    ensure!(confirm(&http, &secret).await?.status == 204);
    let new = settings(&http).await?;
    ensure!(new.address.as_deref() == Some("ada@two.example") && new.pending.is_none());
    // The language and the notifications change without a mail.
    let body = json!({"address": "ada@two.example", "language": "es", "notifications": false});
    ensure!(http.request("PUT", "/api/me/mail", Some(&body.to_string())).await?.status == 204);
    let changed = settings(&http).await?;
    ensure!(!changed.notifications && changed.confirmed && changed.language != new.language);
    choose(&http, "ada@three.example").await?;
    smtp.until_received(3).await?;
    Ok(())
}

#[tokio::test]
async fn a_turn_is_notified_by_mail_once_unless_the_user_moves_before() -> Result<()> {
    let (server, smtp) = start().await?;
    let (ada, ben) = (server.http().account("Ada").await?, server.http().account("Ben").await?);
    let http = server.http().as_guest(&ben);
    add_address(&http, &smtp, "ben@mail.example", 1).await?;
    let choice = json!({"turn": true, "started": false});
    http.request("PUT", "/api/me/notifications", Some(&choice.to_string())).await?;
    let (fast, mut client) = play(server.address(), &ada, &ben).await?;
    let (slow, _client) = play(server.address(), &ada, &ben).await?;
    until_waiting(&server.store().await?, 2).await?;
    let command = client.mv(fast, "e7e5".parse()?)?;
    client.accepted(&command).await?;
    // A link has no delay.
    server.skip(DELAY / 5);
    let cleo = server.http().as_guest(&server.http().account("Cleo").await?);
    add_address(&cleo, &smtp, "cleo@mail.example", 2).await?;
    server.skip(DELAY);
    let mail = smtp.until_received(3).await?;
    let unsubscribe = check_notification(&mail, slow)?;
    until_none_waits(&server.store().await?).await?;
    server.skip(DAY);
    let changed = server.http().request("POST", &unsubscribe, None).await?;
    ensure!(changed.status == 204, "{changed:?}");
    play(server.address(), &ada, &ben).await?;
    server.skip(DELAY);
    until_none_waits(&server.store().await?).await?;
    smtp.until_received(3).await?;
    let wrong = server.http().request("POST", "/api/mail/unsubscribe/wrong", None).await?;
    ensure!(wrong.refusal(410)? == RefusalCode::BadMailLink);
    Ok(())
}

#[tokio::test]
async fn a_mail_waits_for_the_end_of_the_quiet_hours() -> Result<()> {
    let (server, smtp) = start().await?;
    let (ada, ben) = (server.http().account("Ada").await?, server.http().account("Ben").await?);
    let http = server.http().as_guest(&ben);
    add_address(&http, &smtp, "ben@mail.example", 1).await?;
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed()?.as_secs() / 60 % 1440;
    let (from, to) = ((now + 1440 - 60) % 1440, (now + 180) % 1440);
    let quiet = json!({"from_minute": from, "to_minute": to, "utc_offset_minutes": 0});
    let choice = json!({"turn": true, "started": false, "quiet_hours": quiet});
    http.request("PUT", "/api/me/notifications", Some(&choice.to_string())).await?;
    play(server.address(), &ada, &ben).await?;
    until_waiting(&server.store().await?, 1).await?;
    server.skip(DELAY);
    // A link has no quiet hours, and is sent after the turn was postponed.
    choose(&http, "ben@other.example").await?;
    ensure!(smtp.until_received(2).await?.to == "ben@other.example");
    server.skip(Duration::from_secs(3 * 3_600));
    ensure!(smtp.until_received(3).await?.body.starts_with("It\u{2019}s your turn"));
    Ok(())
}

/// A mail that the SMTP server does not accept now is sent again, with another secret. One that it
/// refuses is not.
#[tokio::test]
async fn a_link_is_sent_again_unless_the_mail_server_refuses_it() -> Result<()> {
    let (server, smtp) = start().await?;
    let http = server.http().as_guest(&server.http().account("Ada").await?);
    smtp.refuse(&["451 later, ada@mail.example"]);
    choose(&http, "ada@mail.example").await?;
    smtp.until_refused(1).await?;
    server.skip(Duration::from_secs(11));
    let secret = smtp.until_received(1).await?.secret("/mail/confirm")?;
    ensure!(confirm(&http, &secret).await?.status == 204);
    smtp.refuse(&["550 no ada@nowhere.example"]);
    choose(&http, "ada@nowhere.example").await?;
    smtp.until_refused(2).await?;
    let dropped = async {
        while settings(&http).await?.pending.is_some() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        anyhow::Ok(())
    };
    timeout(PATIENCE, dropped).await.context("waiting until the address is dropped")??;
    server.skip(DAY);
    smtp.until_received(1).await?;
    Ok(())
}

#[tokio::test]
async fn requests_for_links_are_limited_per_user_and_per_address() -> Result<()> {
    let (server, _smtp) = start().await?;
    let ada = server.http().as_guest(&server.http().account("Ada").await?);
    for number in 0..6 {
        ensure!(choose(&ada, &format!("ada@{number}.example")).await?.status == 204, "{number}");
    }
    ensure!(choose(&ada, "ada@6.example").await?.refusal(429)? == RefusalCode::RateLimited);
    for number in 0..7 {
        let user = server.http().as_guest(&server.http().account(&format!("User {number}")).await?);
        let answer =
            choose(&user, if number % 2 == 0 { "victim@mail.example" } else { "Victim@Mail.example" });
        let answer = answer.await?;
        match number {
            6 => ensure!(answer.refusal(429)? == RefusalCode::RateLimited),
            _ => ensure!(answer.status == 204, "{number}: {answer:?}"),
        }
    }
    Ok(())
}

#[tokio::test]
async fn an_address_needs_an_account_and_a_server_with_mail() -> Result<()> {
    let (server, _smtp) = start().await?;
    let guest = server.http().as_guest(&server.guest("Guest").await?);
    ensure!(choose(&guest, "a@mail.example").await?.refusal(403)? == RefusalCode::AccountNeeded);
    let shown: NotificationSettings = guest.get("/api/me/notifications").await?.json(200)?;
    ensure!(shown.mail.is_none(), "{shown:?}");
    let ada = server.http().as_guest(&server.http().account("Ada").await?);
    for bad in ["", "ada", "ada@localhost", "Ada <ada@mail.example>", "ada@mail.example\nBcc: b@mail.example"]
    {
        ensure!(choose(&ada, bad).await?.refusal(400)? == RefusalCode::BadSetting, "{bad}");
    }
    let server = InProcessServer::start().await?;
    let ada = server.http().as_guest(&server.http().account("Ada").await?);
    ensure!(choose(&ada, "a@mail.example").await?.refusal(403)? == RefusalCode::Forbidden);
    let shown: NotificationSettings = ada.get("/api/me/notifications").await?.json(200)?;
    ensure!(shown.mail.is_none(), "{shown:?}");
    Ok(())
}

#[tokio::test]
async fn an_address_is_exported_and_deleted_with_its_user() -> Result<()> {
    let (server, smtp) = start().await?;
    let account = server.http().account("Ada").await?;
    let http = server.http().as_guest(&account);
    add_address(&http, &smtp, "ada@one.example", 1).await?;
    choose(&http, "ada@two.example").await?;
    smtp.until_received(2).await?;
    let data: PersonalData = http.get("/api/me/export").await?.json(200)?;
    let mail = data.notifications.mail.context("the mail settings are exported")?;
    ensure!(mail.address.as_deref() == Some("ada@one.example"), "{mail:?}");
    ensure!(mail.pending.as_deref() == Some("ada@two.example"), "{mail:?}");
    ensure!(http.post("/api/me/delete", &json!({"password": PASSWORD})).await?.status == 204);
    let store = server.store().await?;
    ensure!(store.mail_address_of(account.user.id).await?.is_none());
    let now = quadrex_rules::Timestamp::from_millis(0);
    ensure!(store.pending_mail_address(account.user.id, now).await?.is_none());
    Ok(())
}
