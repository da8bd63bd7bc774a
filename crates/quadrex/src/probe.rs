//! `quadrex probe URL`: sends one HTTP request, for health checks in container images without curl.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;

/// The time limit of connecting, and of each read and write.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The URL to request.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// URL to request, http only, such as `http://127.0.0.1:8080/readyz`.
    url: String,
}

/// Requests the URL. Succeeds if the status is 200.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let url = &arguments.url;
    let (authority, path) = split(url).with_context(|| format!("{url} is not http://HOST[:PORT]/PATH"))?;
    let status = request_status(authority, &path).with_context(|| format!("{url} does not answer"))?;
    if status != "200" {
        bail!("{url} answers {status}");
    }
    Ok(())
}

/// Splits a URL into its authority and its path.
fn split(url: &str) -> Option<(&str, String)> {
    let rest = url.strip_prefix("http://")?;
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let plain =
        !authority.is_empty() && !url.contains(|letter: char| letter.is_whitespace() || letter.is_control());
    plain.then(|| (authority, format!("/{path}")))
}

/// Sends the request and returns the status of the response.
fn request_status(authority: &str, path: &str) -> anyhow::Result<String> {
    let with_port = match authority.rsplit_once(':') {
        Some((_, port)) if port.parse::<u16>().is_ok() => authority.to_owned(),
        _ => format!("{authority}:80"),
    };
    let address = with_port.to_socket_addrs()?.next().context("the host has no address")?;
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    // The request is sent in one write, because a server may answer and close the connection before
    // a second write.
    let request = format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut response = Vec::new();
    stream.take(4 * 1024).read_to_end(&mut response)?;
    let line = response.split(|&byte| byte == b'\r').next().map(String::from_utf8_lossy).unwrap_or_default();
    let status = line.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3));
    status.map(ToOwned::to_owned).context("the response is not HTTP/1.1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_has_a_host_and_an_optional_path() {
        assert_eq!(split("http://127.0.0.1:8080/readyz"), Some(("127.0.0.1:8080", "/readyz".to_owned())));
        assert_eq!(split("http://quadrex"), Some(("quadrex", "/".to_owned())));
        for wrong in
            ["", "127.0.0.1", "https://a/", "http://", "http:///x", "http://a/x y", "http://a/\r\nX: y"]
        {
            assert_eq!(split(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn the_status_is_that_of_the_response() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let authority = listener.local_addr().unwrap().to_string();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 1024];
            let count = stream.read(&mut request).unwrap();
            stream.write_all(b"HTTP/1.1 503 Service Unavailable\r\n\r\n").unwrap();
            String::from_utf8_lossy(&request[..count]).into_owned()
        });
        assert_eq!(request_status(&authority, "/readyz").unwrap(), "503");
        assert!(server.join().unwrap().starts_with("GET /readyz HTTP/1.1\r\n"));
    }
}
