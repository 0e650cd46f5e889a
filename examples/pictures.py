"""Saves the pictures of the examples, where matplotlib is installed."""


def save_picture(draw, checkpoint, path, *drawn):
    """`draw(pyplot, *drawn)` gives a figure, which is saved at `path`. Says what there is now: the checkpoint too."""
    try:
        import matplotlib
    except ImportError:
        print(f"saved {checkpoint} (for the picture: pip install matplotlib)")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    draw(pyplot, *drawn).savefig(path, dpi=90)
    print(f"saved {checkpoint} and {path}")
