"""The primitives of JAX by one name each, whatever its version, and the family that each belongs to.

A table of rules speaks of families where all members are alike, so a primitive that a new JAX brings needs one word here. A test holds
this list against the primitives of the installed JAX.
"""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    pass

# name in some version of JAX -> the name here; besides, "-" is "_"
_SPELLINGS = {
    "pjit": "jit",
    "core_call": "call",
    "remat": "checkpoint",
    "remat2": "checkpoint",
    "custom_jvp_call_jaxpr": "custom_jvp_call",
    "custom_vjp_call_jaxpr": "custom_vjp_call",
    "copy_p": "copy",
    "psum2": "psum",
    "xla_pmap": "pmap",
}


@functools.cache
def _spelled(name):
    name = name.replace("-", "_")
    return _SPELLINGS.get(name, name)


def name_of(eqn: Any):
    """The name of an equation's primitive, the same for all versions of JAX.

    Example:
        >>> import jax
        >>> from msjax.core.program.primitives import name_of
        >>> [name_of(e) for e in jax.make_jaxpr(lambda x: x.at[0].add(1.0))(jax.numpy.ones(3)).eqns][-1]
        'scatter_add'
    """
    return _spelled(eqn.primitive.name)


FAMILIES = {
    # each element of the result from the elements in the same place of the operands
    "elementwise": """abs acos acosh add add_any and asin asinh atan atan2 atanh bessel_i0e bessel_i1e cbrt ceil clamp clz complex conj
        convert_element_type copy cos cosh digamma div eq eq_to erf erf_inv erfc exp exp2 expm1 floor ge gt igamma igamma_grad_a igammac imag
        integer_pow is_finite le le_to lgamma log log1p log2 logistic lt lt_to max min mul mulhi name ne neg nextafter not one_minus_square or
        polygamma polynomial population_count pow pvary random_gamma real reciprocal reduce_precision regularized_incomplete_beta rem round rsqrt
        select_n shift_left shift_right_arithmetic shift_right_logical sign sin sinh sqrt square stop_gradient sub tan tanh xor
        zeros_like zeta""",
    # moves or repeats elements, whatever they are
    "moving": """bitcast_convert_type broadcast_in_dim broadcast_to concatenate dynamic_slice dynamic_update_slice expand_dims pad repeat reshape
        rev roll slice split squeeze stack tile transpose unstack""",
    # makes elements of nothing
    "making": "empty empty2 iota iota_2x32_shape create_linear",
    # where values lie: they stay what they are
    "placing": """add_dependency device_put dce_sink layout_constraint optimization_barrier pin pretend_for_verification
        reduced_vary_cast relayout remove_memory_space reshard reduced_vary_cast_p sharding_constraint stage tie unpin vary_unreduced_cast
        vary_unreduced_cast_p with_memory_space_constraint assume_for_verification preduced xla_metadata_value""",
    "reducing": "argmax argmin reduce reduce_and reduce_max reduce_min reduce_or reduce_prod reduce_sum reduce_xor",
    "cumulative": "cumlogsumexp cummax cummin cumprod cumsum",
    "windows": """reduce_window reduce_window_max reduce_window_min reduce_window_sum select_and_gather_add select_and_scatter
        select_and_scatter_add""",
    "products": "conv_general_dilated dot_general ragged_dot_general scaled_dot scaled_matmul scaled_matmul_wrapper",
    "attention": """bias_bwd bias_fwd cudnn_fusion dot_product_attention_bwd dot_product_attention_bwd_wrapper dot_product_attention_fp8_bwd
        dot_product_attention_fp8_bwd_wrapper dot_product_attention_fp8_fwd dot_product_attention_fp8_fwd_wrapper
        dot_product_attention_fwd dot_product_attention_fwd_wrapper""",
    "indexing": "gather pgather scatter scatter_add scatter_max scatter_min scatter_mul scatter_sub",
    "ordering": "approx_top_k sort top_k",
    "matrices": """cholesky cholesky_update eig eigh eigh_jacobi geqp3 geqrf hessenberg householder_product lu lu_pivots_to_permutation ormqr
        qr schur spsolve svd symmetric_product triangular_solve tridiagonal tridiagonal_solve""",
    "transforms": "fft",
    "random": """philox2x32 philox4x32 prng_join prng_random_bits prng_seed prng_split random_bits random_clone random_fold_in random_seed
        random_split random_unwrap random_wrap rng_bit_generator rng_uniform threefry2x32 threefry4x32""",
    "own": "",  # of msjax: `make_known`
    # one call of one program
    "calls": """call checkpoint closed_call composite custom_jvp_call custom_transpose_call custom_vjp_call custom_vmap_call eval_jaxpr jaxpr_call
        jit linear_call program_order remat_opt xla_metadata_call""",
    "branches": "cond",
    "loops": "scan while",
    # a program for each device, or each row
    "mapped": "core_map full_to_shard global_array_to_host_local_array host_local_array_to_global_array mpmd_map pmap shard_map shard_to_full vmap",
    # programs with a meaning that is more than to run them once
    "solvers": "custom_lin custom_linear_solve",
    "opaque": """call_exported call_hi_primitive call_hi_primitive_linearized custom_partitioning ffi_call pallas_call tpu_custom_call""",
    "collectives": """all_gather all_gather_invariant all_gather_reduced all_to_all pbroadcast pbroadcast_dynamic pmax pmin ppermute precv psend psum
        psum_invariant ragged_all_to_all reduce_scatter unreduced_pmax unreduced_pmin unreduced_psum unreduced_reduce_scatter""",
    # the beginnings and ends of collectives that run beside other work
    "split collectives": """all_gather_done all_gather_reduced_start all_gather_start all_to_all_done all_to_all_start pbroadcast_done
        pbroadcast_start ppermute_done ppermute_start psum_done psum_invariant_start psum_start reduce_scatter_done reduce_scatter_start
        unreduced_psum_start unreduced_reduce_scatter_start""",
    "places": "axis_index platform_index",
    "host": "check debug_callback debug_print inspect_sharding io_callback log_extend log_read new_log pure_callback",
    "tokens": "after_all create_token",
    "references": """accum_grad_in_ref addupdate box_get box_set empty_ref free_ref freeze get get_global masked_load masked_swap new_box new_ref
        run_state swap""",
    "shapes": "dim_as_value dimension_size shape_assertion",
    "extended types": "from_edtype to_edtype",
    "sparse": """bcoo_dot_general bcoo_dot_general_sampled bcoo_extract bcoo_fromdense bcoo_sort_indices bcoo_spdot_general bcoo_sum_duplicates
        bcoo_todense bcoo_transpose bcsr_dot_general bcsr_extract bcsr_fromdense bcsr_todense coo_fromdense coo_matmat coo_matvec coo_spmm
        coo_spmv coo_todense csr_fromdense csr_matmat csr_matvec csr_spmm csr_spmv csr_todense todense""",
    # within kernels of Pallas, which are not looked into
    "kernels": """atomic_cas atomic_rmw bitcast delay dma_start dma_wait get_barrier_semaphore max_contiguous multiple_of num_programs program_id
        run_scoped semaphore_read semaphore_signal semaphore_wait unreachable""",
}

_FAMILY = {name: family for family, names in FAMILIES.items() for name in names.split()}


_MEANINGS = {}


def family_of(name: str):
    """The family of a primitive, by its name; None for an unknown primitive."""
    return _FAMILY.get(name)


def make_known(name: str, meaning: Callable):
    """Define a primitive of msjax by other primitives: `meaning` is a function of its inputs, and of its parameters by
    name.

    It is then looked into like a call.
    """
    _FAMILY[name], _MEANINGS[name] = "own", meaning


def meaning_of(name: str):
    """The definition of a primitive of msjax by other primitives."""
    return _MEANINGS[name]
