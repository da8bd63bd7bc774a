//! Two tabs of one player: both follow the match, and either may move, but each move is made once.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::view::Presence;
use quadrex_protocol::{ClientFrame, RefusalCode, ServerFrame, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Answer, Client, Database, Launch, Server};

async fn with_two_tabs() -> Result<(Server, Contest, Client)> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let white = contest.player(Color::White)?.guest()?.clone();
    let mut tab = server.connect(&white).await?;
    let legal = tab.watch(contest.table).await?.view().legal_moves.clone();
    ensure!(legal.is_some_and(|moves| moves.len() == 20), "it is White's turn in this tab too");
    Ok((server, contest, tab))
}

/// Returns a move with a given command id.
fn move_with_id(client: &Client, contest: &Contest, name: &str, mv: &str) -> Result<ClientFrame> {
    let at = client.table(contest.table)?.seq();
    Ok(ClientFrame::Move {
        table: contest.table,
        cmd: name.parse()?,
        after: at,
        mv: mv.parse()?,
        claim_draw: false,
        seat: None,
        match_id: None,
    })
}

/// Each tab makes a move, and both boards are updated. After every event the boards are compared
/// with the rules.
#[tokio::test]
async fn a_player_may_move_in_either_of_two_tabs() -> Result<()> {
    let (_server, mut contest, mut tab) = with_two_tabs().await?;
    let table = contest.table;
    let seq = contest.play("e2e4".parse()?).await?;
    tab.until_seq(table, seq).await?;
    let seq = contest.play("e7e5".parse()?).await?;
    tab.until_seq(table, seq).await?;
    let command = move_with_id(&tab, &contest, "tab-1", "g1f3")?;
    let seq = tab.accepted(&command).await?;
    contest.until_seq(seq).await?;
    let last = contest.player(Color::White)?.table(table)?.view().history.last().cloned();
    ensure!(last.and_then(|entry| entry.notation).as_deref() == Some("Nf3"));
    Ok(())
}

/// Both tabs send a move for the same board, and one move is made. Equal command ids are one
/// command, and both tabs get its answer. With different ids, the later command is refused.
#[tokio::test]
async fn only_one_of_two_simultaneous_moves_of_two_tabs_counts() -> Result<()> {
    let (_server, mut contest, mut tab) = with_two_tabs().await?;
    let table = contest.table;
    let first = contest.player(Color::White)?;
    let (here, there) = (first.mv(table, "e2e4".parse()?)?, first.mv(table, "d2d4".parse()?)?);
    let ClientFrame::Move { cmd, .. } = &here else { anyhow::bail!("a move") };
    let same_name = move_with_id(&tab, &contest, cmd.as_str(), "d2d4")?;
    let first = contest.player(Color::White)?;
    first.send(&here).await?;
    tab.send(&same_name).await?;
    let answers = (first.answer(cmd).await?, tab.answer(cmd).await?);
    let Answer::Ack(seq) = answers.0 else { anyhow::bail!("{answers:?}") };
    ensure!(answers.1 == answers.0, "{answers:?}");
    contest.until_seq(seq).await?;
    tab.until_seq(table, seq).await?;
    ensure!(tab.table(table)?.view().history.last().is_some_and(|entry| entry.seq == seq));

    let ClientFrame::Move { cmd: other_name, .. } = &there else { anyhow::bail!("a move") };
    let seq = contest.play("e7e5".parse()?).await?;
    tab.until_seq(table, seq).await?;
    // Both moves are legal after either pawn move.
    let here = move_with_id(&tab, &contest, other_name.as_str(), "g1f3")?;
    let there = move_with_id(&tab, &contest, "tab-1", "b1c3")?;
    let first = contest.player(Color::White)?;
    first.send(&here).await?;
    tab.send(&there).await?;
    let answers = [first.answer(other_name).await?, tab.answer(&"tab-1".parse()?).await?];
    let made: Vec<_> = answers.iter().filter(|answer| matches!(answer, Answer::Ack(_))).collect();
    let refused =
        |answer: &Answer| matches!(answer, Answer::Refused(RefusalCode::Stale | RefusalCode::NotYourTurn, _));
    ensure!(made.len() == 1 && answers.iter().any(refused), "{answers:?}");
    Ok(())
}

/// Returns White's presence in the first frame with this number of spectators.
async fn presence_of_white(client: &mut Client, at: TableId, spectators: u32) -> Result<Presence> {
    let pick = |frame| match frame {
        ServerFrame::Presence { table, players, spectators: watching, .. }
            if table == at && watching == spectators =>
        {
            players.into_iter().find(|player| player.color == Color::White).map(|player| player.presence)
        }
        _ => None,
    };
    client.find("who is there", pick).await
}

/// A player is connected as long as one tab is connected.
#[tokio::test]
async fn a_player_with_one_remaining_tab_is_connected() -> Result<()> {
    let (server, mut contest, mut tab) = with_two_tabs().await?;
    let table = contest.table;
    let mut first = contest.players.remove(&Color::White).context("White plays")?;
    first.cut().await?;
    drop(first.receive().await?);
    let mut watcher = server.connect_as_nobody().await?;
    watcher.watch(table).await?;
    let black = contest.player(Color::Black)?;
    ensure!(presence_of_white(black, table, 1).await? == Presence::Connected);
    let seq = tab.accepted(&move_with_id(&tab, &contest, "tab-1", "e2e4")?).await?;
    contest.until_seq(seq).await?;
    tab.cut().await?;
    drop(tab.receive().await?);
    watcher.cut().await?;
    ensure!(presence_of_white(contest.player(Color::Black)?, table, 0).await? == Presence::Reconnecting);
    Ok(())
}
