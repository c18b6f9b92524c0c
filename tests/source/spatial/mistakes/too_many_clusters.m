// 6:35: need 32 processing elements, of 16
Network n {
  Layer l {
    Type: CONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8 }
    Dataflow { SpatialMap(1,1) K; Cluster(32, P); SpatialMap(1,1) C; }
  }
}
