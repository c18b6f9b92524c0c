#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
void s2s_assertion_failed(const char *condition, const char *file, int line);
#define assert(condition) \
    ((condition) ? (void)0 : s2s_assertion_failed(#condition, __FILE__, __LINE__))
#endif
