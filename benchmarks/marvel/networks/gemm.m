// Products of matrices of Table 5.6 of Chatarasi's dissertation.
Network gemm {
  Layer GNMT_128x2048x4096 { Type: GEMM Dimensions { M: 128, N: 2048, K: 4096 } }
  Layer GNMT_320x3072x4096 { Type: GEMM Dimensions { M: 320, N: 3072, K: 4096 } }
  Layer GNMT_1632x36548x1024 { Type: GEMM Dimensions { M: 1632, N: 36548, K: 1024 } }
  Layer GNMT_2048x4096x32 { Type: GEMM Dimensions { M: 2048, N: 4096, K: 32 } }
  Layer DeepBench_1024x16x500000 { Type: GEMM Dimensions { M: 1024, N: 16, K: 500000 } }
  Layer DeepBench_35x8457x2560 { Type: GEMM Dimensions { M: 35, N: 8457, K: 2560 } }
  Layer Transformer_31999x1024x84 { Type: GEMM Dimensions { M: 31999, N: 1024, K: 84 } }
  Layer Transformer_84x1024x84 { Type: GEMM Dimensions { M: 84, N: 1024, K: 84 } }
  Layer NCF_2048x1x128 { Type: GEMM Dimensions { M: 2048, N: 1, K: 128 } }
  Layer NCF_256x256x2048 { Type: GEMM Dimensions { M: 256, N: 256, K: 2048 } }
}
