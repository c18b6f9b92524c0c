// Table 5.7 of Chatarasi's dissertation. An LSTM with embeddings of E and a batch of B is a product with
// M = B, N = E and K = 2 E; a fully connected layer has M = 1.
Network mlp_lstm {
  Layer MLP_M_FC1 { Type: GEMM Dimensions { M: 1, N: 1000, K: 784 } }
  Layer MLP_M_FC2 { Type: GEMM Dimensions { M: 1, N: 500, K: 1000 } }
  Layer MLP_M_FC3 { Type: GEMM Dimensions { M: 1, N: 250, K: 500 } }
  Layer MLP_L_FC1 { Type: GEMM Dimensions { M: 1, N: 1500, K: 784 } }
  Layer MLP_L_FC2 { Type: GEMM Dimensions { M: 1, N: 1000, K: 1500 } }
  Layer MLP_L_FC3 { Type: GEMM Dimensions { M: 1, N: 500, K: 1000 } }
  Layer LSTM_M { Type: GEMM Dimensions { M: 128, N: 500, K: 1000 } }
  Layer LSTM_L { Type: GEMM Dimensions { M: 128, N: 1000, K: 2000 } }
  Layer RHN { Type: GEMM Dimensions { M: 128, N: 1500, K: 3000 } }
}
