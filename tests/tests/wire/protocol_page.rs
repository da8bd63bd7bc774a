//! `docs/PROTOCOL.md` against a real server: every example is correct, and every frame and route
//! has an example.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{SocketAddr, TcpListener};

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::{ServerFrame, schema};
use quadrex_tests::operator::{OPERATORS, add_operator};
use quadrex_tests::protocol_page::{self, Block, Exchange, KnownPlaceholders, Line};
use quadrex_tests::{Client, Database, Http, Launch, Server, program};
use serde_json::Value;

fn blocks() -> Result<Vec<Block>> {
    let path = program::root().join("docs/PROTOCOL.md");
    protocol_page::read(
        &std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?,
    )
}

/// The settings of the provider in the document's examples.
const PROVIDER: &str = "[providers.lichess]\nkind = \"lichess\"\ntitle = \"Lichess\"\n\
                        url = \"https://lichess.org\"\nclient_id = \"quadrex\"\n";

/// A reader who follows the document: the server, the known placeholders, and the connections by
/// name.
struct Reader {
    server: Server,
    known: KnownPlaceholders,
    lines: BTreeMap<String, Connection>,
}

/// A connection with the frames that no example has matched yet.
struct Connection {
    client: Client,
    waiting: Vec<Value>,
}

impl Reader {
    async fn request(&mut self, exchange: &Exchange) -> Result<()> {
        let mut http = match &exchange.who {
            Some(name) => {
                let token = self.known.fill_text(&format!("<{name}-token>"))?;
                self.server.http().with_header("Authorization", &format!("Bearer {token}"))
            }
            None => Http::new(self.server.address()),
        };
        for (name, value) in &exchange.headers {
            http = http.with_header(name, &self.known.fill_text(value)?);
        }
        let request = self.known.fill_text(&exchange.request)?;
        let (method, path) = request.split_once(' ').context("a method and a path")?;
        let body = exchange.body.as_ref().map(|body| self.known.fill(body)).transpose()?;
        let answer = http.request(method, path, body.map(|body| body.to_string()).as_deref()).await?;
        ensure!(answer.status == exchange.status, "{} came: {}", answer.status, answer.body);
        match &exchange.answer {
            Some(pattern) => {
                self.known.compare(pattern, &serde_json::from_str(&answer.body)?).context(answer.body)
            }
            None => Ok(()),
        }
    }

    async fn frame(&mut self, line: &Line) -> Result<()> {
        if !self.lines.contains_key(&line.who) {
            let client = Client::connect(self.server.address()).await?;
            self.lines.insert(line.who.clone(), Connection { client, waiting: Vec::new() });
        }
        let connection = self.lines.get_mut(&line.who).context("it was just opened")?;
        if line.sent {
            return connection.client.send_text(self.known.fill(&line.frame)?.to_string()).await;
        }
        let mut differences = Vec::new();
        for index in 0..connection.waiting.len() {
            match self.known.compare(&line.frame, &connection.waiting[index]) {
                Ok(()) => {
                    connection.waiting.remove(index);
                    return Ok(());
                }
                Err(difference) => differences.push(format!("{difference:#}: {}", connection.waiting[index])),
            }
        }
        loop {
            let received = connection.client.receive_text().await;
            let received = received.with_context(|| format!("it is none of {differences:#?}"))?;
            let Ok(text) = received else { bail!("the connection ended; it was none of {differences:#?}") };
            let frame: Value = serde_json::from_str(&text)?;
            match self.known.compare(&line.frame, &frame) {
                Ok(()) => return Ok(()),
                Err(difference) => {
                    differences.push(format!("{difference:#}: {frame}"));
                    connection.waiting.push(frame);
                }
            }
        }
    }
}

/// Returns an address on which nothing listens.
fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

#[tokio::test]
async fn every_example_of_the_protocol_document_is_correct() -> Result<()> {
    // The server knows its own URL, and sends mails, which nobody receives.
    let address = free_address()?;
    let launch = Launch::new(&Database::Sqlite)?
        .bound_to(address)
        .with_env(OPERATORS.0, OPERATORS.1)
        .with_env("QUADREX_SERVER__PUBLIC_URL", format!("http://{address}"))
        .with_env("QUADREX_MAIL__URL", "smtp://127.0.0.1:1")
        .with_env("QUADREX_MAIL__FROM", "post@chess.example");
    let settings = launch.sibling_path("settings.toml");
    std::fs::write(&settings, PROVIDER)?;
    let launch = launch.with_argument("--config").with_argument(settings.to_str().context("a path is text")?);
    let operator = add_operator(&launch.location()?).await?;
    let mut known = KnownPlaceholders::default();
    let examples = [
        ("<olga-id>", operator.user.id.to_string()),
        ("<olga-token>", operator.token),
        ("<unsubscribe-key>", "0123456789abcdefghjkmnpqrstvwxyz".to_owned()),
    ];
    for (word, value) in examples {
        known.compare(&word.into(), &value.into())?;
    }
    let server = launch.start().await?;
    let mut reader = Reader { server, known, lines: BTreeMap::new() };
    let mut examples = 0;
    for block in blocks()? {
        match block {
            Block::Http(exchange) => {
                reader
                    .request(&exchange)
                    .await
                    .with_context(|| format!("line {} of the page", exchange.line))?;
                examples += 1;
            }
            Block::Frames(lines) => {
                for line in &lines {
                    reader.frame(line).await.with_context(|| format!("line {} of the page", line.line))?;
                    examples += 1;
                }
            }
            Block::Shown(frame) => {
                serde_json::from_value::<ServerFrame>(frame.clone()).with_context(|| format!("{frame}"))?;
            }
        }
    }
    ensure!(examples > 50, "only {examples} examples were found");
    Ok(())
}

