// 2:56: expected the size of N
Network n { Layer l { Type: GEMM Dimensions { M: 4, N: , K: 4 }  } }
