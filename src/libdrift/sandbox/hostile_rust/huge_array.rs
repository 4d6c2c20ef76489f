// Fills the compiler's memory, and its binary, with one constant.
static FULL: [u64; 1 << 33] = [7; 1 << 33];
pub fn ENTRY(values: &[i64]) -> i64 {
    FULL[values.len()] as i64
}
