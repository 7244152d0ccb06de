cdef void sort_by(
    long long[::1] key, Py_ssize_t n_keys, long long[::1] order, long long[::1] work
) except *
