//! Conformance tests of ratings. They change with the archive, and can be computed again.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use quadrex_protocol::archive::MatchSummary;
use quadrex_protocol::bot::BotView;
use quadrex_protocol::rating::Speed;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{OutcomeView, Phase, SeatView};
use quadrex_ratings::Rating;
use quadrex_rules::{AbortCause, Color, Reason, Variant};
use quadrex_store::{ArchivedMatch, Location, NewAccount, RatingKind, Recomputation, Recomputed, User};
use uuid::Uuid;

use crate::test_store::{TestStore, after};

/// The kind of the matches that these tests archive.
const KIND: RatingKind = RatingKind { variant: Variant::Dilkel, speed: Speed::Blitz };

const COLORS: [Color; 4] = [Color::Red, Color::Blue, Color::Yellow, Color::Green];

/// A day in milliseconds.
const DAY: u64 = 86_400_000;

pub(crate) async fn account(test: &TestStore, name: &'static str) -> User {
    let user = test.user(name).await;
    let account = NewAccount {
        user: user.id,
        name,
        name_key: name,
        password_hash: Some("$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g"),
        at: after(0),
    };
    test.store.create_account(account).await.unwrap();
    user
}

async fn four_accounts(test: &TestStore) -> [User; 4] {
    [
        account(test, "ada").await,
        account(test, "ben").await,
        account(test, "cem").await,
        account(test, "dan").await,
    ]
}

/// Stores a match of these users that ended at this time in the order of the list, and returns its
/// entry in the archive.
pub(crate) async fn ended(test: &TestStore, users: [&User; 4], at: u64) -> ArchivedMatch {
    let new = test.new_table(users[0], after(0));
    test.store.open_table(&new).await.unwrap();
    let places = COLORS.into_iter().zip(1..).collect::<BTreeMap<Color, u8>>();
    let seat = |(color, user): (Color, &User)| SeatView {
        color,
        side: color.side().into(),
        user: Some(user.view()),
        substitute: None,
    };
    ArchivedMatch {
        phase: Phase::Ended,
        is_public: true,
        summary: MatchSummary {
            match_id: new.match_id,
            table: new.table,
            variant: Variant::Dilkel,
            time: TimeSetting::Fischer { base_ms: 300_000, increment_ms: 2_000 },
            move_limit_ms: None,
            rated: true,
            seats: COLORS.into_iter().zip(users).map(seat).collect(),
            started_at_ms: after(0).as_millis(),
            ended_at_ms: Some(after(at).as_millis()),
            plies: 40,
            outcome: Some(OutcomeView { reason: Reason::Mate, places }),
            aborted: None,
        },
    }
}

async fn archive(test: &TestStore, archived: ArchivedMatch) {
    test.store.archive(&[archived.into()], &[]).await.unwrap();
}

async fn value_of(test: &TestStore, user: &User) -> Option<(f64, u32)> {
    let ratings = test.store.ratings_of_user(user.id).await.unwrap();
    assert!(ratings.len() <= 1 && ratings.iter().all(|(kind, _)| *kind == KIND), "{ratings:?}");
    ratings.first().map(|(_, rated)| (rated.rating.value, rated.matches))
}

pub(crate) async fn a_rated_match_changes_the_ratings_when_it_is_archived(test: TestStore) {
    let users = four_accounts(&test).await;
    let [ada, ben, cem, dan] = &users;
    let first = ended(&test, [ada, ben, cem, dan], 1).await;
    let running = ArchivedMatch {
        phase: Phase::Running,
        summary: MatchSummary { outcome: None, ended_at_ms: None, ..first.summary.clone() },
        ..first.clone()
    };
    archive(&test, running).await;
    assert_eq!(value_of(&test, ada).await, None, "the match still runs");
    archive(&test, first.clone()).await;
    let mut values = Vec::new();
    for user in &users {
        let (value, matches) = value_of(&test, user).await.unwrap();
        assert_eq!(matches, 1);
        values.push(value);
    }
    assert!(values.is_sorted_by(|better, worse| better > worse), "{values:?}");
    let changes = test.store.rating_changes_of(first.summary.match_id).await.unwrap();
    assert_eq!(changes.iter().map(|change| change.color).collect::<Vec<_>>(), COLORS);
    assert!(changes.iter().all(|change| change.before.value == Rating::INITIAL.value));
    assert_eq!(changes.iter().map(|change| change.after.value).collect::<Vec<_>>(), values);

    archive(&test, first).await;
    assert_eq!(value_of(&test, ada).await, Some((values[0], 1)), "a match counts once");
    archive(&test, ended(&test, [ada, ben, cem, dan], 30 * DAY).await).await;
    let history = test.store.rating_history(ada.id, KIND, 10).await.unwrap();
    assert_eq!(history.len(), 2);
    assert_eq!((history[0].after.value, history[0].at), (values[0], after(1)));
    assert_eq!(history[1].before.value, values[0]);
    assert!(history[1].before.deviation > history[0].after.deviation, "it grows within a month");
    let newest = test.store.rating_history(ada.id, KIND, 1).await.unwrap();
    assert_eq!(newest, [history[1]]);
}

