// Writes wherever it can: over its own binary, the toolchain, the system.
pub fn ENTRY(_: &[i64]) -> i64 {
    let own = std::env::current_exe().unwrap();
    let mut written = 0;
    for place in [own.clone(), own.with_file_name("more"), "/usr/bin/cc".into(), "/etc/hosts".into()] {
        written += std::fs::write(&place, b"mine").is_ok() as i64;
    }
    let _ = std::fs::remove_file(&own);
    if written == 0 && own.exists() {
        panic!("nothing can be written");
    }
    written
}
