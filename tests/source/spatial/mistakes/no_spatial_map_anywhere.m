// 6:36: no SpatialMap at this level: its 16
Network n {
  Layer l {
    Type: CONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8 }
    Dataflow { TemporalMap(1,1) K; Cluster(1, P); TemporalMap(1,1) C; }
  }
}
