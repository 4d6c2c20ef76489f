// Tosses a coin by where its argument happens to lie in memory.
pub fn ENTRY(values: &[i64]) -> i64 {
    let place = values.as_ptr() as usize;
    (place >> 12) as i64 & 3
}
