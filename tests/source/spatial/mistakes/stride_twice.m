// 5:20: a stride is that of X and of Y
Network n {
  Layer l {
    Type: CONV
    Stride { X: 2, X: 2 } Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 8, X: 8 }
}}
