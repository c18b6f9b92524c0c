// 2:53: a GEMM has no dimension 'Q'
Network n { Layer l { Type: GEMM Dimensions { M: 4, Q: 4, K: 4 }  } }
