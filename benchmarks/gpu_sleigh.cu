/* The sleigh by hand: classical Runge-Kutta steps, one thread a motion, constants folded by the author. */
#ifndef REAL
#define REAL double
#endif
typedef REAL real;
#define M ((real)1.0)
#define I ((real)0.3)
#define A ((real)0.2)
__device__ __forceinline__ void both(double a, double *s, double *c) { sincos(a, s, c); }
__device__ __forceinline__ void both(float a, float *s, float *c) { sincosf(a, s, c); }
__device__ __forceinline__ void f(real th, real u, real w, real *dx, real *dy, real *du, real *dw)
{
    real s, c;
    both(th, &s, &c);
    *dx = u * c; *dy = u * s; *du = A * w * w;
    *dw = -(A * M / (I + M * A * A)) * (u * w);
}
extern "C" __global__ void sleigh(int members, int steps, double step, const real *starts, real *ends)
{
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= members) { return; }
    const real h = (real)step, half = h / 2;
    real x = starts[m], y = starts[members + m], th = starts[2 * members + m];
    real u = starts[3 * members + m], w = starts[4 * members + m];
    for (int n = 0; n < steps; n++) {
        real x1, y1, u1, w1, x2, y2, u2, w2, x3, y3, u3, w3, x4, y4, u4, w4;
        f(th, u, w, &x1, &y1, &u1, &w1);
        const real wa = w + half * w1;
        f(th + half * w, u + half * u1, wa, &x2, &y2, &u2, &w2);
        const real wb = w + half * w2;
        f(th + half * wa, u + half * u2, wb, &x3, &y3, &u3, &w3);
        const real wc = w + h * w3;
        f(th + h * wb, u + h * u3, wc, &x4, &y4, &u4, &w4);
        const real sixth = h / 6;
        x += sixth * (x1 + 2 * (x2 + x3) + x4);
        y += sixth * (y1 + 2 * (y2 + y3) + y4);
        th += sixth * (w + 2 * (wa + wb) + wc);
        u += sixth * (u1 + 2 * (u2 + u3) + u4);
        w += sixth * (w1 + 2 * (w2 + w3) + w4);
    }
    ends[m] = x; ends[members + m] = y; ends[2 * members + m] = th; ends[3 * members + m] = u; ends[4 * members + m] = w;
}
