"""The server for coding agents, by the Model Context Protocol."""
