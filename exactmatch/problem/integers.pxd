cdef void sort_by(
    long long[::1] key, Py_ssize_t n_keys, long long[::1] order, Py_ssize_t n, long long[::1] work
) except *

cdef extern from *:
    """
    static CYTHON_INLINE int exactmatch_lowest(unsigned long long word) {
    #if defined(__GNUC__) || defined(__clang__)
        return __builtin_ctzll(word);
    #else
        int lowest = 0;
        while (!(word & 1)) { word >>= 1; lowest++; }
        return lowest;
    #endif
    }
    static CYTHON_INLINE int exactmatch_count(unsigned long long word) {
        word -= word >> 1 & 0x5555555555555555ULL;
        word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
        word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int)(word * 0x0101010101010101ULL >> 56);
    }
    """
    int lowest_bit "exactmatch_lowest"(unsigned long long word) noexcept
    int count_bits "exactmatch_count"(unsigned long long word) noexcept
