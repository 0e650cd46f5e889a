"""`mindspore.device_context`: settings of one kind of chip. The values are checked and recorded; XLA makes the
decisions they steer.
"""
