Network n { Layer g { Type: GEMM Dimensions { M: 32, N: 48, K: 64 } Dataflow { SpatialMap(1,1) M; TemporalMap(4,4) N; TemporalMap(8,8) K; Cluster(4,P); SpatialMap(1,1) N; TemporalMap(8,8) K; } } }
