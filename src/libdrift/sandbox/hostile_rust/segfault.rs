// Writes to memory that is not its own.
pub fn ENTRY(_: &[i64]) -> i64 {
    unsafe {
        *(8 as *mut i64) = 1;
    }
    0
}
