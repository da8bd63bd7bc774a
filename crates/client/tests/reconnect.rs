//! A client whose server ends the first connection, or is about to end it.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use futures_util::{FutureExt, SinkExt, StreamExt};
use quadrex_client::{Address, Client, ClientEvent, ConnectionError, Credentials, Update};
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::{ClientFrame, MatchId, SUBPROTOCOL, TableId};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::http::HeaderValue;

const TABLE: &str = "0192f0c1-2345-7000-8000-000000000001";
const MATCH: &str = "0192f0c1-2345-7000-8000-0000000000aa";

type Socket = WebSocketStream<TcpStream>;

/// Accepts a connection and answers its first frame.
async fn accept(listener: &TcpListener) -> Result<Socket> {
    let (stream, _) = listener.accept().await?;
    greet(stream).await
}

/// Opens a WebSocket on a stream and answers its first frame.
async fn greet(stream: TcpStream) -> Result<Socket> {
    #[expect(clippy::result_large_err, reason = "the type of the callback is tungstenite's")]
    let with_protocol = |_: &Request, mut response: Response| {
        response.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_static(SUBPROTOCOL));
        Ok(response)
    };
    let mut socket = tokio_tungstenite::accept_hdr_async(stream, with_protocol).await?;
    let hello = receive(&mut socket).await?;
    ensure!(hello == ClientFrame::Hello { token: Some("token".to_owned()) }, "{hello:?}");
    send(&mut socket, json!({"t": "welcome", "protocol": SUBPROTOCOL, "version": "0.1.0", "user": null}))
        .await?;
    Ok(socket)
}

/// Receives a frame other than a ping.
async fn receive(socket: &mut Socket) -> Result<ClientFrame> {
    loop {
        let message = socket.next().await.context("the client has closed the connection")??;
        if let Message::Text(text) = message {
            let frame = serde_json::from_str(&text)?;
            if frame != (ClientFrame::Ping {}) {
                return Ok(frame);
            }
        }
    }
}

async fn send(socket: &mut Socket, frame: serde_json::Value) -> Result<()> {
    Ok(socket.send(Message::text(frame.to_string())).await?)
}

#[tokio::test]
async fn a_new_connection_resumes_subscriptions_and_unanswered_commands() -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = Address::parse(&format!("http://{}", listener.local_addr()?))?;
    let (table, match_id): (TableId, MatchId) = (TABLE.parse()?, MATCH.parse()?);

    let server = tokio::spawn(async move {
        let mut first = accept(&listener).await?;
        let mut frames = Vec::new();
        for _ in 0..3 {
            frames.push(receive(&mut first).await?);
        }
        drop(first);
        let mut second = accept(&listener).await?;
        let mut again = Vec::new();
        for _ in 0..3 {
            again.push(receive(&mut second).await?);
        }
        let resign =
            again.iter().find_map(ClientFrame::command_id).context("the command is not sent again")?;
        send(&mut second, json!({"t": "ack", "cmd": resign, "table": table, "match": match_id, "seq": 1}))
            .await?;
        anyhow::Ok((frames, again, second))
    });

    let credentials = Credentials { token: Some("token".to_owned()) };
    let mut client = Client::connect(address, credentials, Clock::system(), Entropy::system()).await?;
    client.state_mut().watch(table, None);
    let resign = |cmd| ClientFrame::Resign { table, cmd, seat: None, match_id: None };
    client.state_mut().send(table, match_id, "resignation", resign);
    client.state_mut().watch_lobby();

    let event = client.next().await?;
    ensure!(
        matches!(event, ClientEvent::Disconnected(ConnectionError::Broken(_) | ConnectionError::Closed(_))),
        "{event:?}"
    );
    ensure!(!client.is_connected());
    let event = client.next().await?;
    ensure!(matches!(event, ClientEvent::Reconnected) && client.is_connected(), "{event:?}");
    let event = client.next().await?;
    let ClientEvent::Update(Update::Acknowledged(command)) = event else { anyhow::bail!("{event:?}") };
    ensure!(command.purpose == "resignation" && !client.state().has_pending());

    let (frames, again, _second) = server.await??;
    ensure!(frames.len() == 3 && frames == again, "{frames:?} and {again:?}");
    Ok(())
}

/// Returns the announcement of a server that closes the connection in a minute.
fn closing() -> serde_json::Value {
    json!({"t": "closing", "retry_after_ms": 10, "open_for_ms": 60_000})
}

async fn connect(listener: &TcpListener) -> Result<Client<&'static str>> {
    let address = Address::parse(&format!("http://{}", listener.local_addr()?))?;
    let credentials = Credentials { token: Some("token".to_owned()) };
    Ok(Client::connect(address, credentials, Clock::system(), Entropy::system()).await?)
}

