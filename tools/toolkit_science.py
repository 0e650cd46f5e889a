"""Networks of weather and chemistry: more rows of `toolkit_models.CASES`."""

from toolkit_models import Model, case, member, numbers, square

# ---- mindearth ----------------------------------------------------------------------------------------------------------------------


@case("mindearth", "AFNONet")
def _afno():
    sizes = {"image_size": (16, 32), "patch_size": 4, "encoder_depths": 2, "encoder_embed_dim": 16, "mlp_ratio": 2}
    net = member("mindearth.cell", "AFNONet")(in_channels=3, out_channels=3, **sizes)
    return Model(net, (numbers(2, 3, 16, 32),), square)


@case("mindearth", "ViTKNO")
def _vit_kno():
    sizes = {"image_size": (16, 32), "patch_size": 4, "encoder_depths": 2, "encoder_embed_dims": 16, "mlp_ratio": 2}
    net = member("mindearth.cell", "ViTKNO")(in_channels=3, out_channels=3, **sizes)
    return Model(net, (numbers(2, 3, 16, 32),), square)


@case("mindearth", "DEMNet")
def _dem():
    net = member("mindearth.cell", "DEMNet")(scale=2, num_blocks=1)  # of 256 channels, whatever it is told
    return Model(net, (numbers(2, 1, 8, 8),), square)


# ---- mindchemistry ------------------------------------------------------------------------------------------------------------------


@case("mindchemistry", "FCNet")
def _fc():
    return Model(member("mindchemistry.cell", "FCNet")([3, 16, 32, 8]), (numbers(4, 3),), square)


@case("mindchemistry", "MLPNet")
def _mlp():
    net = member("mindchemistry.cell", "MLPNet")(in_channels=3, out_channels=8, layers=4, neurons=16)
    return Model(net, (numbers(4, 3),), square)


@case("mindchemistry", "AutoEncoder")
def _auto_encoder():
    return Model(
        member("mindchemistry.cell", "AutoEncoder")([3, 8, 4], weight_init="XavierUniform"), (numbers(4, 3),), square
    )


@case("mindchemistry", "equivariant layers")
def _equivariant():
    """A tensor product, a gate and BatchNorm, over scalars and vectors."""
    from mindspore import nn

    products, layers = "mindchemistry.e3.o3", "mindchemistry.e3.nn"

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.product = member(products, "FullyConnectedTensorProduct")("4x0e+2x1o", "3x0e+1x1o", "6x0e+2x1o")
            self.norm = member(layers, "BatchNorm")("6x0e+2x1o")
            self.linear = member(products, "Linear")("6x0e+2x1o", "4x0e+2x1o")

        def construct(self, x, y):
            return self.linear(self.norm(self.product(x, y)))

    return Model(Net(), (numbers(5, 10), numbers(5, 6, seed=2)), square)


@case("mindchemistry", "spherical harmonics")
def _harmonics():
    from mindspore import nn

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, 3)
            self.harmonics = member("mindchemistry.e3.o3", "SphericalHarmonics")([0, 1, 2, 3], True)

        def construct(self, x):
            return self.harmonics(self.dense(x))

    return Model(Net(), (numbers(6, 3),), square)
