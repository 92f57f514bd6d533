"""Customers of a shop queue at its tills: events in the order of time, with dataclasses and a heap.

    python main.py [TILLS]
"""

import heapq
import sys
from dataclasses import dataclass, field


@dataclass
class Customer:
    name: int
    arrives: int
    items: int
    served_at: int = -1

    @property
    def waited(self) -> int:
        return self.served_at - self.arrives


@dataclass(order=True)
class Event:
    time: int
    sequence: int
    kind: str = field(compare=False)
    customer: Customer | None = field(compare=False, default=None)


@dataclass
class Shop:
    tills: int
    waiting: list[Customer] = field(default_factory=list)
    served: list[Customer] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    sequence: int = 0

    def schedule(self, time: int, kind: str, customer: Customer | None = None) -> None:
        heapq.heappush(self.events, Event(time, self.sequence, kind, customer))
        self.sequence += 1

    def run(self) -> int:
        """Serve everybody; the time of the last event."""
        now = 0
        free = self.tills
        while self.events:
            event = heapq.heappop(self.events)
            now = event.time
            if event.kind == "arrives":
                assert event.customer is not None
                self.waiting.append(event.customer)
            else:
                free += 1
            while free and self.waiting:
                customer = self.waiting.pop(0)
                customer.served_at = now
                self.served.append(customer)
                free -= 1
                self.schedule(now + 10 + 3 * customer.items, "leaves")
        return now


def customers(count: int) -> list[Customer]:
    """Customers whose arrival and shopping come from a small generator of random numbers."""
    state = 12345
    found = []
    time = 0
    for name in range(count):
        state = (state * 1103515245 + 12345) % 2147483648
        time += state >> 16 & 31
        found.append(Customer(name, time, state >> 24 & 15))
    return found


def main() -> None:
    for tills in [int(sys.argv[1])] if len(sys.argv) > 1 else [1, 2, 3]:
        shop = Shop(tills)
        for customer in customers(500):
            shop.schedule(customer.arrives, "arrives", customer)
        closed = shop.run()
        waits = sorted(customer.waited for customer in shop.served)
        median, longest = waits[len(waits) // 2], waits[-1]
        print(f"{tills} tills: the median wait is {median} s, the longest {longest} s, the last leaves at {closed} s")


if __name__ == "__main__":
    main()
