//! Tests of processes, of the order of tasks, and of sockets in memory.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep, timeout};

use super::{Delivery, PipeControl, Process, SimulatedSocket, activate, pipe};
use crate::Socket;

const SECOND: Duration = Duration::from_secs(1);

/// A network in which bytes take a second.
struct Slow;

impl Delivery for Slow {
    fn delay(&self, _bytes: usize) -> Duration {
        SECOND
    }
}

fn sockets() -> ([SimulatedSocket; 2], PipeControl) {
    pipe([Arc::new(Slow), Arc::new(Slow)])
}

#[expect(clippy::disallowed_methods, reason = "it is virtual time")]
fn virtual_now() -> Instant {
    Instant::now()
}

/// A list to which tasks add.
type Log = Arc<Mutex<Vec<u32>>>;

fn entries(log: &Log) -> Vec<u32> {
    log.lock().unwrap().clone()
}

/// Adds a number each second.
async fn count(log: Log) {
    for number in 1.. {
        sleep(SECOND).await;
        log.lock().unwrap().push(number);
    }
}

/// Adds a number when it is dropped.
struct AddOnDrop(Log, u32);

impl Drop for AddOnDrop {
    fn drop(&mut self) {
        self.0.lock().unwrap().push(self.1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_killed_process_does_nothing_more_and_drops_its_tasks() {
    activate(1);
    let log = Log::default();
    let (process, guard) = (Process::new("server"), AddOnDrop(Arc::clone(&log), 99));
    let task = count(Arc::clone(&log));
    process.spawn(async move {
        let _guard = guard;
        // A task belongs to the process of the task that started it.
        crate::spawn(task);
        std::future::pending::<()>().await;
    });
    sleep(SECOND * 5 / 2).await;
    assert_eq!(entries(&log), [1, 2]);
    process.kill();
    sleep(10 * SECOND).await;
    assert_eq!(entries(&log), [1, 2, 99]);
    process.spawn(count(Arc::clone(&log)));
    process.resume();
    sleep(10 * SECOND).await;
    assert_eq!(entries(&log), [1, 2, 99], "the dead stay dead");
}

#[tokio::test(start_paused = true)]
async fn a_stopped_process_goes_on_later() {
    activate(1);
    let (log, process) = (Log::default(), Process::new("server"));
    process.spawn(count(Arc::clone(&log)));
    sleep(SECOND * 3 / 2).await;
    process.stop();
    sleep(10 * SECOND).await;
    assert_eq!(entries(&log), [1]);
    process.resume();
    sleep(SECOND / 2).await;
    assert_eq!(entries(&log), [1, 2]);
}

/// Returns the order in which tasks run that are ready at the same time.
async fn order(seed: u64) -> Vec<u32> {
    activate(seed);
    let log = Log::default();
    for number in 0..20 {
        let log = Arc::clone(&log);
        crate::spawn(async move { log.lock().unwrap().push(number) });
    }
    sleep(SECOND).await;
    entries(&log)
}

#[tokio::test(start_paused = true)]
async fn the_seed_determines_the_order_of_tasks() {
    let first = order(7).await;
    assert_eq!(first.len(), 20);
    assert_eq!(first, order(7).await);
    assert_ne!(first, order(8).await);
    assert!(!first.is_sorted(), "{first:?}");
}

#[tokio::test(start_paused = true)]
async fn bytes_arrive_late_and_in_order_and_then_the_end() {
    let ([mut one, mut other], _) = sockets();
    one.write_all(b"ab").await.unwrap();
    one.write_all(b"c").await.unwrap();
    let mut received = [0; 3];
    assert!(timeout(SECOND / 2, other.read_exact(&mut received)).await.is_err(), "they are under way");
    other.read_exact(&mut received[..3]).await.unwrap();
    assert_eq!(&received, b"abc");
    one.shutdown().await.unwrap();
    assert_eq!(other.read(&mut received).await.unwrap(), 0);
    other.write_all(b"d").await.unwrap();
    assert_eq!(one.read(&mut received).await.unwrap(), 1, "the other direction is open");
}

#[tokio::test(start_paused = true)]
async fn a_reset_loses_what_is_under_way() {
    let ([mut one, mut other], control) = sockets();
    one.write_all(b"ab").await.unwrap();
    control.reset();
    assert!(control.is_over());
    assert!(other.read(&mut [0; 2]).await.is_err());
    assert!(one.write_all(b"c").await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_connection_can_be_cut_after_any_byte() {
    let ([mut one, mut other], control) = sockets();
    control.reset_after(0, 3);
    one.write_all(b"abcdef").await.unwrap();
    let mut received = Vec::new();
    assert!(other.read_to_end(&mut received).await.is_err());
    assert_eq!(received, b"abc");
    let back = timeout(SECOND, one.read(&mut [0; 1])).await.expect("both directions are cut");
    assert!(back.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_silent_connection_accepts_bytes_and_delivers_none() {
    let ([mut one, mut other], control) = sockets();
    one.write_all(b"ab").await.unwrap();
    control.silence();
    one.write_all(b"c").await.unwrap();
    assert!(timeout(60 * SECOND, other.read(&mut [0; 1])).await.is_err());
    assert!(!control.is_over(), "nobody is informed");
}

#[tokio::test(start_paused = true)]
async fn a_full_socket_accepts_more_when_bytes_have_been_read() {
    let ([one, mut other], _) = sockets();
    let socket = Socket::Simulated(one);
    socket.set_send_buffer_size(4).unwrap();
    let (_reading, writing) = socket.into_split();
    assert_eq!(writing.try_write(b"abcdef").unwrap(), 4);
    assert!(writing.try_write(b"e").is_err());
    assert!(timeout(SECOND / 2, writing.writable()).await.is_err());
    let waiting = tokio::spawn(async move { writing.writable().await.map(|()| writing) });
    other.read_exact(&mut [0; 4]).await.unwrap();
    let writing = timeout(SECOND, waiting).await.expect("the writer is woken").unwrap().unwrap();
    assert_eq!(writing.try_write(b"ef").unwrap(), 2);
    writing.shut_down();
    assert!(other.write_all(b"x").await.is_err(), "nobody reads it any more");
}

#[tokio::test(start_paused = true)]
async fn a_limited_connection_passes_on_a_few_bytes_at_a_time() {
    let ([mut one, mut other], control) = sockets();
    control.limit(0, 2);
    let sending = tokio::spawn(async move { one.write_all(b"abcd").await });
    let mut received = [0; 4];
    assert!(timeout(SECOND * 3 / 2, other.read_exact(&mut received)).await.is_err());
    assert_eq!(&received, b"ab\0\0");
    other.read_exact(&mut received[2..]).await.unwrap();
    assert_eq!(&received, b"abcd");
    sending.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_reader_knows_when_its_bytes_were_sent() {
    let ([mut one, mut other], control) = sockets();
    control.limit(0, 2);
    let begin = virtual_now();
    let sending = tokio::spawn(async move { one.write_all(b"abcd").await });
    assert_eq!(other.take_sent_at(), None);
    let mut received = [0; 3];
    other.read_exact(&mut received).await.unwrap();
    assert_eq!(other.take_sent_at(), Some(begin), "the first two bytes");
    other.read_exact(&mut received[..1]).await.unwrap();
    assert_eq!(other.take_sent_at(), Some(begin + SECOND), "the others were sent when these had arrived");
    assert_eq!(other.take_sent_at(), None);
    sending.await.unwrap().unwrap();
}
