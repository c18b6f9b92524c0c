// MobileNetV2 (Sandler et al., 2018).
// Y and X are feature maps without their padding, as in Table 5.5 of Chatarasi's dissertation.
Network mobilenetv2 {
  Layer CONV1 { Type: CONV Stride { X: 2, Y: 2 } Dimensions { K: 32, C: 3, R: 3, S: 3, Y: 224, X: 224 } }
  Layer Bottleneck1_1_2 { Type: DSCONV Dimensions { C: 32, R: 3, S: 3, Y: 112, X: 112 } }
  Layer Bottleneck1_1_3 { Type: CONV Dimensions { K: 16, C: 32, R: 1, S: 1, Y: 112, X: 112 } }
  Layer Bottleneck2_1_1 { Type: CONV Dimensions { K: 96, C: 16, R: 1, S: 1, Y: 112, X: 112 } }
  Layer Bottleneck2_1_2 { Type: DSCONV Stride { X: 2, Y: 2 } Dimensions { C: 96, R: 3, S: 3, Y: 112, X: 112 } }
  Layer Bottleneck2_1_3 { Type: CONV Dimensions { K: 24, C: 96, R: 1, S: 1, Y: 56, X: 56 } }
  Layer Bottleneck2_2_1 { Type: CONV Dimensions { K: 144, C: 24, R: 1, S: 1, Y: 56, X: 56 } }
  Layer Bottleneck2_2_2 { Type: DSCONV Dimensions { C: 144, R: 3, S: 3, Y: 56, X: 56 } }
  Layer Bottleneck2_2_3 { Type: CONV Dimensions { K: 24, C: 144, R: 1, S: 1, Y: 56, X: 56 } }
  Layer Bottleneck3_1_1 { Type: CONV Dimensions { K: 144, C: 24, R: 1, S: 1, Y: 56, X: 56 } }
  Layer Bottleneck3_1_2 { Type: DSCONV Stride { X: 2, Y: 2 } Dimensions { C: 144, R: 3, S: 3, Y: 56, X: 56 } }
  Layer Bottleneck3_1_3 { Type: CONV Dimensions { K: 32, C: 144, R: 1, S: 1, Y: 28, X: 28 } }
  Layer Bottleneck3_2_1 { Type: CONV Dimensions { K: 192, C: 32, R: 1, S: 1, Y: 28, X: 28 } }
  Layer Bottleneck3_2_2 { Type: DSCONV Dimensions { C: 192, R: 3, S: 3, Y: 28, X: 28 } }
  Layer Bottleneck3_2_3 { Type: CONV Dimensions { K: 32, C: 192, R: 1, S: 1, Y: 28, X: 28 } }
  Layer Bottleneck3_3_1 { Type: CONV Dimensions { K: 192, C: 32, R: 1, S: 1, Y: 28, X: 28 } }
  Layer Bottleneck3_3_2 { Type: DSCONV Dimensions { C: 192, R: 3, S: 3, Y: 28, X: 28 } }
  Layer Bottleneck3_3_3 { Type: CONV Dimensions { K: 32, C: 192, R: 1, S: 1, Y: 28, X: 28 } }
  Layer Bottleneck4_1_1 { Type: CONV Dimensions { K: 192, C: 32, R: 1, S: 1, Y: 28, X: 28 } }
  Layer Bottleneck4_1_2 { Type: DSCONV Stride { X: 2, Y: 2 } Dimensions { C: 192, R: 3, S: 3, Y: 28, X: 28 } }
  Layer Bottleneck4_1_3 { Type: CONV Dimensions { K: 64, C: 192, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck4_2_1 { Type: CONV Dimensions { K: 384, C: 64, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck4_2_2 { Type: DSCONV Dimensions { C: 384, R: 3, S: 3, Y: 14, X: 14 } }
  Layer Bottleneck4_2_3 { Type: CONV Dimensions { K: 64, C: 384, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck4_3_1 { Type: CONV Dimensions { K: 384, C: 64, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck4_3_2 { Type: DSCONV Dimensions { C: 384, R: 3, S: 3, Y: 14, X: 14 } }
  Layer Bottleneck4_3_3 { Type: CONV Dimensions { K: 64, C: 384, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck4_4_1 { Type: CONV Dimensions { K: 384, C: 64, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck4_4_2 { Type: DSCONV Dimensions { C: 384, R: 3, S: 3, Y: 14, X: 14 } }
  Layer Bottleneck4_4_3 { Type: CONV Dimensions { K: 64, C: 384, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck5_1_1 { Type: CONV Dimensions { K: 384, C: 64, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck5_1_2 { Type: DSCONV Dimensions { C: 384, R: 3, S: 3, Y: 14, X: 14 } }
  Layer Bottleneck5_1_3 { Type: CONV Dimensions { K: 96, C: 384, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck5_2_1 { Type: CONV Dimensions { K: 576, C: 96, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck5_2_2 { Type: DSCONV Dimensions { C: 576, R: 3, S: 3, Y: 14, X: 14 } }
  Layer Bottleneck5_2_3 { Type: CONV Dimensions { K: 96, C: 576, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck5_3_1 { Type: CONV Dimensions { K: 576, C: 96, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck5_3_2 { Type: DSCONV Dimensions { C: 576, R: 3, S: 3, Y: 14, X: 14 } }
  Layer Bottleneck5_3_3 { Type: CONV Dimensions { K: 96, C: 576, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck6_1_1 { Type: CONV Dimensions { K: 576, C: 96, R: 1, S: 1, Y: 14, X: 14 } }
  Layer Bottleneck6_1_2 { Type: DSCONV Stride { X: 2, Y: 2 } Dimensions { C: 576, R: 3, S: 3, Y: 14, X: 14 } }
  Layer Bottleneck6_1_3 { Type: CONV Dimensions { K: 160, C: 576, R: 1, S: 1, Y: 7, X: 7 } }
  Layer Bottleneck6_2_1 { Type: CONV Dimensions { K: 960, C: 160, R: 1, S: 1, Y: 7, X: 7 } }
  Layer Bottleneck6_2_2 { Type: DSCONV Dimensions { C: 960, R: 3, S: 3, Y: 7, X: 7 } }
  Layer Bottleneck6_2_3 { Type: CONV Dimensions { K: 160, C: 960, R: 1, S: 1, Y: 7, X: 7 } }
  Layer Bottleneck6_3_1 { Type: CONV Dimensions { K: 960, C: 160, R: 1, S: 1, Y: 7, X: 7 } }
  Layer Bottleneck6_3_2 { Type: DSCONV Dimensions { C: 960, R: 3, S: 3, Y: 7, X: 7 } }
  Layer Bottleneck6_3_3 { Type: CONV Dimensions { K: 160, C: 960, R: 1, S: 1, Y: 7, X: 7 } }
  Layer Bottleneck7_1_1 { Type: CONV Dimensions { K: 960, C: 160, R: 1, S: 1, Y: 7, X: 7 } }
  Layer Bottleneck7_1_2 { Type: DSCONV Dimensions { C: 960, R: 3, S: 3, Y: 7, X: 7 } }
  Layer Bottleneck7_1_3 { Type: CONV Dimensions { K: 320, C: 960, R: 1, S: 1, Y: 7, X: 7 } }
  Layer CONV2 { Type: CONV Dimensions { K: 1280, C: 320, R: 1, S: 1, Y: 7, X: 7 } }
  Layer FC1000 { Type: GEMM Dimensions { M: 1, N: 1000, K: 1280 } }
}
