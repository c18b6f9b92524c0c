/* Named parts of a program: their migrations and times are reported apart. */
#ifndef S2S_EMU_HOOKS_H
#define S2S_EMU_HOOKS_H

void hooks_region_begin(const char *name);
double hooks_region_end(); /* some programs name the region again */
void hooks_set_active_region(const char *name);
void hooks_set_attr_u64(const char *key, unsigned long value);
void hooks_set_attr_i64(const char *key, long value);
void hooks_set_attr_f64(const char *key, double value);
void hooks_set_attr_str(const char *key, const char *value);

#endif
