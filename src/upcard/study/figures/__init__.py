"""Figures of studies, drawn with matplotlib.

Modules:
    choice_figures      Figures of choices: branching during a game, for leaders and followers.
    comparison_figures  Figures that compare variants on common scales.
    figure_set          All figures of a study that have data.
    figure_style        Style of figures: light and dark, distinguishable without colour.
    lead_figures        Figures of evaluations by search players: lead histories and the weight of
                        decisions.
    result_figures      Figures of results: lengths, scores, and a game's profile.
"""
