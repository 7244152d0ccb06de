cdef void sort_by(
    long long[::1] key, Py_ssize_t n_keys, long long[::1] order, long long[::1] work
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
    """
    int lowest_bit "exactmatch_lowest"(unsigned long long word) noexcept
