// 6:50: its 4 clusters would all do the same
Network n {
  Layer l {
    Type: CONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8 }
    Dataflow { SpatialMap(1,1) K; Cluster(4, P); TemporalMap(1,1) C; }
  }
}
