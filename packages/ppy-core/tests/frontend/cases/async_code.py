# Coroutines, async for, async with, async comprehensions, async generators.
import asyncio


class Awaitable:
    def __init__(self, v):
        self.v = v

    def __await__(self):
        got = yield self.v
        return got


class Range:
    def __init__(self, n):
        self.n, self.i = n, 0

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.i == self.n:
            raise StopAsyncIteration
        self.i += 1
        return self.i


class Manager:
    def __init__(self, name, suppress=False):
        self.name, self.suppress = name, suppress

    async def __aenter__(self):
        print("aenter", self.name)
        return self.name

    async def __aexit__(self, kind, value, tb):
        print("aexit", self.name, kind and kind.__name__)
        return self.suppress


async def agen(n):
    try:
        for i in range(n):
            got = yield i
            if got:
                print("got", got)
    finally:
        print("agen finally")


async def add(a, b):
    await asyncio.sleep(0)
    return a + b


async def loops():
    out = []
    async for i in Range(5):
        if i == 2:
            continue
        if i == 4:
            break
        out.append(i)
    else:
        out.append("no")
    async for i in Range(1):
        out.append(i)
    else:
        out.append("else")
    return out


async def contexts():
    async with Manager("a") as a, Manager("b", suppress=True) as b:
        print(a, b)
        raise ValueError("suppressed")
    try:
        async with Manager("c"):
            raise KeyError("out")
    except KeyError as e:
        print(e)
    for i in range(2):
        async with Manager(i):
            if i == 0:
                continue
            return "returned"


async def comprehensions():
    print([i async for i in Range(3)], {i async for i in Range(2)}, {i: j async for i in Range(2) for j in [i * i]})
    print([await add(i, 1) for i in range(3)], [[j async for j in Range(i)] for i in range(3)])
    print([i async for i in (x * 2 async for x in agen(3)) if i])
    print([await add(i, j) async for i in Range(2) for j in range(2)])


async def failing():
    async for i in Awaitable(1):
        pass


async def main():
    print(await loops(), await contexts())
    await comprehensions()
    print(await asyncio.gather(add(1, 2), add(3, 4)))
    g = agen(5)
    print(await g.asend(None), await g.asend("hi"))
    await g.aclose()
    for bad in (failing,):
        try:
            await bad()
        except TypeError as e:
            print(e)
    try:
        async with 5:
            pass
    except TypeError as e:
        print(e)
    x = lambda: (await_ for await_ in [1])
    return list(x())


print(asyncio.run(main()))


async def manual():
    return await Awaitable("yielded")


c = manual()
print(c.send(None))
try:
    c.send("sent back")
except StopIteration as e:
    print(e.value)
