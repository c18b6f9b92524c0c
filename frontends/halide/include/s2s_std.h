// What Halide programs use of the C and C++ libraries, declared for the parser: every standard
// header name leads here, so that reading a program costs no time in the compiler's own headers.
#ifndef S2S_STD_H
#define S2S_STD_H

typedef decltype(sizeof(0)) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; typedef unsigned long uint64_t;
typedef long intptr_t; typedef unsigned long uintptr_t; typedef long intmax_t; typedef unsigned long uintmax_t; typedef long ssize_t;
struct _IO_FILE; typedef struct _IO_FILE FILE; extern FILE *stdout, *stderr, *stdin; typedef long time_t; typedef unsigned int uint; typedef unsigned long ulong; typedef unsigned short ushort; typedef long clock_t;
#define NULL 0
#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-9223372036854775807L - 1)
#define UINT64_MAX 18446744073709551615ul
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define CHAR_BIT 8
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623157e+308
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_inf()
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_LN2 0.69314718055994530942
#define M_LOG2E 1.4426950408889634074
#define M_1_PI 0.31830988618379067154
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define assert(...) s2s_assert(static_cast<bool>(__VA_ARGS__))
extern "C" {
void s2s_assert(bool); int printf(const char *, ...); int fprintf(FILE *, const char *, ...); int snprintf(char *, size_t, const char *, ...); int puts(const char *); int fflush(FILE *); void exit(int); void abort(); int atoi(const char *); double atof(const char *); int rand(); void srand(unsigned); char *getenv(const char *); int system(const char *); void *malloc(size_t); void free(void *);
int strcmp(const char *, const char *); size_t strlen(const char *); void *memset(void *, int, size_t); void *memcpy(void *, const void *, size_t); int remove(const char *); clock_t clock(); time_t time(time_t *);
double sin(double); double cos(double); double tan(double); double asin(double); double acos(double); double atan(double); double atan2(double, double); double sinh(double); double cosh(double); double tanh(double); double sqrt(double); double exp(double); double log(double); double log2(double); double log10(double); double exp2(double); double cbrt(double); double erf(double);
double pow(double, double); double floor(double); double ceil(double); double round(double); double trunc(double); double fabs(double); double fmod(double, double); double fmin(double, double); double fmax(double, double); double hypot(double, double); double ldexp(double, int); double copysign(double, double); long lround(double); double rint(double);
float sinf(float); float cosf(float); float tanf(float); float atanf(float); float atan2f(float, float); float sqrtf(float); float expf(float); float logf(float); float log2f(float); float powf(float, float); float floorf(float); float ceilf(float); float roundf(float); float fabsf(float); float fmodf(float, float); float fminf(float, float); float fmaxf(float, float); float exp2f(float); float tanhf(float);
int abs(int); long labs(long);
}
inline namespace s2s_math {
template<typename T, bool = __is_integral(T)> struct s2s_integral {}; template<typename T> struct s2s_integral<T, true> { typedef double type; };
#define S2S_F(name) float name(float); template<typename T> typename s2s_integral<T>::type name(T);
S2S_F(sin) S2S_F(cos) S2S_F(tan) S2S_F(asin) S2S_F(acos) S2S_F(atan) S2S_F(sqrt) S2S_F(exp) S2S_F(log) S2S_F(log2) S2S_F(exp2) S2S_F(floor) S2S_F(ceil) S2S_F(round) S2S_F(fabs)
#undef S2S_F
}

