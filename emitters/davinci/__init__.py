"""CCE C for DaVinci."""
