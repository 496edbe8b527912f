/* A shop that sorts, prices and counts its goods; recorded as examples/experiment/shop.er.tar.gz. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define GOODS 4096

static double prices[GOODS];
static pthread_mutex_t till = PTHREAD_MUTEX_INITIALIZER;
static double taken;

static inline double discount(double price, int day)
{
  double part = price;
  for (int i = 0; i < day % 7; i++)
    part *= 0.97;
  return part;
}

__attribute__((noinline)) double price_all(int day)
{
  double sum = 0;
  for (int i = 0; i < GOODS; i++)
    sum += discount(prices[i], day + i);
  return sum;
}

static int cheaper(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

__attribute__((noinline)) void sort_goods(unsigned seed)
{
  double sorted[GOODS];
  for (int i = 0; i < GOODS; i++)
    sorted[i] = (double)((i * 7919u + seed) % 10007u);
  qsort(sorted, GOODS, sizeof *sorted, cheaper);
  prices[seed % GOODS] = sorted[GOODS / 2];
}

static void *sell(void *days)
{
  for (int day = 0; day < *(int *)days; day++) {
    sort_goods((unsigned)day);
    double sum = price_all(day);
    pthread_mutex_lock(&till);
    taken += sum;
    pthread_mutex_unlock(&till);
  }
  return NULL;
}

int main(void)
{
  int days = 30000;
  pthread_t clerk;
  pthread_create(&clerk, NULL, sell, &days);
  sell(&days);
  pthread_join(clerk, NULL);
  printf("%.2f\n", taken);
  return 0;
}
