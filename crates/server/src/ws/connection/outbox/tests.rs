//! Tests of the outbox: frames that are sent at once, frames that wait, and clients that are
//! disconnected.

use super::testing::{outbox as connection, with_capacity};
use super::*;

fn frame(number: usize) -> Frame {
    Frame::from(format!("{number} {}", "x".repeat(1_000)))
}

fn number(text: &str) -> usize {
    text.split(' ').next().unwrap().parse().unwrap()
}

fn waiting(outbox: &Outbox) -> usize {
    outbox.lock().frames.len()
}

#[tokio::test]
async fn a_frame_is_sent_at_once_if_the_socket_accepts_it() {
    let (outbox, mut peer) = connection().await;
    outbox.publish(&frame(1));
    assert_eq!(waiting(&outbox), 0);
    assert_eq!(number(&peer.next().await), 1);
}

/// Queued frames are sent in order and whole once the client reads.
#[tokio::test]
async fn a_frame_waits_while_the_socket_accepts_nothing() {
    let (outbox, mut peer) = connection().await;
    let mut sent = 0;
    while waiting(&outbox) < 20 {
        outbox.publish(&frame(sent));
        sent += 1;
    }
    let reading = async {
        for expected in 0..sent {
            assert_eq!(number(&peer.next().await), expected);
        }
    };
    let ((), ()) = tokio::join!(outbox.drained(), reading);
    assert_eq!(waiting(&outbox), 0);
    let published = outbox.lock().published;
    assert_eq!((published.frames, published.bytes), (0, 0));
    outbox.publish(&frame(sent));
    assert_eq!(number(&peer.next().await), sent);
}

/// A client that reads too slowly receives the rest of the frame that is partly sent, and the
/// reason, and nothing else.
#[tokio::test]
async fn a_slow_client_is_closed_in_order() {
    for capacity in [QueueSize { frames: 4, bytes: 1 << 20 }, QueueSize { frames: 1_000, bytes: 4_000 }] {
        let (outbox, mut peer) = with_capacity(capacity).await;
        let mut sent = 0;
        while outbox.lock().failure.is_none() {
            assert!(waiting(&outbox) <= 4, "{capacity:?}");
            outbox.publish(&frame(sent));
            sent += 1;
        }
        assert_eq!(outbox.failed().await, Failure::TooSlow);
        outbox.publish(&frame(sent));
        outbox.send_control(&Frame::from("closing".to_owned()).bytes()).unwrap();
        let received = async {
            let mut received = vec![peer.next().await];
            while received.last().is_some_and(|last| last != "closing") {
                received.push(peer.next().await);
            }
            received
        };
        let (received, ()) = tokio::join!(received, outbox.drained());
        let numbers: Vec<_> = received[..received.len() - 1].iter().map(|text| number(text)).collect();
        assert_eq!(numbers, (0..numbers.len()).collect::<Vec<_>>());
        assert!(numbers.len() <= sent - 3, "{} of {sent} were not dropped", numbers.len());
        assert!(numbers.len() >= 2, "some fit into the connection");
    }
}

/// Answers of any size close no connection, because the client sends no more requests before it has
/// read them.
#[tokio::test]
async fn answers_do_not_count_against_the_capacity() {
    let (outbox, mut peer) = with_capacity(QueueSize { frames: 4, bytes: 5_000 }).await;
    let mut sent = 0;
    while waiting(&outbox) < 300 {
        outbox.answer(&frame(sent));
        sent += 1;
    }
    for _ in 0..4 {
        outbox.publish(&frame(sent));
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
async fn a_broken_connection_is_reported() {
    let (outbox, peer) = connection().await;
    drop(peer);
    while outbox.lock().failure.is_none() {
        outbox.publish(&frame(1));
        tokio::task::yield_now().await;
    }
    assert_eq!(outbox.failed().await, Failure::Broken);
    assert_eq!(outbox.send_control(b"x"), Err(Failure::Broken));
}

/// Tokio's paused time advances by itself while all tasks are idle.
#[tokio::test]
async fn a_client_that_reads_nothing_is_closed() {
    let (outbox, _peer) = connection().await;
    while waiting(&outbox) == 0 {
        outbox.publish(&frame(1));
    }
    tokio::time::pause();
    assert_eq!(outbox.failed().await, Failure::Stalled);
    assert_eq!(waiting(&outbox), 0);
}

#[tokio::test]
async fn a_finished_outbox_sends_no_more_frames() {
    let (outbox, mut peer) = connection().await;
    outbox.finish();
    outbox.publish(&frame(1));
    outbox.send_control(&Frame::from("closing".to_owned()).bytes()).unwrap();
    assert_eq!(peer.next().await, "closing");
}
