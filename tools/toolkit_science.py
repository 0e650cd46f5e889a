"""Networks of weather and chemistry, quaternions, and what explains networks: more rows of `toolkit_models.CASES`."""

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


@case("mindchemistry", "spherical harmonics and a tensor product")
def _tensor_product():
    from mindspore import nn

    harmonics = member("mindchemistry.e3.o3", "SphericalHarmonics")
    product = member("mindchemistry.e3.o3", "TensorProduct")

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(10, 10)
            self.harmonics = harmonics("1o+2e", normalize=True, irreps_in="1o")
            self.product = product("4x0e+2x1o", "1o+2e", "3x0e+2x1o", instructions="full")

        def construct(self, x, directions):
            return self.product(self.dense(x), self.harmonics(directions))

    return Model(Net(), (numbers(5, 10), numbers(5, 3, seed=2)), square)


# ---- mindspore-quaternion -----------------------------------------------------------------------------------------------------------


def _quaternion(calculate):
    """A network that makes two quaternions of each of its inputs and calculates with them."""

    def build():
        from mindspore import nn

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.first, self.second = nn.Dense(4, 4), nn.Dense(4, 4)

            def construct(self, x):
                return calculate(self.first(x), self.second(x))

        return Model(Net(), (numbers(6, 4),), square)

    return build


def _function(name):
    return lambda: _quaternion(member("quaternion.functions", name))()


def _operator(function):
    def build():
        kind = member("quaternion.core", "Quaternion")
        return _quaternion(lambda one, other: function(kind(one), kind(other)).to_tensor())()

    return build


case("mindspore-quaternion", "quaternion_diff")(_function("quaternion_diff"))
case("mindspore-quaternion", "Quaternion: product")(_operator(lambda a, b: a * b))
case("mindspore-quaternion", "Quaternion: sum, conjugate")(_operator(lambda a, b: (a + b).conjugate()))


# ---- mindspore-xai ------------------------------------------------------------------------------------------------------------------


def _explained(name, **options):
    """A network that is trained, and then explained."""

    def explain(net):
        import mindspore as ms

        net.set_train(False)
        settings = {key: value() if callable(value) else value for key, value in options.items()}
        explainer = member("mindspore_xai.explainer", name)(net, **settings)
        return explainer(numbers(2, 3, 8, 8), ms.Tensor([0, 1], ms.int32)).asnumpy()

    return lambda: Model(member("toolkit_net", "Net")(), (numbers(2, 3, 8, 8),), square, explain)


case("mindspore-xai", "Gradient")(_explained("Gradient"))
case("mindspore-xai", "Deconvolution")(_explained("Deconvolution"))
case("mindspore-xai", "GuidedBackprop")(_explained("GuidedBackprop"))
case("mindspore-xai", "GradCAM")(_explained("GradCAM", layer="second.relu"))
case("mindspore-xai", "Occlusion")(_explained("Occlusion", activation_fn=lambda: member("mindspore.nn", "Softmax")()))


# ---- mindsponge ---------------------------------------------------------------------------------------------------------------------

_WATER = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [-0.0333, 0.0943, 0.0]]
_PEROXIDE = [[0.0, 0.0, 0.0], [0.145, 0.0, 0.0], [-0.02, 0.095, 0.0], [0.165, 0.03, 0.09]]


def _molecule(name, atoms, places, bonds, *terms):
    """Energy of a molecule and its forces. terms: (class of an energy, its options), besides the bonds."""

    @case("mindsponge", name)
    def build():
        import mindspore as ms

        core, energies = "mindsponge.core.simulation", "mindsponge.potential.energy"
        system = member("mindsponge", "Molecule")(atoms=atoms, coordinate=places, bond=[bonds])
        stiff = {"force_constant": [[345000.0] * len(bonds)], "bond_length": [[0.11] * len(bonds)]}
        parts = [member(energies, "BondEnergy")(index=system.bond, **stiff)]
        for kind, options in terms:
            charges = {k: ms.Tensor(v, ms.float32) for k, v in options.items() if k == "atom_charge"}
            parts.append(member(energies, kind)(**options | charges))
        field = member("mindsponge.potential", "ForceFieldBase")(parts)
        return Model(member(core, "SimulationCell")(system, field), (), lambda energy: energy.sum(), rate=1e-7)


_ANGLE = "AngleEnergy", {"index": [[1, 0, 2]], "force_constant": [[383.0]], "bond_angle": [[1.91]]}
_TURN = {"index": [[2, 0, 1, 3]], "force_constant": [[8.0]], "periodicity": [[2]], "phase": [[0.5]]}
_CHARGED = "CoulombEnergy", {"atom_charge": [[-0.4, -0.4, 0.4, 0.4]]}
_molecule("water: bonds", ["O", "H", "H"], _WATER, [[0, 1], [0, 2]])
_molecule("water: bonds and angle", ["O", "H", "H"], _WATER, [[0, 1], [0, 2]], _ANGLE)
_TORSION = "DihedralEnergy", _TURN
_molecule("peroxide: a turn", ["O", "O", "H", "H"], _PEROXIDE, [[0, 1], [0, 2], [1, 3]], _TORSION)
_molecule("peroxide: charges", ["O", "O", "H", "H"], _PEROXIDE, [[0, 1], [0, 2], [1, 3]], _TORSION, _CHARGED)
