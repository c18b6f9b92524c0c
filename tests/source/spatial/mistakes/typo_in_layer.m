// 5:5: did you mean 'Dimensions'?
Network n {
  Layer l {
    Type: CONV
    Dimension { K: 4 }
  }
}
