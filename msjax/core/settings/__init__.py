"""Settings of the process: context, device, runtime options, seeds and the generator."""
