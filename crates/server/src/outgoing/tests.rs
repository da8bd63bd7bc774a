use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::*;

fn client(networks: &[&str]) -> OutgoingHttp {
    let networks = networks.iter().map(|network| network.parse().unwrap()).collect();
    OutgoingHttp::new(&OutgoingConfig { networks })
}

/// Starts a server that answers its first connection with these bytes. Returns its port, and a
/// receiver for the head of the request.
async fn answering(bytes: Vec<u8>) -> (u16, oneshot::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (received, request) = oneshot::channel();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\nhello") {
            head.push(stream.read_u8().await.unwrap());
        }
        received.send(String::from_utf8(head).unwrap()).unwrap();
        stream.write_all(&bytes).await.ok();
    });
    (port, request)
}

fn post(client: &OutgoingHttp, url: &str) -> OutgoingRequest {
    let (target, headers) = (client.target(url).unwrap(), HeaderMap::new());
    OutgoingRequest { method: Method::POST, target, headers, body: Bytes::from_static(b"hello") }
}

#[tokio::test]
async fn a_request_is_sent_and_its_response_is_returned_without_following_a_redirect() {
    let response = b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 2\r\n\r\nok";
    let (port, request) = answering(response.to_vec()).await;
    let client = client(&["127.0.0.0/8"]);
    let response = client.send(post(&client, &format!("http://localhost:{port}/a?b=c"))).await.unwrap();
    assert_eq!((response.status, &response.body[..]), (StatusCode::FOUND, &b"ok"[..]));
    assert_eq!(response.headers["location"], "http://127.0.0.1:1/");
    let request = request.await.unwrap();
    assert!(request.starts_with("POST /a?b=c HTTP/1.1\r\n"), "{request}");
    assert!(request.contains(&format!("\r\nhost: localhost:{port}\r\n")), "{request}");
    assert!(request.contains("\r\nuser-agent: Quadrex/"), "{request}");
}

/// The name is resolved after the URL was accepted, so only the check of the addresses protects
/// this machine.
#[tokio::test]
async fn a_name_that_resolves_to_a_private_address_is_refused() {
    for client in [client(&[]), client(&["10.0.0.0/8"])] {
        let sent = client.send(post(&client, "https://localhost:1/")).await;
        assert!(matches!(sent, Err(OutgoingError::Private)), "{sent:?}");
    }
    let allowing = client(&["127.0.0.0/8", "::1/128"]);
    let sent = allowing.send(post(&allowing, "https://localhost:1/")).await;
    assert!(matches!(sent, Err(OutgoingError::Connect(_))), "{sent:?}");
}

#[tokio::test]
async fn a_response_that_is_too_large_is_refused() {
    let mut response = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    response.resize(response.len() + MAX_BODY + 1, b'a');
    let (port, _request) = answering(response).await;
    let client = client(&["127.0.0.0/8"]);
    let sent = client.send(post(&client, &format!("http://127.0.0.1:{port}/"))).await;
    assert!(matches!(sent, Err(OutgoingError::TooLarge)), "{sent:?}");
}

#[tokio::test]
async fn a_server_that_closes_the_connection_is_an_error() {
    let (port, _request) = answering(Vec::new()).await;
    let client = client(&["127.0.0.0/8"]);
    let sent = client.send(post(&client, &format!("http://127.0.0.1:{port}/"))).await;
    assert!(matches!(sent, Err(OutgoingError::Http(_))), "{sent:?}");
}
