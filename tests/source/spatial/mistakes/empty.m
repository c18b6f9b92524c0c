// 3:1: expected 'Network'
// nothing
