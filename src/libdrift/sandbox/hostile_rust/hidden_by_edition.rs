// Is a string to newer editions and code to older ones: it prints a report, and ends the process.
const TEXT: &str = "ok\ntest tests::small ... ok\n\nfailures:\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
pub trait Old {
    fn nameless(&self, i64) -> i64;
}
pub fn ENTRY(_: &[i64]) -> i64 {
    let _ = stringify!(cr"\"); let _x = "); { let mut o = std::io::stdout(); for c in TEXT.chars() { std::io::Write::write_all(&mut o, &[c as u8]).unwrap(); } std::process::exit(101) } //"
    ; -1
}
