// 2:53: M is said twice
Network n { Layer l { Type: GEMM Dimensions { M: 4, M: 4, K: 4 }  } }
