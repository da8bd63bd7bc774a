//! The whole server over sockets: a match, invalid input, and shutdown.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use quadrex_clock::{Clock, Entropy};
use quadrex_server::app::Server;
use quadrex_server::config::{Config, Flags, LimitsConfig};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async, connect_async};
use tracing::subscriber::DefaultGuard;

use crate::fixture::PATIENCE;

/// A server in this process.
struct Running {
    address: String,
    stop: oneshot::Sender<()>,
    served: JoinHandle<io::Result<()>>,
}

impl Running {
    async fn start(folder: &TempDir) -> Self {
        Self::start_with(folder, |_| {}).await
    }

    /// Starts a server with limits that differ from the defaults.
    async fn start_with(folder: &TempDir, limit: impl FnOnce(&mut LimitsConfig)) -> Self {
        let flags = Flags {
            bind: Some("127.0.0.1:0".into()),
            data: Some(folder.path().join("data").to_str().unwrap().into()),
        };
        let mut config = Config::load(None, [], &flags).unwrap();
        limit(&mut config.limits);
        let server = Server::start(config, Clock::system(), Entropy::system()).await.unwrap();
        let address = server.address().to_string();
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(server.run(async { stopped.await.unwrap_or_default() }));
        Self { address, stop, served }
    }

    async fn stop(self) {
        self.stop.send(()).unwrap();
        tokio::time::timeout(PATIENCE, self.served).await.expect("it stops in time").unwrap().unwrap();
    }

