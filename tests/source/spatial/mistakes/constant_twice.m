// 3:10: A is defined twice
Constant A 2;
Constant A 3;
Network n { Layer l { Type: GEMM Dimensions { M: 4, N: 4, K: 4 }  } }
