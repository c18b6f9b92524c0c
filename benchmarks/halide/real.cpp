// Runs generators with the real Halide, as a list of jobs on standard input says. A job is
//
//     job GENERATOR
//     param NAME VALUE                          (any number)
//     scalar NAME VALUE
//     input NAME FILE MINIMUM EXTENT ...        (a minimum and an extent for each dimension)
//     output FILE MINIMUM EXTENT ...            (in the order of the generator's outputs)
//     lowered FILE                              (the lowered statement for these sizes)
//     unrun                                     (that is all: nothing is compiled further or run)
//     loops FILE                                (what print_loop_nest shows)
//     plain                                     (fast floats: no strict_float)
//     time SECONDS                              (repeat for so long, print the least time)
//     run
//
// Files hold elements densely, first dimension innermost; a tuple's components stand one behind
// the other. Each job answers one line on standard output: "ok SECONDS" or "error MESSAGE".
#include "Halide.h"

#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <unistd.h>

using namespace Halide;

namespace {

struct Region {
    std::string name, file;
    std::vector<int> minimum, extent;
};

struct Job {
    std::string generator;
    std::map<std::string, std::string> params, scalars;
    std::vector<Region> inputs, outputs;
    std::string lowered, loops;
    double seconds = 0;
    bool plain = false, unrun = false;
};

Region parse_region(std::istringstream &words, bool named) {
    Region region;
    if (named) {
        words >> region.name;
    }
    words >> region.file;
    int minimum, extent;
    while (words >> minimum >> extent) {
        region.minimum.push_back(minimum);
        region.extent.push_back(extent);
    }
    return region;
}


template<typename T>
void set_as(Parameter &parameter, const std::string &text) {
    std::istringstream in(text);
    double real = 0;
    long long whole = 0;
    if (text.find_first_of(".enf") != std::string::npos) {
        in >> real;
        parameter.set_scalar<T>((T)real);
    } else {
        in >> whole;
        parameter.set_scalar<T>((T)whole);
    }
}

void set_scalar(Parameter &parameter, const std::string &text) {
    Type t = parameter.type();
    if (t == Bool()) return set_as<bool>(parameter, text);
    if (t == UInt(8)) return set_as<uint8_t>(parameter, text);
    if (t == UInt(16)) return set_as<uint16_t>(parameter, text);
    if (t == UInt(32)) return set_as<uint32_t>(parameter, text);
    if (t == UInt(64)) return set_as<uint64_t>(parameter, text);
    if (t == Int(8)) return set_as<int8_t>(parameter, text);
    if (t == Int(16)) return set_as<int16_t>(parameter, text);
    if (t == Int(32)) return set_as<int32_t>(parameter, text);
    if (t == Int(64)) return set_as<int64_t>(parameter, text);
    if (t == Float(32)) return set_as<float>(parameter, text);
    if (t == Float(64)) return set_as<double>(parameter, text);
    throw RuntimeError("scalar of an unknown type");
}

void fill(Buffer<> &buffer, const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    in.read((char *)buffer.data(), buffer.size_in_bytes());
    if ((size_t)in.gcount() != buffer.size_in_bytes()) {
        throw RuntimeError("input file too short: " + file);
    }
}

using Parameters = std::map<std::string, Parameter>;

// The parameters of a generator by name; those of an array get an index behind.
Parameters parameters_of(Internal::AbstractGenerator &generator) {
    Parameters found;
    for (auto &info : generator.arginfos()) {
        if (info.dir != Internal::ArgInfoDirection::Input) {
            continue;
        }
        auto several = generator.input_parameter(info.name);
        for (size_t i = 0; i < several.size(); i++) {
            std::string suffix = several.size() > 1 ? "_" + std::to_string(i) : "";
            found[info.name + suffix] = several[i];
        }
    }
    return found;
}

void bind_inputs(const Job &job, Parameters &parameters) {
    for (auto &region : job.inputs) {
        auto &parameter = parameters.at(region.name);
        Buffer<> buffer(parameter.type(), region.extent);
        buffer.set_min(region.minimum);
        fill(buffer, region.file);
        parameter.set_buffer(buffer);
    }
    for (auto &[name, text] : job.scalars) {
        set_scalar(parameters.at(name), text);
    }
}

// The sizes of this job become constants of the pipeline.
void fix_sizes(const Job &job, Pipeline &pipeline, Parameters &parameters) {
    auto funcs = pipeline.outputs();
    for (size_t i = 0; i < funcs.size() && i < job.outputs.size(); i++) {
        auto &region = job.outputs[i];
        auto buffer = funcs[i].output_buffers()[0];  // the other components follow
        for (size_t d = 0; d < region.extent.size(); d++) {
            buffer.dim(d).set_bounds(region.minimum[d], region.extent[d]);
        }
    }
    for (auto &region : job.inputs) {
        auto &parameter = parameters.at(region.name);
        int stride = 1;
        for (size_t d = 0; d < region.extent.size(); d++) {
            parameter.set_min_constraint(d, region.minimum[d]);
            parameter.set_extent_constraint(d, region.extent[d]);
            parameter.set_stride_constraint(d, stride);
            stride *= region.extent[d];
        }
    }
}

// print_loop_nest writes to the standard error stream.
void print_loops(Pipeline &pipeline, const std::string &file) {
    fflush(stderr);
    int kept = dup(2);
    FILE *out = fopen(file.c_str(), "w");
    dup2(fileno(out), 2);
    pipeline.print_loop_nest();
    std::cerr.flush();
    dup2(kept, 2);
    close(kept);
    fclose(out);
}

// What a running pipeline complains about: an exception cannot leave its threads.
std::string complaint;

void note(JITUserContext *, const char *message) {
    complaint = message;
}

// A pipeline with its inputs bound and its sizes known.
struct Made {
    Internal::AbstractGeneratorPtr generator;
    Pipeline pipeline;
};

Made make(const Job &job, const Target &target) {
    Made made;
    Internal::reset_random_counters();  // as Halide does for each file that it compiles
    made.generator = Internal::GeneratorRegistry::create(job.generator, GeneratorContext(target));
    if (!made.generator) {
        throw RuntimeError("no generator " + job.generator);
    }
    for (auto &[name, value] : job.params) {
        made.generator->set_generatorparam_value(name, value);
    }
    made.pipeline = made.generator->build_pipeline();
    Parameters parameters = parameters_of(*made.generator);
    bind_inputs(job, parameters);
    if (!job.lowered.empty()) {
        fix_sizes(job, made.pipeline, parameters);
    }
    return made;
}

// Loops stay whole: where a boundary ends one, its pieces would be counted apart.
void keep_loops_whole(Pipeline &pipeline) {
    std::vector<Internal::Function> outputs;
    for (auto &func : pipeline.outputs()) {
        outputs.push_back(func.function());
    }
    for (auto &[name, function] : Internal::build_environment(outputs)) {
        if (!function.has_pure_definition()) {
            continue;
        }
        std::vector<Internal::Definition> stages{function.definition()};
        for (size_t k = 0; k < function.updates().size(); k++) {
            stages.push_back(function.update(k));
        }
        for (auto &stage : stages) {
            for (auto &dim : stage.schedule().dims()) {
                dim.partition_policy = Partition::Never;
            }
        }
    }
}

double run(const Job &job) {
    Target target = get_jit_target_from_environment();
    if (!job.plain) {
        target = target.with_feature(Target::StrictFloat);
    }
    if (!job.lowered.empty()) {
        Made whole = make(job, target);
        keep_loops_whole(whole.pipeline);
        whole.pipeline.compile_to_lowered_stmt(job.lowered, whole.pipeline.infer_arguments(), Text,
                                               target.without_feature(Target::JIT));
    }
    if (job.unrun) {
        return 0;
    }
    Made made = make(job, target);
    Pipeline &pipeline = made.pipeline;
    if (!job.loops.empty()) {
        print_loops(pipeline, job.loops);
    }
    std::vector<Buffer<>> results;
    auto funcs = pipeline.outputs();
    for (size_t i = 0; i < funcs.size(); i++) {
        for (auto &type : funcs[i].types()) {
            auto &region = job.outputs.at(i);
            Buffer<> buffer(type, region.extent);
            buffer.set_min(region.minimum);
            results.push_back(buffer);
        }
    }
    complaint.clear();
    pipeline.jit_handlers().custom_error = note;
    pipeline.compile_jit(target);
    Realization realization(results);
    double best = 1e30, spent = 0;
    do {
        auto start = std::chrono::steady_clock::now();
        pipeline.realize(realization, target);
        if (!complaint.empty()) {
            throw RuntimeError(complaint);
        }
        std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        best = std::min(best, taken.count());
        spent += taken.count();
    } while (spent < job.seconds);
    size_t next = 0;
    for (size_t i = 0; i < funcs.size(); i++) {
        std::ofstream out(job.outputs[i].file, std::ios::binary);
        for (size_t component = 0; component < funcs[i].types().size(); component++) {
            auto &buffer = results[next++];
            out.write((const char *)buffer.data(), buffer.size_in_bytes());
        }
    }
    return best;
}

std::string one_line(std::string text) {
    for (auto &c : text) {
        c = c == '\n' ? ' ' : c;
    }
    return text;
}

void answer(const Job &job) {
    try {
        double seconds = run(job);
        std::cout << "ok " << seconds << std::endl;
    } catch (const Error &failure) {
        std::cout << "error " << one_line(failure.what()) << std::endl;
    } catch (const std::exception &failure) {
        std::cout << "error " << one_line(failure.what()) << std::endl;
    }
}

}  // namespace

int main() {
    Job job;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string key, name;
        words >> key;
        if (key == "job") {
            job = Job();
            words >> job.generator;
        } else if (key == "param") {
            words >> name >> job.params[name];
        } else if (key == "scalar") {
            words >> name >> job.scalars[name];
        } else if (key == "input") {
            job.inputs.push_back(parse_region(words, true));
        } else if (key == "output") {
            job.outputs.push_back(parse_region(words, false));
        } else if (key == "lowered") {
            words >> job.lowered;
        } else if (key == "loops") {
            words >> job.loops;
        } else if (key == "time") {
            words >> job.seconds;
        } else if (key == "plain") {
            job.plain = true;
        } else if (key == "unrun") {
            job.unrun = true;
        } else if (key == "run") {
            answer(job);
        }
    }
}
