//! All of it over sockets: a match, what bad input gets, and the end.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use quadrex_server::app::Server;
use quadrex_server::clock::Clock;
use quadrex_server::config::{Config, Flags, LimitsConfig};
use quadrex_server::entropy::Entropy;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async, connect_async};

use crate::hall::PATIENCE;

/// A server in this process.
struct Running {
    address: String,
    stop: oneshot::Sender<()>,
    served: JoinHandle<std::io::Result<()>>,
}

impl Running {
    async fn start(folder: &TempDir) -> Self {
        Self::start_with(folder, |_| {}).await
    }

    /// With other limits than the usual ones.
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

    /// One request; the status and the JSON body.
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

    async fn guest(&self, name: &str) -> (Line, String) {
        let (status, guest) =
            self.http("POST", "/api/guests", &[], &json!({ "name": name }).to_string()).await;
        assert_eq!(status, 201);
        let token = guest["token"].as_str().unwrap().to_owned();
        let mut line = self.line().await;
        line.say(json!({"t": "hello", "token": token})).await;
        assert_eq!(line.hear("welcome").await["user"]["name"], name);
        (line, token)
    }

    async fn line(&self) -> Line {
        Line(connect_async(self.handshake("quadrex.v1")).await.unwrap().0)
    }

    /// A line whose client's system keeps little of what it does not read.
    async fn narrow_line(&self) -> Line {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(32 * 1024).unwrap();
        let stream = socket.connect(self.address.parse().unwrap()).await.unwrap();
        Line(client_async(self.handshake("quadrex.v1"), MaybeTlsStream::Plain(stream)).await.unwrap().0)
    }

    fn handshake(&self, protocol: &str) -> tokio_tungstenite::tungstenite::handshake::client::Request {
        let mut request = format!("ws://{}/ws", self.address).into_client_request().unwrap();
        request.headers_mut().insert("Sec-WebSocket-Protocol", protocol.parse().unwrap());
        request
    }

