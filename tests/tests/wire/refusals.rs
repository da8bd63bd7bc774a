//! Invalid input is refused with a code and a message and changes nothing. The connection stays
//! open or closes exactly as documented.

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::http::{NewInvite, Uses};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{ClientFrame, RefusalCode, ServerFrame, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Client, Database, Http, Launch, Received};
use serde_json::json;

/// The maximum size of a frame, and the maximum size that is refused without closing the
/// connection.
const FRAME_BYTES: usize = 4 * 1024;
const READ_BYTES: usize = 64 * 1024;

/// Returns the code of the next refusal. Its message must not be empty.
async fn refusal(client: &mut Client) -> Result<RefusalCode> {
    let refusal = client.find("a refusal", |frame| match frame {
        ServerFrame::Refused { code, message, .. } => Some((code, message)),
        _ => None,
    });
    let (code, message) = refusal.await?;
    ensure!(message.len() > 5 && !message.ends_with('.'), "{code:?} says {message:?}");
    Ok(code)
}

/// Returns the head of a table, which also checks that the connection still works.
async fn head(client: &mut Client, table: TableId) -> Result<u64> {
    client.send(&ClientFrame::Ping {}).await?;
    let heads = client.find("the pong", |frame| match frame {
        ServerFrame::Pong { heads } => Some(heads),
        _ => None,
    });
    Ok(heads.await?.get(&table).context("the table is watched")?.seq)
}

/// Returns a `ping` padded with blanks to this size.
fn ping_of(bytes: usize) -> String {
    let ping = r#"{"t":"ping"}"#;
    format!("{ping}{}", " ".repeat(bytes - ping.len()))
}

#[tokio::test]
async fn malformed_frames_are_refused() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    let white = contest.player(Color::White)?;
    let start = white.table(table)?.seq();
    let id = table.to_string();
    let cases = [
        (RefusalCode::Malformed, String::new()),
        (RefusalCode::Malformed, "{".to_owned()),
        (RefusalCode::Malformed, "[]".to_owned()),
        (RefusalCode::Malformed, "\"ping\"".to_owned()),
        (RefusalCode::Malformed, "{}".to_owned()),
        (RefusalCode::Malformed, json!({"t": 7}).to_string()),
        (RefusalCode::Malformed, json!({"t": "ping", "more": 1}).to_string()),
        (RefusalCode::Malformed, json!({"t": "watch"}).to_string()),
        (RefusalCode::Malformed, json!({"t": "watch", "table": "here"}).to_string()),
        (RefusalCode::Malformed, json!({"t": "resign", "table": id}).to_string()),
        (RefusalCode::Malformed, json!({"t": "resign", "table": id, "cmd": ""}).to_string()),
        (RefusalCode::Malformed, json!({"t": "resign", "table": id, "cmd": "x".repeat(65)}).to_string()),
        (
            RefusalCode::Malformed,
            json!({"t": "move", "table": id, "cmd": "a", "after": -1, "move": "e2e4"}).to_string(),
        ),
        (
            RefusalCode::Malformed,
            json!({"t": "move", "table": id, "cmd": "a", "after": start, "move": "e2"}).to_string(),
        ),
        (
            RefusalCode::Malformed,
            json!({"t": "move", "table": id, "cmd": "a", "after": start, "move": "z2z4"}).to_string(),
        ),
        (RefusalCode::Malformed, json!({"t": "move", "table": id, "cmd": "a", "move": "e2e4"}).to_string()),
        (
            RefusalCode::Malformed,
            json!({"t": "request", "table": id, "cmd": "a", "request": "draw", "action": "force"})
                .to_string(),
        ),
        (RefusalCode::UnknownType, json!({"t": "dance"}).to_string()),
        (RefusalCode::UnknownType, json!({"t": "MOVE", "table": id}).to_string()),
        (RefusalCode::HelloExpected, json!({"t": "hello"}).to_string()),
        (RefusalCode::TooLarge, ping_of(FRAME_BYTES + 1)),
        (RefusalCode::TooLarge, ping_of(READ_BYTES)),
    ];
    for (code, text) in cases {
        let shown: String = text.chars().take(90).collect();
        white.send_text(text).await?;
        let got = refusal(white).await.with_context(|| shown.clone())?;
        ensure!(got == code, "{shown} was refused as {got:?}, not {code:?}");
        ensure!(head(white, table).await? == start, "{shown} changed something");
    }
    white.send_text(ping_of(FRAME_BYTES)).await?;
    white.find("the pong", |frame| matches!(frame, ServerFrame::Pong { .. }).then_some(())).await?;
    Ok(())
}

