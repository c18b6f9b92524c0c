// 5:18: K of a DSCONV is 1
Network n {
  Layer l {
    Type: DSCONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8 }
}}
