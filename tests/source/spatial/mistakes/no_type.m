// 3:9: the type of the layer is missing
Network n {
  Layer l { Dimensions { K: 1 } }
}
