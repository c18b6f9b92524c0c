// 2:1: not 'Netwrok'; did you mean 'Network'?
Netwrok n { Layer l { Type: GEMM Dimensions { M: 4, N: 4, K: 4 }  } }
