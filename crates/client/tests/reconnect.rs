//! A client whose server ends the first connection.

use anyhow::{Context, Result, ensure};
use futures_util::{SinkExt, StreamExt};
use quadrex_client::{Address, Client, ClientEvent, ConnectionError, Credentials, Update};
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::{ClientFrame, MatchId, SUBPROTOCOL, TableId};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::http::HeaderValue;

type Socket = WebSocketStream<TcpStream>;

/// Accepts a connection and answers its first frame.
async fn accept(listener: &TcpListener) -> Result<Socket> {
    let (stream, _) = listener.accept().await?;
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
    let table: TableId = "0192f0c1-2345-7000-8000-000000000001".parse()?;
    let match_id: MatchId = "0192f0c1-2345-7000-8000-0000000000aa".parse()?;

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
