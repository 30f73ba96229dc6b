"""The word of a workspace that asks machine code to return; kernels and games check it."""

from upcard.engine.native.kernels.workspace_growth import WorkspaceHead

STOP = WorkspaceHead.fields["stop"].word
