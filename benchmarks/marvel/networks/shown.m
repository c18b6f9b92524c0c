// The two layers of Table 5.5 of Chatarasi's dissertation, with its sizes.
Network shown {
  Layer VGG16_CONV1 { Type: CONV Dimensions { K: 64, C: 3, R: 3, S: 3, Y: 224, X: 224 } }
  Layer MobileNetV2_Bottleneck6_3_2 { Type: DSCONV Dimensions { C: 576, R: 3, S: 3, Y: 7, X: 7 } }
}
