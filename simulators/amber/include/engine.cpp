// Runs a netlist of words cycle by cycle, and the program that it stands for in program order.
//
// A word carries the element that it is: `tag` is 0 where nothing was written, 1 for constants,
// otherwise the element's number plus 2. Within a cycle, sources and operations run in
// topological order; memories, registers and delays take what they are given at its end.

#include "handshakes.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <unordered_map>

namespace amber {

[[noreturn]] void fault(Fault what, long instance, long port, long cycle, long operation,
                               long load, long element, long other) {
    std::printf("{\"fault\": %d, \"instance\": %ld, \"port\": %ld, \"cycle\": %ld, \"operation\": %ld,"
                " \"load\": %ld, \"element\": %ld, \"other\": %ld}\n",
                int(what), instance, port, cycle, operation, load, element, other);
    std::fflush(stdout);
    std::_Exit(3);
}

// Where somebody follows the run: the number of cycles that are done is written to this file.
int followed = -1;

void tell(long cycles) {
    const int64_t done = cycles;
    if (followed >= 0 && pwrite(followed, &done, sizeof done, 0) != sizeof done)
        followed = -1;
}

// ---- the program order

std::vector<uint32_t> memory;
std::vector<uint8_t> written;

struct Origin {
    int operation, load;
    uint32_t element;
};
std::unordered_map<uint32_t, Origin> origins;   // of elements that are unknown
Origin undefined = {-1, -1, 0};                 // the first such load

uint32_t stored(uint32_t element, int operation, int access) {
    if (element == NONE || written[element] != VALUE)
        fault(element == NONE ? NO_ELEMENT : NEVER_WRITTEN, -1, -1, -1, operation, access,
              element, -1);
    return memory[element];
}

// Run an operation for one iteration, with the values that the program has by now.
void step(int operation, const int *index) {
    const Operation &op = OPERATIONS[operation];
    uint32_t element[MOST], word[MOST];
    op.find_elements(index, element);
    for (int k = 0; k <= op.loads; ++k)
        if (element[k] == NONE)
            fault(NO_ELEMENT, -1, -1, -1, operation, k, -1, -1);
    Origin origin = {-1, -1, 0};
    for (int k = 0; k < op.loads; ++k) {
        word[k] = memory[element[k]];
        if (written[element[k]] != VALUE && origin.operation < 0)
            origin = written[element[k]] ? origins[element[k]] : Origin{operation, k, element[k]};
    }
    const uint32_t to = element[op.loads];
    memory[to] = op.value(index, word);
    written[to] = origin.operation < 0 ? VALUE : UNKNOWN;
    if (origin.operation >= 0) {
        origins[to] = origin;
        if (undefined.operation < 0)
            undefined = origin;
    }
}

void check_outputs() {
    for (uint32_t k = OUTPUT_FIRST; k < OUTPUT_FIRST + OUTPUT_ELEMENTS; ++k)
        if (written[k] == UNKNOWN) {
            const Origin &from = origins[k];
            fault(NEVER_WRITTEN, -1, -1, -1, from.operation, from.load, from.element, long(k));
        }
}

// The netlist is a row of numbers; simulators/amber/netlist.py writes it.
void Machine::load() {
    text = NETLIST;
    longest = next();
    controllers.resize(next());
    for (Controller &c : controllers) {
        c.depth = int(next());
        c.next = next();
        for (int k = 0; k < c.depth; ++k)
            c.extent[k] = next(), c.stride[k] = next();
        c.begin();
    }
    net.assign(next(), UNDEFINED);
    for (long left = next(); left > 0; --left) {   // constants
        const long out = next();
        net[out] = {uint32_t(next()), ANY};
    }
    memories.resize(next());
    for (Memory &memory : memories)
        load_memory(memory);
    actions.resize(next());
    for (Action &a : actions) {
        a.kind = Kind(next());
        a.instance = next();
        a.out = int(next());
        for (long left = next(); left > 0; --left)
            a.in.push_back(int(next()));
        if (a.kind == INPUT || a.kind == OUTPUT) {
            for (long left = next(); left > 0; --left) {
                const int controller = int(next());
                a.accesses.push_back({controller, count(controller), {}});
            }
        } else if (a.kind == READ) {
            a.memory = int(next());
            a.port = int(next());
        } else if (a.kind == ROM) {
            for (long left = next(); left > 0; --left)
                a.table.push_back(uint32_t(next()));
        } else {
            for (long left = next(); left > 0; --left) {
                const int controller = int(next());
                const int second = int(next());
                a.uses.push_back(a.kind == KERNEL ? use(controller, second)
                                                  : Use{controller, second, {}});
            }
        }
    }
    for (long left = next(); left > 0; --left) {
        register_in.push_back(int(next()));
        register_out.push_back(int(next()));
    }
    moved.resize(register_in.size());
    delays.resize(next());
    for (Delay &d : delays) {
        d.in = int(next());
        d.out = int(next());
        d.ring.assign(next(), UNDEFINED);
    }
    given.resize(OUTPUT_ELEMENTS);
    taken.resize(OUTPUT_ELEMENTS);
    taken_in.resize(OUTPUT_ELEMENTS);
    trace_begin.assign(controllers.size(), -1);
    prepare();
}

Count Machine::count(int controller) {
    std::vector<long> row(next() - 1);
    const long base = next();
    for (long &coefficient : row)
        coefficient = next();
    return {controllers[controller].sum(row), base};
}

Use Machine::use(int controller, int operation) {
    Use found = {controller, operation, {}};
    const Operation &op = OPERATIONS[operation];
    const int *bases = op.affine + op.groups * op.depth;
    for (int k = 0; !op.elements && k <= op.loads; ++k) {
        const int *row = op.affine + bases[2 * k + 1] * op.depth;
        const int sum = controllers[controller].sum({row, row + op.depth});
        found.elements.push_back({sum, bases[2 * k]});
    }
    return found;
}

void Machine::load_memory(Memory &memory) {
    memory.instance = next();
    memory.mode = Mode(next());
    memory.capacity = next();
    memory.size = next();
    memory.cut = next();
    memory.wide = next();
    memory.fetches = next();
    load_ports(memory.in, false);
    load_ports(memory.out, false);
    load_ports(memory.to_sram, true);
    load_ports(memory.from_sram, true);
    memory.words.resize(memory.size);
    if (memory.mode != SRAM)
        memory.lives.words = &memory.words;
    memory.aggregator.resize(memory.in.size() * memory.wide * memory.fetches);
    memory.transpose.resize(memory.out.size() * memory.wide * memory.fetches);
}

void Machine::load_ports(std::vector<Port> &ports, bool second) {
    ports.resize(next());
    for (Port &port : ports) {
        port.net = int(next());
        for (long left = next(); left > 0; --left) {
            const int word = int(next());
            port.words.push_back({word, next()});
        }
        for (long left = next(); left > 0; --left) {
            const int controller = int(next());
            const Count first = count(controller);
            port.accesses.push_back({controller, first, second ? count(controller) : Count{}});
        }
    }
}

void Machine::wake(int controller, size_t bit) {
    auto &bits = controller < 0 ? always : wakes[controller];
    bits[bit / 64] |= uint64_t(1) << bit % 64;
}

// Who wakes whom. Bits of memories, for what they do at the end of a cycle, follow the actions'.
void Machine::prepare() {
    order();
    awake.assign((actions.size() + memories.size() + 63) / 64, 0);
    always = awake;
    wakes.assign(controllers.size(), awake);
    for (size_t k = 0; k < actions.size(); ++k) {
        const Action &a = actions[k];
        for (const Access &access : a.accesses)
            wake(access.controller, k);
        for (const Use &use : a.uses)
            wake(use.controller, k);
        if (a.kind == ROM)
            wake(-1, k);
        if (a.kind == READ) {
            for (const Access &access : memories[a.memory].out[a.port].accesses)
                wake(access.controller, k);
            if (!a.in.empty())   // whoever the word that is passed on comes from
                wake(-1, k);
        }
    }
    for (size_t k = 0; k < memories.size(); ++k)
        for (auto *ports : {&memories[k].in, &memories[k].out, &memories[k].to_sram,
                            &memories[k].from_sram})
            for (const Port &port : *ports)
                for (const Access &access : port.accesses)
                    wake(access.controller, actions.size() + k);
}

void Machine::order() {
    const size_t count = controllers.size();
    fires.assign(count, 0);
    place_of.resize(count);
    for (size_t k = 0; k < count; ++k)
        at_place.push_back(int(k));
    const auto pause = [&](int k) { return controllers[k].depth ? controllers[k].stride[0] : NEVER; };
    std::stable_sort(at_place.begin(), at_place.end(),
                     [&](int a, int b) { return pause(a) < pause(b); });
    for (size_t k = 0; k < count; ++k) {
        place_of[at_place[k]] = int(k);
        due.push_back(controllers[at_place[k]].next);
    }
    due.resize((count + GROUP - 1) / GROUP * GROUP, NEVER);
    soonest.assign(due.size() / GROUP, NEVER);
    moved_on.assign(soonest.size(), 1);
    go_on();
}

// Controllers that have fired go on to their next cycles.
void Machine::go_on() {
    for (int k : fired) {
        controllers[k].advance();
        due[place_of[k]] = controllers[k].next;
        moved_on[place_of[k] / GROUP] = 1;
        fires[k] = 0;
    }
    fired.clear();
    for (size_t group = 0; group < soonest.size(); ++group) {
        if (!moved_on[group])
            continue;
        long least = NEVER;
        for (size_t k = 0; k < GROUP; ++k)
            least = std::min(least, due[GROUP * group + k]);
        soonest[group] = least;
        moved_on[group] = 0;
    }
}

// Which controllers fire in this cycle, and what they wake. Whether there are any.
bool Machine::fire() {
    go_on();
    for (size_t group = 0; group < soonest.size(); ++group)
        for (size_t k = GROUP * group; soonest[group] == now && k < GROUP * (group + 1); ++k)
            if (due[k] == now)
                fired.push_back(at_place[k]);
    if (trace_limit)
        std::sort(fired.begin(), fired.end());
    if (!own.run)
        awake = always;
    for (int k : fired) {
        Controller &c = controllers[k];
        fires[k] = 1;
        for (size_t word = 0; word < awake.size() && !own.run; ++word)
            awake[word] |= wakes[k][word];
        if (trace_limit)
            trace_fire(k);
        if (!c.count++)
            c.first = now;
        c.last = now;
    }
    return !fired.empty();
}

void Machine::trace_fire(size_t k) {
    const Controller &c = controllers[k];
    if (trace_begin[k] >= 0 && now - c.last > (c.depth ? c.stride[0] : 1)) {
        if (trace.size() < trace_limit)
            trace.push_back({int(k), trace_begin[k], c.last});
        trace_begin[k] = now;
    } else if (trace_begin[k] < 0) {
        trace_begin[k] = now;
    }
}

// The access of a port in this cycle, or none. Two at a time use the port twice.
Access *Machine::firing(Memory &memory, Port &port, int number) {
    Access *found = nullptr;
    for (Access &access : port.accesses)
        if (fires[access.controller]) {
            if (found)
                fault(PORT_TWICE, memory.instance, number, now, -1, -1, -1, -1);
            found = &access;
        }
    return found;
}

long Machine::place(const Memory &memory, int port, long address) {
    if (memory.cut)
        return modulo(address, memory.size);
    if (address < 0 || address >= memory.size)
        fault(BEYOND, memory.instance, port, now, -1, -1, address, memory.capacity);
    return address;
}

// What words from data add to the address of a port that fires.
long Machine::added(const Memory &memory, const Port &port, int number) {
    long sum = 0;
    for (const auto &[word, factor] : port.words) {
        if (!net[word].tag)
            fault(NO_ADDRESS, memory.instance, number, now, -1, -1, -1, -1);
        sum += factor * long(net[word].value);
    }
    return sum;
}

Word Machine::read(const Action &a) {
    const int number = a.port;
    Memory &memory = memories[a.memory];
    Port &port = memory.out[number];
    const Access *access = firing(memory, port, 100 + number);
    if (!access)
        return a.in.empty() ? UNDEFINED : net[a.in[0]];
    if (memory.mode == FIFO) {
        if (!memory.held)
            fault(EMPTY, memory.instance, 100 + number, now, -1, -1, -1, -1);
        const Stored &oldest = memory.words[memory.head];
        memory.head = (memory.head + 1) % memory.capacity;
        --memory.held;
        return oldest.word;
    }
    const long address = at(*access) + added(memory, port, 100 + number);
    Stored *stored;
    if (memory.mode == SRAM) {
        const long size = memory.wide * memory.fetches;
        stored = &memory.transpose[number * size + modulo(address, size)];
    } else {
        stored = &memory.words[place(memory, 100 + number, address)];
    }
    memory.lives.read(*stored);
    return stored->word;
}

void Machine::run_kernel(Action &a) {
    const Use *use = nullptr;
    for (const Use &one : a.uses)
        if (fires[one.controller]) {
            if (use)
                fault(KERNEL_TWICE, a.instance, -1, now, use->operation, -1, -1, one.operation);
            use = &one;
        }
    if (!use)
        return;
    const Operation &op = OPERATIONS[use->operation];
    const Controller &c = controllers[use->controller];
    uint32_t element[MOST], word[MOST];
    int missing = -1;
    for (int k = 0; k < op.loads; ++k)
        word[k] = net[a.in[k]].value;
    if (op.elements)
        op.elements(c.index, word, element);
    else
        for (int k = 0; k <= op.loads; ++k)
            element[k] = uint32_t(use->elements[k].base + c.sums[use->elements[k].sum]);
    for (int k = 0; k < op.loads; ++k) {
        const Word &at = net[a.in[k]];
        if (element[k] == NONE) {   // if the word of its address is the right one
            missing = missing < 0 ? k : missing;
            continue;
        }
        const bool defined = !compared || written[element[k]] != NOTHING;
        if (defined && at.tag != element[k] + FIRST && at.tag != ANY)
            fault(at.tag ? WRONG_ELEMENT : UNDEFINED_WORD, a.instance, k, now, use->operation, k,
                  element[k], at.tag ? long(at.tag - FIRST) : -1);
    }
    if (missing < 0 && element[op.loads] == NONE)
        missing = op.loads;
    if (missing >= 0)
        fault(NO_ELEMENT, a.instance, -1, now, use->operation, missing, -1, -1);
    net[a.out] = {op.placed(c.index, word), element[op.loads] + FIRST};
}

// The element that is at a stream's port in this cycle, or -1.
long Machine::streamed(const Action &a) {
    long found = -1;
    for (const Access &access : a.accesses)
        if (fires[access.controller]) {
            if (found >= 0)
                fault(PORT_TWICE, a.instance, a.kind == INPUT ? 100 : 0, now, -1, -1, -1, -1);
            found = at(access);
        }
    return found;
}

void Machine::take(Action &a) {
    const long streaming = streamed(a);
    if (streaming < 0)
        return;
    const uint32_t element = uint32_t(streaming);
    const Word &at = net[a.in[0]];
    if (at.tag != element + FIRST && at.tag != ANY)
        fault(at.tag ? WRONG_ELEMENT : UNDEFINED_WORD, a.instance, 0, now, -1, -1, element,
              at.tag ? long(at.tag - FIRST) : -1);
    const uint32_t place = element - OUTPUT_FIRST;
    if (taken[place])
        fault(OUTPUT_TWICE, a.instance, 0, now, -1, -1, element, taken_in[place]);
    taken[place] = 1;
    taken_in[place] = now;
    given[place] = at.value;
    cycles = now + 1;
}

void Machine::act(Action &a) {
    switch (a.kind) {
    case INPUT: {
        const long element = streamed(a);
        if (element >= 0)
            net[a.out] = {memory[element], uint32_t(element) + FIRST};
        break;
    }
    case OUTPUT:
        take(a);
        break;
    case KERNEL:
        run_kernel(a);
        break;
    case READ:
        net[a.out] = read(a);
        break;
    case ROM: {
        const Word &at = net[a.in[0]];
        if (at.tag && at.value >= a.table.size())
            fault(BEYOND_TABLE, a.instance, 0, now, -1, -1, at.value, long(a.table.size()));
        net[a.out] = at.tag ? Word{a.table[at.value], ANY} : UNDEFINED;
        break;
    }
    case MUX: {
        int chosen = -1, otherwise = -1;   // a controller of -1: the input that is taken if none fires
        for (const Use &use : a.uses)
            if (use.controller < 0) {
                otherwise = use.operation;
            } else if (fires[use.controller]) {
                if (chosen >= 0 && chosen != use.operation)
                    fault(TWO_SELECTED, a.instance, use.operation, now, -1, -1, -1, chosen);
                chosen = use.operation;
            }
        if (chosen < 0)
            chosen = otherwise;
        net[a.out] = chosen < 0 ? UNDEFINED : net[a.in[chosen]];
        break;
    }
    default:
        break;
    }
}

void Machine::write_fifo(Memory &memory) {
    for (size_t k = 0; k < memory.in.size(); ++k) {
        if (!firing(memory, memory.in[k], int(k)))
            continue;
        if (memory.held == memory.capacity)
            fault(FULL, memory.instance, long(k), now, -1, -1, -1, memory.capacity);
        memory.words[(memory.head + memory.held++) % memory.capacity].word = net[memory.in[k].net];
        ++memory.lives.writes;
        if (memory.held > memory.lives.peak)
            memory.lives.peak = memory.held;
    }
}

// At the end of a cycle: transpose buffers take a fetch, the SRAM another, aggregators words.
void Machine::write_sram(Memory &m) {
    const long size = m.wide * m.fetches;
    int used = -1;
    auto sram = [&](Access *access, int port) {
        if (used >= 0)
            fault(SRAM_TWICE, m.instance, port, now, -1, -1, -1, used);
        used = port;
        return place(m, port, m.wide * at(*access));
    };
    for (size_t k = 0; k < m.from_sram.size(); ++k)
        if (Access *access = firing(m, m.from_sram[k], int(300 + k))) {
            const long from = sram(access, int(300 + k));
            Stored *to = &m.transpose[k * size + modulo(second(*access), m.fetches) * m.wide];
            for (long w = 0; w < m.wide; ++w)
                to[w] = m.words[from + w];
        }
    for (size_t k = 0; k < m.to_sram.size(); ++k)
        if (Access *access = firing(m, m.to_sram[k], int(200 + k))) {
            const long to = sram(access, int(200 + k));
            const long fetch = modulo(second(*access), m.fetches);
            const Stored *from = &m.aggregator[k * size + fetch * m.wide];
            for (long w = 0; w < m.wide; ++w)
                m.words[to + w] = from[w];
        }
    for (size_t k = 0; k < m.in.size(); ++k)
        if (Access *access = firing(m, m.in[k], int(k))) {
            const long address = at(*access);
            const Word word = net[m.in[k].net];
            const long number = word.tag ? m.lives.write(now, 0) : NOBODY;
            m.aggregator[k * size + modulo(address, size)] = {word, number, NOBODY};
        }
}

void Machine::write(Memory &memory) {
    if (memory.mode == FIFO)
        return write_fifo(memory);
    if (memory.mode == SRAM)
        return write_sram(memory);
    int writes = -1, reads = -1;
    for (size_t k = 0; k < memory.out.size() && memory.mode == DUAL_PORT; ++k)
        for (const Access &access : memory.out[k].accesses)
            if (fires[access.controller]) {
                if (reads >= 0)
                    fault(SRAM_TWICE, memory.instance, long(100 + k), now, -1, -1, -1, 100 + reads);
                reads = int(k);
            }
    long before = -1;
    for (size_t k = 0; k < memory.in.size(); ++k) {
        Access *access = firing(memory, memory.in[k], int(k));
        if (!access)
            continue;
        if (writes >= 0 && memory.mode == DUAL_PORT)
            fault(SRAM_TWICE, memory.instance, long(k), now, -1, -1, -1, writes);
        const long address = at(*access) + added(memory, memory.in[k], int(k));
        const long to = place(memory, int(k), address);
        if (writes >= 0 && to == before)
            fault(WRITTEN_TWICE, memory.instance, long(k), now, -1, -1, address, writes);
        writes = int(k);
        before = to;
        memory.store(now, to, net[memory.in[k].net]);
    }
}

void Machine::end_cycle() {
    each_awake(actions.size(), actions.size() + memories.size(),
               [&](size_t k) { write(memories[k - actions.size()]); });
    move();
}

void Machine::move() {
    for (Delay &d : delays) {
        d.ring[d.place] = net[d.in];
        if (++d.place == d.ring.size())
            d.place = 0;
    }
    for (size_t k = 0; k < moved.size(); ++k)
        moved[k] = net[register_in[k]];
    for (size_t k = 0; k < moved.size(); ++k)
        net[register_out[k]] = moved[k];
    for (Delay &d : delays)
        net[d.out] = d.ring[d.place];
}

// Visit those of a range of bits that are awake, in order.
template <class Visit>
void Machine::each_awake(size_t from, size_t to, Visit visit) {
    for (size_t word = from / 64; word < awake.size(); ++word)
        for (uint64_t bits = awake[word]; bits; bits &= bits - 1) {
            const size_t bit = 64 * word + size_t(__builtin_ctzll(bits));
            if (bit >= from && bit < to)
                visit(bit);
        }
}

// Cycle by cycle. Where no controller fires for longer than a word can be under way, all registers
// are undefined, and the time goes on to the next cycle in which one does.
void Machine::run() {
    long quiet = 0;
    if (own.begin)
        own.begin(*this);
    for (;; ++now) {
        if (fire()) {
            quiet = 0;
        } else {
            long next = NEVER;
            for (long each : soonest)
                next = std::min(next, each);
            if (next == NEVER)
                break;
            if (++quiet > longest) {
                now = next - 1;
                continue;
            }
        }
        if ((++simulated & 0x3ffff) == 0)
            tell(now);
        if (own.run) {
            own.run(*this);
            continue;
        }
        each_awake(0, actions.size(), [&](size_t k) { act(actions[k]); });
        end_cycle();
        each_awake(0, actions.size(), [&](size_t k) {
            if (actions[k].out >= 0)
                net[actions[k].out] = UNDEFINED;
        });
    }
    tell(now);
    for (size_t k = 0; k < controllers.size(); ++k)
        if (trace_begin[k] >= 0 && trace.size() < trace_limit)
            trace.push_back({int(k), trace_begin[k], controllers[k].last});
    for (uint32_t k = 0; k < OUTPUT_ELEMENTS; ++k)
        if (!taken[k] && !(compared && !written[OUTPUT_FIRST + k]))
            fault(OUTPUT_MISSING, -1, -1, -1, -1, -1, long(OUTPUT_FIRST + k), -1);
    for (Memory &memory : memories) {
        if (memory.mode != FIFO)
            memory.lives.finish();
        if (memory.lives.peak > memory.capacity)
            fault(CAPACITY, memory.instance, -1, memory.lives.peak_cycle, -1, -1,
                  memory.lives.peak, memory.capacity);
    }
}

void Machine::report() {
    std::printf("{\"cycles\": %ld, \"simulated\": %ld, \"undefined\": [%d, %d, %u],"
                " \"controllers\": [", cycles, simulated, undefined.operation, undefined.load,
                undefined.element);
    for (size_t k = 0; k < controllers.size(); ++k)
        std::printf("%s[%ld, %ld, %ld]", k ? ", " : "", controllers[k].count,
                    controllers[k].first, controllers[k].last);
    std::printf("], \"memories\": [");
    for (size_t k = 0; k < memories.size(); ++k) {
        Memory &m = memories[k];
        std::printf("%s{\"live\": %ld, \"exact\": %s, \"writes\": %ld, \"uses\": [", k ? ", " : "",
                    m.lives.peak, m.lives.exact ? "true" : "false", m.lives.writes);
        const char *comma = "";
        for (auto *ports : {&m.in, &m.out, &m.to_sram, &m.from_sram})
            for (const Port &port : *ports) {
                long uses = 0;
                for (const Access &access : port.accesses)
                    uses += controllers[access.controller].count;
                std::printf("%s%ld", comma, uses);
                comma = ", ";
            }
        std::printf("]}");
    }
    std::printf("], \"trace\": [");
    for (size_t k = 0; k < trace.size(); ++k)
        std::printf("%s[%d, %ld, %ld]", k ? ", " : "", trace[k].controller, trace[k].first,
                    trace[k].last);
    std::printf("]}\n");
}

// Words of outputs that were taken are those of program order.
void compare(const std::vector<uint8_t> &taken, const std::vector<uint32_t> &given,
             const std::vector<long> &taken_in) {
    for (uint32_t k = 0; k < OUTPUT_ELEMENTS; ++k)
        if (taken[k] && given[k] != memory[OUTPUT_FIRST + k])
            fault(DIFFERENT, -1, -1, taken_in[k], -1, -1, long(OUTPUT_FIRST + k),
                  long(given[k]) << 32 | memory[OUTPUT_FIRST + k]);
}

bool write_words(const char *name, const uint32_t *values) {
    std::FILE *file = std::fopen(name, "wb");
    if (!file || std::fwrite(values, 4, OUTPUT_ELEMENTS, file) != OUTPUT_ELEMENTS)
        return false;
    return std::fclose(file) == 0;
}

int run_handshakes(const char *output, long stalls, bool program) {
    handshakes::Run run(NETLIST, stalls);
    run.compared = program;
    run.run();
    if (program)
        compare(run.taken, run.given, run.taken_in);
    if (!write_words(output, run.given.data()))
        return 2;
    run.report();
    return 0;
}

// ---- the whole run: PROGRAM INPUT OUTPUT MODE TRACE [FOLLOWED]; MODE has n for the netlist, p for
// program order, both for a comparison of the two, e for the engine in place of a cycle of its own,
// h for handshakes, with the percent of cycles in which streams stand still in place of TRACE.
// FOLLOWED is a file descriptor.

int run_all(char **argument) {
    memory.assign(ELEMENTS, 0);
    written.assign(ELEMENTS, 0);
    followed = argument[5] ? std::atoi(argument[5]) : -1;
    std::FILE *file = std::fopen(argument[1], "rb");
    if (!file || std::fread(memory.data(), 4, INPUT_ELEMENTS, file) != INPUT_ELEMENTS)
        return 2;
    std::fclose(file);
    for (uint32_t k = 0; k < INPUT_ELEMENTS; ++k)
        written[k] = 1;
    const std::string mode = argument[3];
    const bool netlist = mode.find('n') != mode.npos, program = mode.find('p') != mode.npos;
    if (program) {
        run_program();
        check_outputs();
    }
    if (mode.find('h') != mode.npos)
        return run_handshakes(argument[2], std::atol(argument[4]), program);
    Machine machine;
    machine.trace_limit = size_t(std::atol(argument[4]));
    machine.compared = program;
    if (mode.find('e') != mode.npos)
        machine.own = {};
    if (netlist) {
        machine.load();
        machine.run();
    }
    if (netlist && program)
        compare(machine.taken, machine.given, machine.taken_in);
    if (!write_words(argument[2], netlist ? machine.given.data() : &memory[OUTPUT_FIRST]))
        return 2;
    machine.report();
    return 0;
}

}   // namespace amber

int main(int, char **argument) { return amber::run_all(argument); }
