"""Where evidence comes from. Each folder or file is one kind of source and implements `ports.Source`."""
