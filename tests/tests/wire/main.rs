//! The real server over real sockets.

mod chat;
mod crash;
mod identity;
mod outage;
mod page;
mod play;
mod privacy;
mod recorded;
mod refusals;
mod resync;
mod seats;
mod second_client;
mod starts;
mod verify;
