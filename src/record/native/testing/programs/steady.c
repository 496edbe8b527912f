/* Runs the same instructions each time: `leaf` below `left`, `right`, and six levels of `deep`, 9, 3 and 1 times as often. Prints nothing. */
volatile double sum;

__attribute__((noinline)) static void leaf(int count)
{
	for (int i = 0; i < count; i++)
		sum += i;
}

__attribute__((noinline)) static void left(void)
{
	leaf(90000);
	sum++;
}

__attribute__((noinline)) static void right(void)
{
	leaf(30000);
	sum++;
}

__attribute__((noinline)) static int deep(int level)
{
	if (level == 0) {
		leaf(10000);
		return 0;
	}
	int below = deep(level - 1);
	sum++;
	return below + 1;
}

int main(void)
{
	left();
	right();
	return deep(5);
}
