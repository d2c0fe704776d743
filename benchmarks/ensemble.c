/* An ensemble by hand: DOP853 with adaptive steps, a member at a time, members shared among the cores by OpenMP.
 *
 * rates.h defines N, P and rates(t, x, p, dx), coefficients.h the tables of Hairer, Noersett and Wanner.
 * Compile with: cc -O3 -march=native -ffast-math -fopenmp -shared -fPIC ensemble.c -o ensemble.so -lm
 */
#include <math.h>
#include <string.h>
#include "coefficients.h"
#include "rates.h"

static void one(double t, double end, double *x, const double *p, double tol)
{
    double k[13][N], point[N], new[N], size[N], h, top = 0.0;
    rates(t, x, p, k[0]);
    for (int m = 0; m < N; m++) {
        size[m] = fmin(fmax(fabs(x[m]), fabs(k[0][m]) * (end - t) / 100), 1.0);
        if (size[m] < 1e-13) size[m] = 1.0;
        top = fmax(top, fabs(k[0][m]) / size[m]);
    }
    h = fmin(end - t, 0.5 * pow(tol, 0.125) / (top + 1e-12));
    double grow = 10.0;
    while (t < end) {
        int last = t + 1.01 * h >= end;
        if (last) h = end - t;
        for (int i = 1; i < 12; i++) {
            for (int m = 0; m < N; m++) {
                double total = 0.0;
                for (int j = 0; j < i; j++) total += A[i][j] * k[j][m];
                point[m] = x[m] + h * total;
            }
            rates(t + C[i] * h, point, p, k[i]);
        }
        for (int m = 0; m < N; m++) {
            double total = 0.0;
            for (int j = 0; j < 12; j++) total += B[j] * k[j][m];
            new[m] = x[m] + h * total;
        }
        rates(t + h, new, p, k[12]);
        double fifth = 0.0, third = 0.0;
        for (int m = 0; m < N; m++) {
            double scale = 1.0 / (tol * (size[m] + fmax(fabs(x[m]), fabs(new[m])))), five = 0.0, three = 0.0;
            for (int j = 0; j < 13; j++) { five += E5[j] * k[j][m]; three += E3[j] * k[j][m]; }
            fifth += five * scale * five * scale;
            third += three * scale * three * scale;
        }
        double error = fifth == 0.0 && third == 0.0 ? 0.0 : h * fifth / sqrt((fifth + 0.01 * third) * N);
        double factor = error == 0.0 ? grow : fmin(grow, fmax(0.2, 0.9 / sqrt(sqrt(sqrt(error)))));
        if (error < 1.0) {
            t = last ? end : t + h;
            memcpy(x, new, sizeof new);
            memcpy(k[0], k[12], sizeof k[0]);
            grow = 10.0;
        } else
            grow = 1.0;
        h *= factor;
    }
}

void ensemble(int count, double end, double *x, const double *p, double tol)
{
#pragma omp parallel for schedule(dynamic, 64)
    for (int i = 0; i < count; i++) one(0.0, end, x + (long)i * N, p, tol);
}
