// 2:19: the layer has more than
Network n { Layer l { Type: GEMM Dimensions { M: 9999999999, N: 9999999999, K: 9999999999 }  } }
