"""The RECYCLE front end: reading, checking, linting and formatting programs."""
