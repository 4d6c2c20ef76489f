"""Models on this machine: weights from the package index, and a server for any GGUF file."""
