// 2:19: has a Computation
Network n { Layer l { Type: CONTRACTION Dimensions { I: 4 } } }
