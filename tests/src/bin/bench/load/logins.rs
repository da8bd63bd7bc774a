//! People who sign in while others play. A login costs tens of milliseconds of a processor, and must
//! not slow the moves of others.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::NewSession;
use quadrex_tests::http::PASSWORD;
use quadrex_tests::swarm::{self, Pace, Swarm};
use quadrex_tests::{Database, Http};
use tokio::time::interval;

use super::{PLAYERS, Usage, WARM_UP, WATCHERS, launch, plan};
use crate::figures::Figures;

/// The interval between two logins.
const LOGIN_INTERVAL: Duration = Duration::from_millis(500);

/// The number of pairs of windows: one without logins and one with them.
const PAIRS: usize = 5;

/// The number of accounts that sign in by turns.
const ACCOUNTS: usize = 8;

/// The measured values of a window.
struct Window {
    moves_per_second: f64,
    cores: f64,
    p50: Duration,
    p99: Duration,
}

/// Measures tables that move as fast as they can, with and without logins by turns.
pub(super) async fn measure(tables: usize, window: Duration, figures: &mut Figures) -> Result<()> {
    let limits = ["SIGN_INS_PER_MINUTE", "SIGN_INS_BURST", "SIGN_INS_PER_ACCOUNT"];
    let launch = limits.into_iter().fold(launch(&Database::Sqlite)?, |launch, key| {
        launch.with_env(&format!("QUADREX_LIMITS__{key}"), 1_000_000)
    });
    let server = launch.start().await?;
    let http = server.http();
    for number in 0..ACCOUNTS {
        http.account(&name(number)).await?;
    }
    let swarm = Swarm::start(&plan(&server, tables, WATCHERS, Pace::ClosedLoop)).await?;
    swarm.tally().until_up((tables * (PLAYERS + WATCHERS)) as u64).await;
    tokio::time::sleep(WARM_UP).await;
    let (mut without, mut with, mut times) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        without.push(measured(&swarm, server.process()?, window).await?);
        let logins = sign_in_for(&http, window);
        let (measured, logins) = tokio::join!(measured(&swarm, server.process()?, window), logins);
        with.push(measured?);
        times.extend(logins?);
    }
    swarm.finish().await?;
    let mean = |windows: &[Window], value: fn(&Window) -> f64| {
        windows.iter().map(value).sum::<f64>() / windows.len() as f64
    };
    let millis = |time: Duration| time.as_secs_f64() * 1_000.0;
    let before = mean(&without, |window| window.moves_per_second);
    figures.add("without logins: moves", before, "a second");
    let moves = mean(&with, |window| window.moves_per_second);
    figures.add_beside("2 logins a second: moves", moves, "a second", ("without logins", before));
    for (name, windows) in [("without logins", &without), ("2 logins a second", &with)] {
        figures.add(&format!("{name}: server"), mean(windows, |window| window.cores), "cores");
        let p50 = mean(windows, |window| window.p50.as_secs_f64() * 1_000.0);
        let p99 = mean(windows, |window| window.p99.as_secs_f64() * 1_000.0);
        figures.add(&format!("{name}: move to last player, p50"), p50, "ms");
        figures.add(&format!("{name}: move to last player, p99"), p99, "ms");
    }
    for (number, (without, with)) in without.iter().zip(&with).enumerate() {
        let ratio = with.moves_per_second / without.moves_per_second;
        figures.add(&format!("pair {}: moves with logins", number + 1), ratio * 100.0, "% of those without");
    }
    times.sort_unstable();
    let median = times.get(times.len() / 2).context("somebody has signed in")?;
    figures.add("login, p50", millis(*median), "ms");
    Ok(())
}

fn name(number: usize) -> String {
    format!("Login{number}")
}

/// Lets the accounts sign in by turns for this time. Returns the time that each login took.
async fn sign_in_for(http: &Http, window: Duration) -> Result<Vec<Duration>> {
    let (mut ticks, mut times, begin) = (interval(LOGIN_INTERVAL), Vec::new(), swarm::now());
    for number in 0.. {
        ticks.tick().await;
        if begin.elapsed() >= window {
            break;
        }
        let login = NewSession {
            name: Some(name(number % ACCOUNTS)),
            password: Some(PASSWORD.to_owned()),
            ..NewSession::default()
        };
        let since = swarm::now();
        let answer = http.post("/api/session", &login).await?;
        ensure!(answer.status == 200 || answer.status == 201, "{answer:?}");
        times.push(since.elapsed());
    }
    Ok(times)
}

/// Measures a swarm and its server for this time.
async fn measured(swarm: &Swarm, process: u32, window: Duration) -> Result<Window> {
    swarm.tally().forget_times();
    let (done, since, usage) = (swarm.tally().done(), swarm::now(), Usage::of(process)?);
    tokio::time::sleep(window).await;
    let seconds = since.elapsed().as_secs_f64();
    let times = swarm.tally().to_players();
    Ok(Window {
        moves_per_second: (swarm.tally().done() - done) as f64 / seconds,
        cores: Usage::of(process)?.cpu_since(&usage) / seconds,
        p50: times.p50,
        p99: times.p99,
    })
}