/// Returns the next event that is not about the announcement.
async fn event(client: &mut Client<&'static str>) -> Result<ClientEvent<&'static str>> {
    loop {
        match client.next().await? {
            ClientEvent::Update(Update::Frame(_)) => {}
            event => return Ok(event),
        }
    }
}

/// The server's side: while the first connection stays open, the second one gets the subscription and
/// the unanswered command again. The first one is closed when the server has answered the ping after
/// them.
#[tokio::test]
async fn the_next_connection_is_complete_before_the_first_one_ends() -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let (table, match_id): (TableId, MatchId) = (TABLE.parse()?, MATCH.parse()?);
    let connecting = connect(&listener);
    let (client, first) = tokio::join!(connecting, accept(&listener));
    let (mut client, mut first) = (client?, first?);
    client.state_mut().watch(table, None);
    let resign = |cmd| ClientFrame::Resign { table, cmd, seat: None, match_id: None };
    client.state_mut().send(table, match_id, "resignation", resign);

    let server = async {
        let frames = [receive(&mut first).await?, receive(&mut first).await?];
        send(&mut first, closing()).await?;
        let mut second = accept(&listener).await?;
        let again = [receive(&mut second).await?, receive(&mut second).await?];
        ensure!(frames == again, "{frames:?} and {again:?}");
        ensure!(is_ping(second.next().await), "a ping follows the frames that are sent again");
        // The client pings on the first connection only every 15 seconds, and has closed it neither
        // before nor while the second one was opened.
        ensure!(is_ping(first.next().await), "the ping with which the first connection began");
        ensure!(first.next().now_or_never().is_none(), "the first connection is open");
        let cmd = again.iter().find_map(ClientFrame::command_id).context("the command")?;
        send(&mut second, json!({"t": "ack", "cmd": cmd, "table": table, "match": match_id, "seq": 1}))
            .await?;
        send(&mut second, json!({"t": "pong", "heads": {}})).await?;
        let end = first.next().await;
        ensure!(matches!(end, Some(Ok(Message::Close(_)))), "{end:?}");
        anyhow::Ok(second)
    };
    let events = async {
        let moved = event(&mut client).await?;
        ensure!(matches!(moved, ClientEvent::Moved) && client.is_connected(), "{moved:?}");
        let answered = event(&mut client).await?;
        ensure!(matches!(answered, ClientEvent::Update(Update::Acknowledged(_))), "{answered:?}");
        ensure!(!client.state().has_pending());
        // The pong closes the first connection, and nothing else happens.
        let waiting = tokio::time::timeout(Duration::from_secs(60), event(&mut client)).await;
        anyhow::Ok(waiting)
    };
    tokio::select! {
        second = server => { second?; }
        events = events => { anyhow::bail!("the client has ended: {events:?}") }
    }
    Ok(())
}

fn is_ping(message: Option<Result<Message, tokio_tungstenite::tungstenite::Error>>) -> bool {
    let text = match message {
        Some(Ok(Message::Text(text))) => text,
        _ => return false,
    };
    serde_json::from_str::<ClientFrame>(&text).is_ok_and(|frame| frame == (ClientFrame::Ping {}))
}

/// If the second connection cannot be opened, the first one stays in use.
#[tokio::test]
async fn the_first_connection_is_used_until_the_next_one_can_be_opened() -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let (client, first) = tokio::join!(connect(&listener), accept(&listener));
    let (mut client, mut first) = (client?, first?);
    send(&mut first, closing()).await?;
    let refuse = async {
        drop(listener.accept().await?);
        anyhow::Ok(())
    };
    let (failed, refused) = tokio::join!(event(&mut client), refuse);
    refused?;
    let failed = failed?;
    ensure!(matches!(failed, ClientEvent::ConnectFailed(..)) && client.is_connected(), "{failed:?}");
    client.state_mut().watch_lobby();
    let (moved, second) = tokio::join!(event(&mut client), async {
        let watched = receive(&mut first).await?;
        ensure!(watched == (ClientFrame::WatchLobby {}), "{watched:?}");
        accept(&listener).await
    });
    let (moved, _second) = (moved?, second?);
    ensure!(matches!(moved, ClientEvent::Moved), "{moved:?}");
    Ok(())
}

/// If the first connection ends before the second one is open, the client continues with the second
/// one.
#[tokio::test]
async fn a_connection_that_ends_early_is_replaced_by_the_one_that_is_being_opened() -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let (client, first) = tokio::join!(connect(&listener), accept(&listener));
    let (mut client, mut first) = (client?, first?);
    send(&mut first, closing()).await?;
    let server = async {
        // The second connection is open, but has no answer yet.
        let (stream, _) = listener.accept().await?;
        drop(first);
        anyhow::Ok(stream)
    };
    let (ended, stream) = tokio::join!(event(&mut client), server);
    let ended = ended?;
    ensure!(matches!(ended, ClientEvent::Disconnected(_)) && !client.is_connected(), "{ended:?}");
    let (again, second) = tokio::join!(event(&mut client), greet(stream?));
    let (again, _second) = (again?, second?);
    ensure!(matches!(again, ClientEvent::Reconnected), "{again:?}");
    Ok(())
}
