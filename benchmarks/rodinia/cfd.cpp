/* Inviscid flow over an unstructured mesh of quadrilaterals: finite volumes, a value per cell.
 *
 * Four parallel loops over the cells, with templates, references and structures. The flux of a
 * cell is collected from four neighbours that a table names; a negative entry is an edge of the
 * domain, either a wall or the undisturbed flow far away.
 *
 * usage: cfd [SIDE [STEPS]]
 */
#include <cmath>
#include <omp.h>

#include "../harness.h"

struct float3 {
    float x, y, z;
};

enum { DIMENSIONS = 3, NEIGHBOURS = 4, STAGES = 3, WALL = -1, FAR_AWAY = -2 };
enum { DENSITY = 0, MOMENTUM = 1, ENERGY = MOMENTUM + DIMENSIONS, VALUES = ENERGY + 1 };

#define ADIABATIC_INDEX 1.4f
#define MACH_NUMBER 1.2f
#define SMOOTHING 0.2f

template <typename T>
T *allocate(int count)
{
    return new T[count];
}

template <typename T>
void release(T *array)
{
    delete[] array;
}

template <typename T>
void duplicate(T *to, T *from, int count)
{
#pragma omp parallel for default(shared) schedule(static)
    for (int i = 0; i < count; i++) {
        to[i] = from[i];
    }
}

/* The flow far away, and its fluxes. */
float far_value[VALUES];
float3 far_flux_x, far_flux_y, far_flux_z, far_flux_energy;

inline void find_fluxes(float3 &momentum, float &energy, float &pressure, float3 &velocity,
                        float3 &along_x, float3 &along_y, float3 &along_z, float3 &of_energy)
{
    float sum = energy + pressure;

    along_x.x = velocity.x * momentum.x + pressure;
    along_x.y = velocity.x * momentum.y;
    along_x.z = velocity.x * momentum.z;
    along_y.x = along_x.y;
    along_y.y = velocity.y * momentum.y + pressure;
    along_y.z = velocity.y * momentum.z;
    along_z.x = along_x.z;
    along_z.y = along_y.z;
    along_z.z = velocity.z * momentum.z + pressure;
    of_energy.x = velocity.x * sum;
    of_energy.y = velocity.y * sum;
    of_energy.z = velocity.z * sum;
}

inline void find_velocity(float &density, float3 &momentum, float3 &velocity)
{
    velocity.x = momentum.x / density;
    velocity.y = momentum.y / density;
    velocity.z = momentum.z / density;
}

inline float squared(float3 &vector)
{
    return vector.x * vector.x + vector.y * vector.y + vector.z * vector.z;
}

inline float find_pressure(float &density, float &energy, float &speed_squared)
{
    return (ADIABATIC_INDEX - 1.0f) * (energy - 0.5f * density * speed_squared);
}

inline float find_speed_of_sound(float &density, float &pressure)
{
    return std::sqrt(ADIABATIC_INDEX * pressure / density);
}

inline void add(float weight, float density, float energy, float x, float y, float z,
                float &flux_density, float &flux_energy, float3 &flux_momentum)
{
    flux_density += weight * density;
    flux_energy += weight * energy;
    flux_momentum.x += weight * x;
    flux_momentum.y += weight * y;
    flux_momentum.z += weight * z;
}

void find_steps(int cells, float *value, float *area, float *step)
{
#pragma omp parallel for default(shared) schedule(static)
    for (int i = 0; i < cells; i++) {
        float density = value[VALUES * i + DENSITY];
        float3 momentum;
        momentum.x = value[VALUES * i + (MOMENTUM + 0)];
        momentum.y = value[VALUES * i + (MOMENTUM + 1)];
        momentum.z = value[VALUES * i + (MOMENTUM + 2)];
        float energy = value[VALUES * i + ENERGY];
        float3 velocity;
        find_velocity(density, momentum, velocity);
        float speed_squared = squared(velocity);
        float pressure = find_pressure(density, energy, speed_squared);
        float sound = find_speed_of_sound(density, pressure);
        step[i] = 0.5f / (std::sqrt(area[i]) * (std::sqrt(speed_squared) + sound));
    }
}