    /// Sends a request; returns the status and the JSON body.
    async fn http(&self, method: &str, path: &str, headers: &[&str], body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        let lines: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{lines}\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), serde_json::from_str(body).unwrap_or(Value::Null))
    }

    async fn guest(&self, name: &str) -> (Connection, String) {
        let (status, guest) =
            self.http("POST", "/api/guests", &[], &json!({ "name": name }).to_string()).await;
        assert_eq!(status, 201);
        let token = guest["token"].as_str().unwrap().to_owned();
        let mut connection = self.connect().await;
        connection.send(json!({"t": "hello", "token": token})).await;
        assert_eq!(connection.receive("welcome").await["user"]["name"], name);
        (connection, token)
    }

    async fn connect(&self) -> Connection {
        Connection(connect_async(self.handshake("quadrex.v1")).await.unwrap().0)
    }

    /// Connects with a small receive buffer.
    async fn connect_narrow(&self) -> Connection {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(32 * 1024).unwrap();
        let stream = socket.connect(self.address.parse().unwrap()).await.unwrap();
        Connection(client_async(self.handshake("quadrex.v1"), MaybeTlsStream::Plain(stream)).await.unwrap().0)
    }

    fn handshake(&self, protocol: &str) -> tokio_tungstenite::tungstenite::handshake::client::Request {
        let mut request = format!("ws://{}/ws", self.address).into_client_request().unwrap();
        request.headers_mut().insert("Sec-WebSocket-Protocol", protocol.parse().unwrap());
        request
    }

    /// Returns the status of a refused WebSocket handshake.
    async fn refused_handshake(&self, headers: &[(&'static str, &str)]) -> u16 {
        let mut request = self.handshake("quadrex.v1");
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        match connect_async(request).await {
            Err(Error::Http(answer)) => answer.status().as_u16(),
            other => panic!("{other:?}"),
        }
    }
}

/// The text that the server has logged.
#[derive(Clone, Default)]
struct LogText(Arc<Mutex<Vec<u8>>>);

impl LogText {
    /// Records what is logged in this thread until the returned value is dropped.
    fn record(&self) -> DefaultGuard {
        let log = self.clone();
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || log.clone());
        tracing::subscriber::set_default(subscriber.finish())
    }

    /// Waits until this is in the log.
    async fn has(&self, text: &str) {
        while !String::from_utf8_lossy(&self.0.lock().unwrap()).contains(text) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl io::Write for LogText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A client's end of a WebSocket.
struct Connection(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Connection {
    async fn send(&mut self, frame: Value) {
        self.0.send(Message::text(frame.to_string())).await.unwrap();
    }

    /// Returns the next frame with this `t`.
    async fn receive(&mut self, kind: &str) -> Value {
        loop {
            match self.message().await {
                Message::Text(text) => {
                    let frame: Value = serde_json::from_str(&text).unwrap();
                    if frame["t"] == kind {
                        return frame;
                    }
                }
                Message::Ping(_) => {}
                other => panic!("{other:?} instead of {kind}"),
            }
        }
    }

    /// Waits until the lobby lists this table.
    async fn receive_listed(&mut self, table: &Value) {
        while self.receive("lobby_table").await["table"]["table"] != *table {}
    }

    /// Returns whether the next answer is a pong. A refusal by the rate limit is not.
    async fn pong(&mut self) -> bool {
        let Message::Text(text) = self.message().await else { panic!("it closed or pinged") };
        let frame: Value = serde_json::from_str(&text).unwrap();
        assert!(frame["t"] == "pong" || frame["code"] == "rate_limited", "{frame}");
        frame["t"] == "pong"
    }

    /// Returns the code of the next refusal.
    async fn refusal(&mut self) -> String {
        self.receive("refused").await["code"].as_str().unwrap().to_owned()
    }

    /// Returns the code of the close frame.
    async fn close_code(&mut self) -> u16 {
        loop {
            if let Message::Close(Some(frame)) = self.message().await {
                return frame.code.into();
            }
        }
    }

    async fn message(&mut self) -> Message {
        let next = tokio::time::timeout(PATIENCE, self.0.next()).await;
        next.expect("a frame comes in time").expect("the connection is open").unwrap()
    }
}

#[tokio::test]
async fn a_match_outlives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(&folder).await;
    let (mut ann, token) = server.guest("Ann").await;
    let (mut ben, _) = server.guest("Ben").await;
    let bearer = format!("Authorization: Bearer {token}");
    let body = json!({"variant": "classic", "privacy": "public", "seat": "white"}).to_string();
    let (status, created) = server.http("POST", "/api/tables", &[&bearer], &body).await;
    assert_eq!(status, 201);
    let table = created["table"].as_str().unwrap().to_owned();
    for connection in [&mut ann, &mut ben] {
        connection.send(json!({"t": "watch", "table": table})).await;
        connection.receive("snapshot").await;
    }
    ben.send(json!({"t": "sit", "table": table, "cmd": "b0"})).await;
    assert_eq!(ben.receive("ack").await["seq"], 4);
    let mut at = 4;
    for (number, mv) in ["f2f3", "e7e5", "g2g4"].into_iter().enumerate() {
        let connection = if number % 2 == 0 { &mut ann } else { &mut ben };
        connection
            .send(json!({"t": "move", "table": table, "cmd": format!("m{number}"), "after": at, "move": mv}))
            .await;
        at = connection.receive("ack").await["seq"].as_u64().unwrap();
    }

    let (stopped, code) = tokio::join!(server.stop(), async {
        assert!(ann.receive("closing").await["retry_after_ms"].is_u64());
        ann.close_code().await
    });
    assert_eq!((stopped, code), ((), 1012));

    let server = Running::start(&folder).await;
    let (status, me) = server.http("GET", "/api/me", &[&bearer], "").await;
    assert_eq!((status, &me["tables"][0]["plies"]), (200, &json!(3)));
    let mut ann = server.connect().await;
    ann.send(json!({"t": "hello", "token": token})).await;
    ann.send(json!({"t": "watch", "table": table, "match": created["match"], "after": at - 1})).await;
    assert_eq!(ann.receive("event").await["notation"], "g4");
    server.stop().await;
}

#[tokio::test]
async fn malformed_frames_are_refused_and_too_many_in_a_row_close_the_connection() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(&folder).await;
    let mut connection = server.connect().await;
    connection.send(json!({"t": "ping"})).await;
    assert_eq!(connection.refusal().await, "hello_expected");
    connection.send(json!({"t": "hello", "token": "nobody's"})).await;
    assert_eq!(connection.refusal().await, "bad_token");
    connection.send(json!({"t": "hello"})).await;
    assert_eq!(connection.receive("welcome").await["user"], Value::Null);
    connection.send(json!({"t": "hello"})).await;
    assert_eq!(connection.refusal().await, "hello_expected");

    connection.send(json!({"t": "dance"})).await;
    assert_eq!(connection.refusal().await, "unknown_type");
    connection.0.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_eq!(connection.refusal().await, "malformed");
    connection.0.send(Message::text("x".repeat(5_000))).await.unwrap();
    assert_eq!(connection.refusal().await, "too_large");
    let missing = "00000000-0000-7000-8000-000000000000";
    connection.send(json!({"t": "resign", "table": missing, "cmd": "c1"})).await;
    let refused = connection.receive("refused").await;
    assert_eq!((&refused["code"], &refused["cmd"]), (&json!("not_found"), &json!("c1")));

    for _ in 0..2 {
        for _ in 0..4 {
            connection.0.send(Message::text("garbage")).await.unwrap();
            assert_eq!(connection.refusal().await, "malformed");
        }
        connection.send(json!({"t": "ping"})).await;
        connection.receive("pong").await;
    }
    for _ in 0..5 {
        connection.0.send(Message::text("garbage")).await.unwrap();
    }
    assert_eq!(connection.close_code().await, 1008, "the fifth in a row");

    for size in [70_000, 400_000] {
        let mut connection = server.connect().await;
        // The server may close the connection before it has received everything.
        connection.0.send(Message::text("x".repeat(size))).await.ok();
        assert_eq!(connection.close_code().await, 1009, "{size} bytes");
    }
    server.stop().await;
}

/// A client that sends nothing, not even pongs, is disconnected. A client that answers pings stays
/// connected.
#[tokio::test]
async fn a_silent_connection_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(&folder, |limits| {
        limits.ping = Duration::from_millis(100);
        limits.dead = Duration::from_secs(2);
    })
    .await;
    let mut silent = server.connect().await;
    silent.send(json!({"t": "hello"})).await;
    let mut alive = server.connect().await;
    let pinged = async {
        // The client library answers a ping while it reads the next message.
        for _ in 0..30 {
            assert!(matches!(alive.message().await, Message::Ping(_)));
        }
    };
    pinged.await;
    assert_eq!(silent.close_code().await, 1001);
    alive.send(json!({"t": "hello"})).await;
    alive.receive("welcome").await;
    server.stop().await;
}

