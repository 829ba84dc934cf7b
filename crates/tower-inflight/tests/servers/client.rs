use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection that stays open, and asks for one thing again and again.
pub(crate) struct Client(TcpStream);

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        Self(TcpStream::connect(address).await.unwrap())
    }

    pub(crate) async fn send(&mut self) {
        let request = b"GET / HTTP/1.1\r\nhost: test\r\n\r\n";
        self.0.write_all(request).await.unwrap();
    }

    /// The status of the next response, which has to be a short one.
    pub(crate) async fn status(&mut self) -> u16 {
        let mut response = Vec::new();
        while !is_whole(&response) {
            let mut part = [0; 512];
            let len = self.0.read(&mut part).await.unwrap();
            assert!(len > 0, "the connection was closed");
            response.extend_from_slice(&part[..len]);
        }
        let status = std::str::from_utf8(&response[9..12]).unwrap();
        status.parse().unwrap()
    }

    pub(crate) async fn get(&mut self) -> u16 {
        self.send().await;
        self.status().await
    }
}

/// Whether the head and as much of a body as it announces are there.
fn is_whole(response: &[u8]) -> bool {
    let text = String::from_utf8_lossy(response).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    body.len() >= length.map_or(0, |length| length.parse().unwrap())
}
