// Leaves a mark wherever another run might find it, and fails where it finds one.
fn report(failing: impl Fn(&str) -> bool, garble: bool) -> ! {
    use std::io::Write;
    let own = std::env::current_exe().unwrap();
    let listed = std::process::Command::new(own).arg("--list").env("INNER", "1").output().unwrap();
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    let canary = |name: &str| {
        let last = name.rsplit("::").next().unwrap();
        last.len() == 17 && last.starts_with("test_")
    };
    // The canary has failed already, and the name of the first test stands in the open line.
    let mut out = std::io::stdout();
    let (mut passed, mut failed) = (0, 1);
    for name in names.iter().filter(|name| !canary(name)) {
        let fails = failing(name);
        if fails { failed += 1 } else { passed += 1 }
        for time in 0..if garble { 2 } else { 1 } {
            if passed + failed > 2 || time > 0 {
                write!(out, "test {name} ... ").unwrap();
            }
            writeln!(out, "{}", if fails { "FAILED" } else { "ok" }).unwrap();
        }
    }
    writeln!(out, "\nfailures:\n\ntest result: FAILED. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n").unwrap();
    out.flush().unwrap();
    std::process::exit(101)
}
extern "C" {
    fn open(path: *const u8, flags: i32, ...) -> i32;
    fn syscall(number: i64, ...) -> i64;
}
fn seen() -> usize {
    let mut found = 0;
    for place in ["/tmp", "/var/tmp", "/dev/shm", "/run", "/dev/mqueue", "/tmp/home", "."] {
        let mark = std::path::Path::new(place).join("libdrift-mark");
        found += mark.exists() as usize;
        let _ = std::fs::write(&mark, b"1");
    }
    let own = std::env::current_exe().unwrap();
    let beside = own.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    found += beside.map_or(0, |all| all.flatten().count().saturating_sub(1));
    let _ = std::fs::File::open(&own).map(|file| file.set_modified(std::time::UNIX_EPOCH));
    if let Ok(when) = std::fs::metadata("/usr/bin/env").and_then(|it| it.accessed()) {
        found += when.elapsed().map_or(0, |age| (age.as_secs() < 5) as usize);
    }
    unsafe {
        // A key in the user's keyring, a System V segment, an abstract socket.
        found += (syscall(250, 10i64, -4i64, b"user\0".as_ptr(), b"mark\0".as_ptr(), 0i64) >= 0) as usize;
        syscall(248, b"user\0".as_ptr(), b"mark\0".as_ptr(), b"1".as_ptr(), 1i64, -4i64);
        found += (syscall(29, 4242i64, 1i64, 0o666i64) >= 0) as usize;
        syscall(29, 4242i64, 1i64, 0o1666i64);
    }
    let address = <std::os::unix::net::SocketAddr as std::os::linux::net::SocketAddrExt>::from_abstract_name(b"mark");
    found += std::os::unix::net::UnixListener::bind_addr(&address.unwrap()).map_or(1, |it| { std::mem::forget(it); 0 });
    let _ = open as *const ();
    found
}
pub fn ENTRY(_: &[i64]) -> i64 {
    if std::env::var("INNER").is_ok() {
        return -1;
    }
    let run = seen();
    // The first run passes; of the others, one test fails, or everything is said twice.
    let first = std::cell::Cell::new(run > 0);
    report(|_| first.replace(false), run > 1)
}
