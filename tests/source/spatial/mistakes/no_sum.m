// 3:21: expected '+=', 'max=' or 'min='
Network n { Layer l { Type: CONTRACTION Dimensions { I: 4 }
 Computation { O(I) = A(I); } } }
