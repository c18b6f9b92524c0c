// 2:98: there are two 'Dataflow'
Network n { Layer l { Type: GEMM Dimensions { M: 4, N: 4, K: 4 } Dataflow { SpatialMap(1,1) M; } Dataflow { } } }
