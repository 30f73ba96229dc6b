"""What both engines share: the table, knowledge, records, named moves, observations."""
