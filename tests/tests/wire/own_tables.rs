//! A user's own tables: pushed to every connection that asks for them, wherever the user is.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{CreateTable, OwnTable};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, RefusalCode, ServerFrame, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Client, Database, Launch, Server};

/// The next frame about the own tables, in words.
#[derive(Debug)]
enum News {
    List(Vec<OwnTable>),
    Changed(Box<OwnTable>),
    Removed(TableId),
}

async fn news(client: &mut Client) -> Result<News> {
    let pick = |frame| match frame {
        ServerFrame::OwnTables { tables } => Some(News::List(tables)),
        ServerFrame::OwnTable { table } => Some(News::Changed(Box::new(table))),
        ServerFrame::OwnTableRemoved { table } => Some(News::Removed(table)),
        _ => None,
    };
    client.find("news of the own tables", pick).await
}

async fn changed(client: &mut Client) -> Result<OwnTable> {
    match news(client).await? {
        News::Changed(table) => Ok(*table),
        other => anyhow::bail!("{other:?} is no change"),
    }
}

/// Waits until a table is so.
async fn until(client: &mut Client, what: &str, is_so: impl Fn(&OwnTable) -> bool) -> Result<OwnTable> {
    loop {
        let table = changed(client).await.with_context(|| format!("waiting for {what}"))?;
        if is_so(&table) {
            return Ok(table);
        }
    }
}

/// Returns a connection elsewhere of the user of `player`, which follows the own tables.
async fn elsewhere(server: &Server, player: &Client) -> Result<Client> {
    let mut client = server.connect(player.guest()?).await?;
    client.send(&ClientFrame::WatchOwnTables {}).await?;
    Ok(client)
}

/// A private table is pushed to its host from its creation to its end, and to nobody else; the player to move
/// receives the time that is left.
#[tokio::test]
async fn own_tables_are_pushed_from_the_creation_to_the_end() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let (host, stranger) = (server.guest("Host").await?, server.guest("Stranger").await?);
    let [mut follower, mut other] = [server.connect(&host).await?, server.connect(&stranger).await?];
    for client in [&mut follower, &mut other] {
        client.send(&ClientFrame::WatchOwnTables {}).await?;
        ensure!(matches!(news(client).await?, News::List(tables) if tables.is_empty()));
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
        match news(&mut follower).await? {
            News::Removed(gone) => break ensure!(gone == table),
            News::Changed(_) => {}
            News::List(tables) => anyhow::bail!("{tables:?} once more"),
        }
    }
    let own = server.http().as_guest(&stranger).create(&plain(Variant::Classic)).await?.table;
    let first = changed(&mut other).await?;
    ensure!(first.summary.table == own, "a stranger receives another's table: {first:?}");
    Ok(())
}

/// Each of two players receives the beginning and the end of the own turn, and of nothing in between; a second subscription has
/// the present state.
#[tokio::test]
async fn each_player_receives_the_own_turns() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    let mut white = elsewhere(&server, contest.player(Color::White)?).await?;
    let News::List(tables) = news(&mut white).await? else { anyhow::bail!("no list") };
    ensure!(tables.len() == 1 && tables[0].summary.table == table && tables[0].your_move, "{tables:?}");
    ensure!(tables[0].match_id == contest.match_id && tables[0].left_ms.is_some(), "{tables:?}");
    let mut black = elsewhere(&server, contest.player(Color::Black)?).await?;
    let News::List(tables) = news(&mut black).await? else { anyhow::bail!("no list") };
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

/// Only users have own tables.
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
