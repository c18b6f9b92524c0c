// AlexNet (Krizhevsky et al., 2012): two groups in CONV2, CONV4 and CONV5.
// Y and X are feature maps without their padding, as in Table 5.5 of Chatarasi's dissertation.
Network alexnet {
  Layer CONV1 { Type: CONV Stride { X: 4, Y: 4 } Dimensions { K: 96, C: 3, R: 11, S: 11, Y: 227, X: 227 } }
  Layer CONV2 { Type: NGCONV Dimensions { G: 2, K: 128, C: 48, R: 5, S: 5, Y: 27, X: 27 } }
  Layer CONV3 { Type: CONV Dimensions { K: 384, C: 256, R: 3, S: 3, Y: 13, X: 13 } }
  Layer CONV4 { Type: NGCONV Dimensions { G: 2, K: 192, C: 192, R: 3, S: 3, Y: 13, X: 13 } }
  Layer CONV5 { Type: NGCONV Dimensions { G: 2, K: 128, C: 192, R: 3, S: 3, Y: 13, X: 13 } }
  Layer FC6 { Type: GEMM Dimensions { M: 1, N: 4096, K: 9216 } }
  Layer FC7 { Type: GEMM Dimensions { M: 1, N: 4096, K: 4096 } }
  Layer FC8 { Type: GEMM Dimensions { M: 1, N: 1000, K: 4096 } }
}
