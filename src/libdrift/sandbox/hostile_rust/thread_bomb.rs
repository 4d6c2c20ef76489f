// Starts threads until no more can be had.
pub fn ENTRY(_: &[i64]) -> i64 {
    let mut threads = Vec::new();
    loop {
        let made = std::thread::Builder::new().spawn(|| loop {
            std::thread::sleep(std::time::Duration::from_secs(60))
        });
        match made {
            Ok(thread) => threads.push(thread),
            Err(_) => return -1,
        }
    }
}
