// 2:29: did you mean 'GEMM'?
Network n { Layer l { Type: GEM Dimensions { M: 4, N: 4, K: 4 }  } }
