// 6:46: a cluster is P or L
Network n {
  Layer l {
    Type: CONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8 }
    Dataflow { SpatialMap(1,1) K; Cluster(3, Q); }
  }
}
