//! Matches of bots, matches of people and bots, and bots after a restart of the server.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::archive::MatchList;
use quadrex_protocol::bot::{BotChoice, BotList, BotSeat, BotView};
use quadrex_protocol::http::{CreateTable, TableCreated, TableSummary};
use quadrex_protocol::view::{Phase, SeatView};
use quadrex_protocol::{ClientFrame, Event, MatchRecord, RefusalCode, RequestAction, TableId};
use quadrex_rules::{Color, DrawPolicy, Request, Variant};
use quadrex_tests::contest::{plain, without_rate_limits};
use quadrex_tests::rng::Rng;
use quadrex_tests::{Client, Database, Http, Launch, PATIENCE, Server};

/// Returns the built-in engine at this level.
pub(crate) fn level(number: u8) -> Result<BotChoice> {
    Ok(BotChoice::BuiltIn { level: number.try_into()? })
}

/// Returns a server whose bots move without a pause.
pub(crate) fn with_fast_bots(database: &Database) -> Result<Launch> {
    let launch = without_rate_limits(Launch::new(database)?);
    let settings = [("THREADS", 1), ("MIN_DELAY_MS", 0), ("MAX_DELAY_MS", 0), ("THINK_MS", 200)];
    let with =
        |launch: Launch, (key, value): (&str, i32)| launch.with_env(&format!("QUADREX_BOTS__{key}"), value);
    Ok(settings.into_iter().fold(launch, with))
}

/// Returns the request for a table with bots of this level in its first seats.
pub(crate) fn with_bots(variant: Variant, bots: usize, number: u8) -> Result<CreateTable> {
    let bot = level(number)?;
    Ok(CreateTable {
        draws: Some(DrawPolicy::Automatic),
        bots: vec![BotSeat { seat: None, bot }; bots],
        ..plain(variant)
    })
}

fn is_ended(client: &Client, table: TableId) -> bool {
    client.table(table).is_ok_and(|seen| seen.state().phase == Phase::Ended)
}

/// Checks that every seat is held by a bot of this level, and marked as a bot.
fn check_all_are_bots(seats: &[SeatView], number: u8) -> Result<()> {
    let expected = BotView::from(level(number)?);
    for seat in seats {
        let user = seat.user.as_ref().context("a seat is open")?;
        ensure!(user.bot.as_ref() == Some(&expected), "{user:?} is not marked");
        ensure!(user.name == format!("Quadrex {number}"), "{user:?}");
    }
    Ok(())
}

/// Four bots start as soon as their table is created, and play to the end with only a watcher. They
/// are marked as bots in every view.
async fn check_four_bots(database: &Database) -> Result<()> {
    let server = with_fast_bots(database)?.start().await?;
    let host = server.guest("Ada").await?;
    let TableCreated { table, match_id } =
        server.http().as_guest(&host).create(&with_bots(Variant::Dilkel, 4, 1)?).await?;
    let mut watcher = server.connect_as_nobody().await?;
    let seen = watcher.watch(table).await?;
    ensure!(seen.state().phase != Phase::Open, "{:?}", seen.state().phase);
    check_all_are_bots(&seen.view().seats, 1)?;
    watcher.until("the end", |watcher| is_ended(watcher, table)).await?;
    let outcome = watcher.table(table)?.state().outcome.clone().context("it has an outcome")?;
    ensure!(outcome.places.len() == 4, "{outcome:?}");

    let MatchList { matches, .. } = server.http().get("/api/matches?variant=dilkel").await?.json(200)?;
    ensure!(matches.len() == 1 && matches[0].outcome == Some(outcome), "{matches:?}");
    check_all_are_bots(&matches[0].seats, 1)?;
    let notation = server.http().get(&format!("/api/matches/{match_id}/notation")).await?.body;
    ensure!(
        notation.contains("[RedTitle \"BOT\"]") && notation.contains("[Red \"Quadrex 1\"]"),
        "{notation}"
    );
    let record = server.http().get(&format!("/api/matches/{match_id}/record")).await?;
    record.json::<MatchRecord>(200)?.verify()?;
    Ok(())
}

