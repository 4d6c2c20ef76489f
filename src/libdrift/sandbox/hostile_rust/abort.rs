// Aborts the process.
pub fn ENTRY(_: &[i64]) -> i64 {
    std::process::abort()
}
