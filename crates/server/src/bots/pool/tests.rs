//! Tests of the pool: the order of searches, and searches that yield their threads.

use std::time::Duration;

use quadrex_rules::{Setup, Variant};

use super::queue::{QueueState, Yielding};
use super::*;
use crate::bots::default_config;

/// Returns a user by number.
fn user(number: u128) -> UserId {
    UserId(uuid::Uuid::from_u128(number))
}

fn search(urgency: Urgency, nodes: u64) -> Search {
    Search {
        position: AnyPosition::new(&Setup::start(Variant::Classic)).unwrap(),
        earlier: Vec::new(),
        root_moves: Vec::new(),
        level: Level::FULL,
        seed: 1,
        limits: Limits { nodes: Some(nodes), ..Limits::default() },
        lines: 1,
        urgency,
        requester: user(1),
    }
}

fn endless(urgency: Urgency) -> Search {
    Search { limits: Limits::default(), ..search(urgency, 1) }
}

fn job(pool: &Pool, urgency: Urgency) -> PendingSearch {
    pool.search(search(urgency, 1))
}

fn job_of(pool: &Pool, urgency: Urgency, requester: u128) -> PendingSearch {
    pool.search(Search { requester: user(requester), ..search(urgency, 1) })
}

fn one_thread() -> Pool {
    Pool::start(&BotsConfig { threads: 1, table_mib: 1, ..default_config() }, &Clock::system())
}

fn order(pool: &Pool) -> Vec<Urgency> {
    pool.queue.lock().jobs.values().map(|job| job.search.urgency).collect()
}

/// Waits until the pool is in a state; `what` describes the state.
async fn until(pool: &Pool, what: &str, is_so: impl Fn(&QueueState) -> bool) {
    let waits = async {
        while !is_so(&pool.queue.lock()) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), waits).await.unwrap_or_else(|_| panic!("never: {what}"));
}

/// Takes the next searches from the queue: their urgencies, users and rules of yielding.
fn served(pool: &Pool, count: usize) -> Vec<(Urgency, UserId, Yielding)> {
    let mut state = pool.queue.lock();
    let next =
        |_| state.take_next().map(|(turn, job, yielding)| (turn.urgency, job.search.requester, yielding));
    (0..count).map_while(next).collect()
}

#[test]
fn players_come_first_then_spectators_then_empty_tables_then_analyses() {
    use Urgency::{Analysis, Player, Spectators, Unattended};
    let pool = Pool::idle();
    let _jobs = [Analysis, Unattended, Spectators, Player].map(|urgency| job(&pool, urgency));
    assert_eq!(order(&pool), [Player, Spectators, Unattended, Analysis]);
}

#[test]
fn a_user_with_many_searches_does_not_delay_others() {
    for urgency in [Urgency::Player, Urgency::Unattended] {
        let pool = Pool::idle();
        let _many: Vec<_> = (0..55).map(|_| job_of(&pool, urgency, 1)).collect();
        let _other = job_of(&pool, urgency, 2);
        let _third = job_of(&pool, urgency, 3);
        let requesters: Vec<_> = served(&pool, 4).into_iter().map(|(_, requester, _)| requester).collect();
        assert_eq!(requesters, [user(1), user(2), user(3), user(1)], "{urgency:?}");
        let _late = job_of(&pool, urgency, 4);
        assert!(
            served(&pool, 2).iter().any(|(_, requester, _)| *requester == user(4)),
            "no round is made up for"
        );
    }
}

#[test]
fn one_search_in_eight_is_for_unattended_tables() {
    let pool = Pool::idle();
    let _players: Vec<_> = (0..100).map(|number| job_of(&pool, Urgency::Player, number)).collect();
    let _others: Vec<_> = (0..100).map(|number| job_of(&pool, Urgency::Unattended, number)).collect();
    let _analysis = job(&pool, Urgency::Analysis);
    let served = served(&pool, 80);
    let shares: Vec<_> =
        served.iter().enumerate().filter(|(_, (urgency, ..))| *urgency == Urgency::Unattended).collect();
    assert_eq!(
        shares.iter().map(|(at, _)| at + 1).collect::<Vec<_>>(),
        (1..=10).map(|n| 8 * n).collect::<Vec<_>>()
    );
    assert!(served.iter().all(|(.., yielding)| *yielding == Yielding::Never), "a share does not yield");
}

