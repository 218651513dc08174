/* The plain C reference of the benchmarks: a strategy against prepared turns, rows over the opponent's score. */

#include <string.h>

/* rows[i][k][j]: whether it rolls; ends[i][j][k]: the chance that the opponent, at own score j, banks k;
   leave[i][j]: that it banks anything.  stand and behind are work: (2 T + top) T floats; behind is 1 from row T on. */
void win_rows(long T, long dice, const long *gains, const double *chances, const unsigned char *rows,
              const double *ends, const double *leave, double *stand, double *behind, double *moving)
{
    double worth[T], gone[T];
    long top = gains[0];
    for (long n = T * T; n < (T + top) * T; n++) behind[n] = 1.0;
    for (long i = T - 1; i >= 0; i--) {
        long left = T - i, last = 0;
        memset(stand, 0, (left + 2 * top) * T * sizeof(double));
        memset(worth, 0, sizeof worth);
        memset(gone, 0, sizeof gone);
        for (long j = 0; j < T; j++) stand[j] = 1.0;
        for (long k = 0; k < left + top; k++) {
            const double *here = stand + k * T, *after = behind + (i + k) * T;
            const unsigned char *roll = rows + (i * T + k) * T;
            if (k < left) {
                int some = 0;
                for (long j = 0; j < T; j++) some |= roll[j] && here[j] != 0.0;
                if (some) last = k;
                for (long g = 0; g < dice; g++) {
                    double *next = stand + (k + gains[g]) * T;
                    for (long j = 0; j < T; j++) next[j] += roll[j] ? chances[g] * here[j] : 0.0;
                }
            }
            if (k > 0)
                for (long j = 0; j < T; j++) {
                    double hold = k < left && roll[j] ? 0.0 : here[j];
                    worth[j] += hold * after[j];
                    gone[j] += hold;
                }
            if (k - last > top) break; /* nobody comes further */
        }
        for (long j = T - 1; j >= 0; j--) {
            double c = 0.0, u = leave[i * T + j], s = gone[j];
            for (long k = 1; k < T - j; k++) c += ends[(i * T + j) * T + k] * moving[i * T + j + k];
            double away = s + u - s * u, p = away > 0.0 ? (worth[j] + (1.0 - s) * c) / away : 0.0;
            moving[i * T + j] = p;
            behind[i * T + j] = c + (1.0 - u) * p;
        }
    }
}
