# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The best one-to-one choice of edges between rows and columns, with prices that prove it best.

Shortest augmenting paths (Kuhn 1955, Tomizawa 1971): each row in turn is brought in along the path
that costs least, which may end with some row left out. When values have changed a little, the old
choice and prices are nearly right: only rows whose edge is no longer best for them are brought in
again, and then columns that cost something and that nobody has.
"""

from typing import Any

import cython

from exactmatch.problem.integers import zeros
from exactmatch.stopping.deadline import Deadline

#: So many bids for each row at most.
_BIDS = cython.declare(cython.int, 4)
#: Edges looked at between two looks at the clock.
_INTERVAL = cython.declare(cython.longlong, 1 << 18)


@cython.final
@cython.cclass
class Assignment:
    """Chooses edges of the highest value, at most one in each row and each column.

    The edges of row r are ``first[r] .. first[r + 1] - 1``, and ``column[e]`` is the column of edge
    e. Three more arrays are shared with the caller, by edge: *value* is read by `solve`; edges of
    value 0 or less are never chosen. `solve` writes *chosen*, 1 or 0, and *ceiling*, up to which
    the value of any one edge could rise without a better choice coming about.

    The invariant is what makes the choice best, and the prices its proof. It takes rows and columns
    alike, as the *nodes* of a graph: first the rows, then the columns. A row asks a price, its
    profit, as a column does.

    * dual feasibility: prices are not negative, and those of both ends of an edge add up to its
      value or more;
    * complementary slackness: exactly so for chosen edges, and nodes without chosen edge are free.

    `solve` raises `OutOfTime` if *deadline* comes meanwhile; its output is then invalid.
    """

    n_rows: cython.Py_ssize_t
    n_columns: cython.Py_ssize_t
    first: cython.longlong[::1]
    column: cython.longlong[::1]
    value: cython.longlong[::1]
    chosen: cython.longlong[::1]
    ceiling: cython.longlong[::1]
    # By node: what it costs, the edge that it is assigned by, or -1, and where its edges begin in
    # *edges*, with the nodes at their other ends in *others*.
    price: cython.longlong[::1]
    edge_of: cython.longlong[::1]
    partner: cython.longlong[::1]
    start: cython.longlong[::1]
    edges: cython.longlong[::1]
    others: cython.longlong[::1]
    # While a node is brought in: the nodes of the other side that have a distance from it, and for
    # each of them that distance, the edge and the node from which it was reached, if it is settled.
    reached: cython.longlong[::1]
    n_reached: cython.Py_ssize_t
    distance: cython.longlong[::1]
    via: cython.longlong[::1]
    via_node: cython.longlong[::1]
    is_settled: cython.longlong[::1]
    # And the shortest augmenting path, see `_find_path`.
    end: cython.longlong
    left_out: cython.longlong
    length: cython.longlong
    _prices: Any  # price, to be copied
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
        node: cython.Py_ssize_t
        n_nodes: cython.Py_ssize_t
        n_edges: cython.Py_ssize_t
        self._deadline = deadline
        self.work = 0
        self.n_rows = len(first) - 1
        self.n_columns = n_columns
        self.first = first
        self.column = column
        self.value = value
        self.chosen = chosen
        self.ceiling = ceiling
        n_nodes = self.n_rows + self.n_columns
        n_edges = self.first[self.n_rows] - self.first[0]
        self._prices = zeros(n_nodes)
        self.price = self._prices
        # Of one array where they are compiled; a slice of a list is a list of its own.
        block: cython.longlong[::1] = zeros(8 * n_nodes + 1 + 4 * n_edges)
        self.edge_of = block[:n_nodes]
        self.partner = block[n_nodes : 2 * n_nodes]
        self.reached = block[2 * n_nodes : 3 * n_nodes]
        self.distance = block[3 * n_nodes : 4 * n_nodes]
        self.via = block[4 * n_nodes : 5 * n_nodes]
        self.via_node = block[5 * n_nodes : 6 * n_nodes]
        self.is_settled = block[6 * n_nodes : 7 * n_nodes]
        self.start = block[7 * n_nodes : 8 * n_nodes + 1]
        block = block[8 * n_nodes + 1 :]
        self.edges = block[: 2 * n_edges]
        self.others = block[2 * n_edges :]
        for node in range(n_nodes):
            self.edge_of[node] = self.partner[node] = self.via[node] = -1
        self._link(n_nodes)
        self.n_reached = 0
        self.end = self.left_out = -1
        self.length = 0

    @cython.cfunc
    def _link(self, n_nodes: cython.Py_ssize_t) -> cython.void:
        """Fill the arrays of the edges of each node, by counting."""
        row: cython.Py_ssize_t
        e: cython.Py_ssize_t
        k: cython.Py_ssize_t
        node: cython.longlong
        for row in range(self.n_rows):
            self.start[row + 1] = self.first[row + 1] - self.first[0]
        for e in range(self.first[0], self.first[self.n_rows]):
            self.start[self.n_rows + self.column[e] + 1] += 1
        for k in range(self.n_rows, n_nodes):
            self.start[k + 1] += self.start[k]
        filled: cython.longlong[::1] = zeros(n_nodes)
        for k in range(n_nodes):
            filled[k] = self.start[k]
        for row in range(self.n_rows):
            for e in range(self.first[row], self.first[row + 1]):
                node = self.n_rows + self.column[e]
                k = e - self.first[0]
                self.edges[k] = e
                self.others[k] = node
                k = filled[node]
                self.edges[k] = e
                self.others[k] = row
                filled[node] += 1

    def prices(self) -> Any:
        """Return the prices of the columns after `solve`; no price is negative."""
        return self._prices[self.n_rows :]

    def size(self) -> int:
        """Return how many edges can be chosen at most."""
        return min(self.n_rows, self.n_columns)

    def total(self) -> int:
        """Return the value of the choice of the last `solve`."""
        return sum(self.price)

    def solve(self) -> int:
        """Choose again, and return the value of the choice."""
        node: cython.Py_ssize_t
        self._release()
        self._let_bid()
        for node in range(self.n_rows):
            if self.edge_of[node] < 0:
                self.price[node] = self._best_net(node)
                self._bring_in(node)
        for node in range(self.n_rows, self.n_rows + self.n_columns):
            if self.edge_of[node] < 0 and self.price[node] > 0:
                self._bring_in(node)
        return self._finish()

    @cython.cfunc
    def _release(self) -> cython.void:
        """Let each row ask its best profit; remove its edge if another is better now."""
        row: cython.Py_ssize_t
        edge: cython.longlong
        for row in range(self.n_rows):
            self._look_at_clock(row)
            self.price[row] = self._best_net(row)
            edge = self.edge_of[row]
            if edge >= 0 and (
                self.value[edge] <= 0
                or self.value[edge] - self.price[self.partner[row]] < self.price[row]
            ):
                self._part(row)

    @cython.cfunc
    def _let_bid(self) -> cython.void:
        """Let rows bid for columns, while that is fast (Jonker and Volgenant 1987)."""
        row: cython.longlong
        first: cython.Py_ssize_t
        bids: cython.Py_ssize_t = 0
        for first in range(self.n_rows):
            row = first
            while row >= 0 and self.edge_of[row] < 0 and bids < _BIDS * self.n_rows:
                row = self._bid(row)
                bids += 1

    @cython.cfunc
    def _bid(self, row: cython.longlong) -> cython.longlong:
        """Give *row* the column that is best for it, at the price at which another is as good.

        Returns the row that has lost the column, if it is worth while that this one bids now.
        """
        edge: cython.Py_ssize_t
        chosen: cython.longlong = -1
        net: cython.longlong
        best: cython.longlong = 0
        second: cython.longlong = 0
        column: cython.longlong
        loser: cython.longlong
        self._look_at_clock(row)
        for edge in range(self.first[row], self.first[row + 1]):
            net = self.value[edge] - self.price[self.n_rows + self.column[edge]]
            if net > second:
                if net > best:
                    second = best
                    best = net
                    chosen = edge
                else:
                    second = net
        self.price[row] = best
        if chosen < 0:
            return -1
        column = self.n_rows + self.column[chosen]
        loser = self.partner[column]
        if loser >= 0 and best == second:
            return -1  # no price tells the two apart: a path has to be found
        if loser >= 0:
            self._part(loser)
            self.price[column] += best - second
            self.price[row] = second
        self._join(row, column, chosen)
        return loser

    @cython.cfunc
    @cython.exceptval(check=False)
    def _join(
        self, row: cython.longlong, column: cython.longlong, edge: cython.longlong
    ) -> cython.void:
        self.edge_of[row] = edge
        self.edge_of[column] = edge
        self.partner[row] = column
        self.partner[column] = row

    @cython.cfunc
    @cython.exceptval(check=False)
    def _part(self, node: cython.longlong) -> cython.void:
        other: cython.longlong = self.partner[node]
        self.edge_of[node] = self.edge_of[other] = -1
        self.partner[node] = self.partner[other] = -1

    @cython.cfunc
    def _bring_in(self, root: cython.Py_ssize_t) -> cython.void:
        """Assign *root*, or leave out whichever node of its side is missed least."""
        self._find_path(root)
        self._reprice(root)
        self._augment(root)
        self._forget()

    @cython.cfunc
    def _find_path(self, root: cython.Py_ssize_t) -> cython.void:
        """Find a shortest augmenting path from *root* by the algorithm of Dijkstra (1959).

        An edge that is not chosen is as long as the prices of its ends exceed its value, a chosen
        one has length 0: none is negative, as the invariant says. A path ends in a node of the
        other side that nobody has, or in one of this side that is left out, which adds its price to
        the length.

        Leaves in *end* the former, or -1, and in *left_out* the latter, which may be *root* itself.
        """
        node: cython.longlong = root
        so_far: cython.longlong = 0
        nearest: cython.longlong
        self.end = -1
        self.left_out = root
        self.length = self.price[root]
        while so_far < self.length:
            self._reach_from(node, so_far)
            nearest = self._nearest()
            if nearest < 0 or self.distance[nearest] >= self.length:
                return
            so_far = self.distance[nearest]
            if self.partner[nearest] < 0:
                self.end = nearest
                self.length = so_far
                return
            self.is_settled[nearest] = 1
            node = self.partner[nearest]
            if so_far + self.price[node] < self.length:
                self.left_out = node
                self.length = so_far + self.price[node]

    @cython.cfunc
    def _look_at_clock(self, node: cython.longlong) -> cython.bint:
        """Count the edges of *node*, the next one; check the clock now and then."""
        self.work += self.start[node + 1] - self.start[node] + 1
        if self.work < _INTERVAL:
            return False
        self.work = 0
        self._deadline.check()
        return True

    @cython.cfunc
    def _best_net(self, row: cython.longlong) -> cython.longlong:
        """Return the most that an edge of *row* is worth above the price of its column, or 0."""
        edge: cython.Py_ssize_t
        net: cython.longlong
        best: cython.longlong = 0
        for edge in range(self.first[row], self.first[row + 1]):
            net = self.value[edge] - self.price[self.n_rows + self.column[edge]]
            if net > best:
                best = net
        return best

    @cython.cfunc
    def _reach_from(self, node: cython.longlong, so_far: cython.longlong) -> cython.void:
        """Note how near others are by edges of *node*, which is at distance *so_far*."""
        k: cython.Py_ssize_t
        edge: cython.longlong
        other: cython.longlong
        distance: cython.longlong
        self._look_at_clock(node)
        so_far += self.price[node]
        for k in range(self.start[node], self.start[node + 1]):
            edge = self.edges[k]
            other = self.others[k]
            if self.value[edge] <= 0 or self.is_settled[other]:
                continue
            distance = so_far + self.price[other] - self.value[edge]
            if distance >= self.length:
                continue
            if self.via[other] < 0:
                self.reached[self.n_reached] = other
                self.n_reached += 1
            elif distance >= self.distance[other]:
                continue
            self.distance[other] = distance
            self.via[other] = edge
            self.via_node[other] = node

    @cython.cfunc
    @cython.exceptval(check=False)
    def _nearest(self) -> cython.longlong:
        """Return the nearest node that is reached and not settled, or -1."""
        k: cython.Py_ssize_t
        node: cython.longlong
        nearest: cython.longlong = -1
        self.work += self.n_reached
        for k in range(self.n_reached):
            node = self.reached[k]
            if not self.is_settled[node] and (
                nearest < 0 or self.distance[node] < self.distance[nearest]
            ):
                nearest = node
        return nearest

    @cython.cfunc
    @cython.exceptval(check=False)
    def _reprice(self, root: cython.Py_ssize_t) -> cython.void:
        """Change the prices of nodes that are nearer than the path is long: its edges get tight."""
        k: cython.Py_ssize_t
        node: cython.longlong
        nearer: cython.longlong
        self.price[root] -= self.length
        for k in range(self.n_reached):
            node = self.reached[k]
            if self.is_settled[node]:
                nearer = self.length - self.distance[node]
                self.price[node] += nearer
                self.price[self.partner[node]] -= nearer

    @cython.cfunc
    @cython.exceptval(check=False)
    def _augment(self, root: cython.Py_ssize_t) -> cython.void:
        """Give each node on the path from *root* the one that follows it there."""
        other: cython.longlong = self.end
        node: cython.longlong
        old: cython.longlong
        if other < 0:
            if self.left_out == root:
                return
            other = self.partner[self.left_out]
            self._part(other)
        while True:
            node = self.via_node[other]
            old = self.partner[node]
            self._join(node, other, self.via[other])
            if node == root:
                return
            other = old

    @cython.cfunc
    @cython.exceptval(check=False)
    def _forget(self) -> cython.void:
        k: cython.Py_ssize_t
        for k in range(self.n_reached):
            self.via[self.reached[k]] = -1
            self.is_settled[self.reached[k]] = 0
        self.n_reached = 0

    @cython.cfunc
    def _finish(self) -> cython.longlong:
        """Write the output for the caller, and return the value: the sum of all prices."""
        node: cython.Py_ssize_t
        edge: cython.Py_ssize_t
        total: cython.longlong = 0
        for node in range(self.n_rows):
            for edge in range(self.first[node], self.first[node + 1]):
                self.chosen[edge] = 0
                self.ceiling[edge] = self.price[node] + self.price[self.n_rows + self.column[edge]]
            if self.edge_of[node] >= 0:
                self.chosen[self.edge_of[node]] = 1
        for node in range(self.n_rows + self.n_columns):
            total += self.price[node]
        return total
