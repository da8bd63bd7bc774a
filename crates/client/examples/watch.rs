//! Follows a table and prints its moves: `watch LINK`.
//!
//! ```text
//! $ cargo run --package quadrex-client --example watch -- http://127.0.0.1:8080/t/TABLE
//! Ada: e4
//! Bob: e5
//! ```

use std::error::Error;

use quadrex_client::{Client, ClientEvent, Credentials, TableAddress, TableMirror, Update};
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::Event;
use quadrex_protocol::view::Entry;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let link = std::env::args().nth(1).ok_or("expected the link of a table")?;
    let TableAddress { server, table, invite } = TableAddress::parse(&link)?;
    let server = server.ok_or("expected a link, not only an id")?;

    // No token: the server shows what everybody may see.
    let (clock, entropy) = (Clock::system(), Entropy::system());
    let mut client: Client<()> = Client::connect(server, Credentials::default(), clock, entropy).await?;
    client.state_mut().watch(table, invite);
    loop {
        match client.next().await? {
            ClientEvent::Update(Update::Snapshot { .. }) => {
                if let Some(mirror) = client.state().table(table) {
                    let plies = mirror.game().map_or(0, |game| game.moves().len());
                    println!("{}, {plies} plies so far", mirror.settings.variant);
                }
            }
            ClientEvent::Update(Update::Event { entry, .. }) => {
                if let Some(mirror) = client.state().table(table) {
                    print(mirror, &entry);
                }
            }
            ClientEvent::Update(Update::TableRefused { message, .. }) => return Err(message.into()),
            ClientEvent::Update(_) | ClientEvent::Reconnected | ClientEvent::Moved => {}
            ClientEvent::Disconnected(error) | ClientEvent::ConnectFailed(error, _) => {
                eprintln!("{error}; connecting again");
            }
        }
    }
}

/// Prints a move with the player's name.
fn print(mirror: &TableMirror, entry: &Entry) {
    if let Event::Moved { color, mv, .. } = &entry.event {
        let user = mirror.seats.iter().find(|seat| seat.color == *color).and_then(|seat| seat.user.as_ref());
        let name = user.map_or_else(|| color.to_string(), |user| user.name.clone());
        println!("{name}: {}", entry.notation.clone().unwrap_or_else(|| mv.to_string()));
    }
}
