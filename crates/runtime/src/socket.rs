//! The sockets of clients: TCP, or memory in a simulation.

use std::io;
use std::net::{Shutdown, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

#[cfg(feature = "simulation")]
use crate::simulation::{SimulatedListener, SimulatedReadHalf, SimulatedSocket, SimulatedWriteHalf};

/// The place at which clients connect.
#[derive(Debug)]
pub enum Listener {
    /// A TCP listener.
    Tcp(TcpListener),
    /// A listener in memory.
    #[cfg(feature = "simulation")]
    Simulated(SimulatedListener),
}

/// The connection of a client.
#[derive(Debug)]
pub enum Socket {
    /// A TCP connection.
    Tcp(TcpStream),
    /// A connection in memory.
    #[cfg(feature = "simulation")]
    Simulated(SimulatedSocket),
}

/// The half of a [`Socket`] that receives.
#[derive(Debug)]
pub enum ReadHalf {
    /// The half of a TCP connection.
    Tcp(OwnedReadHalf),
    /// The half of a connection in memory.
    #[cfg(feature = "simulation")]
    Simulated(SimulatedReadHalf),
}

/// The half of a [`Socket`] that sends.
#[derive(Debug)]
pub enum WriteHalf {
    /// The half of a TCP connection.
    Tcp(OwnedWriteHalf),
    /// The half of a connection in memory.
    #[cfg(feature = "simulation")]
    Simulated(SimulatedWriteHalf),
}

impl Listener {
    /// Accepts a connection. Returns it with the address of the client.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub async fn accept(&mut self) -> io::Result<(Socket, SocketAddr)> {
        match self {
            Self::Tcp(listener) => listener.accept().await.map(|(stream, peer)| (Socket::Tcp(stream), peer)),
            #[cfg(feature = "simulation")]
            Self::Simulated(listener) => {
                listener.accept().await.map(|(socket, peer)| (Socket::Simulated(socket), peer))
            }
        }
    }
}

impl From<TcpListener> for Listener {
    fn from(listener: TcpListener) -> Self {
        Self::Tcp(listener)
    }
}

impl From<TcpStream> for Socket {
    fn from(stream: TcpStream) -> Self {
        Self::Tcp(stream)
    }
}

impl Socket {
    /// Sends small amounts of data at once, without waiting for more data.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn set_nodelay(&self) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.set_nodelay(true),
            #[cfg(feature = "simulation")]
            Self::Simulated(_) => Ok(()),
        }
    }

    /// Sets the size of the send buffer, in bytes.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub fn set_send_buffer_size(&self, size: usize) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => SockRef::from(stream).set_send_buffer_size(size),
            #[cfg(feature = "simulation")]
            Self::Simulated(socket) => {
                socket.set_send_buffer_size(size);
                Ok(())
            }
        }
    }

    /// Sends as many of the bytes as can be sent without waiting. Returns their number.
    ///
    /// # Errors
    /// Returns an error if the connection is broken, or if nothing can be sent now.
    pub fn send_now(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => SockRef::from(stream).send(bytes),
            #[cfg(feature = "simulation")]
            Self::Simulated(socket) => socket.try_write(bytes),
        }
    }

    /// Returns the TCP connection, for its descriptor. `None` if it is in memory.
    #[must_use]
    pub fn tcp(&self) -> Option<&TcpStream> {
        match self {
            Self::Tcp(stream) => Some(stream),
            #[cfg(feature = "simulation")]
            Self::Simulated(_) => None,
        }
    }

    /// Splits the connection into its halves.
    #[must_use]
    pub fn into_split(self) -> (ReadHalf, WriteHalf) {
        match self {
            Self::Tcp(stream) => {
                let (read, write) = stream.into_split();
                (ReadHalf::Tcp(read), WriteHalf::Tcp(write))
            }
            #[cfg(feature = "simulation")]
            Self::Simulated(socket) => {
                let (read, write) = socket.into_split();
                (ReadHalf::Simulated(read), WriteHalf::Simulated(write))
            }
        }
    }
}

impl WriteHalf {
    /// Writes as many of the bytes as the socket accepts now. Returns their number.
    ///
    /// # Errors
    /// Returns `WouldBlock` if the socket accepts nothing now, and other errors if it is broken.
    pub fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(half) => half.try_write(bytes),
            #[cfg(feature = "simulation")]
            Self::Simulated(half) => half.try_write(bytes),
        }
    }

    /// Waits until the socket may accept bytes, or is broken.
    ///
    /// # Errors
    /// Returns an error if the socket cannot be waited for.
    pub async fn writable(&self) -> io::Result<()> {
        match self {
            Self::Tcp(half) => half.writable().await,
            #[cfg(feature = "simulation")]
            Self::Simulated(half) => {
                half.writable().await;
                Ok(())
            }
        }
    }

    /// Shuts both directions of the connection down. The other half reads to the end.
    pub fn shut_down(&self) {
        match self {
            // An error means that the socket is shut down already.
            Self::Tcp(half) => drop(SockRef::from(half.as_ref()).shutdown(Shutdown::Both)),
            #[cfg(feature = "simulation")]
            Self::Simulated(half) => half.shut_down(),
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_read(context, buffer),
            #[cfg(feature = "simulation")]
            Self::Simulated(socket) => Pin::new(socket).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_write(context, bytes),
            #[cfg(feature = "simulation")]
            Self::Simulated(socket) => Pin::new(socket).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            #[cfg(feature = "simulation")]
            Self::Simulated(socket) => Pin::new(socket).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp().is_some_and(AsyncWrite::is_write_vectored)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_flush(context),
            #[cfg(feature = "simulation")]
            Self::Simulated(_) => Poll::Ready(Ok(())),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_shutdown(context),
            #[cfg(feature = "simulation")]
            Self::Simulated(socket) => Pin::new(socket).poll_shutdown(context),
        }
    }
}

impl AsyncRead for ReadHalf {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(half) => Pin::new(half).poll_read(context, buffer),
            #[cfg(feature = "simulation")]
            Self::Simulated(half) => Pin::new(half).poll_read(context, buffer),
        }
    }
}