#[tokio::test]
async fn four_bots_play_to_the_end_on_sqlite() -> Result<()> {
    check_four_bots(&Database::Sqlite).await
}

#[tokio::test]
async fn four_bots_play_to_the_end_on_postgres() -> Result<()> {
    check_four_bots(&Database::postgres().await?).await
}

/// Creates a table with bots for a new guest, Ada, and watches it.
async fn against_bots(server: &Server, table: &CreateTable) -> Result<(TableId, Client)> {
    let guest = server.guest("Ada").await?;
    let TableCreated { table, .. } = server.http().as_guest(&guest).create(table).await?;
    let mut client = server.connect(&guest).await?;
    client.watch(table).await?;
    Ok((table, client))
}

/// Waits until it is this client's turn or the match is over; returns true if it is its turn.
async fn until_turn(client: &mut Client, table: TableId) -> Result<bool> {
    let has_turn = |client: &Client| client.table(table).is_ok_and(|seen| seen.view().legal_moves.is_some());
    client.until("the own turn", |client| has_turn(client) || is_ended(client, table)).await?;
    Ok(has_turn(client))
}

/// Makes any legal move.
async fn play_any(client: &mut Client, table: TableId, rng: &mut Rng) -> Result<()> {
    let legal = client.table(table)?.view().legal_moves.clone().context("it is its turn")?;
    let mv = client.mv(table, *rng.pick(&legal).context("there is a move")?)?;
    client.accepted(&mv).await.map(drop)
}

/// Sends a request to the bots and waits for their answer.
async fn ask(client: &mut Client, table: TableId, request: Request) -> Result<Event> {
    let asking = client.request(table, request, RequestAction::Ask);
    let asked = client.accepted(&asking).await?;
    let is_answer = |event: &Event| match event {
        Event::Declined { request: of, .. } => *of == request,
        Event::TakenBack { .. } => request == Request::Takeback,
        Event::Paused {} => request == Request::Pause,
        Event::Aborted { .. } | Event::Ended { .. } => true,
        _ => false,
    };
    let answer = |client: &Client| {
        let history = &client.table(table).ok()?.view().history;
        let mut since = history.iter().filter(|entry| entry.seq > asked).map(|entry| entry.event.clone());
        since.find(is_answer)
    };
    client.until("the bots' answer", |client| answer(client).is_some()).await?;
    answer(client).context("they have answered")
}

/// A person plays with three bots. They move on their turns, agree to a takeback and a pause, and
/// decline a draw in an equal position.
#[tokio::test]
async fn a_person_plays_with_bots() -> Result<()> {
    let server = with_fast_bots(&Database::Sqlite)?.start().await?;
    let table = CreateTable { seat: Some(Color::Blue), ..with_bots(Variant::Dilkel, 3, 2)? };
    let (table, mut client) = against_bots(&server, &table).await?;
    let mut rng = Rng::new(5);
    for _ in 0..3 {
        ensure!(until_turn(&mut client, table).await?, "the match is over");
        play_any(&mut client, table, &mut rng).await?;
    }
    ensure!(until_turn(&mut client, table).await?, "the match is over");
    let answer = ask(&mut client, table, Request::Draw).await?;
    ensure!(matches!(answer, Event::Declined { .. }), "{answer:?}");
    let answer = ask(&mut client, table, Request::Abort).await?;
    ensure!(matches!(answer, Event::Declined { .. }), "{answer:?}");
    let answer = ask(&mut client, table, Request::Takeback).await?;
    ensure!(matches!(answer, Event::TakenBack { .. }), "{answer:?}");
    ensure!(until_turn(&mut client, table).await?, "the match is over");
    let answer = ask(&mut client, table, Request::Pause).await?;
    ensure!(matches!(answer, Event::Paused {}), "{answer:?}");
    let resume = ClientFrame::Resume { table, cmd: client.next_command_id(), seat: None, match_id: None };
    client.accepted(&resume).await?;
    ensure!(until_turn(&mut client, table).await?, "it continues");
    Ok(())
}

