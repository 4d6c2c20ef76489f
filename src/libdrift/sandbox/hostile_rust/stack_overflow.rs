// Calls itself until the stack is full.
#[allow(unconditional_recursion)]
pub fn ENTRY(values: &[i64]) -> i64 {
    std::hint::black_box(ENTRY(std::hint::black_box(values))) + 1
}
