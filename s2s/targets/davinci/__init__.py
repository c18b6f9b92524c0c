"""``--target davinci``: pooling as CCE C."""
