"""What the host's program needs to call regions on devices, as C."""
