"""What libraries are for, in a few words: a list of our own, for tables of data sets by domain."""

from __future__ import annotations

import sys
from functools import cache

from packaging.utils import canonicalize_name

STANDARD = "standard library"
_TOPICS = {
    "machine learning": "accelerate catboost datasets fastai flax gym gymnasium haiku jax jaxlib "
    "keras langchain lightgbm mxnet onnx onnxruntime openai optuna paddlepaddle paddlepaddle-gpu "
    "peft pytorch pytorch-lightning ray scikit-learn sklearn tensorflow tensorflow-gpu tf-keras "
    "tokenizers torch torchmetrics transformers xgboost",
    "scientific computing": "astropy biopython cupy cvxpy dgl mpmath networkx numba numexpr numpy "
    "pymc pymc3 quspin qiskit rdkit scipy sfepy shapely simpy statsmodels sympy",
    "data": "arrow dask duckdb fiona geopandas h5py modin openpyxl pandas polars pyarrow pyspark "
    "sqlalchemy xarray xlrd xlsxwriter zarr",
    "visualisation": "altair bokeh dash folium holoviews matplotlib plotly pyecharts pyvista "
    "seaborn streamlit vispy",
    "web": "aiohttp beautifulsoup4 bottle celery django djangorestframework falcon fastapi flask "
    "gradio httpx hyper jinja2 markupsafe mitmproxy pyramid requests scrapy selenium starlette "
    "tornado twisted urllib3 uvicorn websockets werkzeug wtforms",
    "language": "allennlp gensim nltk spacy stanza textblob torchtext",
    "sound and images": "albumentations imageio kymatio librosa moviepy opencv-python pil pillow "
    "scikit-image skimage soundfile torchaudio torchvision",
    "systems": "bitflags libc mio nix redox-syscall rustix rustls tokio",
    "tools": "attr attrs black chrono click cython flate2 hypothesis jsonschema loguru log "
    "marshmallow more-itertools mypy nom pexpect pip protobuf psutil pydantic pytest "
    "python-dateutil pyyaml rand rand-core rich setuptools simplejson six textwrap time toolz "
    "tqdm typer ujson yaml",
}
_LANGUAGES = frozenset({"python", "jdk", "java", "rust", "std", "core", "alloc"})


@cache
def topic_of(library: str, language: str = "python") -> str | None:
    """What a library is for; ``None`` where the list does not have it."""
    name = canonicalize_name(library)
    standard = language == "python" and library in sys.stdlib_module_names
    if name in _LANGUAGES or standard:
        return STANDARD
    return _table().get(name)


@cache
def _table() -> dict[str, str]:
    return {name: topic for topic, names in _TOPICS.items() for name in names.split()}
