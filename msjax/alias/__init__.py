"""Makes `import mindspore` mean msjax: the finder, the table of MindSpore's module paths, the runner of scripts."""
