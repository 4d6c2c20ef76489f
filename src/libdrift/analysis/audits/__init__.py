"""Audits of benchmarks that have rules of their own."""
