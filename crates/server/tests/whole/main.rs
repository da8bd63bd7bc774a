//! The server put together, in this process, on a SQLite file: the lobby with its tables, and all of it over sockets.
//! What the whole program does, on both databases and under fire, is tested by the workspace's own `tests`.

#![expect(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod flags;
mod hall;
mod looks;
mod reconciler;
mod rematch;
mod socket;
mod tables;