    /// The status with which a handshake is refused.
    async fn no_handshake(&self, headers: &[(&'static str, &str)]) -> u16 {
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

/// A client's end of a WebSocket.
struct Line(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Line {
    async fn say(&mut self, frame: Value) {
        self.0.send(Message::text(frame.to_string())).await.unwrap();
    }

    /// The next frame with this `t`.
    async fn hear(&mut self, kind: &str) -> Value {
        loop {
            match self.message().await {
                Message::Text(text) => {
                    let frame: Value = serde_json::from_str(&text).unwrap();
                    if frame["t"] == kind {
                        return frame;
                    }
                }
                Message::Ping(_) => {}
                other => panic!("{other:?} in the place of {kind}"),
            }
        }
    }

    /// Whether the next answer is a pong, and not the refusal of a line that goes too fast.
    async fn pong(&mut self) -> bool {
        let Message::Text(text) = self.message().await else { panic!("it closed or pinged") };
        let frame: Value = serde_json::from_str(&text).unwrap();
        assert!(frame["t"] == "pong" || frame["code"] == "rate_limited", "{frame}");
        frame["t"] == "pong"
    }

    /// The code of the next refusal.
    async fn refusal(&mut self) -> String {
        self.hear("refused").await["code"].as_str().unwrap().to_owned()
    }

    /// The code the line is closed with.
    async fn close_code(&mut self) -> u16 {
        loop {
            if let Message::Close(Some(frame)) = self.message().await {
                return frame.code.into();
            }
        }
    }

    async fn message(&mut self) -> Message {
        let next = tokio::time::timeout(PATIENCE, self.0.next()).await;
        next.expect("a frame comes in time").expect("the line is open").unwrap()
    }
}

#[tokio::test]
async fn a_match_is_played_the_server_stops_and_the_match_is_still_there() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(&folder).await;
    let (mut ann, token) = server.guest("Ann").await;
    let (mut ben, _) = server.guest("Ben").await;
    let bearer = format!("Authorization: Bearer {token}");
    let body = json!({"variant": "classic", "privacy": "public", "seat": "white"}).to_string();
    let (status, created) = server.http("POST", "/api/tables", &[&bearer], &body).await;
    assert_eq!(status, 201);
    let table = created["table"].as_str().unwrap().to_owned();
    for line in [&mut ann, &mut ben] {
        line.say(json!({"t": "watch", "table": table})).await;
        line.hear("snapshot").await;
    }
    ben.say(json!({"t": "sit", "table": table, "cmd": "b0"})).await;
    assert_eq!(ben.hear("ack").await["seq"], 4);
    let mut at = 4;
    for (number, mv) in ["f2f3", "e7e5", "g2g4"].into_iter().enumerate() {
        let line = if number % 2 == 0 { &mut ann } else { &mut ben };
        line.say(json!({"t": "move", "table": table, "cmd": format!("m{number}"), "at": at, "mv": mv})).await;
        at = line.hear("ack").await["seq"].as_u64().unwrap();
    }

    let (stopped, code) = tokio::join!(server.stop(), async {
        assert!(ann.hear("closing").await["retry_after_ms"].is_u64());
        ann.close_code().await
    });
    assert_eq!((stopped, code), ((), 1012));

    let server = Running::start(&folder).await;
    let (status, me) = server.http("GET", "/api/me", &[&bearer], "").await;
    assert_eq!((status, &me["tables"][0]["plies"]), (200, &json!(3)));
    let mut ann = server.line().await;
    ann.say(json!({"t": "hello", "token": token})).await;
    ann.say(json!({"t": "watch", "table": table, "match": created["match"], "after": at - 1})).await;
    assert_eq!(ann.hear("event").await["text"], "g4");
    server.stop().await;
}

#[tokio::test]
async fn bad_frames_are_refused_and_the_line_is_kept_until_they_are_too_many() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(&folder).await;
    let mut line = server.line().await;
    line.say(json!({"t": "ping"})).await;
    assert_eq!(line.refusal().await, "hello_expected");
    line.say(json!({"t": "hello", "token": "nobody's"})).await;
    assert_eq!(line.refusal().await, "bad_token");
    line.say(json!({"t": "hello"})).await;
    assert_eq!(line.hear("welcome").await["user"], Value::Null);
    line.say(json!({"t": "hello"})).await;
    assert_eq!(line.refusal().await, "hello_expected");

    line.say(json!({"t": "dance"})).await;
    assert_eq!(line.refusal().await, "unknown_type");
    line.0.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_eq!(line.refusal().await, "malformed");
    line.0.send(Message::text("x".repeat(5_000))).await.unwrap();
    assert_eq!(line.refusal().await, "too_large");
    let nowhere = "00000000-0000-7000-8000-000000000000";
    line.say(json!({"t": "resign", "table": nowhere, "cmd": "c1"})).await;
    let refused = line.hear("refused").await;
    assert_eq!((&refused["code"], &refused["cmd"]), (&json!("not_found"), &json!("c1")));

    for _ in 0..2 {
        for _ in 0..4 {
            line.0.send(Message::text("rubbish")).await.unwrap();
            assert_eq!(line.refusal().await, "malformed");
        }
        line.say(json!({"t": "ping"})).await;
        line.hear("pong").await;
    }
    for _ in 0..5 {
        line.0.send(Message::text("rubbish")).await.unwrap();
    }
    assert_eq!(line.close_code().await, 1008, "the fifth in a row");

    for size in [70_000, 400_000] {
        let mut line = server.line().await;
        // The server may close before it has all of it.
        line.0.send(Message::text("x".repeat(size))).await.ok();
        assert_eq!(line.close_code().await, 1009, "{size} bytes");
    }
    server.stop().await;
}

/// A client that says nothing, not even pong, counts as dead; one that answers the pings does not.
#[tokio::test]
async fn a_line_that_is_silent_for_too_long_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(&folder, |limits| {
        limits.ping = Duration::from_millis(50);
        limits.dead = Duration::from_millis(400);
    })
    .await;
    let mut silent = server.line().await;
    silent.say(json!({"t": "hello"})).await;
    let mut alive = server.line().await;
    let pinged = async {
        // A client answers a ping when it is asked for the next message.
        for _ in 0..20 {
            assert!(matches!(alive.message().await, Message::Ping(_)));
        }
    };
    pinged.await;
    assert_eq!(silent.close_code().await, 1001);
    alive.say(json!({"t": "hello"})).await;
    alive.hear("welcome").await;
    server.stop().await;
}

/// Who does not read what it is told loses its place, and is told so when it reads on; the others are told all the same.
#[tokio::test]
async fn a_client_that_reads_too_slowly_is_let_go() {
    const TABLES: usize = 300;
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(&folder, |limits| {
        limits.queue_frames = 16;
        limits.tables_burst = 1_000.try_into().unwrap();
    })
    .await;
    let (mut reader, token) = server.guest("Ann").await;
    let mut deaf = server.narrow_line().await;
    deaf.say(json!({"t": "hello"})).await;
    for line in [&mut reader, &mut deaf] {
        line.say(json!({"t": "watch_lobby"})).await;
        line.hear("lobby").await;
    }
    let bearer = format!("Authorization: Bearer {token}");
    let body = json!({"variant": "classic", "privacy": "public"}).to_string();
    for number in 1..=TABLES {
        let (status, created) = server.http("POST", "/api/tables", &[&bearer], &body).await;
        assert_eq!(status, 201, "{created}");
        // Tables that are made at once are told at once, and only those of the window.
        if number % 25 == 0 {
            while reader.hear("lobby_table").await["table"]["table"] != created["table"] {}
        }
    }
    assert_eq!(deaf.close_code().await, 4008);
    server.stop().await;
}

/// Twenty at once from who only watches; then the line has to wait a little.
#[tokio::test]
async fn frames_that_come_too_fast_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(&folder).await;
    let mut line = server.line().await;
    line.say(json!({"t": "hello"})).await;
    line.hear("welcome").await;
    for _ in 0..40 {
        line.say(json!({"t": "ping"})).await;
    }
    let mut answers = Vec::new();
    for _ in 0..40 {
        answers.push(line.pong().await);
    }
    assert!(answers[..19].iter().all(|&pong| pong), "hello was the first of twenty: {answers:?}");
    assert!(answers[19..].iter().any(|&pong| !pong), "{answers:?}");
    line.say(json!({"t": "ping"})).await;
    while !line.pong().await {
        tokio::time::sleep(Duration::from_millis(20)).await;
        line.say(json!({"t": "ping"})).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_cookie_counts_on_our_own_pages_only() {
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
    assert_eq!(server.no_handshake(&evil).await, 403);
    assert_eq!(server.no_handshake(&[("Sec-WebSocket-Protocol", "other")]).await, 400);
    server.stop().await;
}

/// For a stranger a private table is not there: whatever is asked, the answer is that for a table that never was.
#[tokio::test]
async fn a_private_table_is_not_there_for_a_stranger() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(&folder).await;
    let (_ann, token) = server.guest("Ann").await;
    let (mut ben, bens) = server.guest("Ben").await;
    let body = json!({"variant": "classic", "privacy": "private"}).to_string();
    let bearer = format!("Authorization: Bearer {token}");
    let (_, created) = server.http("POST", "/api/tables", &[&bearer], &body).await;
    let private = created["table"].as_str().unwrap();
    let nowhere = "00000000-0000-7000-8000-000000000000";
    let mut answers = Vec::new();
    for table in [private, nowhere] {
        let mut heard = Vec::new();
        for frame in [
            json!({"t": "watch", "table": table}),
            json!({"t": "watch", "table": table, "key": "guessed"}),
            json!({"t": "sit", "table": table, "cmd": "c1"}),
            json!({"t": "sit", "table": table, "cmd": "c1", "seat": "white", "invite": "guessed"}),
            json!({"t": "leave", "table": table, "cmd": "c1"}),
            json!({"t": "resign", "table": table, "cmd": "c1"}),
            json!({"t": "move", "table": table, "cmd": "c1", "at": 1, "mv": "e2e4"}),
        ] {
            ben.say(frame).await;
            let mut refused = ben.hear("refused").await;
            assert_eq!(refused["table"].take(), table);
            assert_eq!(refused["code"], "not_found");
            heard.push(refused);
        }
        let bearer = format!("Authorization: Bearer {bens}");
        for (method, path, body) in
            [("GET", "", ""), ("POST", "/invites", r#"{"uses": "open"}"#), ("POST", "/watch-links", "")]
        {
            let path = format!("/api/tables/{table}{path}");
            let (status, error) = server.http(method, &path, &[&bearer], body).await;
            assert_eq!(status, 404);
            heard.push(error);
        }
        answers.push(heard);
    }
    assert_eq!(answers[0], answers[1]);
    server.stop().await;
}

#[tokio::test]
async fn every_wrong_request_gets_a_code_and_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(&folder).await;
    let (_line, token) = server.guest("Ann").await;
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
        ("POST", "/api/tables", &table(json!({"setup": "rubbish"})), 400, "bad_setup"),
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
