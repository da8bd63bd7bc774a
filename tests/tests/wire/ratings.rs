//! Ratings change with rated matches between accounts.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::archive::{MatchList, UserPage};
use quadrex_protocol::http::{CreateTable, QuickJoin, TableCreated, TableSummary};
use quadrex_protocol::rating::{Leaderboard, MatchRatings, RatingHistory, Speed};
use quadrex_protocol::settings::{Chat, RatingRange, TimeSetting};
use quadrex_protocol::view::Phase;
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Database, InProcessServer, Launch, RawSql};

const BLITZ: TimeSetting = TimeSetting::Fischer { base_ms: 300_000, increment_ms: 0 };

async fn ratings_follow_matches(database: Database) -> Result<()> {
    let launch = Launch::new(&database)?;
    let server = launch.start().await?;
    let http = server.http();
    let rated = CreateTable { time: Some(BLITZ), rated: Some(true), ..plain(Variant::Classic) };
    let mut contest = Contest::start(&server, &rated).await?;
    contest.play("e2e4".parse()?).await?;
    let of_match = format!("/api/matches/{}/ratings", contest.match_id);
    let during: MatchRatings = http.get(&of_match).await?.json(200)?;
    for seat in &during.seats {
        ensure!(seat.before == 1500 && seat.provisional && seat.after.is_none(), "{seat:?}");
        ensure!((seat.expected_place - 1.5).abs() < 1e-9, "{seat:?}");
    }
    ensure!(during.seats.len() == 2, "{during:?}");

    let table = contest.table;
    let loser = contest.player(Color::Black)?;
    let resign = loser.resign(table);
    loser.accepted(&resign).await?;
    let after: MatchRatings = http.get(&of_match).await?.json(200)?;
    let [white, black] = &after.seats[..] else { anyhow::bail!("{after:?}") };
    let (won, lost) = (white.after.context("White is rated")?, black.after.context("Black is rated")?);
    ensure!(won > 1500 && lost < 1500 && won + lost == 3000, "{after:?}");

    let winner = contest.player(Color::White)?.guest()?.user.id;
    let page: UserPage = http.get(&format!("/api/users/{winner}")).await?.json(200)?;
    let [rating] = &page.ratings[..] else { anyhow::bail!("{page:?}") };
    ensure!((rating.variant, rating.speed) == (Variant::Classic, Speed::Blitz), "{rating:?}");
    ensure!(rating.rating == won && rating.matches == 1 && rating.provisional, "{rating:?}");
    let history = format!("/api/users/{winner}/ratings/classic/blitz");
    let history: RatingHistory = http.get(&history).await?.json(200)?;
    ensure!(history.points.len() == 1 && history.points[0].rating == won, "{history:?}");
    let best: Leaderboard = http.get("/api/ratings/classic/blitz").await?.json(200)?;
    ensure!(best.players.is_empty(), "one match is not enough: {best:?}");
    let list: MatchList = http.get("/api/matches").await?.json(200)?;
    ensure!(list.matches[0].rated, "{list:?}");
    for path in
        ["/api/ratings/classic/quick", "/api/ratings/draughts/blitz", "/api/users/ada/ratings/classic/blitz"]
    {
        ensure!(http.get(path).await?.refusal(404)? == RefusalCode::NotFound, "{path}");
    }

    let checked = launch.database_command(&["ratings"]).await?;
    ensure!(
        checked.status.success() && checked.stdout.contains("all ratings agree with the 1 rated matches"),
        "{checked:?}"
    );
    RawSql::of(&launch)?.run("update ratings set value = 2000").await?;
    let checked = launch.database_command(&["ratings"]).await?;
    ensure!(!checked.status.success() && checked.stderr.contains("2 ratings and 0 changes"), "{checked:?}");
    let replaced = launch.database_command(&["ratings", "--replace"]).await?;
    ensure!(replaced.status.success() && replaced.stdout.contains("replaced 2 ratings"), "{replaced:?}");
    let again: UserPage = http.get(&format!("/api/users/{winner}")).await?.json(200)?;
    ensure!(again.ratings == page.ratings, "{again:?}");
    Ok(())
}

#[tokio::test]
async fn ratings_follow_matches_with_sqlite() -> Result<()> {
    ratings_follow_matches(Database::Sqlite).await
}

#[tokio::test]
async fn ratings_follow_matches_with_postgres() -> Result<()> {
    ratings_follow_matches(Database::postgres().await?).await
}

