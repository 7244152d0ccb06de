cimport cython

@cython.final
cdef class KnownWords:
    cdef Py_ssize_t n_words
    cdef long long n_graphs
    cdef list spelling
    cdef long long[::1] concept
    cdef long long[::1] edge
    cdef long long[::1] target
    cdef long long[::1] graph
    cdef long long[::1] position
    cdef long long[::1] places
    cdef readonly dict by_letters
    cdef Py_ssize_t n_constants
    cdef long long[::1] constants
    cdef long long[::1] constant_label

    cdef void clear(self) except *
    cdef Py_ssize_t number(
        self, const unsigned char* text, Py_ssize_t start, Py_ssize_t stop
    )
    cdef str spelled(self, Py_ssize_t word)
    cdef Py_ssize_t _place(
        self, const unsigned char* text, Py_ssize_t start, Py_ssize_t stop
    ) noexcept
    cdef Py_ssize_t _add(self, bytes word)
    cdef void _take_dictionary(self) except *
    cdef void _place_anew(self) except *
    cdef Py_ssize_t constant(self, long long role, long long word) noexcept
    cdef void add_constant(self, long long role, long long word, long long label) except *
    cdef void _place_constants_anew(self) except *