/// A classic match against a bot can be aborted before both players have moved. The bot moves, and
/// accepts a rematch.
#[tokio::test]
async fn a_person_plays_classic_against_a_bot() -> Result<()> {
    let server = with_fast_bots(&Database::Sqlite)?.start().await?;
    let wish = CreateTable { seat: Some(Color::White), ..with_bots(Variant::Classic, 1, 1)? };
    let (table, mut client) = against_bots(&server, &wish).await?;
    let answer = ask(&mut client, table, Request::Abort).await?;
    ensure!(matches!(answer, Event::Aborted { .. }), "{answer:?}");

    let (table, mut client) = against_bots(&server, &wish).await?;
    let mut rng = Rng::new(6);
    for _ in 0..20 {
        if !until_turn(&mut client, table).await? {
            break;
        }
        play_any(&mut client, table, &mut rng).await?;
    }
    if !is_ended(&client, table) {
        let resign = client.resign(table);
        client.accepted(&resign).await?;
    }
    let first = client.table(table)?.match_id();
    let moves = client.table(table)?.view().history.iter();
    let by_bot =
        moves.filter(|entry| matches!(entry.event, Event::Moved { color: Color::Black, .. })).count();
    ensure!(by_bot >= 2, "the bot made {by_bot} moves");
    let rematch = ClientFrame::Rematch {
        table,
        cmd: client.next_command_id(),
        action: RequestAction::Ask,
        nonce: None,
        seat: None,
        match_id: None,
    };
    client.accepted(&rematch).await?;
    let is_next = |client: &Client| client.table(table).is_ok_and(|seen| seen.match_id() != first);
    client.until("another match", is_next).await?;
    let view = client.table(table)?.view();
    ensure!(view.your_seats == [Color::Black], "one seat further: {:?}", view.your_seats);
    ensure!(until_turn(&mut client, table).await?, "the bot begins");
    Ok(())
}

/// The host adds bots to open seats and removes them, and everybody sees it. Other users may not,
/// and unknown bots are refused.
#[tokio::test]
async fn the_host_adds_bots_to_seats() -> Result<()> {
    let server = with_fast_bots(&Database::Sqlite)?.start().await?;
    let list: BotList = server.http().get("/api/bots").await?.json(200)?;
    ensure!(list.levels.len() == 8 && list.engines.is_empty(), "{list:?}");
    let wish = CreateTable { seat: Some(Color::Red), ..plain(Variant::Dilkel) };
    let (table, mut host) = against_bots(&server, &wish).await?;
    let other = server.guest("Ben").await?;
    let mut other = server.connect(&other).await?;
    other.watch(table).await?;
    let add = |client: &mut Client, seat, bot| ClientFrame::AddBot {
        table,
        cmd: client.next_command_id(),
        seat,
        bot,
        match_id: None,
    };

    let refused = add(&mut other, None, level(3)?);
    ensure!(other.refused(&refused).await? == RefusalCode::Forbidden);
    let unknown = BotChoice::Engine { engine: "nobody".into(), elo: None };
    let refused = add(&mut host, None, unknown);
    ensure!(host.refused(&refused).await? == RefusalCode::BadSetting);

    for seat in [Some(Color::Green), None] {
        let adding = add(&mut host, seat, level(3)?);
        host.accepted(&adding).await?;
    }
    let kick = ClientFrame::Kick { table, cmd: host.next_command_id(), color: Color::Green, match_id: None };
    let seq = host.accepted(&kick).await?;
    let seats = &other.until_seq(table, seq).await?.view().seats;
    let held: Vec<_> = seats.iter().filter(|seat| seat.user.is_some()).map(|seat| seat.color).collect();
    ensure!(held == [Color::Red, Color::Blue], "{held:?}");
    for _ in 0..2 {
        let adding = add(&mut host, None, level(1)?);
        host.accepted(&adding).await?;
    }
    until_turn(&mut host, table).await?;
    Ok(())
}

