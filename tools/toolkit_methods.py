"""Networks of reinforcement learning, and networks that compression methods have changed: more rows of `toolkit_models.CASES`."""

from toolkit_models import Model, case, member, numbers, square, tokens

# ---- mindspore-rl -------------------------------------------------------------------------------------------------------------------

_NETWORKS = "mindspore_rl.network"


@case("mindspore-rl", "FullyConnectedNet")
def _fully_connected():
    return Model(member(_NETWORKS, "FullyConnectedNet")(4, 16, 2), (numbers(8, 4),), square)


@case("mindspore-rl", "FullyConnectedLayers")
def _layers():
    net = member(_NETWORKS, "FullyConnectedLayers")(fc_layer_params=[4, 16, 16, 3], weight_init="XavierUniform")
    return Model(net, (numbers(8, 4),), square)


@case("mindspore-rl", "GruNet")
def _gru():
    net = member(_NETWORKS, "GruNet")(input_size=4, hidden_size=8, num_layers=2, batch_first=True, enable_fusion=False)
    return Model(net, (numbers(3, 5, 4), numbers(2, 3, 8)), square)


@case("mindspore-rl", "DQN: policy with its loss")
def _dqn():
    from mindspore import nn

    backbone = member(_NETWORKS, "FullyConnectedNet")(4, 16, 2)
    net = member("mindspore_rl.algorithm.dqn.dqn", "DQNLearner").PolicyNetWithLossCell(backbone, nn.MSELoss())
    return Model(net, (numbers(8, 4), tokens(8, 1, below=2, first=0), numbers(8, 1, seed=2)))


@case("mindspore-rl", "DDPG: actor")
def _ddpg_actor():
    net = member("mindspore_rl.algorithm.ddpg.ddpg", "DDPGPolicy").DDPGActorNet(3, 16, 16, 2)
    return Model(net, (numbers(8, 3),), square)


@case("mindspore-rl", "DDPG: critic")
def _ddpg_critic():
    net = member("mindspore_rl.algorithm.ddpg.ddpg", "DDPGPolicy").DDPGCriticNet(3, 2, 16, 16, 1)
    return Model(net, (numbers(8, 3), numbers(8, 2, seed=2)), square)


@case("mindspore-rl", "policy gradient: loss of the actor")
def _policy_gradient():
    kinds = (
        member("mindspore_rl.algorithm.pg.pg", "PGPolicyAndNetwork"),
        member("mindspore_rl.algorithm.pg.pg", "PGLearner"),
    )
    import mindspore as ms

    net = kinds[1].ActorNNLoss(kinds[0].ActorNet(4, 16, 2, ms.float32), 2)
    return Model(net, (numbers(8, 4), tokens(8, 1, below=2, first=0), numbers(8, 1, seed=2)))


# ---- mindspore-gs -------------------------------------------------------------------------------------------------------------------


def _compressed(module, method, **options):
    def build():
        algorithm = member(module, method)(options) if options else member(module, method)()
        return Model(algorithm.apply(member("toolkit_net", "Net")()), (numbers(2, 3, 8, 8),), square)

    return build


_QUANTIZATION = "mindspore_gs.quantization"
_FUSED = {"enable_fusion": True, "quant_delay": [0, 0], "per_channel": [False, True]}
case("mindspore-gs", "SimQAT")(_compressed(_QUANTIZATION, "SimulatedQuantizationAwareTraining"))
case("mindspore-gs", "SimQAT, fused")(
    _compressed(_QUANTIZATION, "SimulatedQuantizationAwareTraining", **_FUSED, bn_fold=False)
)
case("mindspore-gs", "SimQAT, folded")(
    _compressed(_QUANTIZATION, "SimulatedQuantizationAwareTraining", **_FUSED, bn_fold=True)
)
case("mindspore-gs", "learned step sizes")(
    _compressed(f"{_QUANTIZATION}.learned_step_size_quantization", "LearnedStepSizeQuantizationAwareTraining")
)
case("mindspore-gs", "SLB")(_compressed(_QUANTIZATION, "SlbQuantAwareTraining"))
case("mindspore-gs", "ghost")(_compressed("mindspore_gs", "GhostAlgo"))
