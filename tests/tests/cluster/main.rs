//! Tests of several servers (nodes) on one Postgres database that are connected by a real NATS server.

#![expect(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod access;
mod anonymous;
mod blocks;
mod close_table;
mod correspondence;
mod crowd;
mod cuts;
mod fair_play;
mod follows;
mod groups;
mod hibernation;
mod invitations;
mod lists;
mod messages;
mod metrics;
mod notifications;
mod outages;
mod play;
mod reviews;
mod rolling;
mod sessions;
mod shared_counts;
mod sign_ins;
mod suspensions;
mod timed_contest;
mod versions;
