// 7:27: there is no constant 'Tile'; did you mean 'Tiles'?
Constant Tiles 2;
Network n {
  Layer l {
    Type: CONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8 }
    Dataflow { SpatialMap(Tile,Tile) K; }
  }
}