#[test]
fn unattended_tables_with_a_thread_get_no_extra_share() {
    let pool = Pool::idle();
    let _others: Vec<_> = (0..55).map(|_| job(&pool, Urgency::Unattended)).collect();
    for _ in 0..20 {
        let (turn, _, yielding) = pool.queue.lock().take_next().unwrap();
        assert_eq!(
            (turn.urgency, yielding),
            (Urgency::Unattended, Yielding::ToMoreUrgent),
            "a thread is left over"
        );
        pool.queue.record_finished(turn);
        let _player = job_of(&pool, Urgency::Player, 2);
        assert_eq!(served(&pool, 1)[0].0, Urgency::Player, "a person's table never waits for a share");
    }
}

#[test]
fn a_cancelled_search_leaves_the_queue_at_once() {
    let pool = Pool::idle();
    drop(job(&pool, Urgency::Player));
    drop(job(&pool, Urgency::Analysis));
    let _wanted = job(&pool, Urgency::Unattended);
    assert_eq!(order(&pool), [Urgency::Unattended]);
    assert_eq!(pool.queue.lock().waiting_count(Urgency::Unattended), 1);
}

#[tokio::test]
async fn a_search_is_answered_and_a_pool_without_threads_gives_no_answer() {
    let found = one_thread().search(search(Urgency::Player, 2_000)).result().await.unwrap();
    assert!(search(Urgency::Player, 1).position.is_legal(found.best.unwrap()));
    let idle = Pool::idle();
    let searching = idle.search(search(Urgency::Player, 1));
    drop(idle);
    assert_eq!(searching.result().await, None);
}

/// An endless search stops soon after it is cancelled, and the next search is answered.
#[tokio::test]
async fn a_cancelled_search_frees_its_thread() {
    let pool = one_thread();
    drop(pool.search(endless(Urgency::Player)));
    assert!(pool.search(search(Urgency::Player, 100)).result().await.is_some());
}

/// The only thread interrupts an endless search for a more urgent table, and then continues it.
#[tokio::test]
async fn a_search_yields_its_thread_to_a_more_urgent_search_and_continues() {
    let pairs = [
        (Urgency::Review, Urgency::Analysis),
        (Urgency::Review, Urgency::Unattended),
        (Urgency::Analysis, Urgency::Unattended),
        (Urgency::Unattended, Urgency::Player),
        (Urgency::Spectators, Urgency::Player),
    ];
    for (slow, urgent) in pairs {
        let pool = one_thread();
        let endless = pool.search(endless(slow));
        let is_under_way = |state: &QueueState| state.jobs.is_empty() && state.idle == 0;
        until(&pool, "the search is under way", is_under_way).await;
        assert!(pool.search(search(urgent, 100)).result().await.is_some(), "{slow:?} {urgent:?}");
        until(&pool, "it is under way again", is_under_way).await;
        drop(endless);
        until(&pool, "nobody has anything to do", |waiting| waiting.idle == 1 && waiting.yielding == 0).await;
    }
}

#[test]
fn only_as_many_searches_yield_as_tables_need_threads() {
    let pool = Pool::idle();
    let claims = || (0..5).filter(|_| pool.queue.must_yield(Urgency::Analysis)).count();
    pool.queue.lock().idle = 1;
    let _served = job(&pool, Urgency::Player);
    assert_eq!(claims(), 0, "a thread is free");
    let _waits = [job(&pool, Urgency::Player), job(&pool, Urgency::Unattended)];
    let _analysis = job(&pool, Urgency::Analysis);
    assert_eq!(claims(), 2);
    assert_eq!(claims(), 0, "two are on their way");
    let claims_of = |urgency| (0..5).filter(|_| pool.queue.must_yield(urgency)).count();
    assert_eq!(claims_of(Urgency::Unattended), 0, "the only player's table has a thread");
    let _more = [job(&pool, Urgency::Player), job(&pool, Urgency::Player)];
    assert_eq!(claims_of(Urgency::Player), 0, "players' tables keep their threads");
    assert_eq!(claims_of(Urgency::Unattended), 1);
}

#[test]
fn a_review_comes_last_and_yields_to_analyses() {
    let pool = Pool::idle();
    let _all = [Urgency::Review, Urgency::Analysis, Urgency::Player, Urgency::Spectators]
        .map(|urgency| job(&pool, urgency));
    assert_eq!(order(&pool), [Urgency::Player, Urgency::Spectators, Urgency::Analysis, Urgency::Review]);
    let claims_of = |urgency| (0..5).filter(|_| pool.queue.must_yield(urgency)).count();
    assert_eq!(claims_of(Urgency::Review), 3, "two tables and an analysis lack a thread");
    assert_eq!(claims_of(Urgency::Analysis), 0, "and get the three that the reviews leave");
}
