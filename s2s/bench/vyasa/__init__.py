"""``s2s bench vyasa``: convolutions on the AI Engine against the published figures."""
