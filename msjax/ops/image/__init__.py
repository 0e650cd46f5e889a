"""Images: boxes, sampling at places, other sizes."""
