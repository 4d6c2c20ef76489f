// Tells the checker that it is for a newer Rust than its task.
#[clippy::msrv = "1.99.0"]
pub fn ENTRY(values: &[i64]) -> i64 {
    values.iter().sum()
}
