//! The relay between a TLS connection and the part of the server that serves plain connections.
//!
//! Frames are written to the socket of a connection directly, without waking a task. TLS has a state
//! that reads and writes share, so a TLS connection cannot be written in this way. It is therefore
//! connected to a pair of sockets: the server uses one of them as it uses a plain connection, and
//! the relay copies between the other one and the TLS connection. If the client reads slowly, the
//! pair fills up, so the limits for slow clients hold as usual.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use tokio::io::{AsyncWriteExt, copy, split};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use crate::http::connections::TimedStream;

/// The time that a client has to close a connection that the server has closed.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Returns two connected sockets.
pub(super) fn pair() -> io::Result<(TcpStream, TcpStream)> {
    let (one, other) = std::os::unix::net::UnixStream::pair()?;
    Ok((stream(one)?, stream(other)?))
}

/// Returns a socket as a TCP stream. Its domain does not matter to `send` and `recv`, and a socket
/// of a pair is faster than a TCP connection to this machine, and cannot be connected to by others.
fn stream(socket: std::os::unix::net::UnixStream) -> io::Result<TcpStream> {
    socket.set_nonblocking(true)?;
    TcpStream::from_std(std::net::TcpStream::from(OwnedFd::from(socket)))
}

/// Copies in both directions until the connection ends.
pub(super) async fn run(tls: TlsStream<TimedStream>, mut server: TcpStream) {
    let (mut from_client, mut to_client) = split(tls);
    let (mut from_server, mut to_server) = server.split();
    let received = async {
        // An error means that the connection broke. The server then reads the end of it.
        copy(&mut from_client, &mut to_server).await.ok();
        to_server.shutdown().await.ok();
    };
    let sent = async {
        if copy(&mut from_server, &mut to_client).await.is_ok() {
            // Ends the TLS session, so that the client knows that nothing is missing.
            to_client.shutdown().await.ok();
        }
    };
    let (mut received, mut sent) = (std::pin::pin!(received), std::pin::pin!(sent));
    tokio::select! {
        () = &mut received => sent.await,
        () = &mut sent => drop(tokio::time::timeout(CLOSE_TIMEOUT, received).await),
    }
}
