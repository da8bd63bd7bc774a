//! Conformance tests of the statistics of pairs, with made-up matches.

use quadrex_protocol::UserId;
use quadrex_store::{ActCount, Acts, MatchToArchive, PairActs, User, UserPair};

use crate::ratings::{account, ended};
use crate::test_store::{TestStore, after};

/// The number of captures of each player in a match.
const CAPTURES: u32 = 9;

/// Made-up matches between accounts, and the way in which they play.
struct World<'a> {
    test: &'a TestStore,
    users: Vec<User>,
    /// The state of a generator of random numbers.
    random: u64,
    /// The indexes of two users who spare each other.
    sparing: Option<(usize, usize)>,
    /// The chance that a player captures from the opposite player, when the chance for each neighbor
    /// is 10.
    opposite: u64,
}

impl World<'_> {
    async fn new(test: &TestStore, sparing: Option<(usize, usize)>, opposite: u64) -> World<'_> {
        let mut users = Vec::new();
        for name in ["ada", "ben", "cem", "dan", "eve", "fay", "gus", "hal"] {
            users.push(account(test, name).await);
        }
        World { test, users, random: 0x9E37_79B9_7F4A_7C15, sparing, opposite }
    }

    /// Returns a random number below `end` (xorshift, Marsaglia 2003).
    fn below(&mut self, end: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 16) % end
    }

    /// Returns four users for the seats in turn order.
    fn draw_seats(&mut self) -> [usize; 4] {
        let mut all: Vec<usize> = (0..self.users.len()).collect();
        std::array::from_fn(|_| {
            let index = usize::try_from(self.below(all.len() as u64)).unwrap();
            all.swap_remove(index)
        })
    }

    async fn play(&mut self, seats: [usize; 4], number: u64) {
        let mut captures = [[0_u32; 4]; 4];
        for (by, from) in captures.iter_mut().enumerate() {
            for _ in 0..CAPTURES {
                let chances: [u64; 4] = std::array::from_fn(|on| {
                    let spares = self.sparing.is_some_and(|(one, other)| {
                        [(one, other), (other, one)].contains(&(seats[by], seats[on]))
                    });
                    match by.abs_diff(on) {
                        0 => 0,
                        _ if spares => 0,
                        2 => self.opposite,
                        _ => 10,
                    }
                });
                let mut left = self.below(chances.iter().sum());
                let on = chances.iter().position(|chance| match left.checked_sub(*chance) {
                    Some(rest) => {
                        left = rest;
                        false
                    }
                    None => true,
                });
                from[on.unwrap()] += 1;
            }
        }
        let archived = ended(self.test, seats.map(|seat| &self.users[seat]), number).await;
        let mut pairs = Vec::new();
        for by in 0..4 {
            for on in (0..4).filter(|on| *on != by) {
                let count = ActCount { seen: captures[by][on], expected: f64::from(CAPTURES) / 3.0 };
                pairs.push(PairActs {
                    by: self.users[seats[by]].id,
                    on: self.users[seats[on]].id,
                    is_opposite: by.abs_diff(on) == 2,
                    acts: Acts { captures: count, ..Acts::default() },
                });
            }
        }
        let entry = MatchToArchive { pairs, ..archived.into() };
        self.test.store.archive(&[entry], &[]).await.unwrap();
    }

    async fn reported(&self, min_matches: u16) -> Vec<UserPair> {
        self.test.store.sparing_pairs(after(0), min_matches, 50).await.unwrap()
    }

    fn pair(&self, one: usize, other: usize) -> (UserId, UserId) {
        let (one, other) = (self.users[one].id, self.users[other].id);
        (one.min(other), one.max(other))
    }
}

pub(crate) async fn only_users_who_spare_each_other_are_reported(test: TestStore) {
    let mut world = World::new(&test, Some((2, 5)), 10).await;
    for number in 0..120 {
        let seats = world.draw_seats();
        world.play(seats, number).await;
    }
    let reported = world.reported(12).await;
    let [pair] = &reported[..] else { panic!("{reported:?}") };
    assert_eq!(pair.users, world.pair(2, 5));
    assert!(pair.score > 3.0 && pair.matches >= 12, "{pair:?}");
    let acts = [pair.by_first.captures, pair.by_second.captures];
    assert!(acts.iter().all(|count| count.seen == 0 && count.expected > 30.0), "{acts:?}");
    let too_few = u16::try_from(pair.matches + 1).unwrap();
    assert_eq!(world.reported(too_few).await, [], "they have played fewer matches");
    let later = after(pair.last_at.as_millis() - after(0).as_millis() + 1);
    assert_eq!(test.store.sparing_pairs(later, 1, 50).await.unwrap(), [], "all matches are older");

    let (one, other) = pair.users;
    let found = test.store.pair_of(other, one, after(0)).await.unwrap().unwrap();
    assert_eq!((found.users, found.matches, found.last_at), (pair.users, pair.matches, pair.last_at));
    // A database adds numbers up in any order, so their last digits may differ.
    assert!((found.score - pair.score).abs() < 1e-9, "{found:?} and {pair:?}");
    let matches = test.store.matches_of_pair(one, other, after(0), 100).await.unwrap();
    assert_eq!(matches.len(), pair.matches as usize);
    assert!(matches.iter().map(|listed| listed.ended_at_ms).is_sorted_by(|newer, older| newer > older));
    let fair = test.store.pair_of(world.users[0].id, world.users[1].id, after(0)).await.unwrap().unwrap();
    assert!(fair.score.abs() < 3.0 && fair.by_first.captures.seen > 0, "{fair:?}");
}

/// Two users who always sit opposite each other capture less from each other than from their neighbors,
/// as all do. They are not reported.
pub(crate) async fn fair_users_are_not_reported(test: TestStore) {
    let mut world = World::new(&test, None, 3).await;
    for number in 0..120 {
        let mut seats = world.draw_seats();
        if number % 2 == 0 {
            let others = seats.into_iter().filter(|seat| *seat != 0 && *seat != 1);
            let others: Vec<usize> = others.chain([2, 3, 4, 5]).collect();
            let second = others.iter().find(|seat| **seat != others[0]).copied().unwrap();
            seats = [0, others[0], 1, second];
        }
        world.play(seats, number).await;
    }
    let opposite = test.store.pair_of(world.users[0].id, world.users[1].id, after(0)).await.unwrap().unwrap();
    assert!(opposite.matches >= 60, "{opposite:?}");
    assert_eq!(world.reported(12).await, []);
}
