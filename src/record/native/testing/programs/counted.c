/*
 * Uses a number of CPU milliseconds, as the system counts them for it, a third of them below `apart`, and says them on standard
 * output: `used 0.200`. `counted MILLISECONDS [EXIT-CODE [CHILDREN]]`; each child uses as many again.
 * `counted wait` says `ready`, and ends with exit code 7 at SIGINT. `counted busy` uses the processor until its standard input ends.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

volatile double sink;

static double used(void)
{
	struct rusage r;
	getrusage(RUSAGE_SELF, &r);
	return r.ru_utime.tv_sec + r.ru_stime.tv_sec + (r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
}

__attribute__((noinline)) static void spin(double until)
{
	while (used() < until)
		for (int i = 0; i < 20000; i++)
			sink += i * 0.5;
	sink++;
}

__attribute__((noinline)) static void together(double until)
{
	spin(until);
	sink++;
}

__attribute__((noinline)) static void apart(double until)
{
	spin(until);
	sink++;
}

static void ended(int number)
{
	_exit(number == SIGINT ? 7 : 8);
}

int main(int count, char **words)
{
	if (count > 1 && strcmp(words[1], "wait") == 0) {
		signal(SIGINT, ended);
		puts("ready");
		fflush(stdout);
		for (;;)
			pause();
	}
	if (count > 1 && strcmp(words[1], "busy") == 0) {
		struct pollfd input = { 0, POLLIN, 0 };
		while (poll(&input, 1, 0) == 0)
			apart(used() + 0.01);
		return 0;
	}
	double seconds = count > 1 ? atof(words[1]) / 1000 : 0.2;
	int children = count > 3 ? atoi(words[3]) : 0;
	for (int i = 0; i < children; i++) {
		pid_t child = fork();
		if (child == 0) {
			together(seconds);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	together(seconds * 2 / 3);
	apart(seconds);
	printf("used %.3f\n", used());
	return count > 2 ? atoi(words[2]) : 0;
}