#[tokio::test]
async fn commands_that_are_not_allowed_are_refused() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    let no_table: TableId = "01890000-0000-7000-8000-000000000000".parse()?;
    contest.play("e2e4".parse()?).await?;
    let at = contest.player(Color::White)?.table(table)?.seq();
    let mv = |at, text: &str| json!({"t": "move", "table": table, "after": at, "move": text});
    let cases = [
        ("white", RefusalCode::NotYourTurn, mv(at, "d2d4")),
        ("white", RefusalCode::NotYourTurn, mv(at, "e7e5")),
        (
            "white",
            RefusalCode::RequestRefused,
            json!({"t": "request", "table": table, "request": "draw", "action": "ask"}),
        ),
        (
            "white",
            RefusalCode::NoOpenRequest,
            json!({"t": "request", "table": table, "request": "draw", "action": "accept"}),
        ),
        (
            "white",
            RefusalCode::NoOpenRequest,
            json!({"t": "request", "table": table, "request": "takeback", "action": "decline"}),
        ),
        ("white", RefusalCode::NotYourTurn, json!({"t": "claim_draw", "table": table})),
        ("white", RefusalCode::AlreadyStarted, json!({"t": "leave", "table": table})),
        ("white", RefusalCode::AlreadySeated, json!({"t": "sit", "table": table})),
        ("black", RefusalCode::IllegalMove, mv(at, "e7e4")),
        ("black", RefusalCode::IllegalMove, mv(at, "e2e4")),
        ("black", RefusalCode::IllegalMove, mv(at, "e7e8q")),
        ("black", RefusalCode::IllegalMove, mv(at, "n11n12")),
        ("black", RefusalCode::Stale, mv(at - 1, "e7e5")),
        ("black", RefusalCode::NoDrawToClaim, json!({"t": "claim_draw", "table": table})),
        ("black", RefusalCode::NotFound, json!({"t": "resign", "table": no_table})),
        ("black", RefusalCode::NotFound, json!({"t": "sit", "table": no_table})),
        ("black", RefusalCode::NotFound, json!({"t": "move", "table": no_table, "after": 1, "move": "e7e5"})),
        ("stranger", RefusalCode::NotSeated, mv(at, "e7e5")),
        ("stranger", RefusalCode::NotSeated, json!({"t": "resign", "table": table})),
        (
            "stranger",
            RefusalCode::NotSeated,
            json!({"t": "request", "table": table, "request": "takeback", "action": "ask"}),
        ),
        ("stranger", RefusalCode::TableFull, json!({"t": "sit", "table": table})),
        ("stranger", RefusalCode::SeatTaken, json!({"t": "sit", "table": table, "seat": "white"})),
        ("stranger", RefusalCode::NoSuchSeat, json!({"t": "sit", "table": table, "seat": "red"})),
        ("nobody", RefusalCode::Unauthenticated, json!({"t": "sit", "table": table})),
        ("nobody", RefusalCode::Unauthenticated, mv(at, "e7e5")),
        ("nobody", RefusalCode::Unauthenticated, json!({"t": "resign", "table": table})),
    ];
    let mut stranger = server.connect(&server.guest("stranger").await?).await?;
    stranger.watch(table).await?;
    let mut nobody = server.connect_as_nobody().await?;
    nobody.watch(table).await?;
    // White may make no second offer before its next turn.
    let white = contest.player(Color::White)?;
    let offer = white.draw(table, quadrex_protocol::RequestAction::Ask);
    white.accepted(&offer).await?;
    let black = contest.player(Color::Black)?;
    let decline = black.draw(table, quadrex_protocol::RequestAction::Decline);
    let start = black.accepted(&decline).await?;
    for (number, (who, code, mut frame)) in cases.into_iter().enumerate() {
        frame["cmd"] = json!(format!("bad-{number}"));
        let client = match who {
            "white" => contest.player(Color::White)?,
            "black" => contest.player(Color::Black)?,
            "stranger" => &mut stranger,
            _ => &mut nobody,
        };
        let text = frame.to_string();
        let command: ClientFrame = serde_json::from_str(&text)?;
        let got = client.refused(&command).await.with_context(|| format!("{who}: {text}"))?;
        ensure!(got == code, "{who}: {text} was refused as {got:?}, not {code:?}");
        ensure!(head(client, table).await? == start, "{who}: {text} changed something");
    }
    Ok(())
}

