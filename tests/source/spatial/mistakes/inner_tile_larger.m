// 7:2: the tile of K is 3, larger than its extent 2
Network n {
  Layer l {
    Type: CONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8 }
    Dataflow { SpatialMap(2,2) K; Cluster(2, P);
 SpatialMap(3,3) K; }
  }
}
