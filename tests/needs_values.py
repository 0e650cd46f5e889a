"""Cases of cases_ops/ whose operators need the content of their inputs: in a compiled function they run eagerly, with one warning."""

NEEDS_VALUES = set(
    """
Tensor.allclose Tensor.argwhere Tensor.bincount Tensor.fold Tensor.masked_select Tensor.nonzero
Tensor.tolist Tensor.unique Tensor.unique_consecutive add_coo add_csr from_dense mint.allclose mint.bincount
mint.equal mint.item mint.masked_select mint.nonzero mint.unique mint.unique_consecutive mint.where mnp.argwhere mnp.array_str
mnp.bincount mnp.intersect1d mnp.setdiff1d mnp.unique ops.CheckNumerics() ops.BartlettWindow() ops.Bincount() ops.BlackmanWindow()
ops.CTCGreedyDecoder() ops.Coalesce() ops.CumulativeLogsumexp() ops.EditDistance() ops.HammingWindow()
ops.IndexFill() ops.ListDiff() ops.MaskedSelect() ops.MatrixDiagPartV3() ops.MatrixDiagV3()
ops.MatrixSetDiagV3() ops.NonZero() ops.PadV3('constant') ops.Range() ops.ResizeArea() ops.ResizeBicubic()
ops.ResizeLinear1D() ops.SegmentMax() ops.SegmentMean() ops.SegmentMin() ops.SegmentProd() ops.SegmentSum()
ops.SubAndFilter() ops.Unique() ops.UniqueWithPad() ops.UnravelIndex() ops.argwhere ops.bartlett_window
ops.bincount ops.blackman_window ops.ctc_greedy_decoder ops.expand ops.fold ops.masked_select
ops.matrix_diag_part ops.nonzero ops.unique ops.unique_consecutive ops.unique_with_pad
ops.AdaptiveMaxPool3D() ops.Expand() ops.NonMaxSuppressionWithOverlaps()
ops.mirror_pad ops.tensor_range ops.sparse_segment_mean ops.col2im Tensor.col2im Tensor.unique_with_pad G.FractionalAvgPoolGrad()
""".split()
) | {
    "lambda x: [float(v) for v in x]",
    "lambda n: ops.blackman_window(n) == 0",
    "lambda x: bool((x == x).all())",
    "lambda x: x.asnumpy().tolist()",
    "lambda x: x.numpy().tolist()",
    "Tensor.item|lit([1.5],float32)",
    "Tensor.item|lit(7)",
    "ops.range|lit(0,int32), lit(10,int32), lit(4,int32)",
    "ops.range|lit(0,float16), lit(10,float16), lit(4,float16)",
    "ops.topk|perm(3,5), lit([2],int32)",
    "ops.pad|arr(3,3), lit([1,1])",
    "ops.MirrorPad('SYMMETRIC')",
    "ops.MirrorPad()",
    "ops.Col2Im((2, 2))",
    "ops.UniqueConsecutive(True, True)",
    "ops.UniqueConsecutive(True, True, 1)",
}
