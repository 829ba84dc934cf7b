use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};

use super::occupancy::Occupancy;
use crate::overload::database::{Connections, Report};

/// The application, without any limit.
pub(crate) fn reports(connections: Connections, occupancy: Arc<Occupancy>) -> Router {
    let application = Application {
        connections,
        occupancy,
    };
    Router::new()
        .route("/report/{store}/{stores}", get(report))
        .with_state(application)
}

#[derive(Clone, Debug)]
struct Application {
    connections: Connections,
    occupancy: Arc<Occupancy>,
}

async fn report(
    State(application): State<Application>,
    Path((store, stores)): Path<(u32, u32)>,
) -> Result<Json<Report>, StatusCode> {
    let _in_flight = application.occupancy.enter();
    let report = application.connections.report(store, stores).await;
    report
        .map(Json)
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}
