// s2s: --passes=jam,lanes
// stays
/* Sums in members of records, which lie apart: gcc holds them in registers and takes the records of
   the loop around for lanes. */
typedef struct { float x, y, vx, vy; } Body;

void pull(Body *all, int n, float dt)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            all[i].vx += (all[j].x - all[i].x) * dt; // missed: what is stored are members of records
            all[i].vy += (all[j].y - all[i].y) * dt;
        }
}

static Body grid[40][50];

void columns(float dt)
{
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++)
            for (int k = 0; k < 40; k++)
                grid[i][j].vx += grid[k][j].x * dt; // missed: the innermost loop does not walk along memory
}
