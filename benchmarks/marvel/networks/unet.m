// U-Net (Ronneberger et al., 2015): its convolutions have no padding.
Network unet {
  Layer DOWN1_1 { Type: CONV Dimensions { K: 64, C: 1, R: 3, S: 3, Y: 572, X: 572 } }
  Layer DOWN1_2 { Type: CONV Dimensions { K: 64, C: 64, R: 3, S: 3, Y: 570, X: 570 } }
  Layer DOWN2_1 { Type: CONV Dimensions { K: 128, C: 64, R: 3, S: 3, Y: 284, X: 284 } }
  Layer DOWN2_2 { Type: CONV Dimensions { K: 128, C: 128, R: 3, S: 3, Y: 282, X: 282 } }
  Layer DOWN3_1 { Type: CONV Dimensions { K: 256, C: 128, R: 3, S: 3, Y: 140, X: 140 } }
  Layer DOWN3_2 { Type: CONV Dimensions { K: 256, C: 256, R: 3, S: 3, Y: 138, X: 138 } }
  Layer DOWN4_1 { Type: CONV Dimensions { K: 512, C: 256, R: 3, S: 3, Y: 68, X: 68 } }
  Layer DOWN4_2 { Type: CONV Dimensions { K: 512, C: 512, R: 3, S: 3, Y: 66, X: 66 } }
  Layer DOWN5_1 { Type: CONV Dimensions { K: 1024, C: 512, R: 3, S: 3, Y: 32, X: 32 } }
  Layer DOWN5_2 { Type: CONV Dimensions { K: 1024, C: 1024, R: 3, S: 3, Y: 30, X: 30 } }
  Layer UP1 { Type: TRCONV Stride { X: 2, Y: 2 } Dimensions { K: 512, C: 1024, R: 2, S: 2, Y: 28, X: 28 } }
  Layer UP1_1 { Type: CONV Dimensions { K: 512, C: 1024, R: 3, S: 3, Y: 56, X: 56 } }
  Layer UP1_2 { Type: CONV Dimensions { K: 512, C: 512, R: 3, S: 3, Y: 54, X: 54 } }
  Layer UP2 { Type: TRCONV Stride { X: 2, Y: 2 } Dimensions { K: 256, C: 512, R: 2, S: 2, Y: 52, X: 52 } }
  Layer UP2_1 { Type: CONV Dimensions { K: 256, C: 512, R: 3, S: 3, Y: 104, X: 104 } }
  Layer UP2_2 { Type: CONV Dimensions { K: 256, C: 256, R: 3, S: 3, Y: 102, X: 102 } }
  Layer UP3 { Type: TRCONV Stride { X: 2, Y: 2 } Dimensions { K: 128, C: 256, R: 2, S: 2, Y: 100, X: 100 } }
  Layer UP3_1 { Type: CONV Dimensions { K: 128, C: 256, R: 3, S: 3, Y: 200, X: 200 } }
  Layer UP3_2 { Type: CONV Dimensions { K: 128, C: 128, R: 3, S: 3, Y: 198, X: 198 } }
  Layer UP4 { Type: TRCONV Stride { X: 2, Y: 2 } Dimensions { K: 64, C: 128, R: 2, S: 2, Y: 196, X: 196 } }
  Layer UP4_1 { Type: CONV Dimensions { K: 64, C: 128, R: 3, S: 3, Y: 392, X: 392 } }
  Layer UP4_2 { Type: CONV Dimensions { K: 64, C: 64, R: 3, S: 3, Y: 390, X: 390 } }
  Layer LAST { Type: CONV Dimensions { K: 2, C: 64, R: 1, S: 1, Y: 388, X: 388 } }
}