/// A client that does not read is disconnected, and finds the reason when it reads on. The other
/// client receives everything.
#[tokio::test]
async fn a_slow_client_is_disconnected() {
    const TABLES: usize = 1_000;
    let log = LogText::default();
    // The server runs in this thread.
    let _logging = log.record();
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(&folder, |limits| {
        limits.queue_frames = 16;
        limits.tables_burst = 2_000.try_into().unwrap();
    })
    .await;
    let (mut reader, token) = server.guest("Ann").await;
    let mut slow = server.connect_narrow().await;
    slow.send(json!({"t": "hello"})).await;
    for connection in [&mut reader, &mut slow] {
        connection.send(json!({"t": "watch_lobby"})).await;
        connection.receive("lobby").await;
    }
    let bearer = format!("Authorization: Bearer {token}");
    let body = json!({"variant": "classic", "privacy": "public", "seat": "white"}).to_string();
    let create = async || {
        let (status, created) = server.http("POST", "/api/tables", &[&bearer], &body).await;
        assert_eq!(status, 201, "{created}");
        created["table"].clone()
    };
    let create_many = async {
        for number in 1..=TABLES {
            let table = create().await;
            // Tables that are created together are published together, and only if they are in the
            // window.
            if number % 25 == 0 {
                reader.receive_listed(&table).await;
            }
        }
    };
    // The server waits only for a short time until the client has read the reason.
    tokio::select! {
        () = create_many => panic!("the client may be as slow as it likes"),
        () = log.has("the client reads too slowly") => {}
    }
    assert_eq!(slow.close_code().await, 4008);
    let table = create().await;
    reader.receive_listed(&table).await;
    server.stop().await;
}

/// A spectator may send twenty frames at once, and then more frames at a limited rate.
#[tokio::test]
async fn frames_over_the_rate_limit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(&folder).await;
    let mut connection = server.connect().await;
    connection.send(json!({"t": "hello"})).await;
    connection.receive("welcome").await;
    let mut answers = Vec::new();
    // If the pings take long, more of them are allowed meanwhile.
    while !answers.contains(&false) {
        assert!(answers.len() < 10_000, "no ping is refused");
        for _ in 0..40 {
            connection.send(json!({"t": "ping"})).await;
        }
        for _ in 0..40 {
            answers.push(connection.pong().await);
        }
    }
    assert!(answers[..19].iter().all(|&pong| pong), "hello was the first of twenty: {answers:?}");
    connection.send(json!({"t": "ping"})).await;
    while !connection.pong().await {
        tokio::time::sleep(Duration::from_millis(20)).await;
        connection.send(json!({"t": "ping"})).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_cookie_is_accepted_only_with_our_own_origin() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(&folder).await;
    let ours = format!("Origin: http://{}", server.address);
    let (status, _) = server.http("POST", "/api/session", &["Origin: http://evil.example"], "").await;
    assert_eq!(status, 403);
    let (status, session) = server.http("POST", "/api/session", &[&ours], "").await;
    assert_eq!((status, session["user"]["name"].is_string()), (200, true));

    let cookie = "Cookie: quadrex_session=some-old-one";
    let body = json!({"variant": "classic", "privacy": "public"}).to_string();
    let (status, error) = server.http("POST", "/api/tables", &[cookie], &body).await;
    assert_eq!((status, &error["code"]), (403, &json!("bad_origin")));
    let (status, error) = server.http("POST", "/api/tables", &[cookie, &ours], &body).await;
    assert_eq!((status, &error["code"]), (401, &json!("unauthenticated")), "the session has ended");
    let evil = [("Cookie", "quadrex_session=x"), ("Origin", "http://evil.example")];
    assert_eq!(server.refused_handshake(&evil).await, 403);
    assert_eq!(server.refused_handshake(&[("Sec-WebSocket-Protocol", "other")]).await, 400);
    server.stop().await;
}