#[tokio::test]
async fn frames_before_hello_are_refused() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut client = Client::connect(server.address()).await?;
    client.send(&ClientFrame::Ping {}).await?;
    ensure!(refusal(&mut client).await? == RefusalCode::HelloExpected);
    client.send(&ClientFrame::Hello { token: Some("nonsense".to_owned()) }).await?;
    ensure!(refusal(&mut client).await? == RefusalCode::BadToken);
    client.send(&ClientFrame::Hello { token: None }).await?;
    client.find("a welcome", |frame| matches!(frame, ServerFrame::Welcome { .. }).then_some(())).await
}

#[tokio::test]
async fn the_fifth_malformed_frame_in_a_row_closes_the_connection() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut client = server.connect_as_nobody().await?;
    let bad = ["{", r#"{"t":"dance"}"#, "nonsense", r#"{"t":"watch"}"#];
    for round in 0..2 {
        for text in bad {
            client.send_text(text).await?;
            refusal(&mut client).await?;
        }
        if round == 0 {
            // A valid frame resets the count.
            client.send(&ClientFrame::Ping {}).await?;
            client.find("the pong", |frame| matches!(frame, ServerFrame::Pong { .. }).then_some(())).await?;
        }
    }
    client.send_text("{").await?;
    closed_with(&mut client, 1008).await
}

#[tokio::test]
async fn a_frame_over_64_kib_closes_the_connection() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut client = server.connect_as_nobody().await?;
    client.send_text(ping_of(READ_BYTES + 1)).await?;
    closed_with(&mut client, 1009).await
}

async fn closed_with(client: &mut Client, code: u16) -> Result<()> {
    loop {
        match client.receive().await? {
            Received::Frame(_) => {}
            Received::Closed(got) if got == code => return Ok(()),
            other => bail!("{other:?} instead of a close with {code}"),
        }
    }
}

#[tokio::test]
async fn a_client_over_the_rate_limit_is_refused_but_stays_connected() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut client = server.connect_as_nobody().await?;
    for _ in 0..60 {
        client.send(&ClientFrame::Ping {}).await?;
    }
    let (mut pongs, mut refused) = (0, 0);
    while pongs + refused < 60 {
        match client.next().await? {
            ServerFrame::Pong { .. } => pongs += 1,
            ServerFrame::Refused { code: RefusalCode::RateLimited, .. } => refused += 1,
            other => bail!("{other:?}"),
        }
    }
    ensure!(pongs >= 18 && refused >= 10, "{pongs} pongs, {refused} refusals");
    Ok(())
}

/// Invalid requests, and the status and code of their refusals.
#[tokio::test]
async fn invalid_http_requests_are_refused() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let guest = server.guest("guest").await?;
    let (nobody, somebody) = (server.http(), server.http().as_guest(&guest));
    let wrong = nobody.with_header("Authorization", "Bearer nonsense");
    let ok = r#"{"variant":"classic","privacy":"public"}"#;
    let with = |key: &str, value: serde_json::Value| {
        let mut body = json!({"variant": "dilkel", "privacy": "public"});
        body[key] = value;
        body.to_string()
    };
    let cases: Vec<(&Http, &str, String, u16, RefusalCode)> = vec![
        (&nobody, "/api/tables", ok.to_owned(), 401, RefusalCode::Unauthenticated),
        (&wrong, "/api/tables", ok.to_owned(), 401, RefusalCode::BadToken),
        (&somebody, "/api/tables", "{".to_owned(), 400, RefusalCode::Malformed),
        (&somebody, "/api/tables", "{}".to_owned(), 400, RefusalCode::Malformed),
        (&somebody, "/api/tables", with("variant", json!("chess")), 400, RefusalCode::Malformed),
        (&somebody, "/api/tables", with("more", json!(1)), 400, RefusalCode::Malformed),
        (&somebody, "/api/tables", with("seat", json!("white")), 400, RefusalCode::NoSuchSeat),
        (&somebody, "/api/tables", with("setup", json!("nonsense")), 400, RefusalCode::BadSetup),
        (
            &somebody,
            "/api/tables",
            with("time", json!({"kind": "fischer", "base_ms": 0, "increment_ms": 0})),
            400,
            RefusalCode::BadSetting,
        ),
        (&nobody, "/api/guests", json!({"name": ""}).to_string(), 400, RefusalCode::BadSetting),
        (&nobody, "/api/guests", json!({"name": "x".repeat(25)}).to_string(), 400, RefusalCode::BadSetting),
        (&nobody, "/api/guests", json!({"nmae": "x"}).to_string(), 400, RefusalCode::Malformed),
        (
            &nobody,
            "/api/guests",
            format!("{{\"name\":\"{}\"}}", "x".repeat(READ_BYTES)),
            413,
            RefusalCode::TooLarge,
        ),
        (&nobody, "/api/nothing", ok.to_owned(), 404, RefusalCode::NotFound),
    ];
    for (http, path, body, status, code) in cases {
        let shown: String = body.chars().take(90).collect();
        let answer = http.request("POST", path, Some(&body)).await?;
        let got = answer.refusal(status).with_context(|| format!("POST {path} {shown}"))?;
        ensure!(got == code, "POST {path} {shown} was refused as {got:?}, not {code:?}");
    }
    let tables = nobody.public_tables().await?;
    ensure!(tables.is_empty(), "a table was created: {tables:?}");
    Ok(())
}