void collect(int cells, int *neighbour, float *normals, float *value, float *flux)
{
#pragma omp parallel for default(shared) schedule(static)
    for (int i = 0; i < cells; i++) {
        int j, nb;
        float3 normal;
        float weight;

        float density = value[VALUES * i + DENSITY];
        float3 momentum;
        momentum.x = value[VALUES * i + (MOMENTUM + 0)];
        momentum.y = value[VALUES * i + (MOMENTUM + 1)];
        momentum.z = value[VALUES * i + (MOMENTUM + 2)];
        float energy = value[VALUES * i + ENERGY];
        float3 velocity;
        find_velocity(density, momentum, velocity);
        float speed_squared = squared(velocity);
        float speed = std::sqrt(speed_squared);
        float pressure = find_pressure(density, energy, speed_squared);
        float sound = find_speed_of_sound(density, pressure);
        float3 own_x, own_y, own_z, own_energy;
        find_fluxes(momentum, energy, pressure, velocity, own_x, own_y, own_z, own_energy);

        float flux_density = 0.0f, flux_energy = 0.0f;
        float3 flux_momentum;
        flux_momentum.x = 0.0f;
        flux_momentum.y = 0.0f;
        flux_momentum.z = 0.0f;

        float density_nb, energy_nb, speed_squared_nb, pressure_nb, sound_nb;
        float3 momentum_nb, velocity_nb, nb_x, nb_y, nb_z, nb_energy;

        for (j = 0; j < NEIGHBOURS; j++) {
            nb = neighbour[i * NEIGHBOURS + j];
            normal.x = normals[(i * NEIGHBOURS + j) * DIMENSIONS + 0];
            normal.y = normals[(i * NEIGHBOURS + j) * DIMENSIONS + 1];
            normal.z = normals[(i * NEIGHBOURS + j) * DIMENSIONS + 2];
            float length = std::sqrt(squared(normal));

            if (nb >= 0) {
                density_nb = value[nb * VALUES + DENSITY];
                momentum_nb.x = value[nb * VALUES + (MOMENTUM + 0)];
                momentum_nb.y = value[nb * VALUES + (MOMENTUM + 1)];
                momentum_nb.z = value[nb * VALUES + (MOMENTUM + 2)];
                energy_nb = value[nb * VALUES + ENERGY];
                find_velocity(density_nb, momentum_nb, velocity_nb);
                speed_squared_nb = squared(velocity_nb);
                pressure_nb = find_pressure(density_nb, energy_nb, speed_squared_nb);
                sound_nb = find_speed_of_sound(density_nb, pressure_nb);
                find_fluxes(momentum_nb, energy_nb, pressure_nb, velocity_nb, nb_x, nb_y, nb_z,
                            nb_energy);

                weight = -length * SMOOTHING * 0.5f
                         * (speed + std::sqrt(speed_squared_nb) + sound + sound_nb);
                add(weight, density - density_nb, energy - energy_nb, momentum.x - momentum_nb.x,
                    momentum.y - momentum_nb.y, momentum.z - momentum_nb.z, flux_density,
                    flux_energy, flux_momentum);
                add(0.5f * normal.x, momentum_nb.x + momentum.x, nb_energy.x + own_energy.x,
                    nb_x.x + own_x.x, nb_y.x + own_y.x, nb_z.x + own_z.x, flux_density,
                    flux_energy, flux_momentum);
                add(0.5f * normal.y, momentum_nb.y + momentum.y, nb_energy.y + own_energy.y,
                    nb_x.y + own_x.y, nb_y.y + own_y.y, nb_z.y + own_z.y, flux_density,
                    flux_energy, flux_momentum);
                add(0.5f * normal.z, momentum_nb.z + momentum.z, nb_energy.z + own_energy.z,
                    nb_x.z + own_x.z, nb_y.z + own_y.z, nb_z.z + own_z.z, flux_density,
                    flux_energy, flux_momentum);
            } else if (nb == WALL) {
                flux_momentum.x += normal.x * pressure;
                flux_momentum.y += normal.y * pressure;
                flux_momentum.z += normal.z * pressure;
            } else if (nb == FAR_AWAY) {
                add(0.5f * normal.x, far_value[MOMENTUM + 0] + momentum.x,
                    far_flux_energy.x + own_energy.x, far_flux_x.x + own_x.x,
                    far_flux_y.x + own_y.x, far_flux_z.x + own_z.x, flux_density, flux_energy,
                    flux_momentum);
                add(0.5f * normal.y, far_value[MOMENTUM + 1] + momentum.y,
                    far_flux_energy.y + own_energy.y, far_flux_x.y + own_x.y,
                    far_flux_y.y + own_y.y, far_flux_z.y + own_z.y, flux_density, flux_energy,
                    flux_momentum);
                add(0.5f * normal.z, far_value[MOMENTUM + 2] + momentum.z,
                    far_flux_energy.z + own_energy.z, far_flux_x.z + own_x.z,
                    far_flux_y.z + own_y.z, far_flux_z.z + own_z.z, flux_density, flux_energy,
                    flux_momentum);
            }
        }
        flux[i * VALUES + DENSITY] = flux_density;
        flux[i * VALUES + (MOMENTUM + 0)] = flux_momentum.x;
        flux[i * VALUES + (MOMENTUM + 1)] = flux_momentum.y;
        flux[i * VALUES + (MOMENTUM + 2)] = flux_momentum.z;
        flux[i * VALUES + ENERGY] = flux_energy;
    }
}

void advance(int stage, int cells, float *before, float *value, float *step, float *flux)
{
#pragma omp parallel for default(shared) schedule(static)
    for (int i = 0; i < cells; i++) {
        float weight = step[i] / (float)(STAGES + 1 - stage);

        value[VALUES * i + DENSITY] =
            before[VALUES * i + DENSITY] + weight * flux[VALUES * i + DENSITY];
        value[VALUES * i + ENERGY] =
            before[VALUES * i + ENERGY] + weight * flux[VALUES * i + ENERGY];
        value[VALUES * i + (MOMENTUM + 0)] =
            before[VALUES * i + (MOMENTUM + 0)] + weight * flux[VALUES * i + (MOMENTUM + 0)];
        value[VALUES * i + (MOMENTUM + 1)] =
            before[VALUES * i + (MOMENTUM + 1)] + weight * flux[VALUES * i + (MOMENTUM + 1)];
        value[VALUES * i + (MOMENTUM + 2)] =
            before[VALUES * i + (MOMENTUM + 2)] + weight * flux[VALUES * i + (MOMENTUM + 2)];
    }
}

