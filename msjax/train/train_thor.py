"""Training with `nn.thor`: the inverses of the Kronecker factors are renewed every `frequency` steps."""

import math
from typing import TYPE_CHECKING, Any

from ..nn.optim.thor import ConvertNetUtils, ThorGpu
from ..nn.wrap.cell_wrapper import TrainOneStepCell
from .model import Model

if TYPE_CHECKING:
    from ..nn.cell.cell import Cell

__all__ = ["ConvertModelUtils", "ConvertNetUtils", "ModelThor"]


class ModelThor(Model):
    """A Model whose optimizer is `nn.thor`. It trains step by step: which step renews the inverses is decided on the
    host.

    Args: as for Model; with a TrainOneStepCell as `network`, loss and optimizer are those inside.
    """

    def __init__(
        self,
        network: "Cell",
        loss_fn: Any = None,
        optimizer: "Cell | None" = None,
        metrics: Any = None,
        eval_network: "Cell | None" = None,
        eval_indexes: list[int] | None = None,
        amp_level: str = "O0",
        **kwargs,
    ):
        inside = network.optimizer if isinstance(network, TrainOneStepCell) else optimizer
        self._frequency = inside.get_frequency()
        super().__init__(network, loss_fn, optimizer, metrics, eval_network, eval_indexes, amp_level, **kwargs)

    def _train(self, epoch, dataset, steps, callbacks, sink, sink_size, initial_epoch, valid=None):
        if sink and sink_size > 0:  # an epoch of `sink_size` steps, counted in whole epochs
            epoch = math.ceil(epoch * sink_size / dataset.get_dataset_size())
        super()._train(epoch, dataset, steps, callbacks, False, -1, initial_epoch, valid)

    def _step(self, network, inputs, params):
        # a flag selects one of two compiled forms
        network.add_flags_recursive(thor=(params.cur_step_num - 1) % self._frequency == 0)
        return super()._step(network, inputs, params)


class ConvertModelUtils:
    """Turns a Model into one for the second-order optimizer.

    Example:
        >>> from mindspore.train import ConvertModelUtils
        >>> optimizer = nn.thor(net, Tensor([0.1, 0.1]), Tensor([0.3, 0.2]), momentum=0.9)
        >>> model = ConvertModelUtils.convert_to_thor_model(model, net, loss_fn=loss, optimizer=optimizer)
    """

    @staticmethod
    def convert_to_thor_model(
        model: Any,
        network: "Cell",
        loss_fn: Any = None,
        optimizer: "Cell | None" = None,
        metrics: Any = None,
        amp_level: str = "O0",
        loss_scale_manager: Any = None,
        keep_batchnorm_fp32: bool = False,
    ):
        """A ModelThor with these parts where the optimizer is `nn.thor`, else `model` as it is."""
        if not isinstance(optimizer, ThorGpu):
            return model
        if isinstance(network, TrainOneStepCell):
            return ModelThor(network)
        return ModelThor(
            network,
            loss_fn,
            optimizer,
            metrics,
            amp_level=amp_level,
            loss_scale_manager=loss_scale_manager,
            keep_batchnorm_fp32=keep_batchnorm_fp32,
        )