#[tokio::test]
async fn rated_matches_are_for_accounts() -> Result<()> {
    let server = InProcessServer::start().await?;
    let http = server.http();
    let rated = CreateTable { time: Some(BLITZ), rated: Some(true), ..plain(Variant::Classic) };
    let wish = QuickJoin { time: Some(BLITZ), rated: true, ..QuickJoin::plain(Variant::Classic) };
    let (ada, ben) = (http.account("Ada").await?, http.account("Ben").await?);
    let guest = http.guest("Cleo").await?;
    let as_guest = http.as_guest(&guest);
    ensure!(as_guest.post("/api/tables", &rated).await?.refusal(403)? == RefusalCode::AccountNeeded);
    ensure!(as_guest.post("/api/quick-join", &wish).await?.refusal(403)? == RefusalCode::AccountNeeded);
    let untimed = QuickJoin { time: None, ..wish.clone() };
    let refused = http.as_guest(&ada).post("/api/quick-join", &untimed).await?;
    ensure!(refused.refusal(400)? == RefusalCode::BadSetting, "{}", refused.body);
    ensure!(http.public_tables().await?.is_empty(), "refused requests create no tables");

    let hers = http.as_guest(&ada).quick_join(&wish).await?;
    let mut client = server.connect(&guest).await?;
    client.watch(hers.table).await?;
    let sit = client.sit(hers.table, None, None);
    ensure!(client.refused(&sit).await? == RefusalCode::AccountNeeded);
    let casual = QuickJoin { rated: false, ..wish.clone() };
    let other = as_guest.quick_join(&casual).await?;
    ensure!(other.table != hers.table, "a casual quick join takes no seat at a rated table");
    let his = http.as_guest(&ben).quick_join(&wish).await?;
    ensure!(his.table == hers.table && his.seat != hers.seat, "{his:?}");
    let table: TableSummary = http.get(&format!("/api/tables/{}", hers.table)).await?.json(200)?;
    ensure!(table.phase == Phase::Running && table.settings.chat == Chat::Phrases, "{table:?}");
    Ok(())
}

#[tokio::test]
async fn a_range_of_ratings_admits_players_inside_it() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    let server = launch.start().await?;
    let http = server.http();
    let rated = CreateTable { time: Some(BLITZ), rated: Some(true), ..plain(Variant::Classic) };
    let ranged = |min, max| CreateTable {
        seat: Some(Color::White),
        rating_range: Some(RatingRange { min, max }),
        ..rated.clone()
    };
    let (ada, ben) = (http.account("Ada").await?, http.account("Ben").await?);
    let (as_ada, as_ben) = (http.as_guest(&ada), http.as_guest(&ben));
    let nobody = as_ada.post("/api/tables", &ranged(Some(1_600), Some(1_400))).await?;
    ensure!(nobody.refusal(400)? == RefusalCode::BadSetting, "{}", nobody.body);

    // Both have the initial rating of 1500, and the host may sit at any table of hers.
    let strong: TableCreated = as_ada.post("/api/tables", &ranged(Some(1_501), None)).await?.json(201)?;
    let weak: TableCreated = as_ada.post("/api/tables", &ranged(None, Some(1_500))).await?.json(201)?;
    let mut client = server.connect(&ben).await?;
    let sit = client.sit(strong.table, None, None);
    ensure!(client.refused(&sit).await? == RefusalCode::OutsideRatingRange);
    let wish = QuickJoin { time: Some(BLITZ), rated: true, ..QuickJoin::plain(Variant::Classic) };
    let joined = as_ben.quick_join(&wish).await?;
    ensure!(joined.table == weak.table, "the older table does not suit him: {joined:?}");

    // After a defeat he would not be admitted any more.
    let weakest: TableCreated = as_ada.post("/api/tables", &ranged(Some(1_500), None)).await?.json(201)?;
    client.watch(weak.table).await?;
    let resign = client.resign(weak.table);
    client.accepted(&resign).await?;
    let _: MatchRatings = http.get(&format!("/api/matches/{}/ratings", weak.match_id)).await?.json(200)?;
    let sit = client.sit(weakest.table, None, None);
    ensure!(client.refused(&sit).await? == RefusalCode::OutsideRatingRange);
    Ok(())
}

#[tokio::test]
async fn ratings_of_a_missing_file_are_refused_and_it_is_not_created() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    let refused = launch.database_command(&["ratings"]).await?;
    ensure!(!refused.status.success() && refused.stderr.contains("does not exist"), "{refused:?}");
    ensure!(!launch.data().join("quadrex.db").try_exists()?);
    Ok(())
}
