# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The best one-to-one choice of edges between rows and columns, with prices that prove it best.

Shortest augmenting paths (Kuhn 1955, Tomizawa 1971): each row in turn is brought in along the path
that costs least, which may end with some row left out.
"""

from typing import Any

import cython

from exactmatch.deadline import Deadline

from .integers import zeros

#: So many bids for each row at most.
_BIDS = cython.declare(cython.int, 4)
#: Edges looked at between two looks at the clock.
_INTERVAL = cython.declare(cython.longlong, 1 << 18)


@cython.cclass
class Assignment:
    """Chooses edges of the highest value, at most one in each row and each column.

    The edges of row r are ``first[r] .. first[r + 1] - 1``, and ``column[e]`` is the column of edge
    e. Three more arrays are shared with the caller, by edge: *value* is read by `solve`; edges of
    value 0 or less are never chosen. `solve` writes *chosen*, 1 or 0, and *ceiling*, up to which
    the value of any one edge could rise without a better choice coming about.

    The invariant, for the rows that have been brought in and all columns, is what makes the choice
    best, and the prices its proof:

    * dual feasibility: profits and prices are not negative, and
      ``profit[row] + price[column] >= value`` for each edge;
    * complementary slackness: with equality for chosen edges, and profits and prices of rows and
      columns without chosen edge are 0.

    `solve` raises `OutOfTime` if *deadline* comes meanwhile; what it has written is then of no use.
    """

    n_rows: cython.Py_ssize_t
    n_columns: cython.Py_ssize_t
    first: cython.longlong[::1]
    column: cython.longlong[::1]
    value: cython.longlong[::1]
    chosen: cython.longlong[::1]
    ceiling: cython.longlong[::1]
    profit: cython.longlong[::1]
    price: cython.longlong[::1]
    edge_of: cython.longlong[::1]  # of each row, or -1
    owner: cython.longlong[::1]  # the row that has each column, or -1
    # While a row is brought in: the columns that have a distance from it, and for each of them
    # that distance, the edge and the row from which it was reached, and if it is settled.
    reached: cython.longlong[::1]
    n_reached: cython.Py_ssize_t
    distance: cython.longlong[::1]
    via: cython.longlong[::1]
    via_row: cython.longlong[::1]
    is_settled: cython.longlong[::1]
    # And the shortest augmenting path, see `_find_path`.
    end: cython.longlong
    left_out: cython.longlong
    length: cython.longlong
    _deadline: Any
    work: cython.longlong

    def __init__(
        self,
        first: Any,
        column: Any,
        n_columns: int,
        value: Any,
        chosen: Any,
        ceiling: Any,
        deadline: Any = Deadline(),  # noqa: B008 (it is immutable)
    ) -> None:
        self._deadline = deadline
        self.work = 0
        self.n_rows = len(first) - 1
        self.n_columns = n_columns
        self.first = first
        self.column = column
        self.value = value
        self.chosen = chosen
        self.ceiling = ceiling
        self.profit = zeros(self.n_rows)
        self.edge_of = zeros(self.n_rows)
        self.price = zeros(n_columns)
        self.owner = zeros(n_columns)
        self.reached = zeros(n_columns)
        self.n_reached = 0
        self.distance = zeros(n_columns)
        self.via = zeros(n_columns)
        self.via_row = zeros(n_columns)
        self.is_settled = zeros(n_columns)
        self.end = self.left_out = -1
        self.length = 0

    def prices(self) -> list[int]:
        """Return the prices of the columns as `solve` left them; none is negative."""
        return list(self.price)

    def size(self) -> int:
        """Return how many edges can be chosen at most."""
        return min(self.n_rows, self.n_columns)

    def total(self) -> int:
        """Return the value of the choice of the last `solve`."""
        return sum(self.profit) + sum(self.price)

    def solve(self) -> int:
        """Choose anew, and return the value of the choice."""
        row: cython.Py_ssize_t
        self._start()
        for row in range(self.n_rows):
            if self.edge_of[row] < 0:
                self._bring_in(row)
        return self._finish()

    @cython.cfunc
    def _start(self) -> cython.void:
        """Let the rows bid for columns, as far as that is quick (Jonker and Volgenant 1987)."""
        row: cython.longlong
        bids: cython.Py_ssize_t = 0
        for column in range(self.n_columns):
            self.price[column] = 0
            self.owner[column] = -1
            self.is_settled[column] = 0
            self.via[column] = -1
        for row in range(self.n_rows):
            self.edge_of[row] = -1
        for first in range(self.n_rows):
            row = first
            while row >= 0 and bids < _BIDS * self.n_rows:
                row = self._bid(row)
                bids += 1

    @cython.cfunc
    def _bid(self, row: cython.longlong) -> cython.longlong:
        """Give *row* the column that is best for it, at the price at which another is as good.

        Returns the row that has lost the column, if it is worth while that this one bids now.
        """
        edge: cython.Py_ssize_t
        net: cython.longlong
        best: cython.longlong = 0
        second: cython.longlong = 0
        column: cython.longlong
        loser: cython.longlong
        self._look_at_clock(row)
        self.edge_of[row] = -1
        for edge in range(self.first[row], self.first[row + 1]):
            net = self.value[edge] - self.price[self.column[edge]]
            if net > second:
                if net > best:
                    second = best
                    best = net
                    self.edge_of[row] = edge
                else:
                    second = net
        self.profit[row] = second
        if self.edge_of[row] < 0:
            return -1
        column = self.column[self.edge_of[row]]
        loser = self.owner[column]
        if loser >= 0 and best == second:
            self.edge_of[row] = -1  # no price tells the two apart: a path has to be found
            return -1
        if loser < 0:
            self.profit[row] = best  # so that the column stays free of charge
            self.owner[column] = row
            return -1
        self.price[column] += best - second
        self.owner[column] = row
        self.edge_of[loser] = -1
        return loser

    @cython.cfunc
    def _bring_in(self, root: cython.Py_ssize_t) -> cython.void:
        """Assign *root*, or leave out whichever row is missed least; the invariant holds again."""
        self.profit[root] = self._best_net(root)
        self._find_path(root)
        self._reprice(root)
        self._augment(root)
        self._forget()

    @cython.cfunc
    def _find_path(self, root: cython.Py_ssize_t) -> cython.void:
        """Find a shortest augmenting path from *root* by the algorithm of Dijkstra (1959).

        An edge that is not chosen is as long as profit and price exceed its value, a chosen one has
        length 0: none is negative, as the invariant says. A path ends in a column that nobody has,
        or in a row that loses its column and is left out, which adds its profit to the length.

        Leaves in *end* that column, or -1, and in *left_out* that row, which may be *root* itself.
        """
        row: cython.longlong = root
        so_far: cython.longlong = 0
        nearest: cython.longlong
        self.end = -1
        self.left_out = root
        self.length = self.profit[root]
        while so_far < self.length:
            self._reach_from(row, so_far)
            nearest = self._nearest()
            if nearest < 0 or self.distance[nearest] >= self.length:
                return
            so_far = self.distance[nearest]
            if self.owner[nearest] < 0:
                self.end = nearest
                self.length = so_far
                return
            self.is_settled[nearest] = 1
            row = self.owner[nearest]
            if so_far + self.profit[row] < self.length:
                self.left_out = row
                self.length = so_far + self.profit[row]

    @cython.cfunc
    def _look_at_clock(self, row: cython.longlong) -> cython.void:
        """Count the edges of *row*, which is next; now and then see how late it is."""
        self.work += self.first[row + 1] - self.first[row] + 1
        if self.work >= _INTERVAL:
            self.work = 0
            self._deadline.check()

    @cython.cfunc
    def _best_net(self, row: cython.longlong) -> cython.longlong:
        """Return the most that an edge of *row* is worth above the price of its column, or 0."""
        edge: cython.Py_ssize_t
        net: cython.longlong
        best: cython.longlong = 0
        for edge in range(self.first[row], self.first[row + 1]):
            net = self.value[edge] - self.price[self.column[edge]]
            if net > best:
                best = net
        return best

    @cython.cfunc
    def _reach_from(self, row: cython.longlong, so_far: cython.longlong) -> cython.void:
        """Note how near the columns of *row*, itself at distance *so_far*, are by its edges."""
        edge: cython.Py_ssize_t
        column: cython.longlong
        distance: cython.longlong
        self._look_at_clock(row)
        for edge in range(self.first[row], self.first[row + 1]):
            column = self.column[edge]
            if self.value[edge] <= 0 or self.is_settled[column]:
                continue
            distance = so_far + self.profit[row] + self.price[column] - self.value[edge]
            if self.via[column] < 0:
                self.reached[self.n_reached] = column
                self.n_reached += 1
            elif distance >= self.distance[column]:
                continue
            self.distance[column] = distance
            self.via[column] = edge
            self.via_row[column] = row

    @cython.cfunc
    def _nearest(self) -> cython.longlong:
        """Return the nearest column that is reached and not settled, or -1."""
        k: cython.Py_ssize_t
        column: cython.longlong
        nearest: cython.longlong = -1
        self.work += self.n_reached
        for k in range(self.n_reached):
            column = self.reached[k]
            if not self.is_settled[column] and (
                nearest < 0 or self.distance[column] < self.distance[nearest]
            ):
                nearest = column
        return nearest

    @cython.cfunc
    def _reprice(self, root: cython.Py_ssize_t) -> cython.void:
        """Let rows that are nearer than the path is long pay more, so that its edges are tight."""
        k: cython.Py_ssize_t
        column: cython.longlong
        nearer: cython.longlong
        self.profit[root] -= self.length
        for k in range(self.n_reached):
            column = self.reached[k]
            if self.is_settled[column]:
                nearer = self.length - self.distance[column]
                self.price[column] += nearer
                self.profit[self.owner[column]] -= nearer

    @cython.cfunc
    def _augment(self, root: cython.Py_ssize_t) -> cython.void:
        """Give each row on the path from *root* the column that follows it there."""
        column: cython.longlong = self.end
        row: cython.longlong
        old: cython.longlong
        if column < 0:
            if self.left_out == root:
                return
            column = self.column[self.edge_of[self.left_out]]
            self.edge_of[self.left_out] = -1
        while True:
            row = self.via_row[column]
            old = self.edge_of[row]
            self.edge_of[row] = self.via[column]
            self.owner[column] = row
            if row == root:
                return
            column = self.column[old]

    @cython.cfunc
    def _forget(self) -> cython.void:
        k: cython.Py_ssize_t
        for k in range(self.n_reached):
            self.via[self.reached[k]] = -1
            self.is_settled[self.reached[k]] = 0
        self.n_reached = 0

    @cython.cfunc
    def _finish(self) -> cython.longlong:
        """Write what the caller reads, and return the value: all profits and prices."""
        row: cython.Py_ssize_t
        column: cython.Py_ssize_t
        edge: cython.Py_ssize_t
        total: cython.longlong = 0
        for row in range(self.n_rows):
            total += self.profit[row]
            for edge in range(self.first[row], self.first[row + 1]):
                self.chosen[edge] = 0
                self.ceiling[edge] = self.profit[row] + self.price[self.column[edge]]
            if self.edge_of[row] >= 0:
                self.chosen[self.edge_of[row]] = 1
        for column in range(self.n_columns):
            total += self.price[column]
        return total