/// A server that is killed during a match of bots continues the match.
async fn check_bots_after_restart(database: &Database) -> Result<()> {
    let launch = with_fast_bots(database)?;
    let mut server = launch.start().await?;
    let host = server.guest("Ada").await?;
    let TableCreated { table, .. } =
        server.http().as_guest(&host).create(&with_bots(Variant::DilkelCompact, 4, 1)?).await?;
    let mut watcher = server.connect_as_nobody().await?;
    watcher.watch(table).await?;
    for restart in 1..=3 {
        let seq = watcher.table(table)?.seq();
        watcher.until_seq(table, seq + 10).await?;
        ensure!(!is_ended(&watcher, table), "the match ended before restart {restart}");
        server.kill().await?;
        server = launch.start().await?;
        watcher.reconnect(server.address()).await?;
    }
    watcher.until("the end", |watcher| is_ended(watcher, table)).await?;
    ensure!(watcher.table(table)?.state().outcome.is_some());
    Ok(())
}

#[tokio::test]
async fn bots_continue_after_a_restart_on_sqlite() -> Result<()> {
    check_bots_after_restart(&Database::Sqlite).await
}

#[tokio::test]
async fn bots_continue_after_a_restart_on_postgres() -> Result<()> {
    check_bots_after_restart(&Database::postgres().await?).await
}

/// Waits until the table's summary shows that the match has ended. The limit of bot-only matches
/// reads the same summary. The table's actor updates it shortly after publishing the last event.
async fn until_summary_has_ended(http: &Http, table: TableId) -> Result<()> {
    let ended = async {
        while http.get(&format!("/api/tables/{table}")).await?.json::<TableSummary>(200)?.phase
            != Phase::Ended
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        anyhow::Ok(())
    };
    tokio::time::timeout(PATIENCE, ended).await.context("the summary still shows a running match")?
}

/// The limit applies to tables that are created with bots in all seats, and to tables that the host
/// fills with bots. A match with a person does not count, and neither does an ended match.
#[tokio::test]
async fn the_number_of_bot_only_matches_of_a_user_is_limited() -> Result<()> {
    let launch = with_fast_bots(&Database::Sqlite)?.with_env("QUADREX_LIMITS__BOT_MATCHES_PER_USER", 4);
    let server = launch.start().await?;
    let guest = server.guest("Mallory").await?;
    let http = server.http().as_guest(&guest);
    let full = serde_json::to_value(with_bots(Variant::Classic, 2, 1)?)?;
    let mut last = None;
    for _ in 0..4 {
        let TableCreated { table, .. } = http.post("/api/tables", &full).await?.json(201)?;
        last = Some(table);
    }
    ensure!(http.post("/api/tables", &full).await?.refusal(429)? == RefusalCode::RateLimited);
    let other = server.guest("Ada").await?;
    server.http().as_guest(&other).create(&with_bots(Variant::Classic, 2, 1)?).await?;

    let TableCreated { table, .. } = http.create(&with_bots(Variant::Classic, 1, 1)?).await?;
    let mut host = server.connect(&guest).await?;
    host.watch(table).await?;
    let add = ClientFrame::AddBot {
        table,
        cmd: host.next_command_id(),
        seat: None,
        bot: level(1)?,
        match_id: None,
    };
    ensure!(host.refused(&add).await? == RefusalCode::RateLimited);
    let sit = host.sit(table, None, None);
    host.accepted(&sit).await?;

    // A match of bots needs a watcher to reach its end.
    let last = last.context("tables were created")?;
    host.watch(last).await?;
    host.until("the end", |host| is_ended(host, last)).await?;
    until_summary_has_ended(&http, last).await?;
    http.create(&with_bots(Variant::Classic, 2, 1)?).await?;
    Ok(())
}
