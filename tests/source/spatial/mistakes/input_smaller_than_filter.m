// 5:42: Y is 2, less than the 3
Network n {
  Layer l {
    Type: CONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 2, X: 8 }
}}
