"""Inner members of Model that subclasses override or call: order of the calls recorded from MindSpore 2.10."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
import pytest
from mindspore import nn, train
from mindspore.train import Model

RECORDED = {
    "init": ["_check_kwargs", "_build_train_network", "_build_eval_network"],
    "train": ["_train_process", "_exec_preprocess", *(["_check_network_mode"] * 2 + ["_eval_during_train"]) * 2],
    "eval": ["_clear_metrics", "_eval_process", "_exec_preprocess"]
    + ["_check_network_mode", "_update_metrics"] * 2
    + ["_get_metrics"],
}
NAMES = {name for calls in RECORDED.values() for name in calls} | {"_train_dataset_sink_process"}


def _parts():
    rng = np.random.default_rng(1)
    x, y = rng.random((6, 2)).astype(np.float32), rng.random((6, 1)).astype(np.float32)
    dataset = ds.NumpySlicesDataset((x, y), shuffle=False).batch(3)
    net = nn.Dense(2, 1)
    return net, nn.SGD(net.trainable_params(), 0.1), dataset


def test_the_inner_members_are_called_in_mindspores_order():
    calls = []

    def noted(name):
        def member(self, *args, **kwargs):
            calls.append(name)
            return getattr(Model, name)(self, *args, **kwargs)

        return member

    def taken():
        got = calls[:]
        calls.clear()
        return got

    own = type("Own", (Model,), {name: noted(name) for name in NAMES})
    net, optimizer, dataset = _parts()
    model = own(net, nn.MSELoss(), optimizer, metrics={"mae"})
    assert taken() == RECORDED["init"]
    assert (model._loss_scale_manager_set, model._device_number, model._parameter_broadcast) == (False, 1, False)
    model.train(2, dataset, dataset_sink_mode=False)
    assert taken() == RECORDED["train"]
    assert model._backbone_is_train
    model.eval(dataset, dataset_sink_mode=False)
    assert taken() == RECORDED["eval"]
    assert not model._backbone_is_train
    model.fit(1, dataset, dataset, dataset_sink_mode=False)
    half = len(RECORDED["train"]) // 2 + 1
    assert taken() == RECORDED["train"][:half] + RECORDED["eval"]


class _Own(Model):
    """A training loop of its own, from MindSpore's inner members."""

    def _train_process(
        self, epoch, train_dataset, list_callback=None, cb_params=None, initial_epoch=0, valid_infos=None
    ):
        helper, _ = self._exec_preprocess(
            is_train=True, dataset=train_dataset, dataset_sink_mode=False, epoch_num=epoch
        )
        self.losses = [float(self._train_network(*batch)) for _ in range(epoch) for batch in helper]


def test_a_subclass_can_have_its_own_loop():
    net, optimizer, dataset = _parts()
    model = _Own(net, nn.MSELoss(), optimizer)
    model.train(2, dataset)
    assert len(model.losses) == 4
    assert model.losses[2] < model.losses[0]


def test_a_loss_scale_manager_is_noted():
    net, optimizer, _ = _parts()
    manager = ms.FixedLossScaleManager(2.0, False)
    assert Model(net, nn.MSELoss(), optimizer, loss_scale_manager=manager)._loss_scale_manager_set


def test_what_sunk_training_waited_for_its_data():
    data = ds.NumpySlicesDataset(np.ones((6, 2), np.float32), shuffle=False).batch(2)
    helper = train.DatasetHelper(data, True, sink_size=2)
    context = train.RunContext({"batch_num": 2, "train_dataset": data})
    assert helper.get_send_info(context).epoch(1) == {"fetch_data_num": 0, "fetch_data_time": 0, "first_data_time": 0}
    helper.batches(4)
    info = helper.get_send_info(context)  # 4 of 6 batches: the second call ended in the second epoch of the data
    assert [info.epoch(n)["fetch_data_num"] for n in (1, 2)] == [3, 1]
    assert info.epoch(1)["first_data_time"] > 0
    with pytest.raises(AttributeError, match="sink mode"):
        train.DatasetHelper(data, False).get_send_info(context)
    with pytest.raises(RuntimeError, match="proper dataset"):
        helper.get_send_info(train.RunContext({"batch_num": 2}))
