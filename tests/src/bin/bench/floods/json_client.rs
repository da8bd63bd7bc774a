//! A client like a browser, which sends and receives JSON over a WebSocket.

use anyhow::{Context, Result, bail};
use quadrex_tests::{Client, Guest, Server};
use serde_json::{Value, json};

/// A connection that sends and receives JSON objects.
pub(super) struct JsonClient {
    client: Client,
    commands: u64,
}

impl JsonClient {
    /// Connects and sends `hello` as a guest.
    ///
    /// # Errors
    /// If there is no `welcome`.
    pub(super) async fn connect(server: &Server, guest: &Guest) -> Result<Self> {
        let client = Client::connect(server.address()).await?;
        let mut person = Self { client, commands: 0 };
        person.send(&json!({"t": "hello", "token": guest.token})).await?;
        person.find("welcome", |frame| frame["t"] == "welcome").await?;
        Ok(person)
    }

    /// Sends a frame.
    ///
    /// # Errors
    /// If the connection is broken.
    pub(super) async fn send(&mut self, frame: &Value) -> Result<()> {
        self.client.send_text(frame.to_string()).await
    }

    /// Sends a command with a new id and returns the answer, an `ack` or a `refused`.
    ///
    /// # Errors
    /// If no answer comes.
    pub(super) async fn ask(&mut self, mut command: Value) -> Result<Value> {
        self.commands += 1;
        let cmd = format!("p{}", self.commands);
        command["cmd"] = json!(cmd);
        self.send(&command).await?;
        self.find("the answer", |frame| frame["cmd"] == cmd).await
    }

    /// Returns the next frame that fulfills a condition.
    ///
    /// # Errors
    /// If no such frame arrives.
    pub(super) async fn find(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Result<Value> {
        loop {
            let (frame, _) = self.receive().await.with_context(|| format!("waiting for {what}"))?;
            if is_it(&frame) {
                return Ok(frame);
            }
        }
    }

    /// Returns the next frame and its size in bytes.
    ///
    /// # Errors
    /// If the connection ends.
    pub(super) async fn receive(&mut self) -> Result<(Value, usize)> {
        match self.client.receive_text().await? {
            Ok(text) => Ok((serde_json::from_str(&text).context("reading a frame")?, text.len())),
            Err(end) => bail!("the connection ended: {end:?}"),
        }
    }
}
