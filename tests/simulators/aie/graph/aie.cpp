#include "graph.h"

sum_graph graph;

int main()
{
    static int16 w[16];
    graph.init();
    read_values("data/w.txt", w, 16);
    graph.update(graph.w, w, 16);
    graph.run(3);
    graph.end();
    return 0;
}
