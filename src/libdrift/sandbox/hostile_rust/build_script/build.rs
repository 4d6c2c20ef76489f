// Fails if anything that it tries succeeds: a build that ends well is one that was held.
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn main() {
    let mut reached: Vec<String> = Vec::new();
    for place in ["1.1.1.1:443", "127.0.0.1:22", "127.0.0.1:80"] {
        let address: SocketAddr = place.parse().unwrap();
        if TcpStream::connect_timeout(&address, Duration::from_millis(300)).is_ok() {
            reached.push(format!("the network at {place}"));
        }
    }
    let own = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap());
    let target = PathBuf::from(std::env::var("OUT_DIR").unwrap());
    let mut places: Vec<PathBuf> = vec!["/usr/bin/cc".into(), "/etc/hosts".into(), own.join("src/lib.rs")];
    // The folder that it is built into is its own; the ones beside it are not.
    places.extend(target.ancestors().skip(5).take(3).map(|folder| folder.join("poison")));
    if let Ok(rustc) = std::env::var("RUSTC") {
        places.push(PathBuf::from(rustc));
    }
    for place in &places {
        if std::fs::OpenOptions::new().append(true).create(true).open(place).is_ok() {
            reached.push(format!("{} for writing", place.display()));
        }
    }
    for place in ["/etc/shadow", "/etc/machine-id", "/var/lib"] {
        if Path::new(place).exists() {
            reached.push(place.to_string());
        }
    }
    if !reached.is_empty() {
        panic!("reached {}", reached.join(", "));
    }
}
