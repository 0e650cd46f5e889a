"""Model: training, evaluation and prediction around a network, a loss and an optimizer."""

import contextlib
from typing import Annotated, Any, Literal, TypedDict, Unpack

from .. import log
from ..core.operators.check import check_bool
from ..core.settings import context
from ..core.spec.checking import checked
from ..core.spec.rules import AsValue, Like, NonNegativeInt, PositiveInt, That
from ..core.values.tensor import Tensor
from ..nn.cell.cell import Cell
from ..nn.optim.optimizer import Optimizer
from ..nn.wrap.cell_wrapper import WithEvalCell, WithLossCell
from ..parallel.gradients import broadcast_parameters
from . import amp, dataset_helper
from .callback import __all__ as OWN_CALLBACKS
from .callback.base import CallbackList, InternalCallbackParam, RunContext
from .callback.checkpoint import ModelCheckpoint
from .callback.monitor import TimeMonitor
from .callback.progress import progress_bars
from .dataset_helper import DatasetHelper, as_inputs, connect_network_with_dataset, length, reset
from .loss_scale_manager import LossScaleManager
from .metrics import Loss, get_metrics

__all__ = ["Model"]

SinkSize = Literal[-1] | PositiveInt
_OLD_MOMENTS = {"begin", "end", "epoch_begin", "epoch_end", "step_begin", "step_end"}


class ModelOptions(TypedDict, total=False):
    """The keywords of a Model that set its `amp_level` more closely."""

    loss_scale_manager: LossScaleManager | None
    keep_batchnorm_fp32: bool | None
    boost_config_dict: Any


