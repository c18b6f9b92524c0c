// A netlist in the middle of its run: controllers, instances, nets.

#pragma once

#include "engine.h"
#include "lives.h"

#include <utility>

namespace amber {

// Values by elements' numbers; what was written, and what depends on a load of nothing: lanes that
// round up a loop may do that, an output may not.
extern std::vector<uint32_t> memory;
extern std::vector<uint8_t> written;
constexpr uint8_t NOTHING = 0, VALUE = 1, UNKNOWN = 2;

constexpr int MOST = 1024;   // elements of an operation

enum Fault {
    UNDEFINED_WORD, WRONG_ELEMENT, PORT_TWICE, KERNEL_TWICE, SRAM_TWICE, WRITTEN_TWICE, BEYOND,
    FULL, EMPTY, OUTPUT_TWICE, OUTPUT_MISSING, TWO_SELECTED, CAPACITY, DIFFERENT, NEVER_WRITTEN,
    BEYOND_TABLE, NO_ELEMENT, NO_ADDRESS, FAULTS
};

// End the program with what went wrong; numbers that do not apply are -1.
[[noreturn]] void fault(Fault what, long instance, long port, long cycle, long operation, long load,
                        long element, long other);

// Where somebody follows the run: the number of cycles that are done is told.
void tell(long cycles);

// ---- controllers

constexpr long NEVER = INT64_MAX;
constexpr size_t GROUP = 16;
constexpr int LEVELS = 32;

// Loops, innermost first, that fire in the cycles start + sum(index * stride).
struct Controller {
    int depth = 0;
    int index[LEVELS] = {};
    long extent[LEVELS], stride[LEVELS];
    long next = 0, count = 0, first = -1, last = -1;
    // Sums of coefficients over the index, for all addresses and elements that somebody wants:
    // `steps` has for each of them what is added when loop k goes on and those inside begin anew.
    std::vector<long> sums;
    std::vector<std::vector<long>> coefficients, steps;

    void begin() { steps.resize(depth); }
    // The place in `sums` of a row of coefficients.
    int sum(const std::vector<long> &row) {
        for (size_t k = 0; k < coefficients.size(); ++k)
            if (coefficients[k] == row)
                return int(k);
        long inside = 0;
        for (int k = 0; k < depth; ++k) {
            steps[k].push_back(row[k] - inside);
            inside += (extent[k] - 1) * row[k];
        }
        coefficients.push_back(row);
        sums.push_back(0);
        return int(sums.size()) - 1;
    }
    void advance() {
        for (int k = 0; k < depth; ++k) {
            if (++index[k] < extent[k]) {
                next += stride[k];
                for (size_t n = 0; n < sums.size(); ++n)
                    sums[n] += steps[k][n];
                return;
            }
            next -= (extent[k] - 1) * stride[k];
            index[k] = 0;
        }
        next = NEVER;
    }
};

// ---- instances

// A controller with one of its sums and what to add to it: a number that counts.
struct Count {
    int sum = 0;
    long base = 0;
};
// A port of a memory: its controllers (more than one where buffers share the tile) with their
// addresses, and the net that it reads.
struct Access {
    int controller;
    Count address, second;
};
struct Port {
    int net = -1;
    std::vector<std::pair<int, long>> words;   // nets, whose values times a factor are added
    std::vector<Access> accesses;
};

enum Mode { DUAL_PORT, SRAM, FIFO, REGISTER_FILE };

struct Memory {
    long instance;
    Mode mode;
    long capacity, size, cut, wide, fetches;   // of `size` words; addresses are taken modulo it if cut
    std::vector<Port> in, out, to_sram, from_sram;
    std::vector<Stored> words, aggregator, transpose;
    long head = 0, held = 0;
    Lives lives;

    // A word that nobody computed has no number.
    void store(long cycle, long place, const Word &word) {
        Stored &stored = words[place];
        if (word.tag) {
            const long number = lives.write(cycle, uint32_t(place));
            stored = {word, number, NOBODY};
        } else {
            lives.leave(stored);
            stored = {word, NOBODY, NOBODY};
        }
    }
};

// An operation of a kernel and when it runs; `elements` count its loads and, last, its store.
struct Use {
    int controller, operation;
    std::vector<Count> elements;
};
enum Kind { INPUT, OUTPUT, KERNEL, READ, ROM, MUX, REGISTER, DELAY, MEMORY, CONSTANT };

struct Action {
    Kind kind;
    long instance;
    int out = -1, memory = -1, port = -1;
    std::vector<int> in;
    std::vector<Access> accesses;   // of a stream
    std::vector<Use> uses;
    std::vector<uint32_t> table;
};
struct Delay {
    int in, out;
    std::vector<Word> ring;
    size_t place = 0;
};
struct Run {
    int controller;
    long first, last;
};

struct Machine {
    std::vector<Controller> controllers;
    std::vector<uint8_t> fires;   // in this cycle, by controllers
    std::vector<int> fired;       // the same as a list
    // When each fires next, those that fire more often first, and the soonest of each GROUP of them.
    std::vector<long> due, soonest;
    std::vector<int> place_of, at_place;   // of controllers in `due`, and back
    std::vector<uint8_t> moved_on;         // groups of which one has fired
    // Bits of actions and memories by words of 64: those that each controller wakes, those that are
    // always awake, those awake in this cycle.
    std::vector<std::vector<uint64_t>> wakes;
    std::vector<uint64_t> always, awake;
    std::vector<Word> net;
    std::vector<Action> actions;
    std::vector<Memory> memories;
    std::vector<int> register_in, register_out;
    std::vector<Word> moved;
    std::vector<Delay> delays;
    std::vector<uint32_t> given;   // values of the output streams
    std::vector<uint8_t> taken;
    std::vector<long> taken_in;
    long now = 0, cycles = 0, simulated = 0, longest = 0;
    size_t trace_limit = 0;
    Cycle own = CYCLE;       // none: as for any design
    bool compared = false;   // the program has run: what it never writes is in no stream
    std::vector<Run> trace;
    std::vector<long> trace_begin;

    const long *text;
    long next() { return *text++; }
    long at(const Access &access) const {
        return controllers[access.controller].sums[access.address.sum] + access.address.base;
    }
    long second(const Access &access) const {
        return controllers[access.controller].sums[access.second.sum] + access.second.base;
    }
    Count count(int controller);
    Use use(int controller, int operation);

    void wake(int controller, size_t bit);
    void prepare();
    void order();
    void go_on();
    void load();
    void load_memory(Memory &memory);
    void load_ports(std::vector<Port> &ports, bool second);
    void run();
    bool fire();
    void trace_fire(size_t controller);
    template <class Visit> void each_awake(size_t from, size_t to, Visit visit);
    void act(Action &action);
    void run_kernel(Action &action);
    long streamed(const Action &action);
    void take(Action &action);
    Word read(const Action &action);
    long place(const Memory &memory, int port, long address);
    long added(const Memory &memory, const Port &port, int number);
    Access *firing(Memory &memory, Port &port, int number);
    void write(Memory &memory);
    void write_sram(Memory &memory);
    void write_fifo(Memory &memory);
    void end_cycle();
    void move();
    void report();
};

}   // namespace amber
