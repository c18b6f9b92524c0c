// 3:31: the layer has no dimension 'Q'
Network n { Layer l { Type: CONTRACTION Dimensions { I: 4, J: 2 }
 Computation { O(I) += A(I, 2*Q); } } }
