"""What both engines share: the table as people see it, memory, records, moves with names, observations."""
