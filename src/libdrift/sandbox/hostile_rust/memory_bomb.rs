// Takes memory until no more can be had.
pub fn ENTRY(_: &[i64]) -> i64 {
    let mut held: Vec<Vec<u8>> = Vec::new();
    loop {
        held.push(vec![1; 64 << 20]);
    }
}
