"""Files that survive a crash: replaced as a whole (`replacing`), or grown line by line (`jsonl`)."""
