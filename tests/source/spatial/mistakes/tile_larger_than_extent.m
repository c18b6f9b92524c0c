// 7:7: the tile of C is 64, larger than its extent 3
Network n {
  Layer l {
    Type: CONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8 }
    Dataflow { SpatialMap(1,1) K;
      TemporalMap(64,64) C; }
  }
}
