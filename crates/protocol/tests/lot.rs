//! Tests of the lot: published examples for other programs, and equal chances for all outcomes.

#![expect(clippy::unwrap_used, reason = "a panic is how a test says no")]

use quadrex_protocol::MatchId;
use quadrex_protocol::lot::{Commitment, LotParts, LotResult, Nonce, Secret, draw};

const FIRST_PLAYER: LotParts = LotParts { seats: false, first_player: true };
const SEATS: LotParts = LotParts { seats: true, first_player: false };
const BOTH: LotParts = LotParts { seats: true, first_player: true };

fn match_id() -> MatchId {
    "00000000-0000-7000-8000-000000000001".parse().unwrap()
}

fn nonces<const N: usize>(texts: [&str; N]) -> Vec<Nonce> {
    texts.map(|text| text.parse().unwrap()).into()
}

fn drawn(byte: u8, texts: &[&str], parts: LotParts) -> (Vec<usize>, Option<usize>) {
    let nonces: Vec<Nonce> = texts.iter().map(|text| text.parse().unwrap()).collect();
    let LotResult { seats, first_player } = draw(&Secret::new([byte; 32]), match_id(), &nonces, parts);
    (seats, first_player)
}

/// The expected values were computed with Python's hashlib, from the description in
/// `docs/PROTOCOL.md`, "The lot".
#[test]
fn examples_match_another_implementation() {
    let four = ["a", "b", "c", "d"];
    let identity = vec![0, 1, 2, 3];
    assert_eq!(drawn(0, &four, FIRST_PLAYER), (identity.clone(), Some(3)));
    assert_eq!(drawn(2, &four, FIRST_PLAYER), (identity.clone(), Some(0)));
    assert_eq!(drawn(3, &four, FIRST_PLAYER), (identity.clone(), Some(1)));
    assert_eq!(drawn(0, &four, BOTH), (identity, Some(2)));
    assert_eq!(drawn(1, &four, BOTH), (vec![1, 2, 0, 3], Some(1)));
    assert_eq!(drawn(2, &four, BOTH), (vec![2, 3, 1, 0], Some(3)));
    assert_eq!(drawn(3, &four, BOTH), (vec![0, 2, 3, 1], Some(1)));
    let two = ["left", "right hand ~"];
    assert_eq!(drawn(0, &two, SEATS), (vec![1, 0], None));
    assert_eq!(drawn(1, &two, SEATS), (vec![0, 1], None));
    assert_eq!(drawn(1, &["ab", "c"], FIRST_PLAYER).1, Some(0));
    assert_eq!(drawn(1, &["a", "bc"], FIRST_PLAYER).1, Some(1), "where a nonce ends matters");
}

#[test]
fn the_commitment_is_the_sha_256_of_the_secret() {
    let text = "72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793";
    assert_eq!(Secret::new([1; 32]).commitment().to_string(), text);
    assert_eq!(Commitment::try_from(text.to_owned()).unwrap(), Secret::new([1; 32]).commitment());
}

#[test]
fn every_input_changes_the_result() {
    let secret = Secret::new([7; 32]);
    let outcome = |secret: &Secret, match_id, nonces: &[Nonce]| {
        // Enough draws that two different seeds almost never give the same results.
        (0..16)
            .map(|extra| {
                let nonces = [nonces, &[extra.to_string().parse().unwrap()]].concat();
                draw(secret, match_id, &nonces, BOTH)
            })
            .collect::<Vec<_>>()
    };
    let (a, b) = (nonces(["a", "b", "c"]), nonces(["a", "b", "d"]));
    let usual = outcome(&secret, match_id(), &a);
    assert_eq!(outcome(&secret, match_id(), &a), usual);
    assert_ne!(outcome(&secret, match_id(), &b), usual);
    assert_ne!(outcome(&Secret::new([8; 32]), match_id(), &a), usual);
    let other = "00000000-0000-7000-8000-000000000002".parse().unwrap();
    assert_ne!(outcome(&secret, other, &a), usual);
}

/// D2: each of the four players is equally likely to begin, and all 24 orders are equally likely.
/// In 24,000 draws, each count may deviate from its expectation by five standard deviations (sqrt(n
/// p (1 - p)), about 67 and 31).
#[test]
fn all_outcomes_are_equally_likely() {
    let four = nonces(["a", "b", "c", "d"]);
    let mut beginners = [0_i32; 4];
    let mut orders = std::collections::BTreeMap::new();
    for number in 0_u32..24_000 {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        let LotResult { seats, first_player } = draw(&Secret::new(bytes), match_id(), &four, BOTH);
        beginners[first_player.unwrap()] += 1;
        *orders.entry(seats).or_insert(0_i32) += 1;
    }
    assert!(beginners.iter().all(|count| (count - 6_000).abs() < 335), "{beginners:?}");
    assert_eq!(orders.len(), 24);
    assert!(orders.values().all(|count| (count - 1_000).abs() < 155), "{orders:?}");
}

#[test]
fn secrets_and_nonces_round_trip_and_invalid_ones_are_refused() {
    let secret: Secret = serde_json::from_str(&format!("\"{}\"", "0f".repeat(32))).unwrap();
    assert_eq!(secret, Secret::new([15; 32]));
    assert_eq!(serde_json::to_string(&secret).unwrap(), format!("\"{}\"", "0f".repeat(32)));
    assert_eq!(format!("{secret:?}"), "Secret(..)");
    for wrong in ["", "0f", &"0F".repeat(32), &"0g".repeat(32), &"0f".repeat(33), &"é".repeat(32)] {
        assert!(Secret::try_from((*wrong).to_owned()).is_err(), "{wrong:?} was taken");
    }
    for nonce in ["x", " ", "~", &"x".repeat(64)] {
        assert_eq!(nonce.parse::<Nonce>().unwrap().as_str(), nonce);
    }
    for wrong in ["", "\n", "é", "\u{7f}", &"x".repeat(65)] {
        assert!(wrong.parse::<Nonce>().is_err(), "{wrong:?} was taken");
    }
}
