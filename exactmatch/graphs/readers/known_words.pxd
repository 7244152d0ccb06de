cimport cython

@cython.final
cdef class KnownWords:
    cdef Py_ssize_t n_words
    cdef long long n_graphs
    cdef list spelling
    cdef long long[::1] concept, edge, target, graph, position, places
    cdef dict attribute
    cdef readonly dict by_letters

    cdef void clear(self) except *
    cdef Py_ssize_t number(
        self, const unsigned char* text, Py_ssize_t start, Py_ssize_t stop
    ) except? -1
    cdef str spelled(self, Py_ssize_t word)
    cdef Py_ssize_t _place(
        self, const unsigned char* text, Py_ssize_t start, Py_ssize_t stop
    ) noexcept
    cdef Py_ssize_t _add(self, bytes word)
    cdef void _take_dictionary(self) except *
    cdef void _place_anew(self) except *
