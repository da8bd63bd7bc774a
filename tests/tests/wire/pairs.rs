//! Statistics of pairs of users in rated matches, for operators.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{ActsAgainst, CreateTable, DeleteUser, PairDetails, PairList, PersonalData};
use quadrex_protocol::settings::TimeSetting;
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::http::PASSWORD;
use quadrex_tests::operator::add_operator;
use quadrex_tests::{Database, RawSql};

use crate::operators::launch;

/// Plays a rated match of four to its end, in which the first capture of each player that is possible
/// is made.
async fn the_pairs_of_a_match(database: Database) -> Result<()> {
    let launch = without_rate_limits(launch(&database)?);
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let as_olga = server.http().as_guest(&olga);
    let rated = CreateTable {
        time: Some(TimeSetting::Correspondence { days: 1 }),
        rated: Some(true),
        ..plain(Variant::Dilkel)
    };
    let mut contest = Contest::start(&server, &rated).await?;
    let mut captures = 0;
    let table = contest.table;
    for _ in 0..60 {
        let turn = contest.turn()?.context("the match runs")?;
        let view = contest.player(turn)?.table(table)?.view().clone();
        let legal = view.legal_moves.context("it is the player's turn")?;
        let capture = legal.iter().find(|mv| view.pieces.contains_key(&mv.to));
        captures += u32::from(capture.is_some());
        let mv = capture.or(legal.first()).context("there is a legal move")?;
        contest.play(*mv).await?;
        if captures > 2 {
            break;
        }
    }
    ensure!(captures > 2, "there are captures");
    let users: Vec<_> = [Color::Red, Color::Blue, Color::Yellow, Color::Green]
        .into_iter()
        .map(|color| anyhow::Ok(contest.player(color)?.guest()?.user.id))
        .collect::<Result<_>>()?;
    for color in [Color::Red, Color::Blue, Color::Yellow] {
        let player = contest.player(color)?;
        let resign = player.resign(table);
        player.accepted(&resign).await?;
    }
    let (mut seen, mut expected) = (0, 0.0);
    for (index, one) in users.iter().enumerate() {
        for other in &users[index + 1..] {
            let path = format!("/api/admin/pairs/{one}/{other}");
            let PairDetails { pair, matches } = as_olga.get(&path).await?.json(200)?;
            ensure!(pair.matches == 1 && matches.len() == 1, "{pair:?}");
            ensure!(matches[0].match_id == contest.match_id, "{matches:?}");
            ensure!([pair.a.id, pair.b.id] == [*one.min(other), *one.max(other)], "{pair:?}");
            for count in [pair.a_to_b, pair.b_to_a] {
                seen += count.captures;
                expected += count.expected_captures;
            }
        }
    }
    ensure!(seen == captures && (expected - f64::from(captures)).abs() < 0.2, "{seen} {expected}");
    let list: PairList = as_olga.get("/api/admin/pairs").await?.json(200)?;
    ensure!(list.pairs.is_empty(), "one match says nothing: {list:?}");
    ensure!(as_olga.get("/api/admin/pairs?limit=0").await?.refusal(400)? == RefusalCode::BadSetting);
    let unknown = format!("/api/admin/pairs/{}/{}", users[0], olga.user.id);
    ensure!(as_olga.get(&unknown).await?.refusal(404)? == RefusalCode::NotFound);

    let checked = launch.database_command(&["pairs"]).await?;
    ensure!(checked.status.success() && checked.stdout.contains("logs of 1 matches"), "{checked:?}");
    RawSql::of(&launch)?.run("update match_pairs set captures = captures + 1").await?;
    let checked = launch.database_command(&["pairs"]).await?;
    ensure!(!checked.status.success() && checked.stderr.contains("of 1 matches differ"), "{checked:?}");
    let replaced = launch.database_command(&["pairs", "--replace"]).await?;
    ensure!(replaced.status.success() && replaced.stdout.contains("replaced"), "{replaced:?}");
    let checked = launch.database_command(&["pairs"]).await?;
    ensure!(checked.status.success(), "{checked:?}");

    // Every user gets the own acts. A deleted user has none, and the others have none against this user.
    let acts = async |contest: &mut Contest, color: Color| -> Result<Vec<ActsAgainst>> {
        let as_player = server.http().as_guest(contest.player(color)?.guest()?);
        let data: PersonalData = as_player.get("/api/me/export").await?.json(200)?;
        Ok(data.acts)
    };
    let mut own = 0;
    for color in [Color::Red, Color::Blue, Color::Yellow, Color::Green] {
        let listed = acts(&mut contest, color).await?;
        ensure!(listed.len() == 3 && listed.iter().all(|act| act.match_id == contest.match_id), "{listed:?}");
        own += listed.iter().map(|act| act.count.captures).sum::<u32>();
    }
    ensure!(own == captures, "{own}");
    let as_red = server.http().as_guest(contest.player(Color::Red)?.guest()?);
    let deletion = DeleteUser { password: Some(PASSWORD.to_owned()) };
    let deleted = as_red.post("/api/me/delete", &deletion).await?;
    ensure!(deleted.status == 204, "{deleted:?}");
    let listed = acts(&mut contest, Color::Blue).await?;
    ensure!(listed.len() == 2 && listed.iter().all(|act| act.user != users[0]), "{listed:?}");
    let path = format!("/api/admin/pairs/{}/{}", users[0], users[1]);
    ensure!(as_olga.get(&path).await?.refusal(404)? == RefusalCode::NotFound);
    let checked = launch.database_command(&["pairs"]).await?;
    ensure!(checked.status.success(), "{checked:?}");
    Ok(())
}

#[tokio::test]
async fn the_pairs_of_a_match_with_sqlite() -> Result<()> {
    the_pairs_of_a_match(Database::Sqlite).await
}

#[tokio::test]
async fn the_pairs_of_a_match_with_postgres() -> Result<()> {
    the_pairs_of_a_match(Database::postgres().await?).await
}
