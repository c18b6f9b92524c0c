// 5:48: Y' follows from Y
Network n {
  Layer l {
    Type: CONV
    Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, Y': 6, X: 8 }
}}
