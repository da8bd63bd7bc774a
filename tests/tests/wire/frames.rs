//! WebSocket frames and messages that are not frames of the protocol.

use anyhow::{Context, Result, bail, ensure};
use futures_util::{SinkExt, StreamExt};
use quadrex_protocol::RefusalCode;
use quadrex_tests::socket::{Socket, shake_hands};
use quadrex_tests::{Database, Launch, PATIENCE, Server};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

/// Connects without a user and says hello.
async fn connect(server: &Server) -> Result<Socket> {
    let shaken = shake_hands(server.address(), &[], WebSocketConfig::default()).await?;
    let mut socket = shaken.ok().context("the handshake was refused")?;
    socket.send(Message::text(json!({"t": "hello"}).to_string())).await?;
    let welcome = text(&mut socket).await?;
    ensure!(welcome["t"] == "welcome", "{welcome}");
    Ok(socket)
}

/// Returns the next text message.
async fn text(socket: &mut Socket) -> Result<Value> {
    loop {
        let message = timeout(PATIENCE, socket.next()).await?.context("the connection has ended")??;
        if let Message::Text(text) = message {
            return Ok(serde_json::from_str(&text)?);
        }
    }
}

/// Returns the code with which the server closes the connection.
async fn closed(socket: &mut Socket) -> Result<u16> {
    let closing = async {
        loop {
            match socket.next().await.context("it ended without a close frame")?? {
                Message::Close(Some(frame)) => {
                    let code: u16 = frame.code.into();
                    return Ok(code);
                }
                Message::Close(None) => bail!("closed without a code"),
                _ => {}
            }
        }
    };
    timeout(PATIENCE, closing).await.context("the connection stays open")?
}

/// Sends the same message until the connection closes, and returns the code.
async fn flooded(server: &Server, message: impl Fn() -> Message) -> Result<u16> {
    let mut socket = connect(server).await?;
    for _ in 0..100 {
        if socket.send(message()).await.is_err() {
            break;
        }
    }
    closed(&mut socket).await
}

#[tokio::test]
async fn empty_and_control_frames_count_for_the_rate_limit() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let fragment =
        |opcode, is_final| move || Message::Frame(Frame::message(Vec::new(), OpCode::Data(opcode), is_final));
    ensure!(flooded(&server, || Message::Ping(Vec::new().into())).await? == 1008, "pings");
    ensure!(flooded(&server, || Message::Pong(Vec::new().into())).await? == 1008, "pongs");
    ensure!(flooded(&server, || Message::text(" ".repeat(5_000))).await? == 1008, "too large frames");
    let mut socket = connect(&server).await?;
    socket.send(fragment(Data::Text, false)()).await?;
    for _ in 0..100 {
        if socket.send(fragment(Data::Continue, false)()).await.is_err() {
            break;
        }
    }
    ensure!(closed(&mut socket).await? == 1008, "fragments");
    Ok(())
}

/// A message may be sent in several fragments, with pings between them.
#[tokio::test]
async fn a_message_may_be_fragmented() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut socket = connect(&server).await?;
    let pieces = ["{\"t\":", "\"pi", "", "ng\"}"];
    for (number, piece) in pieces.iter().enumerate() {
        let opcode = if number == 0 { Data::Text } else { Data::Continue };
        let is_final = number + 1 == pieces.len();
        socket
            .send(Message::Frame(Frame::message(piece.as_bytes().to_vec(), OpCode::Data(opcode), is_final)))
            .await?;
        socket.send(Message::Ping(Vec::new().into())).await?;
    }
    ensure!(text(&mut socket).await?["t"] == "pong");
    Ok(())
}

#[tokio::test]
async fn text_that_is_not_utf_8_closes_the_connection_with_1007() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    for bytes in [&b"\xff"[..], b"{\"t\":\"\xc3\x28\"}", b"\xed\xa0\x80"] {
        let mut socket = connect(&server).await?;
        socket.send(Message::Frame(Frame::message(bytes.to_vec(), OpCode::Data(Data::Text), true))).await?;
        let code = closed(&mut socket).await?;
        ensure!(code == 1007, "{bytes:x?}: {code}");
    }
    Ok(())
}

/// An array is not accepted instead of an object, neither in a frame nor in a body, at any depth.
#[tokio::test]
async fn a_json_array_is_refused_as_a_frame() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let guest = server.guest("guest").await?;
    let http = server.http().as_guest(&guest);
    for (path, body) in [
        ("/api/guests", json!([])),
        ("/api/guests", json!(["Ada", false])),
        ("/api/session", json!([])),
        (
            "/api/tables",
            json!({"variant": "classic", "privacy": "public", "bots": [["black", {"kind": "built_in", "level": 3}]]}),
        ),
    ] {
        let answer = http.request("POST", path, Some(&body.to_string())).await?;
        ensure!(answer.refusal(400).with_context(|| body.to_string())? == RefusalCode::Malformed);
    }
    let mut socket = connect(&server).await?;
    for frame in [json!(["ping"]), json!(["hello", null])] {
        socket.send(Message::text(frame.to_string())).await?;
        let refused = text(&mut socket).await?;
        ensure!(refused["code"] == "malformed", "{frame}: {refused}");
    }
    Ok(())
}
