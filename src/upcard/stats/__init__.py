"""Statistics: moments, intervals, histograms, sequential tests.

Modules:
    histogram      Histogram of integers in a bounded number of bins, with exact sums.
    interval_text  Formats a value with its confidence interval.
    intervals      Means with 95 % confidence intervals.
    moments        Exact sums of integers, with mean and standard error.
    running_mean   Running mean and standard error (Welford).
    sprt           Sequential probability ratio test: stops a contest as soon as one of two hypotheses is
                   clear.
"""
