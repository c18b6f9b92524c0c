// 2:56: from 1 to
Network n { Layer l { Type: GEMM Dimensions { M: 4, N: 99999999999999999999999, K: 4 }  } }
