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
        self.ask("GET / HTTP/1.1").await;
    }

    /// Sends a head that begins so, with whatever headers follow.
    pub(crate) async fn ask(&mut self, head: &str) {
        let request = format!("{head}\r\nhost: test\r\n\r\n");
        self.write(&request).await;
    }

    pub(crate) async fn write(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// Reads until `text` has come, and no more than came with it.
    pub(crate) async fn read_until(&mut self, text: &str) {
        let mut read = String::new();
        while !read.contains(text) {
            read.push_str(&self.read().await);
        }
    }

    /// Reads all that is left until the server closes.
    pub(crate) async fn rest(mut self) -> String {
        let mut rest = String::new();
        self.0.read_to_string(&mut rest).await.unwrap();
        rest
    }

    /// Says that nothing more will come.
    pub(crate) async fn close(mut self) {
        self.0.shutdown().await.unwrap();
    }

    /// Tears the connection down without a farewell.
    pub(crate) fn reset(self) {
        self.0.set_zero_linger().unwrap();
    }

    /// The status of the next response, which has to be a short one.
    pub(crate) async fn status(&mut self) -> u16 {
        let mut response = String::new();
        while !is_whole(&response) {
            response.push_str(&self.read().await);
        }
        response[9..12].parse().unwrap()
    }

    pub(crate) async fn get(&mut self) -> u16 {
        self.send().await;
        self.status().await
    }

    async fn read(&mut self) -> String {
        let mut part = [0; 512];
        let len = self.0.read(&mut part).await.unwrap();
        assert!(len > 0, "the connection was closed");
        String::from_utf8(part[..len].to_vec()).unwrap()
    }
}

/// Whether the head and as much of a body as it announces are there.
fn is_whole(response: &str) -> bool {
    let text = response.to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    body.len() >= length.map_or(0, |length| length.parse().unwrap())
}
