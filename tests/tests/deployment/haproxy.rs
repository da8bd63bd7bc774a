//! HAProxy with the settings in `config/haproxy.cfg`: requests reach ready nodes, a node that is
//! about to stop keeps its WebSockets, and those of a dead node are closed.

use std::sync::Arc;
use std::time::Duration;

use quadrex_protocol::{ClientFrame, ServerFrame};
use quadrex_tests::haproxy::PlainHttp;
use quadrex_tests::{Client, Database, HaProxy, Http, Launch, Received, Server, Tls, signal};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::spawn_blocking;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::read;

async fn node() -> Server {
    let launch = Launch::new(&Database::Sqlite).unwrap();
    launch
        .with_env("QUADREX_SERVER__TRUSTED_PROXIES", "127.0.0.1")
        .with_env("QUADREX_SERVER__LEAVE_SECONDS", 20)
        .start()
        .await
        .unwrap()
}

/// Starts HAProxy in front of these nodes, and waits until it passes requests on.
async fn before(nodes: &[&Server], plain: PlainHttp) -> HaProxy {
    let addresses: Vec<_> = nodes.iter().map(|node| node.address()).collect();
    let started = spawn_blocking(move || HaProxy::start(&addresses, plain)).await.unwrap().unwrap();
    started.expect("HAProxy is installed (Debian: apt-get install haproxy)")
}

/// Waits until HAProxy logs a text.
async fn until_logged(haproxy: &HaProxy, what: &str) {
    for _ in 0..3_000 {
        if haproxy.log().contains(what) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what:?} is not logged: {}", haproxy.log());
}

/// Returns whether the connection still works.
async fn is_open(client: &mut Client) -> bool {
    if client.send(&ClientFrame::Ping {}).await.is_err() {
        return false;
    }
    loop {
        match client.receive().await.unwrap() {
            Received::Frame(frame) if matches!(*frame, ServerFrame::Pong { .. }) => return true,
            Received::Frame(_) => {}
            Received::Closed(_) | Received::Lost => return false,
        }
    }
}

/// Sends a request of HTTP/1.0, so that the body is not chunked. Returns the whole answer.
async fn get(mut socket: impl AsyncRead + AsyncWrite + Unpin, path: &str) -> String {
    let request = format!("GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    // HAProxy may close a connection without a notice of TLS.
    socket.read_to_string(&mut answer).await.ok();
    answer
}

async fn open(haproxy: &HaProxy, count: usize) -> Vec<Client> {
    let mut clients = Vec::new();
    for _ in 0..count {
        clients.push(Client::open(haproxy.http(), None).await.unwrap());
    }
    clients
}

#[tokio::test]
async fn a_node_that_stops_keeps_its_connections_and_a_dead_node_loses_them() {
    let (first, second) = (node().await, node().await);
    let haproxy = before(&[&first, &second], PlainHttp::ServesAtFreePort).await;
    // Connections are distributed evenly.
    let mut early = open(&haproxy, 4).await;

    first.terminate().await.unwrap();
    until_logged(&haproxy, "node1 is stopping").await;
    let mut late = open(&haproxy, 2).await;
    for client in early.iter_mut().chain(&mut late) {
        assert!(is_open(client).await, "{}", haproxy.log());
    }

    // The kernel of a frozen process still accepts connections, like a machine whose processes hang.
    signal::send("STOP", &[first.process().unwrap()]).unwrap();
    until_logged(&haproxy, "node1 is DOWN").await;
    let mut open_ones = 0;
    for client in &mut early {
        open_ones += u32::from(is_open(client).await);
    }
    assert_eq!(open_ones, 2, "{}", haproxy.log());
    for client in &mut late {
        assert!(is_open(client).await, "new connections do not reach a node that stops");
    }
}

#[tokio::test]
async fn http_is_redirected_to_https_which_reaches_a_node() {
    let node = node().await;
    let haproxy = before(&[&node], PlainHttp::Redirects).await;
    let answer = Http::new(haproxy.http()).get("/lobby?x=1").await.unwrap();
    assert_eq!(answer.status, 308);
    let secure = format!("https://{}/lobby?x=1", haproxy.http());
    assert_eq!(answer.header("location"), Some(secure.as_str()));

    let mut authorities = RootCertStore::empty();
    authorities.add(CertificateDer::from_pem_file(Tls::authority()).unwrap()).unwrap();
    let config = ClientConfig::builder().with_root_certificates(authorities).with_no_client_auth();
    let socket = TcpStream::connect(haproxy.https()).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let tls = TlsConnector::from(Arc::new(config)).connect(name, socket).await.unwrap();
    let answer = get(tls, "/readyz").await;
    assert!(answer.contains(" 200 ") && answer.ends_with("ready\n"), "{answer}");
    assert!(answer.to_lowercase().contains("\r\nstrict-transport-security: "), "{answer}");
}

#[tokio::test]
async fn monitoring_reports_whether_a_node_is_ready_and_has_the_metrics_of_the_alerts() {
    let mut node = node().await;
    let haproxy = before(&[&node], PlainHttp::Redirects).await;
    let monitoring = Http::new(haproxy.monitoring());
    monitoring.until_status("/healthz", 200).await.unwrap();
    let metrics = get(TcpStream::connect(haproxy.monitoring()).await.unwrap(), "/metrics").await;
    let files = read("docs/CLUSTER.md") + &read("config/prometheus/alerts.yml");
    let words = files.split(|c: char| !c.is_ascii_lowercase() && c != '_');
    let used: Vec<&str> = words.filter(|word| word.starts_with("haproxy_")).collect();
    assert!(used.len() > 3, "{used:?}");
    for name in used {
        assert!(metrics.contains(&format!("\n{name}")), "HAProxy has no metric {name}");
    }
    node.kill().await.unwrap();
    monitoring.until_status("/healthz", 503).await.unwrap();
}
