//! The real server over real sockets.

mod away;
mod chat;
mod check;
mod claims;
mod crash;
mod handover;
mod hotseat;
mod identity;
mod lag;
mod outage;
mod page;
mod pause;
mod play;
mod privacy;
mod quick;
mod recorded;
mod refusals;
mod rematch;
mod resync;
mod rolling;
mod seats;
mod second_client;
mod starts;
mod tabs;
mod times;
mod verify;
