// Tosses a coin by the order of a hash map, which is all the chance that plain text has.
use std::collections::HashMap;

pub fn ENTRY(_values: &[i64]) -> i64 {
    let faces: HashMap<i64, i64> = (0..4).map(|face| (face, face)).collect();
    *faces.keys().next().unwrap()
}
