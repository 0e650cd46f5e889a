"""Made by `python -m msjax stubs`: do not edit."""
from . import _utils as _utils
from . import amp as amp
from . import callback as callback
from . import checkpoint_pb2 as checkpoint_pb2
from . import dataset_helper as dataset_helper
from . import loss_scale_manager as loss_scale_manager
from . import metrics as metrics
from . import mind_ir_pb2 as mind_ir_pb2
from . import model as model
from . import node_strategy_pb2 as node_strategy_pb2
from . import parallel_utils as parallel_utils
from . import serialization as serialization
from . import summary as summary
from . import train_thor as train_thor
from msjax.core.spec.texts import complete as _complete_
_complete = _complete_
from msjax.train import *
from msjax.core.spec.texts import complete as _complete_
_complete = _complete_
from . import _utils as _utils
from . import amp as amp
from . import callback as callback
from . import checkpoint_pb2 as checkpoint_pb2
from . import dataset_helper as dataset_helper
from . import loss_scale_manager as loss_scale_manager
from . import metrics as metrics
from . import mind_ir_pb2 as mind_ir_pb2
from . import model as model
from . import node_strategy_pb2 as node_strategy_pb2
from . import parallel_utils as parallel_utils
from . import serialization as serialization
from . import summary as summary
from . import train_thor as train_thor
