real_t s1(struct args_t * func_args)
{
}
real_t s2(struct args_t * func_args)
{
}
int main(void)
{
    time_function(&s2, &(struct{int a;int b;}){1, 2});
    time_function(&s1, NULL);
}
