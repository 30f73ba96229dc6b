"""Euchre's own knowledge: cards, hand evaluation, auction, the expert, the lay-down proof."""