namespace std {
using ::size_t; using ::ptrdiff_t; using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::intptr_t; using ::uintptr_t;
using ::printf; using ::exit; using ::abort; using ::atoi; using ::rand; using ::getenv; using ::strcmp; using ::strlen; using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2; using ::sinh; using ::cosh; using ::tanh; using ::sqrt; using ::exp; using ::log; using ::log2; using ::log10; using ::exp2; using ::pow; using ::floor; using ::ceil; using ::round; using ::trunc; using ::fabs; using ::fmod; using ::abs; using ::lround; using s2s_math::sin; using s2s_math::cos; using s2s_math::tan; using s2s_math::sqrt; using s2s_math::exp; using s2s_math::log; using s2s_math::log2; using s2s_math::exp2; using s2s_math::floor; using s2s_math::ceil; using s2s_math::round; using s2s_math::fabs; using ::hypot; using ::cbrt;
typedef decltype(nullptr) nullptr_t;
double abs(double); float abs(float); float pow(float, float); double pow(double, int); float pow(float, int); double pow(int, int); float fmod(float, float); bool isnan(double); bool isinf(double); float tanh(float);

template<typename T> struct remove_reference { using type = T; }; template<typename T> struct remove_reference<T &> { using type = T; }; template<typename T> struct remove_reference<T &&> { using type = T; }; template<typename T> using remove_reference_t = typename remove_reference<T>::type;
template<typename T> struct remove_const { using type = T; }; template<typename T> struct remove_const<const T> { using type = T; }; template<typename T> struct remove_cv { using type = typename remove_const<T>::type; }; template<typename T> struct decay { using type = typename remove_const<remove_reference_t<T>>::type; }; template<typename T> using decay_t = typename decay<T>::type;
template<typename T> using remove_const_t = typename remove_const<T>::type; template<typename T> using remove_cv_t = typename remove_cv<T>::type;
template<typename T, T v> struct integral_constant { static constexpr T value = v; constexpr operator T() const { return v; } }; using true_type = integral_constant<bool, true>; using false_type = integral_constant<bool, false>;
template<typename T, typename U> struct is_same : false_type {}; template<typename T> struct is_same<T, T> : true_type {}; template<typename T, typename U> constexpr bool is_same_v = is_same<T, U>::value;
template<bool B, typename T = void> struct enable_if {}; template<typename T> struct enable_if<true, T> { using type = T; }; template<bool B, typename T = void> using enable_if_t = typename enable_if<B, T>::type;
template<bool B, typename T, typename F> struct conditional { using type = T; }; template<typename T, typename F> struct conditional<false, T, F> { using type = F; }; template<bool B, typename T, typename F> using conditional_t = typename conditional<B, T, F>::type;
template<typename T> struct is_floating_point : integral_constant<bool, is_same<T, float>::value || is_same<T, double>::value> {}; template<typename T> struct is_integral : integral_constant<bool, __is_integral(T)> {}; template<typename T> struct is_signed : integral_constant<bool, __is_signed(T)> {}; template<typename T> struct is_unsigned : integral_constant<bool, __is_unsigned(T)> {}; template<typename T> struct is_arithmetic : integral_constant<bool, __is_arithmetic(T)> {};
template<typename T> constexpr bool is_floating_point_v = is_floating_point<T>::value; template<typename T> constexpr bool is_integral_v = is_integral<T>::value; template<typename T> constexpr bool is_signed_v = is_signed<T>::value; template<typename T> constexpr bool is_unsigned_v = is_unsigned<T>::value;
template<typename B, typename D> struct is_base_of : integral_constant<bool, __is_base_of(B, D)> {}; template<typename A, typename B> struct is_convertible : integral_constant<bool, __is_convertible_to(A, B)> {};
template<typename T> remove_reference_t<T> &&move(T &&); template<typename T> T &&forward(remove_reference_t<T> &); template<typename T> void swap(T &, T &); template<typename T> T declval();

template<typename E> class initializer_list { const E *b; size_t n; public: const E *begin() const; const E *end() const; size_t size() const; };
template<typename A, typename B> struct pair { A first; B second; pair(); pair(const A &, const B &); template<typename C, typename D> pair(C &&, D &&); template<typename C, typename D> pair(const pair<C, D> &); bool operator==(const pair &) const; bool operator!=(const pair &) const; bool operator<(const pair &) const; };
template<typename A, typename B> pair<decay_t<A>, decay_t<B>> make_pair(A &&, B &&); template<typename A, typename B> pair(A, B) -> pair<A, B>;
template<typename... T> struct tuple { tuple(); template<typename... U> tuple(U &&...); tuple(const tuple &); template<typename U> tuple &operator=(const U &); bool operator==(const tuple &) const; bool operator<(const tuple &) const; };
template<typename... A> tuple<decay_t<A>...> make_tuple(A &&...); template<typename... A> tuple<A &...> tie(A &...); template<typename... A> tuple(A...) -> tuple<A...>;
template<size_t I, typename T> struct tuple_element; template<typename H, typename... T> struct tuple_element<0, tuple<H, T...>> { using type = H; }; template<size_t I, typename H, typename... T> struct tuple_element<I, tuple<H, T...>> { using type = typename tuple_element<I - 1, tuple<T...>>::type; }; template<typename A, typename B> struct tuple_element<0, pair<A, B>> { using type = A; }; template<typename A, typename B> struct tuple_element<1, pair<A, B>> { using type = B; };
template<typename T> struct tuple_size; template<typename... T> struct tuple_size<tuple<T...>> { static constexpr size_t value = sizeof...(T); }; template<typename A, typename B> struct tuple_size<pair<A, B>> { static constexpr size_t value = 2; };
template<size_t I, typename... T> typename tuple_element<I, tuple<T...>>::type &get(const tuple<T...> &); template<size_t I, typename A, typename B> typename tuple_element<I, pair<A, B>>::type &get(const pair<A, B> &);

template<typename C> struct char_traits; 
class string {
public:
    static const size_t npos = -1; typedef char *iterator; typedef const char *const_iterator;
    string(); string(const char *); string(const char *, size_t); string(size_t, char); string(const string &); string(const string &, size_t, size_t = npos); template<typename I> string(I, I);
    string &operator=(const string &); string &operator=(const char *); string &operator+=(const string &); string &operator+=(const char *); string &operator+=(char);
    char &operator[](size_t); const char &operator[](size_t) const; char &at(size_t); size_t size() const; size_t length() const; bool empty() const; const char *c_str() const; const char *data() const; void clear(); void push_back(char); void pop_back(); char &back(); char &front(); void reserve(size_t); void resize(size_t, char = 0);
    string substr(size_t = 0, size_t = npos) const; size_t find(const string &, size_t = 0) const; size_t find(char, size_t = 0) const; size_t rfind(const string &, size_t = npos) const; size_t rfind(char, size_t = npos) const; size_t find_first_of(const string &, size_t = 0) const; size_t find_last_of(const string &, size_t = npos) const; size_t find_first_not_of(const string &, size_t = 0) const; int compare(const string &) const; string &append(const string &); string &replace(size_t, size_t, const string &); string &erase(size_t = 0, size_t = npos); string &insert(size_t, const string &);
    iterator begin() const; iterator end() const;
};
string operator+(const string &, const string &); string operator+(const string &, const char *); string operator+(const char *, const string &); string operator+(const string &, char); string operator+(char, const string &);
bool operator==(const string &, const string &); bool operator!=(const string &, const string &); bool operator<(const string &, const string &); bool operator>(const string &, const string &); bool operator<=(const string &, const string &); bool operator>=(const string &, const string &);
string to_string(int); string to_string(long); string to_string(unsigned); string to_string(unsigned long); string to_string(float); string to_string(double); int stoi(const string &, size_t * = 0, int = 10); float stof(const string &, size_t * = 0); double stod(const string &, size_t * = 0); long stol(const string &, size_t * = 0, int = 10);
typedef string string_view;

template<typename T> struct allocator; template<typename T> struct less; template<typename T> struct hash;
template<typename T, typename A = void> class vector {
public:
    typedef T value_type; typedef T *iterator; typedef const T *const_iterator; typedef size_t size_type; struct reverse_iterator { T &operator*() const; reverse_iterator &operator++(); bool operator!=(const reverse_iterator &) const; bool operator==(const reverse_iterator &) const; T *operator->() const; };
    vector(); explicit vector(size_t); vector(size_t, const T &); vector(initializer_list<T>); vector(const vector &); template<typename I, typename = decltype(*I())> vector(I, I); vector &operator=(const vector &); vector &operator=(initializer_list<T>);
    T &operator[](size_t); const T &operator[](size_t) const; T &at(size_t); const T &at(size_t) const; T &front(); const T &front() const; T &back(); const T &back() const; T *data() const; size_t size() const; bool empty() const; void clear(); void reserve(size_t); void resize(size_t); void resize(size_t, const T &); size_t capacity() const;
    void push_back(const T &); template<typename... U> T &emplace_back(U &&...); void pop_back(); T *begin() const; T *end() const; const T *cbegin() const; const T *cend() const; reverse_iterator rbegin() const; reverse_iterator rend() const; iterator insert(const T *, const T &); template<typename I> iterator insert(const T *, I, I); iterator insert(const T *, initializer_list<T>); iterator erase(const T *); iterator erase(const T *, const T *); void assign(size_t, const T &); void swap(vector &); void assign(initializer_list<T>);
};
template<typename T> vector(initializer_list<T>) -> vector<T>; template<typename T> bool operator==(const vector<T> &, const vector<T> &); template<typename T> bool operator!=(const vector<T> &, const vector<T> &); template<typename T> bool operator<(const vector<T> &, const vector<T> &);
template<typename T> class deque : public vector<T> { public: using vector<T>::vector; void push_front(const T &); void pop_front(); }; template<typename T> class list : public deque<T> { public: using deque<T>::deque; }; template<typename T> class queue : public deque<T> { public: void push(const T &); void pop(); }; template<typename T> class stack : public deque<T> { public: void push(const T &); void pop(); T &top(); };
template<typename T, size_t N> struct array { T s2s_elements[N ? N : 1]; typedef T value_type; T &operator[](size_t); const T &operator[](size_t) const; T &at(size_t); const T &at(size_t) const; size_t size() const; bool empty() const; T &front(); T &back(); T *begin() const; T *end() const; T *data() const; void fill(const T &); };
template<typename T, typename... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;
template<typename V> struct s2s_iterator { V &operator*() const; V *operator->() const; s2s_iterator &operator++(); s2s_iterator operator++(int); bool operator==(const s2s_iterator &) const; bool operator!=(const s2s_iterator &) const; };
template<typename K, typename V, typename C = void> class map {
public:
    typedef pair<const K, V> value_type; typedef s2s_iterator<pair<const K, V>> iterator; typedef iterator const_iterator; typedef K key_type; typedef V mapped_type;
    map(); map(initializer_list<pair<const K, V>>); map(const map &); map &operator=(const map &); V &operator[](const K &); V &at(const K &); const V &at(const K &) const; size_t size() const; bool empty() const; void clear(); size_t count(const K &) const; bool contains(const K &) const; iterator find(const K &) const; iterator begin() const; iterator end() const; size_t erase(const K &); pair<iterator, bool> insert(const pair<const K, V> &); template<typename... A> pair<iterator, bool> emplace(A &&...);
};
template<typename K, typename V, typename H = void> class unordered_map : public map<K, V> { public: using map<K, V>::map; };
template<typename K, typename C = void> class set { public: typedef s2s_iterator<const K> iterator; typedef iterator const_iterator; set(); set(initializer_list<K>); template<typename I> set(I, I); size_t size() const; bool empty() const; size_t count(const K &) const; bool contains(const K &) const; iterator find(const K &) const; iterator begin() const; iterator end() const; pair<iterator, bool> insert(const K &); size_t erase(const K &); void clear(); };
template<typename K, typename H = void> class unordered_set : public set<K> { public: using set<K>::set; };
template<typename T> class optional { public: optional(); optional(const T &); optional(nullptr_t); bool has_value() const; T &value() const; T &operator*() const; T *operator->() const; explicit operator bool() const; template<typename U> T value_or(U &&) const; };
template<typename T, typename D = void> class unique_ptr { public: unique_ptr(); explicit unique_ptr(T *); unique_ptr(nullptr_t); T *operator->() const; T &operator*() const; T *get() const; explicit operator bool() const; void reset(T * = nullptr); T &operator[](size_t) const; };
template<typename T> class shared_ptr { public: shared_ptr(); explicit shared_ptr(T *); shared_ptr(nullptr_t); template<typename U> shared_ptr(const shared_ptr<U> &); T *operator->() const; T &operator*() const; T *get() const; explicit operator bool() const; void reset(); }; template<typename T, typename... A> unique_ptr<T> make_unique(A &&...); template<typename T, typename... A> shared_ptr<T> make_shared(A &&...);
template<typename S> class function; template<typename R, typename... A> class function<R(A...)> { public: function(); function(nullptr_t); template<typename F> function(F); R operator()(A...) const; explicit operator bool() const; };

struct s2s_manipulator_result; class ios_base { public: enum fmtflags { fixed_ }; };
enum ios_openmode { s2s_open }; struct ios : ios_base { static const int binary = 1, in = 2, out = 4; };
class ostream { public: ostream &write(const char *, long); ostream &operator<<(int); ostream &operator<<(unsigned); ostream &operator<<(long); ostream &operator<<(unsigned long); ostream &operator<<(long long); ostream &operator<<(float); ostream &operator<<(double); ostream &operator<<(bool); ostream &operator<<(char); ostream &operator<<(const char *); ostream &operator<<(const string &); ostream &operator<<(const void *); ostream &operator<<(ostream &(*)(ostream &)); ostream &flush(); int precision(int); };
ostream &endl(ostream &); ostream &flush(ostream &); ostream &fixed(ostream &); extern ostream cout, cerr, clog;
struct s2s_manipulator; ostream &operator<<(ostream &, const s2s_manipulator &); s2s_manipulator setw(int); s2s_manipulator setprecision(int); s2s_manipulator setfill(char);
class ostringstream : public ostream { public: string str() const; ostringstream(); }; class stringstream : public ostringstream {}; class istream { public: istream &read(char *, long); }; class ifstream : public istream { public: ifstream(const string &, int = 0); void close(); bool is_open() const; bool good() const; }; class ofstream : public ostream { public: ofstream(const string &); void close(); bool is_open() const; };
template<typename T> const T &min(const T &, const T &); template<typename T> const T &max(const T &, const T &); template<typename T> T min(initializer_list<T>); template<typename T> T max(initializer_list<T>); template<typename T> const T &clamp(const T &, const T &, const T &);
template<typename I, typename T> I find(I, I, const T &); template<typename I, typename F> I find_if(I, I, F); template<typename I, typename T> long count(I, I, const T &); template<typename I> void sort(I, I); template<typename I, typename F> void sort(I, I, F); template<typename I> void reverse(I, I); template<typename I, typename T> void fill(I, I, const T &); template<typename I, typename T> void iota(I, I, T); template<typename I, typename T> void replace(I, I, const T &, const T &); template<typename I> I unique(I, I); template<typename I> I remove(I, I, int); template<typename I, typename O> O copy(I, I, O); template<typename I, typename O, typename F> O transform(I, I, O, F); template<typename I, typename F> F for_each(I, I, F);
template<typename I, typename F> bool all_of(I, I, F); template<typename I, typename F> bool any_of(I, I, F); template<typename I, typename F> bool none_of(I, I, F); template<typename I, typename T> T accumulate(I, I, T); template<typename I, typename T, typename F> T accumulate(I, I, T, F); template<typename I> I max_element(I, I); template<typename I> I min_element(I, I); template<typename I> long distance(I, I); template<typename C> auto begin(C &c) -> decltype(c.begin()); template<typename C> auto end(C &c) -> decltype(c.end()); template<typename T, size_t N> T *begin(T (&)[N]); template<typename T, size_t N> T *end(T (&)[N]); template<typename I> void rotate(I, I, I); template<typename I> I next(I, int = 1); template<typename C> struct s2s_inserter { s2s_inserter &operator=(const typename C::value_type &); s2s_inserter &operator*(); s2s_inserter &operator++(); }; template<typename C> s2s_inserter<C> back_inserter(C &);
template<typename T> struct numeric_limits { static constexpr T min(); static constexpr T max(); static constexpr T lowest(); static constexpr T infinity(); static constexpr T epsilon(); static constexpr T quiet_NaN(); static const bool is_integer = true, is_signed = true; static const int digits = 0; };
struct exception { virtual const char *what() const; }; struct runtime_error : exception { explicit runtime_error(const string &); }; struct invalid_argument : exception { explicit invalid_argument(const string &); }; struct logic_error : exception { explicit logic_error(const string &); }; struct out_of_range : exception { explicit out_of_range(const string &); };
template<size_t... I> struct index_sequence {}; template<typename T> struct complex { complex(T = 0, T = 0); T real() const; T imag() const; };
struct random_device { unsigned operator()(); };
struct mt19937 { explicit mt19937(unsigned = 5489u); unsigned operator()(); };
struct s2s_any_stream; template<typename T> T gcd(T, T); template<typename T> T lcm(T, T);
inline namespace literals {}
}
#endif
