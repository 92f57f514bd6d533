"""Coroutines, asynchronous generators, comprehensions, context managers."""
import asyncio
import inspect
import types


class Manager:
    def __init__(self, name, suppress=False):
        self.name = name
        self.suppress = suppress

    async def __aenter__(self):
        await asyncio.sleep(0)
        print("enter", self.name)
        return self.name

    async def __aexit__(self, kind, value, tb):
        print("exit", self.name, kind and kind.__name__, value)
        return self.suppress


async def ticker(n):
    try:
        for i in range(n):
            got = yield i
            if got:
                print("asent", got)
            await asyncio.sleep(0)
    finally:
        print("ticker closed")


class AsyncIterable:
    def __init__(self, n):
        self.n = n

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.n == 0:
            raise StopAsyncIteration
        self.n -= 1
        return self.n


class Awaitable:
    def __await__(self):
        yield from asyncio.sleep(0).__await__()
        return "awaited"


async def add(a, b):
    await asyncio.sleep(0)
    return a + b


async def failing():
    await asyncio.sleep(0)
    raise ValueError("async failure")


@types.coroutine
def old_style():
    value = yield from asyncio.sleep(0, "old").__await__()
    return value


async def main():
    print(await add(1, 2), await Awaitable())
    async with Manager("a") as name, Manager("b"):
        print("inside", name)
    async with Manager("s", suppress=True):
        raise KeyError("suppressed")
    try:
        async with Manager("t"):
            await failing()
    except ValueError as e:
        print("caught", e)
    async for i in ticker(3):
        print("tick", i)
    else:
        print("exhausted")
    async for i in AsyncIterable(5):
        if i == 2:
            break
        print("item", i)
    print([x async for x in AsyncIterable(3)], {x: await add(x, x) async for x in ticker(2)})
    print([await add(x, 1) for x in range(3)], [y async for y in (z * 2 async for z in AsyncIterable(3))])
    print(await asyncio.gather(*(add(i, i) for i in range(3))))
    gen = ticker(3)
    print(await gen.__anext__(), await gen.asend("hello"))
    await gen.aclose()
    try:
        await 5
    except TypeError as e:
        print(e)
    try:
        async with 5:
            pass
    except TypeError as e:
        print(e)
    try:
        async for x in 5:
            pass
    except TypeError as e:
        print(e)
    try:
        await asyncio.wait_for(asyncio.sleep(10), 0.001)
    except asyncio.TimeoutError:
        print("timeout")
    task = asyncio.ensure_future(cancelled())
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print("cancelled outside")
    lock = asyncio.Lock()
    async with lock:
        print(lock.locked())
    return "finished"


async def cancelled():
    try:
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        print("cancelled inside")
        raise
    finally:
        print("cancel cleanup")


print(inspect.iscoroutinefunction(main), inspect.isasyncgenfunction(ticker))
print(asyncio.run(main()))
c = add(1, 2)
print(type(c).__name__, c.__name__, c.cr_code.co_name)
c.close()
