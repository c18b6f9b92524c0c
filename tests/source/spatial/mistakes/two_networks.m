// 3:1: this is the second one
Network n { Layer l { Type: GEMM Dimensions { M: 4, N: 4, K: 4 }  } }
Network n { Layer l { Type: GEMM Dimensions { M: 4, N: 4, K: 4 }  } }