/// Returns the values of the field `t` in a schema of frames.
fn frame_types(file: &str) -> Result<BTreeSet<String>> {
    let schemas = schema::json_schemas();
    let (_, text) =
        schemas.iter().find(|(name, _)| *name == file).with_context(|| format!("no schema {file}"))?;
    let schema: Value = serde_json::from_str(text)?;
    let kinds = schema["oneOf"].as_array().context("the schema has alternatives")?;
    let name = |kind: &Value| kind["properties"]["t"]["const"].as_str().map(str::to_owned);
    kinds.iter().map(|kind| name(kind).with_context(|| format!("no constant t in {kind}"))).collect()
}

#[test]
fn every_frame_has_an_example() -> Result<()> {
    let (mut sent, mut received) = (BTreeSet::new(), BTreeSet::new());
    for block in blocks()? {
        let lines = match block {
            Block::Http(_) => continue,
            Block::Frames(lines) => lines.into_iter().map(|line| (line.sent, line.frame)).collect(),
            Block::Shown(frame) => vec![(false, frame)],
        };
        for (is_sent, frame) in lines {
            let name = frame["t"].as_str().context("a frame has a t")?.to_owned();
            if is_sent {
                sent.insert(name)
            } else {
                received.insert(name)
            };
        }
    }
    let without: Vec<String> = frame_types("client_frame.json")?.difference(&sent).cloned().collect();
    ensure!(without.is_empty(), "no example sends {without:?}");
    let without: Vec<String> = frame_types("server_frame.json")?.difference(&received).cloned().collect();
    ensure!(without.is_empty(), "no example receives {without:?}");
    Ok(())
}

/// Returns the routes in the source code, such as `GET /api/tables/{table}`. The WebSocket and the
/// fallback for other paths under `/api` are not included.
fn routes() -> Result<BTreeSet<String>> {
    let folder = program::root().join("crates/server/src/http/routes");
    let mut routes = BTreeSet::new();
    for entry in std::fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        for line in std::fs::read_to_string(&path)?.lines() {
            let Some((path, handlers)) =
                line.split_once(".route(\"").and_then(|(_, rest)| rest.split_once('"'))
            else {
                continue;
            };
            for (method, handler) in [("GET", "get("), ("POST", "post("), ("DELETE", "delete(")] {
                if handlers.contains(handler) {
                    routes.insert(format!("{method} {path}"));
                }
            }
        }
    }
    Ok(routes)
}

#[test]
fn every_route_has_an_example() -> Result<()> {
    let routes = routes()?;
    ensure!(routes.len() >= 9, "only {routes:?} were found");
    let mut shown = BTreeSet::new();
    for block in blocks()? {
        if let Block::Http(exchange) = block {
            let (method, path) = exchange.request.split_once(' ').context("a method and a path")?;
            let path = path.split('?').next().unwrap_or(path);
            let parts = path.split('/').map(|part| match part {
                "<match>" => "{match}",
                "<link>" => "{link}",
                "<group>" => "{group}",
                "<browser>" => "{session}",
                "classic" => "{variant}",
                "blitz" => "{speed}",
                "<reader>" => "{token}",
                "<report>" => "{report}",
                "<warning>" => "{warning}",
                "<subscription>" => "{browser}",
                "<webhook>" => "{webhook}",
                "lichess" => "{provider}",
                "<unsubscribe-key>" => "{secret}",
                part if part.ends_with("-id>") => "{user}",
                part if part.starts_with("<match>.") => "{match}",
                part if part.starts_with('<') => "{table}",
                part => part,
            });
            shown.insert(format!("{method} {}", parts.collect::<Vec<_>>().join("/")));
        }
    }
    let without: Vec<&String> = routes.difference(&shown).collect();
    ensure!(without.is_empty(), "no example requests {without:?}");
    Ok(())
}
