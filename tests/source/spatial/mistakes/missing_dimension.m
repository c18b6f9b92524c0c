// 2:34: the size of N is missing
Network n { Layer l { Type: GEMM Dimensions { M: 4, K: 4 }  } }
