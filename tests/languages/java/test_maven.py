"""Artifacts from a repository on this machine, that Maven's own settings name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from libdrift.config import Settings
from libdrift.errors import InfrastructureError, UserError
from libdrift.languages.java import maven, maven_settings
from libdrift.languages.java.maven import Coordinate
from libdrift.languages.java.maven_versions import is_prerelease, order
from libdrift.languages.python import web
from libdrift.records import Surface
from tests.languages.java.building import Member, built, module
from tests.languages.python.registry import HASTY, Registry, serve, zipped

ARTIFACT = "com.example:lib"
FOLDER = "/repo/com/example/lib"
CLASSES: dict[str, str | bytes] = {
    "com/example/Lib.class": built("com/example/Lib", Member("run", "()V")),
    "com/example/impl/Secret.class": built("com/example/impl/Secret"),
    "META-INF/maven/pom.class": b"not a class",
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry]:
    with serve() as registry:
        registry.files[f"{FOLDER}/maven-metadata.xml"] = (
            b"<metadata><version>9</version><versioning><versions><version>1.10</version>"
            b"<version>1.9</version><version>1.10-rc1</version><version>../x</version>"
            b"</versions></versioning></metadata>"
        )
        folder = tmp_path / "home" / ".m2"
        folder.mkdir(parents=True)
        folder.joinpath("settings.xml").write_text(
            "<settings xmlns='x'><mirrors><mirror><id>m</id><mirrorOf>*</mirrorOf>"
            f"<url>{registry.url}/repo/</url></mirror></mirrors></settings>".replace("'x'", '"x"')
        )
        for name, value in (("HOME", str(tmp_path / "home")), ("PATH", ""), ("MAVEN_HOME", "")):
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(web, "HttpTimeouts", lambda: HASTY)
        monkeypatch.setattr(maven, "_platform", lambda: None)
        yield registry


def publish(site: Registry, version: str, content: bytes, checksum: str | None = None) -> None:
    path = f"{FOLDER}/{version}/lib-{version}.jar"
    site.files[path] = content
    site.files[f"{path}.sha1"] = (checksum or hashlib.sha1(content).hexdigest()).encode()


def read(settings: Settings, *versions: str) -> list[Surface | str]:
    return [found for _, found in maven.surfaces(ARTIFACT, versions, settings)]


def test_releases_in_their_order(site: Registry) -> None:
    found = maven.releases(ARTIFACT)
    assert [release.version for release in found] == ["1.9", "1.10-rc1", "1.10", "9"]
    assert {release.package for release in found} == {"maven:com.example:lib"}


def test_a_jar_becomes_a_surface(site: Registry, settings: Settings) -> None:
    publish(site, "1.9", zipped(CLASSES))
    (found,) = read(settings, "1.9")
    assert isinstance(found, Surface)
    assert found.roots == ("com.example", "com.example.impl")
    assert found.resolve("com.example.Lib.run") is not None
    assert found.origin.digest.startswith("sha1:")


def test_a_module_and_classes_for_newer_releases(site: Registry, settings: Settings) -> None:
    newer = built("com/example/Lib", Member("better", "()V"))
    extra: dict[str, str | bytes] = {
        "META-INF/MANIFEST.MF": "Manifest-Version: 1.0\r\nMulti-Release: true\r\n",
        "META-INF/versions/9/module-info.class": module("com.example", ["com.example"]),
        "META-INF/versions/11/com/example/Lib.class": newer,
        "META-INF/versions/9/com/example/Lib.class": built("com/example/Lib"),
    }
    publish(site, "1.9", zipped({**CLASSES, **extra}))
    (found,) = read(settings, "1.9")
    assert isinstance(found, Surface)
    assert found.roots == ("com.example",)
    assert set(found.scopes["com.example:Lib"]) == {"better"}


@pytest.mark.parametrize(
    ("content", "checksum", "why"),
    [
        (b"no jar", None, "is not a jar"),
        (zipped(CLASSES), "0" * 40, "does not match its sha1 checksum"),
        (zipped({"a/B.class": b"\xca\xfe"}), None, "no class that can be read: a/B.class"),
        (None, None, "has no jar"),
    ],
)
def test_jars_that_cannot_be_read(
    site: Registry, settings: Settings, content: bytes | None, checksum: str | None, why: str
) -> None:
    if content is not None:
        publish(site, "1.9", content, checksum)
    (found,) = read(settings, "1.9")
    assert isinstance(found, str)
    assert why in found


def test_one_damaged_class_does_not_cost_the_others(site: Registry, settings: Settings) -> None:
    publish(site, "1.9", zipped({**CLASSES, "com/example/Bad.class": b"\xca\xfe\xba\xbe"}))
    (found,) = read(settings, "1.9")
    assert isinstance(found, Surface)
    assert found.origin.unread == ("com/example/Bad.class: it ends too early",)
    assert not found.origin.complete


def test_an_artifact_that_is_not_there(site: Registry) -> None:
    with pytest.raises(UserError, match=r"no artifact com\.example:other in http"):
        maven.releases("com.example:other")


def test_a_repository_that_cannot_be_reached(site: Registry) -> None:
    site.troubles[f"{FOLDER}/maven-metadata.xml"] = [503, 503, 503]
    with pytest.raises(InfrastructureError, match=r"HTTP 503.*settings\.xml"):
        maven.releases(ARTIFACT)


@pytest.mark.parametrize("text", ["guava", "a:b:c", "../x:y", "a:", "", "a/b:c", "maven:x"])
def test_what_is_no_artifact(text: str) -> None:
    with pytest.raises(UserError, match="is not a Maven artifact"):
        Coordinate.parse(text)


def test_the_order_of_versions() -> None:
    known = (
        "r03 1.0-alpha1 1.0-beta2 1.0-M1 1.0-rc1 1.0-SNAPSHOT 1.0 1.0-jre 1.0.1 1.9 1.10".split()
    )
    assert sorted(set(known), key=order) == known
    assert [text for text in known if is_prerelease(text)] == known[1:6]


SETTINGS = """<settings>
  <servers><server><id>in</id><username>me</username><password>${env.SECRET}</password></server>
    <server><id>other</id><username>me</username><password>{locked}</password></server></servers>
  <proxies><proxy><host>proxy.test</host><port>3128</port></proxy>
    <proxy><active>false</active><host>no.test</host></proxy></proxies>
  <mirrors>
    <mirror><id>block</id><mirrorOf>external:http:*</mirrorOf><url>http://0.0.0.0/</url><blocked>true</blocked></mirror>
    <mirror><id>in</id><mirrorOf>*,!own</mirrorOf><url>https://mirror.test/all/</url></mirror>
  </mirrors>
  <profiles>
    <profile><id>on</id><repositories>
      <repository><id>own</id><url>https://own.test/m2</url></repository>
      <repository><id>plain</id><url>http://plain.test/m2</url></repository>
      <repository><id>central</id><url>https://central.test/m2</url></repository>
    </repositories></profile>
    <profile><id>off</id><repositories><repository><id>x</id><url>https://x.test</url></repository></repositories></profile>
  </profiles>
  <activeProfiles><activeProfile>on</activeProfile></activeProfiles>
