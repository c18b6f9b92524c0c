#include "handshakes.h"

namespace amber {
namespace handshakes {

void Run::load() {
    nodes.resize(next());
    for (Node &node : nodes)
        load_node(node);
    queues.resize(next());
    for (Queue &queue : queues)
        load_queue(queue);
}

void Run::load_node(Node &node) {
    node.kind = NodeKind(next());
    node.instance = int(next());
    node.latency = next();
    node.count = next();
    node.places.resize(node.count);
    node.pieces.resize(next());
    for (size_t p = 0; p < node.pieces.size(); ++p) {
        Piece &piece = node.pieces[p];
        piece.extent.resize(next());
        for (long &extent : piece.extent)
            piece.size *= extent = next();
        piece.turn = row(piece.extent.size());
        piece.operation = int(next());
        for (long left = next(); left > 0; --left)
            piece.index.push_back(row(piece.extent.size()));
        if (node.kind == INPUT_NODE || node.kind == OUTPUT_NODE)
            piece.element = row(piece.extent.size());
        for (long k = 0; k < piece.size; ++k)
            node.places[value_of(piece.turn, piece.extent, k)] = {uint32_t(p), uint32_t(k)};
    }
}

void Run::load_queue(Queue &queue) {
    queue.source = int(next());
    queue.target = int(next());
    queue.port = int(next());
    queue.capacity = next();
    queue.pause = next() + nodes[queue.source].latency;
    Node &reader = nodes[queue.target];
    queue.takes.assign(reader.count, NOT_TAKEN);
    for (long left = next(); left > 0; --left) {
        const Piece &piece = reader.pieces[next()];
        const auto word = row(piece.extent.size());
        for (long k = 0; k < piece.size; ++k)
            queue.takes[value_of(piece.turn, piece.extent, k)] =
                uint32_t(value_of(word, piece.extent, k));
    }
    queue.kept.assign(reader.count + 1, LAST);
    for (long k = reader.count - 1; k >= 0; --k)
        queue.kept[k] = queue.takes[k] == NOT_TAKEN
                            ? queue.kept[k + 1]
                            : std::min<long>(queue.kept[k + 1], queue.takes[k]);
    queue.head = queue.next_head = queue.kept[0];
    queue.words.resize(queue.capacity);
    const int number = int(&queue - queues.data());
    nodes[queue.source].out.push_back(number);
    reader.in.push_back(number);
}

// Streams give and take nothing in so many of 100 cycles, each in others.
bool Run::is_stalled(const Node &node, size_t number) const {
    if (!stalls || (node.kind != INPUT_NODE && node.kind != OUTPUT_NODE))
        return false;
    uint64_t x = uint64_t(now) * 0x9e3779b97f4a7c15u + (number + 1) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 29) * 0x94d049bb133111ebu;
    return long((x ^ x >> 32) % 100) < stalls;
}

bool Run::can_go(Node &node) {
    for (int k : node.in)
        if (!queues[k].has(node.turn, now)) {
            ++node.waited_for_words;
            return false;
        }
    for (int k : node.out)
        if (!queues[k].has_room()) {
            ++node.waited_for_room;
            return false;
        }
    return true;
}

const Word *Run::word_at(Node &node, int port) {
    for (int k : node.in)
        if (queues[k].port == port && queues[k].takes[node.turn] != NOT_TAKEN)
            return &queues[k].at(queues[k].takes[node.turn]).word;
    return nullptr;
}

void Run::take(const Node &node, uint32_t element, const Word &word) {
    if (word.tag != element + FIRST)
        fault(word.tag ? WRONG_ELEMENT : UNDEFINED_WORD, node.instance, 0, now, -1, -1, element,
              word.tag ? long(word.tag - FIRST) : -1);
    const uint32_t place = element - OUTPUT_FIRST;
    if (taken[place])
        fault(OUTPUT_TWICE, node.instance, 0, now, -1, -1, element, taken_in[place]);
    taken[place] = 1;
    taken_in[place] = now;
    given[place] = word.value;
    cycles = now + 1;
}

Word Run::result(Node &node, const Piece &piece, long iteration) {
    if (node.kind == INPUT_NODE || node.kind == OUTPUT_NODE) {
        const uint32_t element = uint32_t(value_of(piece.element, piece.extent, iteration));
        if (node.kind == INPUT_NODE)
            return {memory[element], element + FIRST};
        const Word *word = word_at(node, 0);
        take(node, element, word ? *word : UNDEFINED);
        return UNDEFINED;
    }
    if (node.kind != KERNEL_NODE) {
        const Word *word = word_at(node, 0);
        return word ? *word : UNDEFINED;
    }
    const Operation &op = OPERATIONS[piece.operation];
    int index[LEVELS] = {};
    uint32_t element[MOST], word[MOST];
    for (size_t k = 0; k < piece.index.size(); ++k)
        index[k] = int(value_of(piece.index[k], piece.extent, iteration));
    op.find_elements(index, element);
    for (int k = 0; k < op.loads; ++k) {
        const Word *found = word_at(node, k);
        const Word at = found ? *found : UNDEFINED;
        word[k] = at.value;
        const bool defined = !compared || written[element[k]] != NOTHING;
        if (defined && at.tag != element[k] + FIRST)
            fault(at.tag ? WRONG_ELEMENT : UNDEFINED_WORD, node.instance, k, now, piece.operation, k,
                  element[k], at.tag ? long(at.tag - FIRST) : -1);
    }
    return {op.placed(index, word), element[op.loads] + FIRST};
}

void Run::go(Node &node) {
    const Place place = node.places[node.turn];
    const Word word = result(node, node.pieces[place.piece], place.iteration);
    for (int k : node.in) {
        Queue &queue = queues[k];
        const long head = queue.kept[node.turn + 1];
        if (head != queue.next_head) {
            queue.next_head = head;
            moved.push_back(k);
        }
    }
    for (int k : node.out) {
        Queue &queue = queues[k];
        if (queue.given >= queue.head) {
            queue.at(queue.given) = {word, now + queue.pause};
            queue.peak = std::max(queue.peak, queue.given + 1 - queue.head);
        }
        ++queue.given;
    }
    ++node.turn;
}

// Nodes are in an order in which wires lead forward. A run ends when all have had their turns.
void Run::run() {
    size_t left = 0;
    for (const Node &node : nodes)
        left += node.count > 0;
    long last_word = 0;   // the cycle in which the last word that is under way may be taken
    for (; left; ++now) {
        bool waits_for_stream = false, goes = false;
        for (size_t k = 0; k < nodes.size(); ++k) {
            Node &node = nodes[k];
            if (node.turn == size_t(node.count))
                continue;
            if (is_stalled(node, k)) {
                waits_for_stream = true;
                continue;
            }
            if (!can_go(node))
                continue;
            go(node);
            goes = true;
            for (int out : node.out)
                last_word = std::max(last_word, now + queues[out].pause);
            left -= node.turn == size_t(node.count);
        }
        for (int k : moved)
            queues[k].head = queues[k].next_head;
        if (!goes && moved.empty() && !waits_for_stream && now > last_word)
            stand_still();
        moved.clear();
        if ((now & 0x3ffff) == 0)
            tell(now);
    }
    tell(now);
    for (uint32_t k = 0; k < OUTPUT_ELEMENTS; ++k)
        if (!taken[k] && !(compared && !written[OUTPUT_FIRST + k]))
            fault(OUTPUT_MISSING, -1, -1, -1, -1, -1, long(OUTPUT_FIRST + k), -1);
}

// Who waits for whom: from the first node that waits on, until one comes again.
void Run::stand_still() {
    size_t at = 0;
    while (nodes[at].turn == size_t(nodes[at].count))
        ++at;
    std::vector<uint8_t> seen(nodes.size());
    std::vector<std::pair<int, int>> waits;   // a queue, and 1 for its room
    std::vector<size_t> way;
    while (!seen[at]) {
        seen[at] = 1;
        way.push_back(at);
        Node &node = nodes[at];
        int found = -1, room = 0;
        for (int k : node.in)
            if (found < 0 && !queues[k].has(node.turn, now))
                found = k;
        for (int k : node.out)
            if (found < 0 && !queues[k].has_room())
                found = k, room = 1;
        waits.push_back({found, room});
        at = size_t(room ? queues[found].target : queues[found].source);
    }
    const size_t first = size_t(std::find(way.begin(), way.end(), at) - way.begin());
    std::printf("{\"deadlock\": %ld, \"waits\": [", now);
    for (size_t k = first; k < waits.size(); ++k)
        std::printf("%s[%d, %d]", k > first ? ", " : "", waits[k].first, waits[k].second);
    std::printf("]}\n");
    std::fflush(stdout);
    std::_Exit(3);
}

void Run::report() const {
    std::printf("{\"cycles\": %ld, \"nodes\": [", cycles);
    for (size_t k = 0; k < nodes.size(); ++k)
        std::printf("%s[%ld, %ld, %ld]", k ? ", " : "", nodes[k].count, nodes[k].waited_for_words,
                    nodes[k].waited_for_room);
    std::printf("], \"queues\": [");
    for (size_t k = 0; k < queues.size(); ++k)
        std::printf("%s%ld", k ? ", " : "", queues[k].peak);
    std::printf("]}\n");
}

}   // namespace handshakes
}   // namespace amber
