"""Reading files: size limits, strict JSON and TOML, and decoding into typed definitions.

| module | holds |
| --- | --- |
| `bounded` | reading a whole regular file, up to a size |
| `json_text` | JSON text to plain data, strictly |
| `toml_file`, `toml_lines` | TOML files to typed data; the line of every value |
| `decode` | plain data to dataclasses by their annotations |
"""
