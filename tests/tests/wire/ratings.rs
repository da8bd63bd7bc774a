//! Ratings change with rated matches between accounts.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::archive::{MatchList, UserPage};
use quadrex_protocol::http::{CreateTable, NewAccount};
use quadrex_protocol::rating::{Leaderboard, MatchRatings, RatingHistory, Speed};
use quadrex_protocol::settings::TimeSetting;
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Database, Launch, RawSql};

const BLITZ: TimeSetting = TimeSetting::Fischer { base_ms: 300_000, increment_ms: 0 };

async fn ratings_follow_matches(database: Database) -> Result<()> {
    let launch = Launch::new(&database)?;
    let server = launch.start().await?;
    let http = server.http();
    let rated = CreateTable { time: Some(BLITZ), rated: Some(true), ..plain(Variant::Classic) };
    let mut contest = Contest::start(&server, &rated).await?;
    for (color, name) in [(Color::White, "Ada"), (Color::Black, "Ben")] {
        let guest = contest.player(color)?.guest()?.clone();
        let account = NewAccount { name: name.to_owned(), password: "correct horse".to_owned() };
        let created = http.as_guest(&guest).post("/api/account", &account).await?;
        ensure!(created.status == 201, "{}", created.body);
    }
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

    let checked = launch.recompute_ratings(&[]).await?;
    ensure!(
        checked.status.success() && checked.stdout.contains("all ratings agree with the 1 rated matches"),
        "{checked:?}"
    );
    RawSql::of(&launch)?.run("update ratings set value = 2000").await?;
    let checked = launch.recompute_ratings(&[]).await?;
    ensure!(!checked.status.success() && checked.stderr.contains("2 ratings and 0 changes"), "{checked:?}");
    let replaced = launch.recompute_ratings(&["--replace"]).await?;
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
async fn ratings_of_a_missing_file_are_refused_and_it_is_not_created() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    let refused = launch.recompute_ratings(&[]).await?;
    ensure!(!refused.status.success() && refused.stderr.contains("does not exist"), "{refused:?}");
    ensure!(!launch.data().join("quadrex.db").try_exists()?);
    Ok(())
}
