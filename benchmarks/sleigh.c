/* The Chaplygin sleigh by hand: what a programmer would write after deriving the equations on paper.
 *
 * States x, y, theta, u, omega, one row each, n of them; parameters m, I, a. */
#include <math.h>
#include <stddef.h>

void sleigh(size_t n, const double *restrict state, double m, double I, double a, double *restrict rate)
{
    const double *theta = state + 2 * n, *u = state + 3 * n, *omega = state + 4 * n;
    const double brake = -m * a / (I + m * a * a);
    for (size_t i = 0; i < n; ++i) {
        rate[i] = u[i] * cos(theta[i]);
        rate[n + i] = u[i] * sin(theta[i]);
        rate[2 * n + i] = omega[i];
        rate[3 * n + i] = a * omega[i] * omega[i];
        rate[4 * n + i] = brake * u[i] * omega[i];
    }
}

/* The same for the vectoriser: a loop with both a sine and a cosine is turned into calls of sincos, of which the
 * mathematical library has no vector version; apart, and with -ffast-math, they run four at a time. */
void sleigh_apart(size_t n, const double *restrict state, double m, double I, double a, double *restrict rate)
{
    const double *theta = state + 2 * n, *u = state + 3 * n, *omega = state + 4 * n;
    const double brake = -m * a / (I + m * a * a);
    for (size_t i = 0; i < n; ++i)
        rate[i] = u[i] * cos(theta[i]);
    for (size_t i = 0; i < n; ++i)
        rate[n + i] = u[i] * sin(theta[i]);
    for (size_t i = 0; i < n; ++i) {
        rate[2 * n + i] = omega[i];
        rate[3 * n + i] = a * omega[i] * omega[i];
        rate[4 * n + i] = brake * u[i] * omega[i];
    }
}
