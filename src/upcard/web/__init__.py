"""The table in the browser: a server that holds every state, and a client without rules."""