/* Density 1.4 and pressure 1, so that the speed of sound is 1; along x, at the given number. */
static void set_far_value()
{
    float pressure = 1.0f, speed = MACH_NUMBER;
    float3 velocity = {speed, 0.0f, 0.0f};
    float3 momentum = {1.4f * speed, 0.0f, 0.0f};
    far_value[DENSITY] = 1.4f;
    far_value[MOMENTUM + 0] = momentum.x;
    far_value[MOMENTUM + 1] = momentum.y;
    far_value[MOMENTUM + 2] = momentum.z;
    far_value[ENERGY] = 0.5f * 1.4f * speed * speed + pressure / (ADIABATIC_INDEX - 1.0f);
    find_fluxes(momentum, far_value[ENERGY], pressure, velocity, far_flux_x, far_flux_y, far_flux_z,
                far_flux_energy);
}

/* Unit squares, numbered as if at random: cell i of the grid is cell i * stride mod cells. */
static int number_of(int row, int column, int side)
{
    int cells = side * side, stride = 7919 % cells;
    for (;; stride++) {
        int a = stride, b = cells;
        while (b != 0) {
            int rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) {
            return (int)((int64_t)(row * side + column) * stride % cells);
        }
    }
}

static void set_neighbour(int *neighbour, float *normals, int place, int other, float x, float y)
{
    neighbour[place] = other;
    normals[place * DIMENSIONS + 0] = x;
    normals[place * DIMENSIONS + 1] = y;
    normals[place * DIMENSIONS + 2] = 0.0f;
}

/* A channel: walls at top and bottom and in the middle of the floor's side, open at both ends. */
static void set_mesh(int side, int *neighbour, float *normals, float *area)
{
    for (int r = 0; r < side; r++) {
        for (int c = 0; c < side; c++) {
            int cell = number_of(r, c, side), place = cell * NEIGHBOURS;
            int bump = r == 0 && 4 * c > side && 2 * c < side;
            int west = c == 0 ? FAR_AWAY : number_of(r, c - 1, side);
            int east = c == side - 1 ? FAR_AWAY : number_of(r, c + 1, side);
            int south = r == 0 ? (bump ? WALL : FAR_AWAY) : number_of(r - 1, c, side);
            int north = r == side - 1 ? WALL : number_of(r + 1, c, side);
            area[cell] = 1.0f;
            set_neighbour(neighbour, normals, place + 0, west, 1.0f, 0.0f);
            set_neighbour(neighbour, normals, place + 1, east, -1.0f, 0.0f);
            set_neighbour(neighbour, normals, place + 2, south, 0.0f, 1.0f);
            set_neighbour(neighbour, normals, place + 3, north, 0.0f, -1.0f);
        }
    }
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 150;
    int steps = argc > 2 ? atoi(argv[2]) : 200;
    if (side < 2 || side > 5000 || steps < 0) {
        fprintf(stderr, "usage: %s [SIDE [STEPS]]\n", argv[0]);
        return 2;
    }
    int cells = side * side;
    int *neighbour = allocate<int>(cells * NEIGHBOURS);
    float *normals = allocate<float>(cells * NEIGHBOURS * DIMENSIONS);
    float *area = allocate<float>(cells);
    float *step = allocate<float>(cells);
    float *value = allocate<float>(cells * VALUES);
    float *before = allocate<float>(cells * VALUES);
    float *flux = allocate<float>(cells * VALUES);
    set_far_value();
    set_mesh(side, neighbour, normals, area);
    for (int i = 0; i < cells * VALUES; i++) {
        value[i] = far_value[i % VALUES] * (i % VALUES == MOMENTUM ? 0.9f + i % 7 / 100.0f : 1.0f);
    }

    double start = omp_get_wtime();
    for (int i = 0; i < steps; i++) {
        duplicate<float>(before, value, cells * VALUES);
        find_steps(cells, value, area, step);
        for (int stage = 0; stage < STAGES; stage++) {
            collect(cells, neighbour, normals, value, flux);
            advance(stage, cells, before, value, step, flux);
        }
    }
    double end = omp_get_wtime();

    size_t count = (size_t)cells * VALUES;
    printf("bits: %016" PRIx64 "\n", hash_of(value, count * sizeof *value));
    printf("sum: %.5g\n", sum_of_floats(value, count));
    fprintf(stderr, "time: %.6f s\n", end - start);
    release<int>(neighbour);
    release<float>(normals);
    release<float>(area);
    release<float>(step);
    release<float>(value);
    release<float>(before);
    release<float>(flux);
    return 0;
}
