//! Reports: users report others, and operators read and close the reports. The reported user learns
//! nothing about it.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::bot::BotList;
use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::http::{
    AdminReportDetails, AdminReportList, AdminUserDetails, NewReport, PersonalData, ReportMoment,
    ReportOutcome, ReportReason, TokenScope,
};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{MatchId, RefusalCode, UserId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::http::Response;
use quadrex_tests::operator::add_operator;
use quadrex_tests::{Database, Guest, Http, Server};

use crate::operators::{admin, launch, token_with};

fn about(user: UserId, reason: ReportReason, match_id: MatchId, message: Option<u64>) -> NewReport {
    let moment = Some(ReportMoment { match_id, at: 1, message });
    NewReport { user, reason, text: None, moment }
}

async fn send(server: &Server, reporter: &Guest, report: &NewReport) -> Result<Response> {
    server.http().as_guest(reporter).post("/api/reports", report).await
}

async fn reports(operator: &Http, query: &str) -> Result<AdminReportList> {
    operator.get(&format!("/api/admin/reports{query}")).await?.json(200)
}

async fn check_reports(database: Database) -> Result<()> {
    let launch = launch(&database)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let operator = server.http().as_guest(&olga);
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let (match_id, table) = (contest.match_id, contest.table);
    let white = contest.player(Color::White)?;
    let mv = white.mv(table, "e2e4".parse()?)?;
    white.accepted(&mv).await?;
    let chat = white.chat(table, Room::Seated, "you fool");
    let message = white.accepted(&chat).await?;
    let (white, black) = (white.guest()?.clone(), contest.player(Color::Black)?.guest()?.clone());
    let stalling = ReportReason::Stalling;

    let text = Some("He insulted me.\nAgain.".to_owned());
    let report =
        NewReport { text: text.clone(), ..about(white.user.id, ReportReason::Chat, match_id, Some(message)) };
    for _ in 0..2 {
        let sent = send(&server, &black, &report).await?;
        ensure!(sent.status == 204 && sent.body.is_empty(), "{sent:?}");
    }
    let fan = server.guest("Fan").await?;
    ensure!(send(&server, &fan, &about(white.user.id, stalling, match_id, None)).await?.status == 204);
    let list = reports(&operator, "").await?;
    let [second, first] = list.reports.as_slice() else { anyhow::bail!("{list:?}") };
    ensure!(list.next.is_none() && first.text == text && second.reporter == fan.user, "{list:?}");
    let page = reports(&operator, "?state=open&limit=1").await?;
    ensure!(page.reports.iter().eq([second]) && page.next == Some(second.number), "{page:?}");
    let page = reports(&operator, &format!("?limit=1&before={}", second.number)).await?;
    ensure!(page.reports == [first.clone()] && page.next.is_none(), "{page:?}");
    ensure!(reports(&operator, "?state=closed").await?.reports.is_empty());
    for wrong in ["?state=all", "?before=x", "?other=1"] {
        let refused = operator.get(&format!("/api/admin/reports{wrong}")).await?;
        ensure!(refused.refusal(400)? == RefusalCode::Malformed, "{wrong}");
    }

    let path = format!("/api/admin/reports/{}", first.number);
    let details: AdminReportDetails = operator.get(&path).await?.json(200)?;
    ensure!(details.report == *first && details.path == Some(format!("/m/{match_id}?ply=1")), "{details:?}");
    let moment = details.report.moment.context("a moment")?;
    ensure!((moment.table, moment.message) == (table, Some(message)), "{moment:?}");
    let [said] = details.messages.as_slice() else { anyhow::bail!("{details:?}") };
    ensure!(said.seq == message && said.user == white.user && said.color == Some(Color::White), "{said:?}");
    ensure!(said.message == ChatMessage::Text("you fool".to_owned()), "{said:?}");
    ensure!(details.notation.as_ref().is_some_and(|moves| moves.contains("1. e4")), "{details:?}");
    ensure!((details.reports_about, details.open_reports_about) == (2, 2), "{details:?}");
    let user = format!("/api/admin/users/{}", white.user.id);
    let of_user: AdminUserDetails = operator.get(&user).await?.json(200)?;
    ensure!((of_user.reports, of_user.open_reports) == (2, 2), "{of_user:?}");

    let close = serde_json::json!({"outcome": "warned", "note": "the first time"});
    let path = format!("{path}/close");
    let details: AdminReportDetails = operator.post(&path, &close).await?.json(200)?;
    let closed = details.report.closed.context("it is closed")?;
    ensure!(closed.by == olga.user && closed.outcome == ReportOutcome::Warned, "{closed:?}");
    ensure!(closed.note.as_deref() == Some("the first time") && details.open_reports_about == 1);
    ensure!(operator.post(&path, &close).await?.refusal(404)? == RefusalCode::NotFound);
    for wrong in [serde_json::json!({"outcome": "warned", "note": " "}), serde_json::json!({"outcome": "no"})]
    {
        ensure!(operator.post(&path, &wrong).await?.status == 400, "{wrong}");
    }
    ensure!(reports(&operator, "").await?.reports.iter().eq([second]));
    ensure!(reports(&operator, "?state=closed").await?.reports.len() == 1);
    ensure!(send(&server, &black, &report).await?.status == 204, "a new report after the end of the first");
    for absent in ["0", "9999", "x", "18446744073709551615"] {
        let refused = operator.get(&format!("/api/admin/reports/{absent}")).await?;
        ensure!(refused.refusal(404)? == RefusalCode::NotFound, "{absent}");
    }

    // The data of the reporter contains the reports, and that of the reported user does not.
    let data: PersonalData = server.http().as_guest(&black).get("/api/me/export").await?.json(200)?;
    let [open, closed] = data.reports.as_slice() else { anyhow::bail!("{data:?}") };
    ensure!(open.open && !closed.open && closed.text == text && closed.moment == report.moment, "{data:?}");
    for path in ["/api/me/export", "/api/me"] {
        let seen = server.http().as_guest(&white).get(path).await?.body;
        ensure!(!seen.contains("report") && !seen.contains(&fan.user.id.to_string()), "{seen}");
    }
    let log = launch.log();
    for (action, user) in [
        ("user_reported", &black),
        ("user_reported", &fan),
        ("reports_listed", &olga),
        ("report_shown", &olga),
        ("report_closed", &olga),
    ] {
        let is_entry = |line: &str| line.contains(action) && line.contains(&user.user.id.to_string());
        ensure!(log.lines().any(is_entry), "{action} in {log}");
    }
    ensure!(log.matches("user_reported").count() == 3, "a repeated report is no entry: {log}");
    Ok(())
}

#[tokio::test]
async fn operators_read_and_close_the_reports_of_users_on_sqlite() -> Result<()> {
    check_reports(Database::Sqlite).await
}

#[tokio::test]
async fn operators_read_and_close_the_reports_of_users_on_postgres() -> Result<()> {
    check_reports(Database::postgres().await?).await
}

#[tokio::test]
async fn a_report_is_about_somebody_who_took_part_in_a_match_that_the_reporter_may_read() -> Result<()> {
    let launch = launch(&Database::Sqlite)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let private =
        quadrex_protocol::http::CreateTable { privacy: Privacy::Private, ..plain(Variant::Classic) };
    let host = server.guest("Host").await?;
    let hidden = server.http().as_guest(&host).create(&private).await?;
    let contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let (match_id, stalling) = (contest.match_id, ReportReason::Stalling);
    let white = contest.players[&Color::White].guest()?.clone();
    let fan = server.guest("Fan").await?;

    // A hidden match gets the same answer as one that does not exist.
    let absent = send(&server, &fan, &about(host.user.id, stalling, MatchId(host.user.id.0), None)).await?;
    let refused = send(&server, &fan, &about(host.user.id, stalling, hidden.match_id, None)).await?;
    ensure!(refused.refusal(404)? == RefusalCode::NotFound && refused.bytes == absent.bytes);
    ensure!(refused.header("content-length") == absent.header("content-length"), "{refused:?}");

    let bots: BotList = server.http().get("/api/bots").await?.json(200)?;
    let bot = serde_json::to_value(&bots)?["bots"][0]["user"]["id"].as_str().map(str::parse);
    let at = |at| NewReport {
        moment: Some(ReportMoment { match_id, at, message: None }),
        ..about(white.user.id, stalling, match_id, None)
    };
    let text = |text: &str| NewReport { text: Some(text.to_owned()), ..at(1) };
    let of = |user| about(user, stalling, match_id, None);
    let forbidden = (403, RefusalCode::Forbidden);
    let mut cases = vec![
        (of(fan.user.id), forbidden),
        (of(UserId(match_id.0)), (404, RefusalCode::NotFound)),
        (of(host.user.id), (400, RefusalCode::BadSetting)),
        (at(0), (400, RefusalCode::BadSetting)),
        (at(1_000), (400, RefusalCode::BadSetting)),
        (about(white.user.id, ReportReason::Chat, match_id, Some(1)), (400, RefusalCode::BadSetting)),
        (NewReport { moment: None, ..at(1) }, (400, RefusalCode::BadSetting)),
        (text(&"x".repeat(1_001)), (400, RefusalCode::BadText)),
        (text("a\u{7}b"), (400, RefusalCode::BadText)),
    ];
    if let Some(bot) = bot {
        cases.push((of(bot?), forbidden));
    }
    for (report, (status, code)) in cases {
        let refused = send(&server, &fan, &report).await?;
        ensure!(refused.refusal(status)? == code, "{report:?}: {refused:?}");
    }
    let token = token_with(&server.http(), &fan, &[TokenScope::Play]).await?;
    ensure!(send(&server, &token, &at(1)).await?.refusal(403)? == RefusalCode::Forbidden);
    let anonymous = server.http().post("/api/reports", &at(1)).await?;
    ensure!(anonymous.refusal(401)? == RefusalCode::Unauthenticated);
    let operator = server.http().as_guest(&olga);
    ensure!(reports(&operator, "").await?.reports.is_empty(), "nothing was stored");

    let name = NewReport { user: white.user.id, reason: ReportReason::Name, text: None, moment: None };
    ensure!(send(&server, &fan, &name).await?.status == 204);
    ensure!(send(&server, &fan, &text(" ")).await?.status == 204, "an empty text is none");
    let list = reports(&operator, "").await?.reports;
    ensure!(list.len() == 2 && list.iter().all(|report| report.text.is_none()), "{list:?}");
    let path = format!("/api/admin/reports/{}", list[1].number);
    let details: AdminReportDetails = operator.get(&path).await?.json(200)?;
    ensure!(details.path.is_none() && details.messages.is_empty() && details.notation.is_none());
    Ok(())
}

#[tokio::test]
async fn a_user_sends_at_most_ten_reports_an_hour() -> Result<()> {
    let server = launch(&Database::Sqlite)?.start().await?;
    let fan = server.guest("Fan").await?;
    for number in 0..11 {
        let user = server.guest("Rude").await?.user.id;
        let report = NewReport { user, reason: ReportReason::Name, text: None, moment: None };
        let sent = send(&server, &fan, &report).await?;
        if number < 10 {
            ensure!(sent.status == 204, "{number}: {sent:?}");
            continue;
        }
        ensure!(sent.refusal(429)? == RefusalCode::RateLimited);
        ensure!(sent.body.contains("at most 10 reports an hour") && sent.header("retry-after").is_some());
    }
    Ok(())
}

#[tokio::test]
async fn operators_handle_reports_from_the_command_line() -> Result<()> {
    let launch = launch(&Database::Sqlite)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let url = format!("http://{}", server.address());
    let token = token_with(&server.http(), &olga, &[TokenScope::Admin]).await?.token;
    let run = async |arguments: &[&str]| admin(&url, &token, arguments).await;
    ensure!(run(&["reports"]).await? == (true, "no reports\n".to_owned()));
    let (rude, fan) = (server.guest("Rude Guest").await?, server.guest("Fan").await?);
    let text = Some("look at it".to_owned());
    let report = NewReport { user: rude.user.id, reason: ReportReason::Name, text, moment: None };
    ensure!(send(&server, &fan, &report).await?.status == 204);

    let (is_done, list) = run(&["reports"]).await?;
    ensure!(is_done && list.contains("name") && list.contains("Rude Guest by Fan  look at it"), "{list}");
    let number = list.split_whitespace().next().context("a number")?.to_owned();
    let (is_done, details) = run(&["reports", "show", &number]).await?;
    ensure!(is_done && details.contains(&rude.user.id.to_string()), "{details}");
    let close = ["reports", "close", &number, "--outcome", "renamed", "--note", "a new name"];
    let (is_done, details) = run(&close).await?;
    ensure!(is_done && details.contains("by Olga, renamed: a new name"), "{details}");
    let (is_done, error) = run(&close).await?;
    ensure!(!is_done && error.contains("closed already"), "{error}");
    let (is_done, list) = run(&["reports", "--closed"]).await?;
    ensure!(is_done && list.contains("renamed"), "{list}");
    let (is_done, error) = run(&["reports", "close", &number, "--outcome", "nothing"]).await?;
    ensure!(!is_done && error.contains("none of no_action, warned"), "{error}");
    Ok(())
}
