int h(void);
int g(void)
{
  int value;
  value = 1;
  return value + h();
}
