// 4:1: there is no layer
Network n {
}
