use std::net::SocketAddr;

use anyhow::{Context, bail};
use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper::{Request, StatusCode};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

use crate::overload::arrivals::Inquiry;
use crate::overload::contender::REJECTED;

/// Asks the server for reports, over as many kept-alive connections as it takes.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    http: legacy::Client<HttpConnector, Empty<Bytes>>,
    server: SocketAddr,
}

/// What the server said.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Answer {
    /// No, and why.
    Rejected { reason: String },
    /// A report.
    Report,
}

impl Client {
    pub(crate) fn new(server: SocketAddr) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let http = legacy::Client::builder(TokioExecutor::new()).build(connector);
        Self { http, server }
    }

    /// Asks for one report and reads the answer to its end.
    ///
    /// The request goes on for as long as the future lives, however long that
    /// takes: a deadline is the caller's to keep.
    pub(crate) async fn report(&self, inquiry: Inquiry) -> anyhow::Result<Answer> {
        let Inquiry { store, stores, .. } = inquiry;
        let uri = format!("http://{}/report/{store}/{stores}", self.server);
        let priority = if inquiry.high_priority {
            "high"
        } else {
            "normal"
        };
        let request = Request::get(uri)
            .header(PRIORITY, priority)
            .body(Empty::new())?;
        let response = self.http.request(request).await.context("no answer")?;
        let (head, body) = response.into_parts();
        body.collect().await.context("half an answer")?;
        if let Some(reason) = head.headers.get(REJECTED) {
            return Ok(Answer::Rejected {
                reason: reason.to_str()?.to_owned(),
            });
        }
        match head.status {
            StatusCode::OK => Ok(Answer::Report),
            status => bail!("the server answered {status}"),
        }
    }
}

/// The header that marks a request as more important than others.
pub(crate) const PRIORITY: &str = "x-priority";
