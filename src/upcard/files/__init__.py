"""Reading files: size limits, strict JSON and TOML, and decoding into typed definitions.

Modules:
    bounded     Reads files up to a size limit.
    decode      Decodes plain data, as `json` and `tomllib` return it, into dataclasses by their
                annotations.
    json_text   Strict JSON: no duplicate keys, no NaN, no lone surrogates, bounded nesting.
    toml_file   Reads TOML files into typed definitions; an error is one sentence with file and line.
    toml_lines  Finds the place of every value in a TOML text.
"""
