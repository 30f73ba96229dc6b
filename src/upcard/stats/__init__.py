"""Statistics: moments, intervals, histograms, sequential tests."""