class Model:
    """Trains and evaluates a network.

    Args:
        network: Cell; with the loss inside if `loss_fn` is None. loss_fn: loss Cell or function. optimizer: updates the network.
        metrics: names or dict from name to Metric, computed by `eval`. eval_network, eval_indexes: another network for `eval`, and the
            positions of (loss, prediction, label) in what it returns. amp_level: "O0" to "O3", "auto" (see `amp`).
        boost_level: accepted; there is nothing to boost. Keywords: loss_scale_manager, keep_batchnorm_fp32.

    Raises:
        TypeError, ValueError: arguments of the wrong kind.

    Example:
        >>> from mindspore.train import LossMonitor
        >>> model = Model(
        ...     net, nn.CrossEntropyLoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9), metrics={"accuracy"}
        ... )
        >>> model.train(1, dataset, callbacks=[LossMonitor()])
        epoch: 1 step: 1, loss is ...
        epoch: 1 step: 2, loss is ...
        >>> list(model.eval(dataset))
        ['accuracy']
    """

    @checked
    def __init__(
        self,
        network: Cell,
        loss_fn: Any = None,
        optimizer: Like[Cell | None] = None,
        metrics: Any = None,
        eval_network: Cell | None = None,
        eval_indexes: Like[list[int] | None] = None,
        amp_level: AsValue[Literal["O0", "O1", "O2", "O3", "auto"]] = "O0",
        boost_level: AsValue[Literal["O0", "O1", "O2"]] = "O0",
        **kwargs: Unpack[ModelOptions],
    ):
        _check_part("loss_fn", loss_fn, AttributeError, "nn.CrossEntropyLoss()")  # the kind of error that MindSpore has
        _check_part("optimizer", optimizer, TypeError, "nn.Adam(net.trainable_params())")
        self._check_kwargs(kwargs)
        self._network, self._loss_fn, self._optimizer = network, loss_fn, optimizer
        self._amp_level, self._boost_level = amp_level, boost_level
        self._keep_bn_fp32 = kwargs.get("keep_batchnorm_fp32")
        self._loss_scale_manager = kwargs.get("loss_scale_manager")
        self._loss_scale_manager_set = "loss_scale_manager" in kwargs
        self._parallel_mode = context.get_auto_parallel_context("parallel_mode")
        self._device_number = context.get_auto_parallel_context("device_num")
        self._parameter_broadcast = context.get_auto_parallel_context("parameter_broadcast")
        self._current_epoch_num = self._current_step_num = 0
        self._metric_fns = get_metrics(metrics)
        self._metrics, self._eval_indexes = metrics, eval_indexes
        self._train_network = self._build_train_network()
        self._build_eval_network(metrics, eval_network, eval_indexes)
        self._predict_network = network
        self._backbone_is_train = True  # the mode that the network was last put in
        self._training = None  # parameters of the last training, and the batch of the dataset that it began at
        self._first_step = 0  # steps of an earlier run that the next one goes on from (see run_state.py)

    def _check_kwargs(self, kwargs):
        unknown = set(kwargs) - {"loss_scale_manager", "keep_batchnorm_fp32", "boost_config_dict"}
        if unknown:
            raise ValueError(
                f"For 'Model', the arguments in 'kwargs' must be 'loss_scale_manager' or 'keep_batchnorm_fp32', but got {sorted(unknown)[0]}."
            )
        if kwargs.get("keep_batchnorm_fp32") is not None:
            check_bool(kwargs["keep_batchnorm_fp32"], "keep_batchnorm_fp32", "Model")

    # --- networks
    def _build_train_network(self):
        if self._optimizer is None:
            return self._network if self._loss_fn is None else WithLossCell(self._network, self._loss_fn)
        if isinstance(self._optimizer, (Optimizer, Cell)) and (
            self._loss_scale_manager is not None or self._amp_level != "O0"
        ):
            return amp.build_train_network(
                self._network,
                self._optimizer,
                self._loss_fn,
                level=self._amp_level,
                **({} if self._loss_scale_manager is None else {"loss_scale_manager": self._loss_scale_manager}),
                **({} if self._keep_bn_fp32 is None else {"keep_batchnorm_fp32": self._keep_bn_fp32}),
            )
        network = self._network if self._loss_fn is None else WithLossCell(self._network, self._loss_fn)
        return amp.step_cell(network)(network, self._optimizer).set_train()

    def _build_eval_network(self, metrics, eval_network, eval_indexes):
        if eval_network is not None:
            if eval_indexes is not None and (not isinstance(eval_indexes, list) or len(eval_indexes) != 3):
                raise ValueError(
                    "For 'Model', the argument 'eval_indexes' must be a list or None. If it is a list, its length must be three. "
                    f"But got 'eval_indexes' {eval_indexes}"
                )
            self._eval_network, self._eval_indexes = eval_network, eval_indexes
            return
        self._eval_network = None
        if metrics is None:
            return
        if self._loss_fn is None:
            raise ValueError(
                "If `metrics` is set, `eval_network` must not be None. Do not set `metrics` if you don't want an evaluation.\n"
                "If evaluation is required, you need to specify `eval_network`, which will be used in the framework to evaluate the model."
            )
        self._eval_network = WithEvalCell(self._network, self._loss_fn, self._amp_level in ("O2", "O3", "auto"))
        self._eval_indexes = [0, 1, 2]

    @property
    def train_network(self) -> Cell:
        """The Cell that makes a training step."""
        return self._train_network

    @property
    def predict_network(self) -> Cell:
        """The Cell that predicts."""
        return self._predict_network

    @property
    def eval_network(self):
        """The Cell that evaluates, or None."""
        return self._eval_network

    # --- training
    @checked
    def train(
        self,
        epoch: PositiveInt,
        train_dataset: Any,
        callbacks: Any = None,
        dataset_sink_mode: bool = False,
        sink_size: SinkSize = -1,
        initial_epoch: NonNegativeInt = 0,
    ):
        """Train for a number of epochs.

        Args:
            epoch: number of the last epoch; with `sink_size` an epoch is that many steps.
            train_dataset: dataset of batches.
            callbacks: Callback or list of them.
            dataset_sink_mode: many steps in one program; the CPU runs each step by itself, as MindSpore does there.
            sink_size: steps of it; -1: the whole dataset.
            initial_epoch: epochs that are done already.
        """
        steps = self._check_run("train", epoch, train_dataset, initial_epoch)
        self._check_moments(callbacks, "train")
        self._train(epoch, train_dataset, steps, callbacks, dataset_sink_mode, sink_size, initial_epoch)

    @checked
    def fit(
        self,
        epoch: PositiveInt,
        train_dataset: Any,
        valid_dataset: Any = None,
        valid_frequency: int | bool | list = 1,
        callbacks: Any = None,
        dataset_sink_mode: bool = False,
        valid_dataset_sink_mode: bool = False,
        sink_size: SinkSize = -1,
        initial_epoch: NonNegativeInt = 0,
    ):
        """Train, and evaluate on `valid_dataset` every `valid_frequency` epochs (a number, or a list of epochs)."""
        steps = self._check_run("fit", epoch, train_dataset, initial_epoch)
        if valid_dataset is not None and not self._metric_fns:
            raise ValueError("For 'Model.fit', if valid_dataset is not None, Model must be built with metrics.")
        self._check_moments(callbacks, "fit")
        valid = None if valid_dataset is None else (valid_dataset, valid_frequency, valid_dataset_sink_mode)
        self._train(epoch, train_dataset, steps, callbacks, dataset_sink_mode, sink_size, initial_epoch, valid)

    def _check_run(self, where, epoch, dataset, initial_epoch):
        """Compare the epochs of `train` and `fit` and look at the dataset; returns the number of its batches."""
        if initial_epoch >= epoch:
            raise ValueError(
                f"For 'Model.{where}', the parameter 'epoch' must bigger than parameter 'initial_epoch', but got the parameter 'epoch' "
                f"is {epoch}, 'initial_epoch' is {initial_epoch}."
            )
        steps = length(dataset)
        if steps == 0:
            raise ValueError("There is no valid data in dataset, please check dataset file firstly.")
        # the iterators of a dataset belong to one model; other iterables have no such state
        if hasattr(dataset, "create_tuple_iterator"):
            if getattr(dataset, "__model_hash__", hash(self)) != hash(self):
                raise RuntimeError(
                    "The dataset object had been used in other model by model.train(...), please create a new dataset."
                )
            dataset.__model_hash__ = hash(self)
        return steps

    @staticmethod
    def _check_moments(callbacks, where):
        """A callback with the method names of 1.x would be called in training and in evaluation: `fit` refuses it."""
        for callback in _listed(callbacks):
            old = sorted(set(type(callback).__dict__) & _OLD_MOMENTS)
            if old and type(callback).__name__ not in OWN_CALLBACKS:
                text = (
                    f"For {type(callback).__name__} callback, {old} methods may not be supported in later version, use methods "
                    "prefixed with 'on_train' or 'on_eval' instead when using customized callbacks."
                )
                if where == "fit":
                    raise ValueError(text)
                log.warning(text)

    def _train(self, epoch, dataset, steps, callbacks, sink, sink_size, initial_epoch, valid=None):
        params = InternalCallbackParam(
            cur_step_num=self._first_step,
            train_network=self._train_network,
            epoch_num=epoch - initial_epoch,
            batch_num=sink_size if sink and sink_size > 0 else steps,
            mode="train",
            loss_fn=self._loss_fn,
            optimizer=self._optimizer,
            parallel_mode=self._parallel_mode,
            device_number=self._device_number,
            train_dataset=dataset,
            list_callback=_listed(callbacks),
            train_dataset_element=None,
            network=self._network,
            last_save_ckpt_step=None,
            latest_ckpt_file=None,
            loss_scale_mananger=self._loss_scale_manager,  # so spelled in MindSpore
            initial_step=self._first_step,
        )
        self._first_step = 0
        self._training = params, dataset.get_init_step() if hasattr(dataset, "get_init_step") else 0
        sink = sink and dataset_helper.sinks()
        params.dataset_sink_mode = sink
        if sink:
            params.sink_size = sink_size if sink_size > 0 else steps
        if context.get_auto_parallel_context("parameter_broadcast"):
            broadcast_parameters(list(self._train_network.get_parameters()))
        listed = _listed(callbacks)
        with CallbackList([*listed, *progress_bars(listed)]) as listeners, self._breakpoints(listed):
            if sink:
                self._train_dataset_sink_process(epoch, dataset, listeners, params, sink_size, initial_epoch, valid)
            else:
                self._train_process(epoch, dataset, listeners, params, initial_epoch, valid)

    # What follows has MindSpore's inner names and arguments: subclasses of Model override it, or call it. list_callback: a
    # CallbackList. cb_params: what the callbacks see. valid_infos: None, or (dataset, frequency, whether it is sunk).
    def _exec_preprocess(self, is_train, dataset, dataset_sink_mode, sink_size=-1, epoch_num=1, dataset_helper=None):
        """(iterator of batches, network for them), with the network in the right mode."""
        network = self._train_network if is_train else self._eval_network
        if dataset_helper is None:
            dataset_helper = DatasetHelper(dataset, dataset_sink_mode, sink_size, epoch_num)
        if dataset_sink_mode:
            network = connect_network_with_dataset(network, dataset_helper)
        network.set_train(is_train)
        self._backbone_is_train = is_train
        return dataset_helper, network

    def _check_network_mode(self, network, is_train):
        if self._backbone_is_train != is_train:  # else it stays in the mode that the user has put it in since
            network.set_train(is_train)
            self._backbone_is_train = is_train

    def _train_process(
        self, epoch, train_dataset, list_callback=None, cb_params=None, initial_epoch=0, valid_infos=None
    ):
        helper, network = self._exec_preprocess(True, train_dataset, False, epoch_num=epoch)
        cb_params.dataset_sink_mode = False
        self._train_epochs(epoch, initial_epoch, helper, network, list_callback, cb_params, valid_infos)

    def _train_dataset_sink_process(
        self, epoch, train_dataset, list_callback=None, cb_params=None, sink_size=-1, initial_epoch=0, valid_infos=None
    ):
        epochs = epoch if sink_size <= 0 else -(-epoch * sink_size // length(train_dataset))
        helper, network = self._exec_preprocess(True, train_dataset, True, sink_size, epochs)
        cb_params.dataset_sink_mode, cb_params.train_network, cb_params.dataset_helper = True, network, helper
        self._train_epochs(epoch, initial_epoch, helper, network, list_callback, cb_params, valid_infos)

    def _train_epochs(self, epoch, initial_epoch, helper, network, listeners, params, valid):
        run_context = RunContext(params)
        listeners.call("on_train_begin", run_context)
        for number in range(initial_epoch, epoch):
            params.cur_epoch_num = self._current_epoch_num = number + 1
            self._current_step_num = 0
            listeners.call("on_train_epoch_begin", run_context)
            self._epoch(helper, network, params, listeners, run_context)
            self._eval_during_train(valid, params, listeners)
            if not params.dataset_sink_mode:
                reset(params.train_dataset)
            listeners.call("on_train_epoch_end", run_context)
            params.pop("metrics", None)
            params.pop("eval_results", None)
            if run_context.get_stop_requested():
                break
        helper.release()
        listeners.call("on_train_end", run_context)

    @staticmethod
    def _should_eval(epoch, validation_freq):
        return epoch % validation_freq == 0 if isinstance(validation_freq, int) else epoch in validation_freq

    @contextlib.contextmanager
    def _breakpoints(self, callbacks):
        """Let the last ModelCheckpoint save the state when an exception ends the training."""
        try:
            yield
        except BaseException:
            for callback in [c for c in callbacks if isinstance(c, ModelCheckpoint)][-1:]:
                callback.save_breakpoint(self._train_network, self._current_epoch_num, self._current_step_num)
            raise

    def _progress(self):
        """(dataset, {"epoch": whole epochs that are done, "step", "data_step": batches taken from the dataset}) of the present training."""
        params, first = self._training
        done = params.cur_step_num - params.initial_step
        steps = params.sink_size if params.dataset_sink_mode else length(params.train_dataset)
        data_step = first + done
        in_epoch = (done + first % steps) % steps
        epoch = params.cur_epoch_num - (in_epoch != 0)
        return params.train_dataset, {"epoch": epoch, "step": params.cur_step_num, "data_step": data_step}

    def _epoch(self, helper, network, params, listeners, run_context):
        sink = params.dataset_sink_mode
        for inputs in helper:
            if self._loss_fn is not None and not sink and len(inputs) != 2:
                raise ValueError(
                    "When 'loss_fn' is not None, 'train_dataset' should return two elements, but got "
                    f"{len(inputs)}, please check the number of elements returned by 'train_dataset'"
                )
            params.cur_step_num += helper.steps_of_call()
            self._current_step_num = (params.cur_step_num - 1) % params.batch_num + 1
            params.train_dataset_element = inputs
            listeners.call("on_train_step_begin", run_context)
            self._check_network_mode(network, True)
            params.net_outputs = self._step(network, inputs, params)
            if not sink:
                self._adjust_scale(params.net_outputs)
            listeners.call("on_train_step_end", run_context)
            if not sink and run_context.get_stop_requested():
                break

    def _step(self, network, inputs, params):
        """The outputs of one call of the network that trains."""
        return network(*inputs)

    def _adjust_scale(self, outputs):
        """A loss scale that the host manages learns whether the step overflowed."""
        manager = self._loss_scale_manager
        if manager is not None and manager.get_drop_overflow_update() and manager.get_update_cell() is None:
            overflow = bool(outputs[1].asnumpy())
            manager.update_loss_scale(overflow)
            self._train_network.set_sense_scale(manager.get_loss_scale())

    def _eval_during_train(self, valid_infos, cb_params, list_callback):
        """Evaluate between two epochs: callbacks see the parameters of the training run, in mode "eval"."""
        if not valid_infos or not self._should_eval(cb_params.cur_epoch_num, valid_infos[1]):
            return
        params, listeners, (dataset, _, sink) = cb_params, list_callback, valid_infos
        # of this package's own callbacks only the timer sees the evaluation, as in MindSpore
        seeing = [c for c in listeners.callbacks if type(c) is TimeMonitor or type(c).__name__ not in OWN_CALLBACKS]
        training = {
            name: params.get(name) for name in ("cur_step_num", "batch_num", "dataset_sink_mode", "net_outputs")
        }
        params.update(eval_network=self._eval_network, valid_dataset=dataset, batch_num=length(dataset), mode="eval")
        params.cur_step_num = 0
        self._evaluate(dataset, seeing, sink, params, self._eval_indexes is not None)
        params.update(training, mode="train")

    @checked
    def build(
        self,
        train_dataset: Any = None,
        valid_dataset: Any = None,
        sink_size: Like[int] = -1,
        epoch: PositiveInt = 1,
        sink_mode: Like[bool] = True,
    ):
        """Compile the training and evaluation networks ahead of `train`, where a dataset is given."""
        if train_dataset is not None:
            self._train_network.set_train()
            self._train_network.entry_for(*as_inputs(_first(train_dataset)))
        if valid_dataset is not None and self._eval_network is not None:
            self._eval_network.set_train(False)
            self._eval_network.entry_for(*as_inputs(_first(valid_dataset)))
            self._train_network.set_train()

    # --- evaluation
    @checked
    def eval(
        self,
        valid_dataset: Any,
        callbacks: Annotated[
            Any, That("a Callback or a list of them", lambda given: not isinstance(given, tuple), is_type=True)
        ] = None,
        dataset_sink_mode: bool = False,
    ):
        """Evaluate the metrics on a dataset: dict from name to value. The network is left in evaluation mode.

        Raises:
            ValueError: the Model has no metrics.
        """
        if not self._metric_fns:
            raise ValueError(
                "For Model.eval, the model argument 'metrics' can not be None or empty, you should set the argument 'metrics' for model."
            )
        self._check_moments(callbacks, "eval")
        params = InternalCallbackParam(
            eval_network=self._eval_network,
            valid_dataset=valid_dataset,
            batch_num=length(valid_dataset),
            mode="eval",
            cur_step_num=0,
            list_callback=_listed(callbacks),
            network=self._network,
        )
        listeners = [*_listed(callbacks), *progress_bars(_listed(callbacks))]
        return self._evaluate(valid_dataset, listeners, dataset_sink_mode, params)

    def _evaluate(self, dataset, callbacks, sink, params, add_eval_loss=False):
        self._clear_metrics()
        # Where the device sinks, evaluation runs a step a call, too: the metrics need what each step gives.
        params.dataset_sink_mode = sink and dataset_helper.sinks()
        with CallbackList(callbacks) as listeners:
            process = self._eval_dataset_sink_process if params.dataset_sink_mode else self._eval_process
            return process(dataset, listeners, params, add_eval_loss)

    def _eval_process(self, valid_dataset, list_callback=None, cb_params=None, add_eval_loss=False):
        params, listeners, run_context = cb_params, list_callback, RunContext(cb_params)
        loss = Loss() if add_eval_loss else None
        listeners.call("on_eval_begin", run_context)
        helper, network = self._exec_preprocess(False, valid_dataset, False)
        listeners.call("on_eval_epoch_begin", run_context)
        for inputs in helper:
            params.cur_step_num += 1
            params.eval_dataset_element = inputs
            listeners.call("on_eval_step_begin", run_context)
            self._check_network_mode(network, False)
            outputs = params.net_outputs = network(*inputs)
            listeners.call("on_eval_step_end", run_context)
            self._update_metrics(outputs)
            if loss is not None:
                loss.update(outputs[self._eval_indexes[0]])
            if run_context.get_stop_requested():
                break
        listeners.call("on_eval_epoch_end", run_context)
        reset(valid_dataset)
        params.metrics = self._get_metrics()
        if loss is not None:
            params.eval_results = params.metrics | {"eval_loss": loss.eval()}
        listeners.call("on_eval_end", run_context)
        return params.metrics

    _eval_dataset_sink_process = _eval_process

    def _clear_metrics(self):
        for metric in self._metric_fns.values():
            metric.clear()

    def _get_metrics(self):
        return {name: metric.eval() for name, metric in self._metric_fns.items()}

    def _update_metrics(self, outputs):
        outputs = (outputs,) if isinstance(outputs, Tensor) else outputs
        if not isinstance(outputs, tuple):
            raise ValueError(f"The argument 'outputs' should be tuple, but got {type(outputs)}.")
        if self._eval_indexes is not None and len(outputs) < 3:
            raise ValueError(
                "The length of 'outputs' must be >= 3 when 'eval_indexes' is set: the network must return loss, prediction and label, "
                f"but it returned {len(outputs)} values."
            )
        for metric in self._metric_fns.values():
            if self._eval_indexes is None:
                metric.update(*outputs)
            elif isinstance(metric, Loss):
                metric.update(outputs[self._eval_indexes[0]])
            else:
                metric.update(outputs[self._eval_indexes[1]], outputs[self._eval_indexes[2]])

    # --- prediction
    @checked
    def predict(self, *predict_data, backend: Literal["lite"] | None = None, config: Any = None):
        """Output of the network, in evaluation mode, for the given Tensors. `backend`, `config`: accepted."""
        self._check_network_mode(self._predict_network, False)
        for item in predict_data:
            _check_data(item)
            if isinstance(item, Tensor) and item.size == 0:
                raise ValueError("The input data can not be empty.")
        return self._predict_network(*predict_data)

    def infer_predict_layout(self, *predict_data, skip_backend_compile: bool = False):
        """Layout of the Parameters in prediction, dict from name to layout.

        Raises:
            RuntimeError: the parallel mode is neither semi-automatic nor automatic.
        """
        _check_automatic("infer_predict_layout")
        self._predict_network.set_train(False)
        return self._predict_network.parameter_layout_dict

    @checked
    def infer_train_layout(
        self,
        train_dataset: Any,
        dataset_sink_mode: Annotated[bool, That("True", bool)] = True,
        sink_size: Like[int] = -1,
    ):
        """Layout of the Parameters in training, dict from name to layout.

        Raises:
            RuntimeError: the parallel mode is neither semi-automatic nor automatic. ValueError: no sinking.
        """
        _check_automatic("infer_train_layout")
        self._check_run("infer_train_layout", 1, train_dataset, dataset_sink_mode, sink_size, 0)
        return self._train_network.parameter_layout_dict


def _check_automatic(where):
    mode = context.get_auto_parallel_context("parallel_mode")
    if mode not in ("semi_auto_parallel", "auto_parallel"):
        raise RuntimeError(f"'{where}' only supports 'semi_auto_parallel' and 'auto_parallel' mode, but got {mode}.")


def _check_part(name, value, error, example):
    """Check the loss or the optimizer of a Model."""
    if isinstance(value, type):
        raise TypeError(
            f"For 'Model', the argument '{name}' must be an object, but got the class {value.__name__}: make one of it, "
            f"for example {name}={example}."
        )
    if value is not None and not callable(value):
        raise error(
            f"For 'Model', the argument '{name}' must be a Cell or a function, for example {example}, but got {value!r} of "
            f"type {type(value).__name__}."
        )


def _check_data(item):
    """Check the types of an input of `predict`."""
    if isinstance(item, (tuple, list, dict)):
        for part in item.values() if isinstance(item, dict) else item:
            _check_data(part)
    elif item is not None and not isinstance(item, (Tensor, int, float, str)):
        kinds = "Tensor, None, int, float, str"
        raise TypeError(
            f"The types of input data must be in the Union({kinds}, tuple[{kinds}], list[{kinds}], dict[{kinds}]), but got "
            f"type {type(item).__name__}."
        )


def _listed(callbacks):
    if callbacks is None or isinstance(callbacks, dict) and not callbacks:
        return []
    return list(callbacks) if isinstance(callbacks, (list, tuple, set)) else [callbacks]


def _first(dataset):
    return next(iter(DatasetHelper(dataset, False)))
