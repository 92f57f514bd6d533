# Where errors of every kind of operation are reported, to the column.
import asyncio, sys
# generators and unwinding
def g1():
    with open(__file__) as fh:
        yield fh.readline()[:6]
        yield fh.closed
print(list(g1()))
async def agen():
    for i in range(3):
        yield i
        await asyncio.sleep(0)
async def main():
    async with asyncio.timeout(5):
        r = [x async for x in agen() if x]
        async for y in agen():
            if y == 1: break
        else: print("no")
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(boom())
            tg.create_task(asyncio.sleep(1))
    except* ValueError as eg:
        print([repr(e) for e in eg.exceptions])
    return r, y, [await z for z in [asyncio.sleep(0, 1), asyncio.sleep(0, 2)]]
async def boom(): raise ValueError("b")
print(asyncio.run(main()))
def tb():
    import traceback
    class X:
        def __getattr__(self, n): raise AttributeError(n)
        def __bool__(self): raise TypeError("bool")
        def __iter__(self): raise TypeError("iter")
        def __enter__(self): raise TypeError("enter")
        def __exit__(self, *a): raise TypeError("exit")
        def __eq__(self, o): raise TypeError("eq")
        def __contains__(self, o): raise TypeError("contains")
        def __getitem__(self, o): raise TypeError("getitem")
        def __setitem__(self, o, v): raise TypeError("setitem")
        def __format__(self, s): raise TypeError("format")
        def __call__(self, *a, **k): raise TypeError("call")
        def __add__(self, o): raise TypeError("add")
        def __hash__(self): raise TypeError("hash")
    x = X()
    def c1(): return (x
                      .foo
                      .bar)
    def c2():
        if (1 and
            x): pass
    def c3():
        for i in (
            x): pass
    def c4():
        with x as y: pass
    def c5():
        a, b = x
    def c6():
        x[1
          ] = 5
    def c7(): return f"a{x}" \
                     f"b{x:d}"
    def c8(): return x(
        1,
        *[2],
        **{})
    def c9(): return [i for i in range(3)
                      if x]
    def c10(): return {x: 1}
    def c11(): return 1 in x
    def c12():
        match x:
            case 1: pass
    def c13():
        z = 1
        z += (
            x + 1)
    def c14():
        assert x, "msg"
    def c15():
        while x: pass
    def c16(): return not x
    def c17(): return 1 if x else 2
    def c18(): return x.foo(
        1)
    def c19(): del x[0], q
    def c20():
        try:
            1/0
        except x.foo: pass
    def c21(): return (yield)
    def c22(): import nonexistent_mod
    def c23(): from os import nonexistent_name
    def c24(): return -x
    def c25(): return x < 1 < 2
    def c26(): return [*x]
    def c27(): return {**x}
    def c28():
        class K(x.base): pass
    def c29():
        @x.deco
        def f(): pass
    def c30(a=1):
        return undefined_name
    def c31():
        return a31; a31 = 1
    def c32(): raise x.err from None
    def c33(): x.y.z = 1
    def c34(): return x[1:2], 1
    def c35(): return (lambda: x.foo)()
    def c36():
        (a, *b), c = x, 1
    def c37(): print(*x)
    def c38(): return "%s %r" % (x.foo, 1)
    for k, f in sorted(locals().copy().items(), key=lambda p: (len(p[0]), p[0])):
        if k[0] == "c" and k[1:].isdigit():
            try: f()
            except Exception as e:
                fs = traceback.extract_tb(e.__traceback__)
                print(k, type(e).__name__, str(e)[:60], [(s.name, s.lineno, s.end_lineno, s.colno, s.end_colno) for s in fs[1:]])
tb()
