//! A user's own tables are pushed to every connection that subscribes to them.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{CreateTable, OwnTable};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, RefusalCode, ServerFrame, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Client, Database, Launch, Server};

/// A frame about the own tables.
#[derive(Debug)]
enum OwnTablesFrame {
    List(Vec<OwnTable>),
    Changed(Box<OwnTable>),
    Removed(TableId),
}

async fn next_frame(client: &mut Client) -> Result<OwnTablesFrame> {
    let pick = |frame| match frame {
        ServerFrame::OwnTables { tables } => Some(OwnTablesFrame::List(tables)),
        ServerFrame::OwnTable { table } => Some(OwnTablesFrame::Changed(Box::new(table))),
        ServerFrame::OwnTableRemoved { table } => Some(OwnTablesFrame::Removed(table)),
        _ => None,
    };
    client.find("a frame about the own tables", pick).await
}

async fn changed(client: &mut Client) -> Result<OwnTable> {
    match next_frame(client).await? {
        OwnTablesFrame::Changed(table) => Ok(*table),
        other => anyhow::bail!("{other:?} is not a change"),
    }
}

/// Waits for a change after which `is_so` returns true for the table.
async fn until(client: &mut Client, what: &str, is_so: impl Fn(&OwnTable) -> bool) -> Result<OwnTable> {
    loop {
        let table = changed(client).await.with_context(|| format!("waiting for {what}"))?;
        if is_so(&table) {
            return Ok(table);
        }
    }
}

/// Opens another connection of `player`'s user that subscribes to the own tables.
async fn connect_elsewhere(server: &Server, player: &Client) -> Result<Client> {
    let mut client = server.connect(player.guest()?).await?;
    client.send(&ClientFrame::WatchOwnTables {}).await?;
    Ok(client)
}

/// A private table is pushed to its host from its creation to its end, and to nobody else. The
/// player to move receives the remaining time.
#[tokio::test]
async fn own_tables_are_pushed_from_the_creation_to_the_end() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let (host, stranger) = (server.guest("Host").await?, server.guest("Stranger").await?);
    let [mut follower, mut other] = [server.connect(&host).await?, server.connect(&stranger).await?];
    for client in [&mut follower, &mut other] {
        client.send(&ClientFrame::WatchOwnTables {}).await?;
        ensure!(matches!(next_frame(client).await?, OwnTablesFrame::List(tables) if tables.is_empty()));
    }
    let request = CreateTable {
        seat: Some(Color::White),
        hotseat: Some(true),
        time: Some(TimeSetting::Fischer { base_ms: 60_000, increment_ms: 0 }),
        ..CreateTable::plain(Variant::Classic, Privacy::Private)
    };
    let table = server.http().as_guest(&host).create(&request).await?.table;
    let made = changed(&mut follower).await?;
    ensure!(made.summary.table == table && made.summary.phase == Phase::Open && !made.your_move, "{made:?}");

    let mut player = server.connect(&host).await?;
    player.watch(table).await?;
    let sit = player.sit(table, Some(Color::Black), None);
    player.accepted(&sit).await?;
    let started = until(&mut follower, "the start", |table| table.summary.phase == Phase::Running).await?;
    let left = started.left_ms.context("the first move has a limit")?;
    ensure!(started.your_move && (1..=30_000).contains(&left), "{started:?}");
    let resign = player.resign(table);
    player.accepted(&resign).await?;
    loop {
        match next_frame(&mut follower).await? {
            OwnTablesFrame::Removed(gone) => break ensure!(gone == table),
            OwnTablesFrame::Changed(_) => {}
            OwnTablesFrame::List(tables) => anyhow::bail!("a second list: {tables:?}"),
        }
    }
    let own = server.http().as_guest(&stranger).create(&plain(Variant::Classic)).await?.table;
    let first = changed(&mut other).await?;
    ensure!(first.summary.table == own, "a stranger receives the table of another user: {first:?}");
    Ok(())
}

/// Each of two players is notified of the start and the end of the own turns, and of nothing in
/// between. A second subscription starts with the present state.
#[tokio::test]
async fn each_player_receives_the_own_turns() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    let mut white = connect_elsewhere(&server, contest.player(Color::White)?).await?;
    let OwnTablesFrame::List(tables) = next_frame(&mut white).await? else { anyhow::bail!("no list") };
    ensure!(tables.len() == 1 && tables[0].summary.table == table && tables[0].your_move, "{tables:?}");
    ensure!(tables[0].match_id == contest.match_id && tables[0].left_ms.is_some(), "{tables:?}");
    let mut black = connect_elsewhere(&server, contest.player(Color::Black)?).await?;
    let OwnTablesFrame::List(tables) = next_frame(&mut black).await? else { anyhow::bail!("no list") };
    ensure!(!tables[0].your_move && tables[0].left_ms.is_none(), "{tables:?}");
    for (mv, is_whites) in [("e2e4", false), ("e7e5", true), ("g1f3", false)] {
        contest.play(mv.parse()?).await?;
        for (client, expected) in [(&mut white, is_whites), (&mut black, !is_whites)] {
            let received = changed(client).await?;
            ensure!(
                received.your_move == expected && received.left_ms.is_some() == expected,
                "after {mv}: {received:?}"
            );
        }
    }
    Ok(())
}

/// A connection without a user has no own tables.
#[tokio::test]
async fn nobody_has_own_tables() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut client = server.connect_as_nobody().await?;
    client.send(&ClientFrame::WatchOwnTables {}).await?;
    let refusal = |frame| match frame {
        ServerFrame::Refused { code, cmd: None, table: None, .. } => Some(code),
        _ => None,
    };
    ensure!(client.find("a refusal", refusal).await? == RefusalCode::Unauthenticated);
    Ok(())
}
