"""`mindspore.device_context`: what programs tell one kind of chip. The values are checked and recorded; XLA decides what they steer."""
