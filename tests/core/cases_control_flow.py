"""Functions with control flow on Tensors, run eagerly and compiled as one graph, for inputs that take both ways.

`compiled` lists functions that must become one graph, `eager` those that must fall back (with a part of the reason).
"""

import functools

compiled, eager = [], []


def case(fn):
    compiled.append(fn)
    return fn


def falls_back(reason):
    def mark(fn):
        eager.append((fn, reason))
        return fn

    return mark


# --- if
@case
def if_else(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = -x
    return y


@case
def if_without_else(x):
    y = x + 1
    if x.max() > 2:
        y = y * 3
    return y


@case
def elif_chain(x):
    s = x.sum()
    if s > 10:
        return x * 4
    elif s > 0:
        return x * 3
    elif s > -3:
        return x * 2
    return x


@case
def nested_if(x):
    y = x
    if x.sum() > 0:
        if x.max() > 2:
            y = x + 10
        else:
            y = x - 10
        y = y * 2
    return y


@case
def nested_return(x):
    if x.sum() > 0:
        if x.max() > 2:
            return x + 10
        x = x - 1
    x = x * 2
    if x.min() < -5:
        return x * 100
    return x


@case
def return_in_both(x):
    if x.sum() > 0:
        return x, x.sum()
    else:
        return -x, x.max()


@case
def temporary_in_one_branch(x):
    if x.sum() > 0:
        t = x * 2
        y = t + 1
    else:
        y = x
    return y


@case
def unlike_but_unused(x):
    if x.sum() > 0:
        t = x[:1]
        y = x + t
    else:
        t = None
        y = x
    return y


@case
def numbers_become_tensors(x):
    n = 1
    if x.sum() > 0:
        n = 2
    return x * n


@case
def int_and_float(x):
    y = 1
    if x.sum() > 0:
        y = 2.5
    return x * y


@case
def equal_statics_stay(x):
    kind, n = "a", 3
    if x.sum() > 0:
        kind, n = "a", 3
        y = x
    else:
        y = x * 2
    return y * n if kind == "a" else None


@case
def ternary(x):
    y = x * 2 if x.sum() > 0 else x - 1
    return y + (1 if y.max() > 3 else 2)


@case
def nested_ternary(x):
    return x if x.sum() > 3 else (x + 1 if x.sum() > 0 else x + 2)


@case
def and_or_not(x):
    if x.sum() > 0 and x.max() > 2 or not x.min() > -3:
        return x * 10
    return x


@case
def and_or_values(x):
    flag = x.sum() > 0 and x.max() > 2
    other = x.sum() > 0 or x.max() > 2
    return flag, other, not flag


@case
def static_and_traced(x, training=True):
    if training and x.sum() > 0:
        return x * 2
    if not training or x.max() > 100:
        return x
    return -x


@case
def comparison_chain(x):
    if 0 < x.sum() < 10:
        return x * 2
    return x * 3


@case
def membership(x):
    if x.sum() in (6, -6):
        return x * 2
    if x.sum() not in [3, 4]:
        return x * 3
    return x


@case
def tensor_as_condition(x):
    y = x.sum()
    if y:
        return x * 2
    return x + 1


@case
def one_element_condition(x):
    if x[0:1]:
        return x * 2
    return x + 1


@case
def bool_of_tensor(x):
    ok = bool(x.sum() > 0)
    if not ok:
        x = x * 5
    return x


@case
def assert_on_static(x):
    assert x.shape[0] == 3, "three"
    if x.sum() > 0:
        x = x + 1
    return x


@case
def raise_on_static(x):
    if x.shape[0] != 3:
        raise ValueError("three")
    if x.sum() > 0:
        return x
    return -x


@case
def pass_in_branch(x):
    if x.sum() > 0:
        pass
    else:
        x = -x
    return x


# --- loops
@case
def while_loop(x):
    n = 0
    while x.max() < 50 and n < 20:
        x = x * 2
        n += 1
    return x, n


@case
def while_break_continue(x):
    n = 0
    total = x
    while n < x.max():
        n = n + 1
        if n == 2:
            continue
        total = total + n
        if total.sum() > 12:
            break
    return total


@case
def while_true_break(x):
    n = 0
    while True:
        x = x + 1
        n += 1
        if x.sum() > 20:
            break
    return x, n


@case
def while_true_return(x):
    while True:
        x = x + 1
        if x.sum() > 20:
            return x


@case
def while_else(x):
    n = 0
    while n < 3 * x.max():
        n += 1
        if n * x.sum() > 10:
            break
    else:
        n = n + 100
    return x * n


@case
def return_in_while(x):
    n = 0
    while n < 5:
        n += 1
        if n > x.max():
            return x * n
    return x


@case
def nested_while(x):
    i = 0
    while i < x.max():
        j = 0
        while j < i:
            x = x + 0.5
            j += 1
            if x.sum() > 100:
                break
        i += 1
    return x


@case
def while_changes_dtype(x):
    n, f = 0, 0
    while n < x.max():
        n += 1
        f = f + n * 0.5
    return x * f


@case
def while_temporary(x):
    while x.sum() > 1:
        half = x * 0.5
        x = half
    return x


@case
def for_range_traced(x):
    total = x * 0
    for i in range(x.max().astype("int32")):
        total = total + i * x
    return total


@case
def for_range_traced_bounds(x):
    n = x.max().astype("int32")
    total = 0
    for i in range(2 * n, n, -1):
        total = total + i
    return x + total


@case
def for_range_break(x):
    total = x
    for i in range(6):
        if total.sum() > 8:
            break
        total = total + i
    return total


@case
def for_range_continue_else(x):
    total = x
    for i in range(4):
        if i == 1:
            continue
        if total.max() > i * 2:
            continue
        total = total + 1
    else:
        total = total * 2
    return total


@case
def for_traced_range_break(x):
    for i in range(x.max().astype("int32")):
        x = x + i
        if x.sum() > 9:
            break
    return x


@case
def for_return(x):
    for i in range(5):
        if x.sum() > i * 3 - 4:
            return x * i
    return x


@case
def for_rows(x):
    out = []
    for r in x:
        if r > 0:
            out.append(r * 2)
        else:
            out.append(-r)
    return out


@case
def for_enumerate_zip(x):
    y = x * 0
    for i, (a, b) in enumerate(zip(x, [1, 2, 3])):
        if a > b:
            y = y + i * a
        else:
            y = y - b
    return y


@case
def for_functions(x):
    for i, f in enumerate([lambda v: v + 1, lambda v: v * 2]):
        x = f(x)
        if x.max() > 4:
            x = x - i
    return x


# --- state
@case
def item_assignment(x):
    y = x * 1
    if x.sum() > 0:
        y[0] = 7
    else:
        y[1] = x[2]
    return y


@case
def in_place_operators(x):
    y = x * 1
    z = y
    if x.sum() > 0:
        y += 5
    else:
        y *= 2
    return y, z


@case
def in_place_in_loop(x):
    y = x * 1
    z = y
    n = 0
    while n < x.max():
        y += 1
        y[0] = n
        n += 1
    return y, z


@case
def dict_items(x):
    d = {"a": x, "n": 1}
    if x.sum() > 0:
        d["a"] = x * 2
        d["n"] += 1
    return d["a"] * d["n"]


@case
def list_items(x):
    parts = [x, x * 2]
    if x.sum() > 0:
        parts[0], parts[1] = parts[1], parts[0]
    return parts[0] - parts[1]


@case
def list_append_in_both(x):
    out = [x]
    if x.sum() > 0:
        out.append(x * 2)
    else:
        out.append(x * 3)
    return out[0] + out[1]


@case
def list_made_in_branch(x):
    if x.sum() > 0:
        parts = [x]
        parts.append(x + 1)
    else:
        parts = [x, x]
    return parts[0] + parts[1]


class Holder:
    def __init__(self, value):
        self.value = value
        self.count = 0


@case
def attributes(x):
    h = Holder(x)
    if x.sum() > 0:
        h.value = x * 2
        h.count += 1
    return h.value + h.count


@case
def attributes_in_loop(x):
    h = Holder(x * 1)
    while h.count < x.max():
        h.value += h.count
        h.count += 1
    return h.value * h.count


@case
def tuple_targets(x):
    h = Holder(x)
    d = {}
    if x.sum() > 0:
        h.value, d["k"] = x + 1, x + 2
    else:
        (h.value, d["k"]), _ = (x - 1, x - 2), 3
    return h.value * d["k"]


@case
def named_tuples_and_nests(x):
    state = (x, {"n": 0, "parts": [x, x]})
    if x.sum() > 0:
        state = (x + 1, {"n": 0, "parts": [x, x * 2]})
    return state[0] + state[1]["parts"][1] + state[1]["n"]


@case
def delete_variable(x):
    t = x * 2
    if x.sum() > 0:
        y = t
        del t
    else:
        y = -t
        del t
    return y


@case
def walrus(x):
    if (s := x.sum()) > 0:
        return x * s
    return x - s


@case
def walrus_in_while(x):
    while (s := x.sum()) < 20:
        x = x + 1
    return x + s


# --- functions
def helper(x, scale, *, bias=0.0):
    if x.sum() > 0:
        return x * scale + bias
    return x - bias


@case
def callee_with_keywords(x):
    return helper(x, 2, bias=1.0) + helper(*[-x], **{"scale": 3})


@case
def callee_in_branch(x):
    if x.max() > 2:
        x = helper(x, 2)
    return x


@case
def partial_and_lambda(x):
    double = functools.partial(helper, scale=2)
    pick = lambda v: v if v.sum() > 0 else v * 3  # noqa: E731
    return double(x) + pick(x) + (lambda a, b=1: a + b if a.max() > b else a)(x)


@case
def closure_and_nonlocal(x):
    count = 0

    def step(v):
        nonlocal count
        if v.sum() > 0:
            count += 1
            return v * 2
        return v

    y = step(step(x))
    if y.max() > 3:
        y = step(y)
    return y * count


@case
def recursion(x, depth=4):
    if depth == 0:
        return x
    if x.sum() > 0:
        x = x - 1
    return recursion(x, depth - 1)


def doubled(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs) * 2

    return wrapper


@doubled
def decorated(x):
    if x.sum() > 0:
        return x
    return -x


@case
def calls_decorated(x):
    return decorated(x) + 1


class Base:
    scale = 2

    def run(self, x):
        if x.sum() > 0:
            return x * self.scale
        return x


class Derived(Base):
    __secret = 5

    def run(self, x):
        if x.max() > 2:
            y = super().run(x) + self.__secret
        else:
            y = super().run(-x)
        return y

    @staticmethod
    def static(x):
        return x + 1 if x.sum() > 0 else x

    @classmethod
    def of(cls, x):
        if x.sum() > 0:
            x = x * cls.scale
        return x

    def __call__(self, x):
        while x.sum() > 5:
            x = x / self.scale
        return x

    @property
    def factor(self):
        return 3


@case
def methods(x):
    d = Derived()
    return d.run(x) + d.static(x) + d.of(x) + d(x) * d.factor


@case
def builtins_on_tensors(x):
    a, b, c = x
    return max(a, b, c), min(a, b), any(v > 2 for v in x), all([v > 0 for v in x]), sum([a, b]), abs(a)


@case
def map_filter(x):
    return list(map(lambda v: v * 2 if v > 0 else v, x))


@case
def comprehension(x):
    return [v * 2 if v > 0 else v for v in x], {i: v and 1 for i, v in enumerate([1, 0])}


@case
def with_and_try(x):
    class Context:
        def __enter__(self):
            return self

        def __exit__(self, *args):
            return False

    with Context():
        if x.sum() > 0:
            return x * 2
        x = x + 1
    try:
        if x.max() > 0:
            return x * 3
    except ValueError:
        x = x * 1000
    finally:
        x = x * 1
    return x


@case
def match_statement(x, kind="a"):
    match kind:
        case "a":
            if x.sum() > 0:
                return x * 2
            y = x
        case _:
            y = x * 7
    return y


total = 0


def add_to_module(x):
    global total
    total = total + x.sum()
    return x


@case
def module_variable_in_callee(x):
    global total
    total = 1
    if x.sum() > 0:
        x = add_to_module(x) + 1
    return x, total


@case
def nonlocal_of_another_function(x):
    def counter():
        n = 0

        def step(by):
            nonlocal n
            n = n + by
            return n

        return step

    class Keeps:
        step = staticmethod(counter())

    keeps = Keeps()
    if x.sum() > 0:
        keeps.step(x.max())
    return keeps.step(1) * x


class Checked:
    __slots__ = ("value",)

    def __init__(self, value):
        if value.sum() > 0:
            self.value = value
        else:
            self.value = -value


@case
def constructor(x):
    if x.max() > 2:
        y = Checked(x - 1).value
    else:
        y = Checked(x + 1).value
    return Checked(y).value


@case
def helper_returns_early_in_loop(x):
    def first_above(values, bound):
        for i, v in enumerate(values):
            if v > bound:
                return i
        return -1

    return first_above(x, 1.5) * x + first_above([x.sum(), x.max()], 100)


@case
def partly_returned_then_used(x):
    if x.sum() > 0:
        if x.max() > 2:
            return x
        z = x * 2
    else:
        z = x * 3
    return z + 1


@case
def continue_skips_definition(x):
    y = x
    for i in range(3):
        if x[i] < 0:
            continue
        t = x[i] * 2
        y = y + t
    return y


@case
def dtype_of_scalars(x):
    half = x.astype("float16")
    scale = 0.5 if x.sum() > 0 else 2.0
    step = 3 if x.sum() > 0 else 4
    return half * scale, x.astype("int32") * step, x.astype("int8") + step


@case
def generator_is_left_alone(x):
    def rows():
        for i in range(3):
            yield x[i] * i

    out = x
    for r in rows():
        if r > 1:
            out = out + r
    return out


@case
def lists_in_loops(x):
    parts = [x, x * 2]
    n = 0
    while n < x.max():
        parts[0] = parts[0] + parts[1]
        parts = [parts[1], parts[0]]
        n += 1
    return parts


@case
def zip_star_and_unpacking(x):
    first, *rest = [x, x * 2, x * 3]
    if x.sum() > 0:
        first, (a, *b) = rest[0], rest
    else:
        a, b = first, [first]
    return first + a + sum(b)


@case
def conditional_function(x):
    f = (lambda v: v * 2) if x.shape[0] == 3 else (lambda v: v)
    return f(x) if x.sum() > 0 else f(-x)


@case
def string_keys_and_flags(x, mode=None):
    modes = {"train": lambda v: v * 2, "eval": lambda v: v}
    mode = mode or "train"
    if mode in modes and x.sum() > 0:
        x = modes[mode](x)
    elif mode not in modes or x.min() < -2:
        x = x - 1
    return x


@case
def new_here_in_place_there(x):
    y, parts = x * 1, [x, x + 1]
    if x.sum() > 0:
        y = x * 2
        parts = [x * 5, x]
    else:
        y += 10
        parts[0] = x * 7
    return y, parts


@case
def nested_in_place(x):
    y = x * 1
    state = {"parts": [y, x], "n": 1}
    if x.sum() > 0:
        state["parts"][0] = x * 3
    elif x.min() < -2:
        y += 1
    else:
        state = {"parts": [x, x], "n": 1}
    return state["parts"], y


# --- what cannot be one graph
@falls_back("shape")
def unlike_shapes(x):
    if x.sum() > 0:
        return x
    return x[:2]


@falls_back("None")
def none_or_tensor(x):
    if x.sum() > 0:
        return x


@falls_back("raises ValueError")
def raise_in_branch(x):
    if x.sum() > 1000:
        raise ValueError("too large")
    return x


@falls_back("content of a traced Tensor")
def item_in_branch(x):
    if x.sum() > 0:
        return x * x.sum().item()
    return x


@falls_back("content of a traced Tensor")
def assert_traced(x):
    assert x.sum() < 1000
    return x


@falls_back("shape")
def growing(x):
    out = x
    n = 0
    while n < x.max():
        out = out.reshape(-1, 1) + x
        n += 1
    return out


@falls_back("a list")
def append_in_one_branch(x):
    out = [x]
    if x.sum() > 0:
        out.append(x)
    return len(out) * x


@falls_back("is set in the true branch only")
def set_in_one_branch(x):
    flag = x.sum() > -1000
    if flag:
        z = x * 2
    if flag:
        x = z
    return x


@falls_back("inside the loop only")
def set_in_loop_only(x):
    n = 0
    while n < 1 + abs(x).max():
        last = x * n
        n += 1
    return last


@falls_back("its length is not known")
def list_of_traced_range(x):
    return [x * i for i in range(abs(x).max().astype("int32"))]


@falls_back("is set in the true branch only")
def for_else_break(x):
    for i in range(3):
        if x[i] < 0:
            found = i
            break
    else:
        found = 10
    return x * found
