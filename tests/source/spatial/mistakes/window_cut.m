// 6:35: R is cut at this level: say Y'
Network n {
  Layer l {
    Type: CONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8 }
    Dataflow { SpatialMap(1,1) R; TemporalMap(3,1) Y; }
  }
}
