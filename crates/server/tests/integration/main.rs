//! Integration tests of the server in this process, on a SQLite file: the lobby with its tables,
//! and the whole server over sockets. The workspace's package `tests` covers the program on both
//! databases and under faults.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod endpoint;
mod fixture;
mod flags;
mod hibernation;
mod reading;
mod reconciler;
mod rematch;
mod seat_holders;
mod socket;
mod tables;
