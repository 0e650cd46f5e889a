"""AdaFactor: Adam's second moments of matrices kept as row and column means."""

from collections.abc import Sequence
from typing import Annotated, Any

import jax
import numpy as np

from ... import log, optim
from ...core.host import wide
from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import Length, Like, NonNegativeFloat
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter, ParameterTuple
from ...core.values.tensor import Tensor
from ..arguments import Beta, LossScale, Parameters
from .optimizer import Optimizer, opt_init_args_register


class AdaFactor(Optimizer):
    """AdaFactor (Shazeer and Stern, 2018): adaptive learning rates with sublinear memory.

    Args:
        params: Parameters or groups of them. learning_rate: None for the relative step, else see Optimizer. eps:
        (added to g^2, smallest norm of a Parameter). clip_threshold: largest root mean square of a step. decay_rate:
        power with which the second moment's decay grows, in (0, 1). beta1: decay of the first moment; 0 or None keeps
        none. weight_decay: in [0, 1).
        scale_parameter: scale the rate with the norm of the Parameter. relative_step: rate min(0.01, 1 / sqrt(step)).
        warmup_init: start it at 1e-6 step.
        compression: keep second moments of vectors in float16. loss_scale: see Optimizer.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or range; a learning rate together with relative_step, or
        neither.
    """

    _takes_double = True
    _gradient_steps = ()  # neither decayed nor scaled: the transformation decays the Parameters
    _state_fields = {"count": "step"}

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        learning_rate: Like[float | Tensor | None] = None,
        eps: Annotated[tuple[NonNegativeFloat, ...] | list[NonNegativeFloat], Length(2)] = (1e-30, 1e-3),
        clip_threshold: NonNegativeFloat = 1.0,
        decay_rate: Beta = 0.8,
        beta1: Like[float | None] = 0.9,
        weight_decay: Like[float] = 0.0,
        scale_parameter: bool = True,
        relative_step: bool = True,
        warmup_init: Like[bool] = False,
        compression: bool = False,
        loss_scale: LossScale = 1.0,
    ):
        if learning_rate is not None and relative_step:
            raise ValueError("Cannot combine manual lr and relative_step options", learning_rate)
        if warmup_init and not relative_step:
            raise ValueError("warmup_init requires relative_step=True")
        if learning_rate is None and not relative_step:
            raise ValueError("Cannot learning_rate is None and relative_step=False")
        learning_rate, beta1 = 0.0 if learning_rate is None else learning_rate, 0.0 if beta1 is None else beta1
        scheduled = not isinstance(learning_rate, (float, int))
        if scheduled and scale_parameter:
            log.warning("When learning_rate is learning scheduler, it not support update learning rate!")
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        name = self.cls_name
        check.check_float_range(weight_decay, 0, 1, check.INC_LEFT, "weight_decay", name)
        check.check_value_type("beta1", beta1, [int, float], name)
        check.check_non_negative_float(float(beta1), "beta1", name)
        self._options = dict(
            eps=tuple(eps),
            clip_threshold=clip_threshold,
            decay_rate=decay_rate,
            beta1=float(beta1),
            weight_decay=weight_decay,
            scale_parameter=scale_parameter and not scheduled,
            relative_step=relative_step,
            warmup_init=warmup_init,
            compression=compression,
        )
        self.weight_decay, self.weight_decay_flag = Tensor(weight_decay, mstype.float32), bool(weight_decay)
        self.scale_parameter, self.relative_step = self._options["scale_parameter"], relative_step
        self.warmup_init, self.compression = warmup_init, compression
        self.scale_lr = not scheduled
        self.init_ada_factor_state(beta1)

    @wide
    def init_ada_factor_state(self, beta1: Any):
        """Make the Parameters of the state; `beta1` 0 keeps no first moment."""
        self.use_first_moment = beta1 > 0
        params = list(self.parameters)
        first = jax.eval_shape(self.transformation(0.0).init, [p._raw for p in params])
        if self.use_first_moment:
            self.exp_avg = self._clones("exp_avg")
        else:
            # kept out of the state, as MindSpore does: nothing is ever written there
            self.__dict__["exp_avg"] = tuple(
                Parameter(Tensor(0.0, mstype.float32), name=f"exp_avg.{p.name}") for p in params
            )
        for field in ("exp_avg_sq_row", "exp_avg_sq_col", "exp_avg_sq"):
            setattr(
                self,
                field,
                ParameterTuple(
                    Parameter(Tensor(np.zeros(a.shape, a.dtype)), name=f"{field}_{p.name}")
                    for p, a in zip(params, getattr(first, field))
                ),
            )
        self.step = Parameter(Tensor([0], mstype.float32), name="afactor_step")

    def decay_weight(self, gradients: Sequence[Tensor]):
        """The gradients as they are: the Parameters are decayed."""
        return gradients

    @property
    def supports_memory_efficient_fp16(self):
        """True: float16 Parameters are updated in float32."""
        return True

    @property
    def supports_flat_params(self):
        """False: rows and columns of each Parameter count."""
        return False

    def transformation(self, learning_rate: Any):
        return optim.adafactor(None if self.relative_step else learning_rate, **self._options)
