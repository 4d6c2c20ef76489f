// Overflows the compiler's stack with brackets.
macro_rules! nest {
    ($($t:tt)*) => { nest!(($($t)*)) };
}
pub fn ENTRY(_: &[i64]) -> i64 {
    nest!(0)
}
