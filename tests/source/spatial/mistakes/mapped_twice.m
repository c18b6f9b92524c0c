// 6:52: Y' is mapped twice
Network n {
  Layer l {
    Type: CONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8 }
    Dataflow { SpatialMap(3,1) Y; TemporalMap(1,1) Y'; }
  }
}
