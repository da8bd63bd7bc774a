//! Complete matches, from the first seat to the places. `TableMirror` compares each client's board
//! with the rules after every event.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::{RefusalCode, RequestAction};
use quadrex_rules::{Cause, Color, Reason, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Database, Launch, Script};

/// D8, D10, D12: four clients play until one player is left. A watcher who joins in the middle sees
/// the same board.
#[tokio::test]
async fn four_clients_play_a_dilkel_match_to_a_win() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Dilkel)).await?;
    let script = Script::read("dilkel")?;
    let beginner = contest.turn()?.context("the match runs")?;
    let mut early = server.connect_as_nobody().await?;
    early.watch(contest.table).await?;
    contest.watchers.push(early);
    for (ply, mv) in script.begun_by(beginner).into_iter().enumerate() {
        if ply == script.plies() / 2 {
            let mut late = server.connect(&server.guest("late").await?).await?;
            late.watch(contest.table).await?;
            contest.watchers.push(late);
        }
        contest.play(mv).await.with_context(|| format!("ply {}, {mv}", ply + 1))?;
    }
    let table = contest.table;
    for client in contest.everybody() {
        let state = client.table(table)?.state();
        let outcome = state.outcome.as_ref().context("the match has not ended")?;
        ensure!(outcome.reason == Reason::Mate, "{outcome:?}");
        ensure!(
            state.active_players.len() == 1 && outcome.places[&state.active_players[0]] == 1,
            "{state:?}"
        );
        let mated = state.eliminated.iter().filter(|out| out.cause == Cause::Mate).count();
        ensure!(mated == 3, "{mated} of three went out by mate");
        let places: Vec<u8> = state.eliminated.iter().map(|out| outcome.places[&out.color]).collect();
        ensure!(places == [4, 3, 2], "the order of eliminations gives the places {places:?}");
    }
    Ok(())
}

/// C4: two clients play to mate, on each database.
async fn check_mate(database: &Database) -> Result<()> {
    let server = Launch::new(database)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let script = Script::read("classic")?;
    for mv in script.begun_by(Color::White) {
        contest.play(mv).await.with_context(|| format!("{mv}"))?;
    }
    let table = contest.table;
    let state = contest.player(Color::White)?.table(table)?.state();
    let outcome = state.outcome.as_ref().context("the match has not ended")?;
    ensure!(outcome.reason == Reason::Mate, "{outcome:?}");
    let late = contest.player(Color::Black)?;
    let resign = late.resign(table);
    ensure!(late.refused(&resign).await? == RefusalCode::Ended);
    Ok(())
}

#[tokio::test]
async fn two_clients_play_classic_to_mate_on_sqlite() -> Result<()> {
    check_mate(&Database::Sqlite).await
}

#[tokio::test]
async fn two_clients_play_classic_to_mate_on_postgres() -> Result<()> {
    check_mate(&Database::postgres().await?).await
}

/// G9: all remaining players must accept a draw offer. An elimination ends the offer. At the end
/// the remaining players share the best place (D12).
#[tokio::test]
async fn three_remaining_players_agree_on_a_draw() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Dilkel)).await?;
    let table = contest.table;
    act(&mut contest, Color::Red, RequestAction::Ask).await?;
    act(&mut contest, Color::Blue, RequestAction::Accept).await?;
    let blue = contest.player(Color::Blue)?;
    let again = blue.draw(table, RequestAction::Accept);
    ensure!(blue.refused(&again).await? == RefusalCode::NoOpenRequest, "an offer is accepted once");
    let yellow = contest.player(Color::Yellow)?;
    let resign = yellow.resign(table);
    let seq = yellow.accepted(&resign).await?;
    contest.until_seq(seq).await?;
    ensure!(contest.player(Color::Red)?.table(table)?.state().requests.is_empty(), "the offer has lapsed");
    let yellow = contest.player(Color::Yellow)?;
    let offer = yellow.draw(table, RequestAction::Ask);
    ensure!(yellow.refused(&offer).await? == RefusalCode::Eliminated);
    for (color, what) in [
        (Color::Green, RequestAction::Ask),
        (Color::Red, RequestAction::Accept),
        (Color::Blue, RequestAction::Accept),
    ] {
        act(&mut contest, color, what).await?;
    }
    let outcome = contest.player(Color::Red)?.table(table)?.state().outcome.clone().context("no end")?;
    ensure!(outcome.reason == Reason::Agreement, "{outcome:?}");
    let places: Vec<(Color, u8)> = outcome.places.into_iter().collect();
    ensure!(places.iter().all(|(color, place)| (*place == 4) == (*color == Color::Yellow)), "{places:?}");
    ensure!(places.iter().filter(|(_, place)| *place == 1).count() == 3, "{places:?}");
    Ok(())
}

async fn act(contest: &mut Contest, color: Color, what: RequestAction) -> Result<()> {
    let table = contest.table;
    let client = contest.player(color)?;
    let command = client.draw(table, what);
    let seq = client.accepted(&command).await.with_context(|| format!("{color}: {what:?}"))?;
    contest.until_seq(seq).await
}
