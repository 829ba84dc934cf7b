use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use serde::Serialize;

/// The products that brought some stores the most.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    store: u32,
    stores: u32,
    products: Vec<Product>,
}

#[derive(Clone, Debug, Serialize)]
struct Product {
    id: u32,
    sales: u32,
    revenue_cents: i64,
    mean_price_cents: f64,
}

/// Opens the database as one member of a pool.
pub(crate) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    // The whole file fits, so a report costs processor time and no reading:
    // the capacity stays what it was when it was measured.
    connection.pragma_update(None, "cache_size", CACHE_KIBIBYTES)?;
    Ok(connection)
}

/// Reads all sales of so many `stores`, from `store` on.
pub(crate) fn report(connection: &Connection, store: u32, stores: u32) -> rusqlite::Result<Report> {
    let mut best = connection.prepare_cached(BEST_PRODUCTS)?;
    let products = best.query_map([store, store + stores - 1], |row| {
        Ok(Product {
            id: row.get(0)?,
            sales: row.get(1)?,
            revenue_cents: row.get(2)?,
            mean_price_cents: row.get(3)?,
        })
    })?;
    Ok(Report {
        store,
        stores,
        products: products.collect::<Result<_, _>>()?,
    })
}

const BEST_PRODUCTS: &str = "
    SELECT product, count(*), sum(quantity * cents) AS revenue, avg(cents)
    FROM sale
    WHERE store BETWEEN ?1 AND ?2
    GROUP BY product
    ORDER BY revenue DESC
    LIMIT 10";

/// A negative size is in KiB: 256 MiB, many times the default file.
const CACHE_KIBIBYTES: i64 = -262_144;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overload::database::Sales;
    use crate::overload::progress::Progress;
    use crate::stop::Stop;

    #[test]
    fn a_report_names_the_ten_best_products_of_its_stores() {
        let folder = tempfile::tempdir().unwrap();
        let sales = Sales::open(folder.path(), 4000, &Progress::hidden(), &Stop::never()).unwrap();
        let connection = connect(sales.path()).unwrap();
        let report = report(&connection, 7, 2).unwrap();
        assert_eq!((report.store, report.products.len()), (7, 10));
        assert!(
            report
                .products
                .is_sorted_by(|a, b| a.revenue_cents >= b.revenue_cents)
        );
        let best: i64 = connection
            .query_row(
                "SELECT max(revenue) FROM (SELECT sum(quantity * cents) AS revenue
                 FROM sale WHERE store IN (7, 8) GROUP BY product)",
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(report.products[0].revenue_cents, best);
    }
}
