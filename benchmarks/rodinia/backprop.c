/* One step of training a neural network with a single hidden layer.
 *
 * The parallel loops run over the few units of a layer and the inner loops over the many of the
 * layer before: both walk down the columns of tables whose rows are allocated one by one. The
 * functions are defined in the style of K&R, so that a float argument travels as a double; the
 * factors of the update are constants of type double.
 *
 * usage: backprop [INPUTS [HIDDEN]]
 */
#include <math.h>
#include <omp.h>

#include "../harness.h"

#define PARALLEL

#define LEARNING_RATE 0.3
#define INERTIA 0.3
#define MAGNITUDE(x) ((x) > 0.0 ? (x) : (-(x)))

/* Unit 0 of a layer is a constant, so every array has one element more. */
struct network {
    int inputs, hidden, outputs;
    float *input, *between, *output;
    float *error_between, *error_output, *wanted;
    float **to_between, **to_output;
    float **change_between, **change_output;
};

static int threads;

float sigmoid(x)
float x;
{
    return (1.0 / (1.0 + exp(-x)));
}

void activate(from, to, weight, many, few)
float *from, *to, **weight;
int many, few;
{
    float sum = 0.0;
    int j, k;

    from[0] = 1.0;
#ifdef PARALLEL
    omp_set_num_threads(threads);
#pragma omp parallel for shared(weight, many, few, from) private(k, j) reduction(+ : sum) \
    schedule(static)
#endif
    for (j = 1; j <= few; j++) {
        sum = 0.0;
        for (k = 0; k <= many; k++) {
            sum += weight[k][j] * from[k];
        }
        to[j] = sigmoid(sum);
    }
}

void errors_of_outputs(error, wanted, output, count, total)
float *error, *wanted, *output, *total;
int count;
{
    float is, should, sum = 0.0;
    int j;

    for (j = 1; j <= count; j++) {
        is = output[j];
        should = wanted[j];
        error[j] = is * (1.0 - is) * (should - is);
        sum += MAGNITUDE(error[j]);
    }
    *total = sum;
}

void errors_between(error, count, error_next, next, weight, value, total)
float *error, *error_next, **weight, *value, *total;
int count, next;
{
    float sum, all = 0.0;
    int j, k;

    for (j = 1; j <= count; j++) {
        sum = 0.0;
        for (k = 1; k <= next; k++) {
            sum += error_next[k] * weight[j][k];
        }
        error[j] = value[j] * (1.0 - value[j]) * sum;
        all += MAGNITUDE(error[j]);
    }
    *total = all;
}

void adjust(error, few, value, many, weight, change)
float *error, *value, **weight, **change;
int few, many;
{
    float step;
    int k, j;

    value[0] = 1.0;
#ifdef PARALLEL
    omp_set_num_threads(threads);
#pragma omp parallel for shared(change, weight, error) private(j, k, step) \
    firstprivate(few, many)
#endif
    for (j = 1; j <= few; j++) {
        for (k = 0; k <= many; k++) {
            step = ((LEARNING_RATE * error[j] * value[k]) + (INERTIA * change[k][j]));
            weight[k][j] += step;
            change[k][j] = step;
        }
    }
}

void train(net, error_out, error_hidden)
struct network *net;
float *error_out, *error_hidden;
{
    int inputs = net->inputs, hidden = net->hidden, outputs = net->outputs;
    float out, between;

    activate(net->input, net->between, net->to_between, inputs, hidden);
    activate(net->between, net->output, net->to_output, hidden, outputs);
    errors_of_outputs(net->error_output, net->wanted, net->output, outputs, &out);
    errors_between(net->error_between, hidden, net->error_output, outputs, net->to_output,
                   net->between, &between);
    *error_out = out;
    *error_hidden = between;
    adjust(net->error_output, outputs, net->between, hidden, net->to_output, net->change_output);
    adjust(net->error_between, hidden, net->input, inputs, net->to_between, net->change_between);
}

static float *layer(int units)
{
    return zeroed((size_t)units + 1, sizeof(float));
}

static float **connections(int from, int to)
{
    float **rows = zeroed((size_t)from + 1, sizeof *rows);
    for (int k = 0; k <= from; k++) {
        rows[k] = layer(to);
    }
    return rows;
}

static void set_up(struct network *net, int inputs, int hidden, int outputs)
{
    uint64_t state = 1994;
    *net = (struct network){
        .inputs = inputs,
        .hidden = hidden,
        .outputs = outputs,
        .input = layer(inputs),
        .between = layer(hidden),
        .output = layer(outputs),
        .error_between = layer(hidden),
        .error_output = layer(outputs),
        .wanted = layer(outputs),
        .to_between = connections(inputs, hidden),
        .to_output = connections(hidden, outputs),
        .change_between = connections(inputs, hidden),
        .change_output = connections(hidden, outputs),
    };
    for (int k = 0; k <= inputs; k++) {
        net->input[k] = (float)next_number(&state);
        for (int j = 0; j <= hidden; j++) {
            net->to_between[k][j] = (float)((next_number(&state) - 0.5) / sqrt(inputs));
        }
    }
    for (int k = 0; k <= hidden; k++) {
        for (int j = 0; j <= outputs; j++) {
            net->to_output[k][j] = (float)next_number(&state);
        }
    }
    for (int j = 0; j <= outputs; j++) {
        net->wanted[j] = 0.1f;
    }
}

static void report(float **rows, int from, int to, const char *name)
{
    uint64_t hash = HASH_OF_NOTHING;
    double sum = 0.0;
    for (int k = 0; k <= from; k++) {
        hash = hash_more(hash, rows[k], ((size_t)to + 1) * sizeof *rows[k]);
        sum += sum_of_floats(rows[k], (size_t)to + 1);
    }
    printf("bits: %016" PRIx64 " (%s)\n%s: %.6g\n", hash, name, name, sum);
}

int main(int argc, char **argv)
{
    int inputs = argc > 1 ? atoi(argv[1]) : 1000000;
    int hidden = argc > 2 ? atoi(argv[2]) : 16;
    if (inputs < 1 || inputs > 100000000 || hidden < 1 || hidden > 1000) {
        fprintf(stderr, "usage: %s [INPUTS [HIDDEN]]\n", argv[0]);
        return 2;
    }
    struct network net;
    float error_out, error_hidden;
    set_up(&net, inputs, hidden, 1);
    threads = omp_get_max_threads();

    double start = omp_get_wtime();
    train(&net, &error_out, &error_hidden);
    double end = omp_get_wtime();

    report(net.to_between, inputs, hidden, "weights");
    report(net.change_between, inputs, hidden, "changes");
    printf("errors: %.5g %.5g\n", error_out, error_hidden);
    fprintf(stderr, "time: %.6f s\n", end - start);
    return 0;
}
