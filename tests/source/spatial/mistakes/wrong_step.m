// 6:16: have 2 outputs: the step is 2, not 4
Network n {
  Layer l {
    Type: CONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8 }
    Dataflow { SpatialMap(4,4) Y; }
  }
}
