// 3:14: no tensor has the dimension J
Network n { Layer l { Type: CONTRACTION Dimensions { I: 4, J: 2 }
 Computation { O(I) += A(I); } } }
