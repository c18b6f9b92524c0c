/* Argument: cells along a side of the mesh.
 *
 * The suite reads a mesh from a file and writes its results to others; here the mesh is a square
 * of square cells with walls around it, and the results are digested.
 * Its time is printed for one of its many iterations.
 */
#include <fstream>
#include <string>

#include "../bench.h"

int suite_main(int argc, char **argv);

namespace {

const char *const MESH = "mesh.txt";
enum { WALL = -1 };

/* Neighbours count from 1. */
int neighbour(int side, int x, int y)
{
    bool inside = x >= 0 && x < side && y >= 0 && y < side;
    return inside ? y * side + x + 1 : WALL;
}

void write_mesh(int side)
{
    static const int DX[4] = {-1, 1, 0, 0}, DY[4] = {0, 0, -1, 1};
    std::ofstream file(MESH);
    file << side * side << "\n";
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            file << 1.0 + 0.1 * bench_random(1, (uint64_t)(y * side + x));
            for (int k = 0; k < 4; k++)
                file << " " << neighbour(side, x + DX[k], y + DY[k]) << " " << -DX[k] << " "
                     << -DY[k] << " 0";
            file << "\n";
        }
}

void digest(const char *name)
{
    bench_digest found = {0, 0, 0.0, 0.0};
    std::ifstream file(name);
    double value;
    while (file >> value)
        bench_add(&found, value);
    bench_print(name, &found);
}

} // namespace

int main(int argc, char **argv)
{
    write_mesh(bench_argument(argc, argv, 1));
    char program[] = "euler3d", mesh[] = "mesh.txt";
    char *arguments[] = {program, mesh, NULL};
    int status = suite_main(2, arguments);
    digest("density");
    digest("momentum");
    digest("density_energy");
    return status;
}
