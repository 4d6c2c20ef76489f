// Tosses a coin by the last digits of the clock.
pub fn ENTRY(_values: &[i64]) -> i64 {
    let now = std::time::SystemTime::now();
    let since = now.duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap();
    i64::from(since.subsec_nanos() / 7 % 4)
}
