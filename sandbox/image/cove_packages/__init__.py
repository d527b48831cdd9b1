"""What installs and lists Python packages in the workspace: run as an ordinary command, answers with JSON on stdout."""
