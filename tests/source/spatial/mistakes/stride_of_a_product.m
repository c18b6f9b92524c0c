// 2:34: a GEMM has no stride
Network n { Layer l { Type: GEMM Stride { X: 2 } Dimensions { M: 4, N: 4, K: 4 }  } }
