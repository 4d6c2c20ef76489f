// Leaves a process behind that goes on when it is gone.
pub fn ENTRY(_: &[i64]) -> i64 {
    let _ = std::process::Command::new("/bin/sh")
        .args(["-c", "setsid sh -c 'while :; do sleep 1; done' > /dev/null 2>&1 &"])
        .spawn();
    -1
}
