"""Files from outside: bounded reading, strict JSON and TOML, and typed definitions of what may be in them.

| module | holds |
| --- | --- |
| `bounded` | reading a whole regular file, up to a size |
| `json_text` | JSON text to plain data, strictly |
| `toml_file`, `toml_lines` | TOML files to typed data; the line of every value |
| `decode` | plain data to dataclasses by their annotations |
"""
