int f(void)
{
  int value;
  value = 1;
  return nothing;
}
