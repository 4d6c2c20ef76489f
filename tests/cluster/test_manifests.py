"""Files that start clusters are what Ray and KubeRay read: checked by schemas, not run here.

``kuberay-1.7.0.schema.json`` holds, of the definition of RayCluster in KubeRay 1.7.0, the types of
the fields that our file uses, and the names of all fields beside them.
"""

from __future__ import annotations

import copy
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator, Draft202012Validator
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
CLUSTER = ROOT / "docs" / "cluster"


def manifest(name: str) -> dict[str, Any]:
    found = yaml.safe_load((CLUSTER / name).read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def errors(content: dict[str, Any]) -> list[str]:
    schema = Path(__file__).with_name("kuberay-1.7.0.schema.json").read_text(encoding="utf-8")
    return [
        error.message for error in Draft202012Validator(json.loads(schema)).iter_errors(content)
    ]


def test_the_cluster_for_kubernetes_is_one() -> None:
    assert errors(manifest("kuberay.yaml")) == []


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("apiVersion",), "ray.io/v1alpha1", "'ray.io/v1' was expected"),
        (("spec", "headGroupSpecs"), {}, "'headGroupSpecs' was unexpected"),
        (("spec", "workerGroupSpecs", 0, "replicas"), "4", "'4' is not of type 'integer'"),
        (("spec", "headGroupSpec", "rayStartParams", "num-cpus"), 0, "0 is not of type 'string'"),
        (
            ("spec", "workerGroupSpecs", 0, "template", "spec", "containers", 0, "images"),
            "x",
            "'images' was unexpected",
        ),
    ],
)
def test_a_slip_in_it_would_be_found(path: tuple[Any, ...], value: object, told: str) -> None:
    content = copy.deepcopy(manifest("kuberay.yaml"))
    place: Any = content
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    assert any(told in error for error in errors(content))


def test_its_ray_is_one_that_libdrift_takes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (wanted,) = map(Requirement, project["optional-dependencies"]["ray"])
    assert wanted.specifier.contains(manifest("kuberay.yaml")["spec"]["rayVersion"])


def test_the_cluster_for_ray_up_is_one_by_rays_own_schema() -> None:
    ray = pytest.importorskip("ray", reason="needs Ray: pip install 'libdrift[ray]'")
    path = Path(ray.__file__).parent / "autoscaler" / "ray-schema.json"
    validator = Draft7Validator(json.loads(path.read_text(encoding="utf-8")))
    content = manifest("ray-up.yaml")
    assert [error.message for error in validator.iter_errors(content)] == []
    assert list(validator.iter_errors({**content, "max_workers": "2"}))
    from ray.autoscaler._private.util import prepare_config, validate_config

    prepared = prepare_config(content)
    validate_config(prepared)
    kinds = prepared["available_node_types"]
    assert sum(kind.get("min_workers", 0) for kind in kinds.values()) == 2, "none is left out"
