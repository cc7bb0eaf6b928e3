/* Adds up numbers. */
#include <stdio.h>

#define MOST 100

static const int weights[] = {
    1, 2,
    3, 4
};

int
main(void)
{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += weights[i];
    printf("%d\n", sum);
    return sum > MOST ? 1 : 0;
}