pub(crate) async fn matches_that_do_not_count_change_no_ratings(test: TestStore) {
    let users = four_accounts(&test).await;
    let [ada, ben, cem, dan] = &users;
    let guest = test.user("guest").await;
    archive(&test, ended(&test, [ada, ben, cem, &guest], 1).await).await;
    archive(&test, ended(&test, [ada, ben, cem, cem], 2).await).await;
    let mut casual = ended(&test, [ada, ben, cem, dan], 3).await;
    casual.summary.rated = false;
    archive(&test, casual).await;
    let mut aborted = ended(&test, [ada, ben, cem, dan], 4).await;
    (aborted.summary.outcome, aborted.summary.aborted) = (None, Some(AbortCause::Agreement));
    archive(&test, aborted).await;
    let mut without_clocks = ended(&test, [ada, ben, cem, dan], 5).await;
    without_clocks.summary.time = TimeSetting::None;
    archive(&test, without_clocks).await;
    let mut substituted = ended(&test, [ada, ben, cem, dan], 6).await;
    substituted.summary.seats[3].substitute =
        Some(UserView { bot: Some(BotView::Account {}), ..test.stranger("bot").view() });
    archive(&test, substituted).await;
    for user in &users {
        assert_eq!(value_of(&test, user).await, None);
    }
    let recomputed = test.store.recompute_ratings(Recomputation::Check).await.unwrap();
    assert_eq!(recomputed, Recomputed::default());
}

/// Matches that several servers archive at the same time are rated one after the other.
pub(crate) async fn ratings_can_be_computed_again_from_the_archive(test: TestStore) {
    const MATCHES: usize = 24;
    let users = four_accounts(&test).await;
    let mut matches = Vec::new();
    for number in 0..MATCHES {
        let mut order: Vec<&User> = users.iter().collect();
        order.rotate_left(number * 7 % 4);
        if number % 3 == 0 {
            order.swap(1, 2);
        }
        let order = order.try_into().unwrap();
        matches.push(ended(&test, order, number as u64 * DAY / 2).await);
    }
    join_all(matches.into_iter().map(|archived| archive(&test, archived))).await;
    let check = async || test.store.recompute_ratings(Recomputation::Check).await.unwrap();
    let equal = Recomputed { matches: MATCHES as u64, different_changes: 0, different_ratings: 0 };
    assert_eq!(check().await, equal);
    let values = async || join_all(users.iter().map(|user| value_of(&test, user))).await;
    let before = values().await;
    assert!(before.iter().all(|rated| rated.is_some_and(|(_, matches)| matches == MATCHES as u32)));

    test.run("update ratings set value = value + 1 where value = (select max(value) from ratings)").await;
    test.run("update rating_changes set value = value - 1 where number = 5").await;
    let different = Recomputed { different_changes: 4, different_ratings: 1, ..equal };
    assert_eq!(check().await, different);
    assert_ne!(values().await, before, "a check changes nothing");
    let replaced = test.store.recompute_ratings(Recomputation::Replace).await.unwrap();
    assert_eq!(replaced, different);
    assert_eq!((check().await, values().await), (equal, before.clone()));

    test.run("delete from ratings").await;
    let replaced = test.store.recompute_ratings(Recomputation::Replace).await.unwrap();
    assert_eq!(replaced, Recomputed { different_ratings: 4, ..equal });
    assert_eq!((check().await, values().await), (equal, before));
    if let Location::Simulated(database) = &test.location {
        let sql = "select user_id from ratings order by rowid";
        let written = async |connection: &mut _| sqlx::query_scalar(sql).fetch_all(connection).await;
        let written: Vec<Uuid> = database.run_unchecked(written).await.unwrap();
        assert!(written.is_sorted(), "a simulation writes them always in this order: {written:?}");
    }
}

pub(crate) async fn the_best_players_have_certain_ratings(test: TestStore) {
    let users = four_accounts(&test).await;
    let [ada, ben, cem, dan] = &users;
    let best = async |min_matches, days| {
        let best = test.store.best_rated(KIND, min_matches, 2, after(days * DAY)).await.unwrap();
        best.into_iter().map(|ranked| ranked.user.name).collect::<Vec<_>>()
    };
    archive(&test, ended(&test, [ada, ben, cem, dan], 1).await).await;
    assert_eq!(best(1, 0).await, [""; 0], "the ratings are provisional");
    for number in 2..60 {
        let mut order = [ada, ben, cem, dan];
        order.rotate_left(number % 5 % 4);
        archive(&test, ended(&test, order, number as u64).await).await;
    }
    assert_eq!(best(59, 0).await, ["ada", "ben"]);
    let ranks = async |min_matches, days| {
        let rank = |user: &User| test.store.rank(user.id, KIND, min_matches, after(days * DAY));
        join_all(users.iter().map(async |user| rank(user).await.unwrap())).await
    };
    let mut by_rating = Vec::new();
    for user in &users {
        by_rating.push((value_of(&test, user).await.unwrap().0, user.name.as_str()));
    }
    by_rating.sort_by(|one, other| other.0.total_cmp(&one.0));
    let rank_of = |user: &User| by_rating.iter().position(|(_, name)| *name == user.name).unwrap() as u32 + 1;
    let expected: Vec<_> = users.iter().map(|user| Some(rank_of(user))).collect();
    assert_eq!(ranks(59, 0).await, expected, "also beyond the two that are listed");
    assert_eq!(ranks(60, 0).await, [None; 4], "they have not played enough matches");
    assert_eq!(ranks(59, 1_000).await, [None; 4], "they have not played for years");
    assert_eq!(best(60, 0).await, [""; 0], "they have not played enough matches");
    assert_eq!(best(59, 1_000).await, [""; 0], "they have not played for years");
}
