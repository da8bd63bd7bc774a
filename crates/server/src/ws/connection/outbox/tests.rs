//! What goes at once, what waits, and who is given up.

use super::testing::{line, with_room};
use super::*;

fn frame(number: usize) -> Frame {
    Frame::from(format!("{number} {}", "x".repeat(1_000)))
}

fn number(text: &str) -> usize {
    text.split(' ').next().unwrap().parse().unwrap()
}

fn waits(outbox: &Outbox) -> usize {
    outbox.lock().pieces.len()
}

#[tokio::test]
async fn what_the_connection_takes_goes_at_once() {
    let (outbox, mut peer) = line().await;
    outbox.tell(&frame(1));
    assert_eq!(waits(&outbox), 0);
    assert_eq!(number(&peer.next().await), 1);
}

/// What waits goes by itself once the client reads, in order and whole.
#[tokio::test]
async fn what_the_connection_does_not_take_waits() {
    let (outbox, mut peer) = line().await;
    let mut sent = 0;
    while waits(&outbox) < 20 {
        outbox.tell(&frame(sent));
        sent += 1;
    }
    let reading = async {
        for expected in 0..sent {
            assert_eq!(number(&peer.next().await), expected);
        }
    };
    let ((), ()) = tokio::join!(outbox.drained(), reading);
    assert_eq!(waits(&outbox), 0);
    let told = outbox.lock().told;
    assert_eq!((told.frames, told.bytes), (0, 0));
    outbox.tell(&frame(sent));
    assert_eq!(number(&peer.next().await), sent);
}

/// Whoever reads too slowly loses its place: it still gets what has begun to go, and the word of why, and nothing else.
#[tokio::test]
async fn a_reader_that_is_too_slow_is_given_up_in_form() {
    for room in [Room { frames: 4, bytes: 1 << 20 }, Room { frames: 1_000, bytes: 4_000 }] {
        let (outbox, mut peer) = with_room(room).await;
        let mut sent = 0;
        while outbox.lock().failure.is_none() {
            assert!(waits(&outbox) <= 4, "{room:?}");
            outbox.tell(&frame(sent));
            sent += 1;
        }
        assert_eq!(outbox.failed().await, Failure::TooSlow);
        outbox.tell(&frame(sent));
        outbox.send_control(&Frame::from("closing".to_owned()).wire()).unwrap();
        let told = async {
            let mut told = vec![peer.next().await];
            while told.last().is_some_and(|last| last != "closing") {
                told.push(peer.next().await);
            }
            told
        };
        let (told, ()) = tokio::join!(told, outbox.drained());
        let numbers: Vec<_> = told[..told.len() - 1].iter().map(|text| number(text)).collect();
        assert_eq!(numbers, (0..numbers.len()).collect::<Vec<_>>());
        assert!(numbers.len() <= sent - 3, "{} of {sent} were not thrown away", numbers.len());
        assert!(numbers.len() >= 2, "some fit into the connection");
    }
}

/// Answers, however large, are no reason to let a client go: it asks for no more before it has taken them.
#[tokio::test]
async fn answers_take_no_room_from_what_is_told() {
    let (outbox, mut peer) = with_room(Room { frames: 4, bytes: 5_000 }).await;
    let mut sent = 0;
    while waits(&outbox) < 300 {
        outbox.answer(&frame(sent));
        sent += 1;
    }
    for _ in 0..4 {
        outbox.tell(&frame(sent));
        sent += 1;
    }
    let reading = async {
        for expected in 0..sent {
            assert_eq!(number(&peer.next().await), expected);
        }
    };
    let ((), ()) = tokio::join!(outbox.drained(), reading);
    assert_eq!(outbox.lock().failure, None);
}

#[tokio::test]
async fn a_connection_that_broke_is_told() {
    let (outbox, peer) = line().await;
    drop(peer);
    while outbox.lock().failure.is_none() {
        outbox.tell(&frame(1));
        tokio::task::yield_now().await;
    }
    assert_eq!(outbox.failed().await, Failure::Broken);
    assert_eq!(outbox.send_control(b"x"), Err(Failure::Broken));
}

/// Time that is paused goes on by itself when nothing else happens.
#[tokio::test]
async fn a_client_that_takes_nothing_is_given_up() {
    let (outbox, _peer) = line().await;
    while waits(&outbox) == 0 {
        outbox.tell(&frame(1));
    }
    tokio::time::pause();
    assert_eq!(outbox.failed().await, Failure::Stalled);
    assert_eq!(waits(&outbox), 0);
}

#[tokio::test]
async fn a_line_that_is_closed_in_form_sends_no_frames_any_more() {
    let (outbox, mut peer) = line().await;
    outbox.finish();
    outbox.tell(&frame(1));
    outbox.send_control(&Frame::from("closing".to_owned()).wire()).unwrap();
    assert_eq!(peer.next().await, "closing");
}