/// S1: a start position in which the game is over, or in which a player is eliminated, is refused.
#[tokio::test]
async fn a_start_position_without_a_legal_move_is_refused() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let http = server.http().as_guest(&server.guest("guest").await?);
    let setups = [
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "k7/8/8/8/8/8/8/K7 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
    ];
    for setup in setups {
        let table =
            quadrex_protocol::http::CreateTable { setup: Some(setup.to_owned()), ..plain(Variant::Classic) };
        let answer = http.post("/api/tables", &table).await?;
        ensure!(answer.refusal(400).context(setup)? == RefusalCode::BadSetup, "{setup}");
    }
    Ok(())
}

/// Of many concurrent requests for the last free seat, one succeeds. A single-use invite is used
/// once.
#[tokio::test]
async fn only_one_client_gets_the_last_seat_or_a_single_use_invite() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let host = server.guest("host").await?;
    let http = server.http().as_guest(&host);
    let mut table = plain(Variant::Dilkel);
    table.privacy = Privacy::Private;
    let table = http.create(&table).await?.table;
    let invite = http.invite(table, &NewInvite { seat: None, uses: Uses::Single }).await?.secret;
    let mut guests = Vec::new();
    for number in 0..8 {
        guests.push(server.connect(&server.guest(&format!("guest {number}")).await?).await?);
    }
    let mut sent = Vec::new();
    for client in &mut guests {
        let sit = client.sit(table, None, Some(&invite));
        client.send(&sit).await?;
        sent.push(sit);
    }
    let (mut seated, mut refused) = (0, 0);
    for (client, sit) in guests.iter_mut().zip(&sent) {
        let cmd = sit.command_id().context("it is a command")?;
        match client.answer(cmd).await? {
            quadrex_tests::Answer::Ack(_) => seated += 1,
            quadrex_tests::Answer::Refused(RefusalCode::BadInvite, _) => refused += 1,
            other => bail!("{other:?}"),
        }
    }
    ensure!((seated, refused) == (1, 7), "{seated} sat down, {refused} were refused");
    Ok(())
}

/// The refusal of a command that is too large contains its id, like all refusals.
#[tokio::test]
async fn the_refusal_of_a_too_large_command_has_the_command_s_id() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    let white = contest.player(Color::White)?;
    let words = json!({"text": "x".repeat(FRAME_BYTES)});
    let chat = json!({"t": "chat", "room": "seated", "message": words, "cmd": "long", "table": table});
    white.send_text(chat.to_string()).await?;
    let answer = white.answer(&"long".parse()?).await?;
    ensure!(matches!(answer, quadrex_tests::Answer::Refused(RefusalCode::TooLarge, _)), "{answer:?}");
    Ok(())
}

/// A repeated message is acknowledged on a connection that does not watch the table yet, because a
/// command in the log is never refused.
#[tokio::test]
async fn a_repeated_chat_message_is_acknowledged_before_the_table_is_watched() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let guest = server.guest("bystander").await?;
    let mut bystander = server.connect(&guest).await?;
    bystander.watch(contest.table).await?;
    let chat = json!({"t": "chat", "room": "bystanders", "message": {"text": "hm"}, "cmd": "said", "table": contest.table});
    let cmd = "said".parse()?;
    bystander.send_text(chat.to_string()).await?;
    let first = bystander.answer(&cmd).await?;
    ensure!(matches!(first, quadrex_tests::Answer::Ack(_)), "{first:?}");
    let mut back = server.connect(&guest).await?;
    back.send_text(chat.to_string()).await?;
    let again = back.answer(&cmd).await?;
    ensure!(again == first, "{first:?}, and then {again:?}");
    back.send_text(chat.to_string().replace("said", "other")).await?;
    let other = back.answer(&"other".parse()?).await?;
    ensure!(matches!(other, quadrex_tests::Answer::Refused(RefusalCode::Forbidden, _)), "{other:?}");
    Ok(())
}
