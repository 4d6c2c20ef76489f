from __future__ import annotations

import pytest

from libdrift.build import rust_examples
from libdrift.build.rust_examples import RustExample

DOC = """Gives the first of two.

# Examples

```
# use std::cmp::max;
let x = Some(2);
assert_eq!(x.or(None), Some(2));
```

```rust,no_run
loop {}
```

```text
not code
```

~~~rust
assert!(true);
~~~
"""


def test_blocks_that_can_be_run() -> None:
    first, second = rust_examples.blocks(DOC)
    assert first == "use std::cmp::max;\nlet x = Some(2);\nassert_eq!(x.or(None), Some(2));"
    assert second == "assert!(true);"
    assert rust_examples.blocks("no example") == []
    assert rust_examples.blocks("```\nlet never_closed = 1;") == []


@pytest.mark.parametrize(
    ("assertion", "kept", "expected"),
    [
        ("assert_eq!(f(1, 2), 3);", "f(1, 2)", 'r#"3"#'),
        ('assert_eq!(f(), Some( 3 ), "why");', "f()", 'r#"Some( 3 )"#'),
        ("assert_eq!(f(), [1,2,])", "f()", 'r#"[1, 2]"#'),
        ("assert_eq!(f(), None);", "f()", 'r#"None"#'),
        ("assert_eq!(f(), u8::MAX);", "f()", 'format!("{:?}", u8::MAX)'),
        ("assert_eq!(f(), x);", "f() == x", '"true"'),
        ("assert_ne!(f(), 3);", "f() == 3", '"false"'),
        ("assert!(f());", "f()", '"true"'),
        ('assert!(f(), "why");', "f()", '"true"'),
        ("assert!(!f());", "f()", '"false"'),
        ("assert!(!f() && g());", "!f() && g()", '"true"'),
    ],
)
def test_an_assertion_becomes_what_it_looks_at(assertion: str, kept: str, expected: str) -> None:
    found = rust_examples.told(f"let x = 1;\n{assertion}")
    assert isinstance(found, RustExample)
    assert found.lines == (
        "let mut seen: Vec<String> = Vec::new();",
        "let x = 1;",
        f'seen.push(format!("{{:?}}", {kept}));',
        "seen",
    )
    assert found.expected == (expected,)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("fn main() { assert!(true); }", "a program of its own"),
        ("#![feature(x)]\nassert!(true);", "a program of its own"),
        ("let = 1;", "no Rust"),
        ("let x = 1;", "asserts nothing"),
        ("if true { assert!(true); }", "asserts nothing"),
        ("assert_eq!(1);", "not understood"),
        ("assert_eq!(f::<A, B>(), 1);", "not understood"),
        ("let (seen, shown, gathered) = f(); assert!(seen);", "all names"),
    ],
)
def test_what_cannot_be_a_function(code: str, why: str) -> None:
    found = rust_examples.told(code)
    assert isinstance(found, str)
    assert why in found


def test_the_function_and_its_tests() -> None:
    code = "use std::cmp::max;\n\nstruct S;\nassert_eq!(max(1, 2), u8::MAX.min(2));"
    found = rust_examples.told(code)
    assert isinstance(found, RustExample)
    assert rust_examples.program(found) == (
        "pub fn example() -> Vec<String> {\n"
        "    let mut seen: Vec<String> = Vec::new();\n"
        "    use std::cmp::max;\n\n"
        "    struct S;\n"
        '    seen.push(format!("{:?}", max(1, 2)));\n'
        "    seen\n}\n"
    )
    tests = rust_examples.tests(found)
    assert "        use std::cmp::max;\n        let seen = example();\n" in tests
    assert 'assert_eq!(seen[0], format!("{:?}", u8::MAX.min(2)));' in tests