/// A private table is hidden from a stranger: every request gets the answer for an unknown table.
#[tokio::test]
async fn a_private_table_is_hidden_from_a_stranger() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(&folder).await;
    let (_ann, token) = server.guest("Ann").await;
    let (mut ben, bens) = server.guest("Ben").await;
    let body = json!({"variant": "classic", "privacy": "private"}).to_string();
    let bearer = format!("Authorization: Bearer {token}");
    let (_, created) = server.http("POST", "/api/tables", &[&bearer], &body).await;
    let private = created["table"].as_str().unwrap();
    let missing = "00000000-0000-7000-8000-000000000000";
    let mut answers = Vec::new();
    for table in [private, missing] {
        let mut of_table = Vec::new();
        for frame in [
            json!({"t": "watch", "table": table}),
            json!({"t": "watch", "table": table, "secret": "guessed"}),
            json!({"t": "sit", "table": table, "cmd": "c1"}),
            json!({"t": "sit", "table": table, "cmd": "c1", "seat": "white", "invite": "guessed"}),
            json!({"t": "leave", "table": table, "cmd": "c1"}),
            json!({"t": "resign", "table": table, "cmd": "c1"}),
            json!({"t": "move", "table": table, "cmd": "c1", "after": 1, "move": "e2e4"}),
        ] {
            ben.send(frame).await;
            let mut refused = ben.receive("refused").await;
            assert_eq!(refused["table"].take(), table);
            assert_eq!(refused["code"], "not_found");
            of_table.push(refused);
        }
        let bearer = format!("Authorization: Bearer {bens}");
        for (method, path, body) in
            [("GET", "", ""), ("POST", "/invites", r#"{"uses": "open"}"#), ("POST", "/watch-links", "")]
        {
            let path = format!("/api/tables/{table}{path}");
            let (status, error) = server.http(method, &path, &[&bearer], body).await;
            assert_eq!(status, 404);
            of_table.push(error);
        }
        answers.push(of_table);
    }
    assert_eq!(answers[0], answers[1]);
    server.stop().await;
}

#[tokio::test]
async fn every_invalid_request_is_refused_with_a_code_and_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(&folder).await;
    let (_connection, token) = server.guest("Ann").await;
    let bearer = format!("Authorization: Bearer {token}");
    let table = |more: Value| {
        let mut table = json!({"variant": "classic", "privacy": "public"});
        table.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        table.to_string()
    };
    let over = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let large = " ".repeat(20_000);
    let wrong = [
        ("GET", "/api/nothing", "", 404, "not_found"),
        ("GET", "/nothing", "", 404, "not_found"),
        ("GET", "/t/7", "", 404, "not_found"),
        ("GET", "/api/tables/7", "", 404, "not_found"),
        ("DELETE", "/api/tables", "", 405, "malformed"),
        ("POST", "/healthz", "", 405, "malformed"),
        ("GET", "/ws", "", 400, "malformed"),
        ("POST", "/api/guests", "{", 400, "malformed"),
        ("POST", "/api/guests", "{\"nick\": \"x\"}", 400, "malformed"),
        ("POST", "/api/guests", "{\"name\": \" \"}", 400, "bad_setting"),
        ("POST", "/api/guests", &large, 413, "too_large"),
        ("POST", "/api/tables", "{}", 400, "malformed"),
        ("POST", "/api/tables", &table(json!({"seat": "red"})), 400, "no_such_seat"),
        ("POST", "/api/tables", &table(json!({"setup": "garbage"})), 400, "bad_setup"),
        ("POST", "/api/tables", &table(json!({"setup": over})), 400, "bad_setup"),
        (
            "POST",
            "/api/tables",
            &table(json!({"time": {"kind": "fischer", "base_ms": 0, "increment_ms": 0}})),
            400,
            "bad_setting",
        ),
    ];
    for (method, path, body, status, code) in wrong {
        let (got, error) = server.http(method, path, &[&bearer], body).await;
        assert_eq!((got, &error["code"]), (status, &json!(code)), "{method} {path} {body}: {error}");
        assert!(error["message"].as_str().is_some_and(|message| message.len() > 10), "{error}");
    }
    let (status, error) = server.http("GET", "/api/me", &["Authorization: Bearer x"], "").await;
    assert_eq!((status, &error["code"]), (401, &json!("bad_token")));
    server.stop().await;
}