</settings>"""


def test_settings_as_maven_reads_them(tmp_path: Path) -> None:
    (tmp_path / ".m2").mkdir()
    (tmp_path / ".m2" / "settings.xml").write_text(SETTINGS)
    found = maven_settings.read({"HOME": str(tmp_path), "SECRET": "s3", "PATH": ""})
    assert found.addresses == ("https://own.test/m2", "https://mirror.test/all")
    (login,) = found.credentials
    assert (login.url, login.user, login.password) == ("https://mirror.test/all", "me", "s3")
    assert found.proxies == {"http": "http://proxy.test:3128", "https": "http://proxy.test:3128"}
    assert "s3" not in repr(found)


def test_without_settings_it_is_what_maven_itself_names(tmp_path: Path) -> None:
    home = tmp_path / "maven"
    (home / "lib").mkdir(parents=True)
    model = "<project><repositories><repository><url>https://its.test/m2</url></repository></repositories></project>"
    (home / "lib" / "maven-model-builder-3.9.jar").write_bytes(
        zipped({"org/apache/maven/model/pom-4.0.0.xml": model})
    )
    found = maven_settings.read({"HOME": str(tmp_path), "PATH": "", "MAVEN_HOME": str(home)})
    assert found.addresses == ("https://its.test/m2",)
    with pytest.raises(InfrastructureError, match="Install Maven"):
        maven_settings.read({"HOME": str(tmp_path), "PATH": ""})
    (tmp_path / ".m2").mkdir()
    (tmp_path / ".m2" / "settings.xml").write_text("<settings><mirrors>")
    with pytest.raises(UserError, match=r"settings\.xml is not XML"):
        maven_settings.read({"HOME": str(tmp_path), "PATH": ""})
