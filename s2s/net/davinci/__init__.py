"""The net behind the target davinci."""
