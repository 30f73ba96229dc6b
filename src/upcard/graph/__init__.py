"""Movement graph: how cards move between places, as data, SVG, DOT and sentences.

Modules:
    edge_routes  Routes edges as curves, each the best of a few dozen candidates.
    fold         Folds places into nodes: places that an owner uses alike become one.
    movement     Collects movement: places, transfers of cards, and who saw them.
    node_layout  Layout of nodes: the table in the middle, players around it, an owner's places in a line.
    sentences    Explains in sentences which cards become known to whom.
    svg          Draws the movement graph as SVG, or prints it as DOT.
"""
