// 6:35: less than the 3 that R covers
Network n {
  Layer l {
    Type: CONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8 }
    Dataflow { SpatialMap(1,1) K; TemporalMap(2,1) Y; }
  }
}
