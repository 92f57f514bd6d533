# Small programs for corners where several rules meet.
class A:
    def f(self):
        return [__class__ for _ in range(1)], (lambda: __class__)()
    g = lambda self: super().__init__()
print(A().f(), A().g())
class B(A):
    def f(self):
        return [super().f() for _ in range(1)] if False else super().f()
    def h(self):
        class C:
            nonlocal_class = __class__
            def k(s): return __class__
        return C.nonlocal_class, C().k()
print(B().f(), B().h())
def f(x):
    def g():
        return [x + y for y in [z for z in range(x)]]
    return [(x, g()) for x in range(x)], x
print(f(3))
def h():
    a = 1
    def k():
        nonlocal a
        [a := a + i for i in range(3)]
        return a
    return k(), a
print(h())
def gen():
    x = yield from (i for i in range(2))
    try:
        yield 5
    except ValueError:
        yield 6
    finally:
        print("fin")
g = gen(); print(next(g), next(g), next(g), g.throw(ValueError)); del g
class Meta(type):
    def __prepare__(n, b): return {"pre": 1}
class D(metaclass=Meta):
    pre
    y = pre + 1
    def m(self, z=y, *, w=pre): return z, w
    for i in range(2):
        def n(self, i=i): return i
    del i
print(D.y, D().m(), D().n())
def outer():
    try:
        return [lambda: e for e in [1,2]]
    except Exception as e:
        pass
print([q() for q in outer()])
def deco(*a):
    print("deco", a); return lambda f: f
@deco(1)
@deco(x := 2)
class E: pass
print(x)
def kw(*, a, b=2, **k): return a, b, k
print(kw(a=1, c=3), kw(**{"a": 1}, b=5))
def ff(a, b): 
    del a
    b: int
    try: return a
    except UnboundLocalError as ex: return str(ex), b
print(ff(1, 2))
def star(*args): return args
print(star(*[1], 2, *(3,), *{4: 5}), [*map(str, range(3))])
i = 0
def side(v):
    global i
    i += 1
    return i, v
print({side(1): side(2), **{side(3): side(4)}, side(5): side(6)})
print(side("a") < side("b") < side("c"), side("x") if side("y") else side("z"))
lst = [0, 1, 2]
i = 0
i, lst[i] = 1, 9
print(i, lst)
lst[i], i = 5, 2
print(i, lst)
def rec(n=3):
    while n:
        n -= 1
        try:
            if n == 2: continue
            try:
                if n == 1: raise KeyError(n)
            except KeyError:
                continue
            else:
                return "else"
        finally:
            print("f", n)
    else:
        return "loop else"
print(rec())
def nested_handlers():
    try:
        raise A1
    except NameError as e:
        try:
            raise TypeError("t") from e
        except TypeError as e:
            print(repr(e), repr(e.__cause__))
        try:
            print(e)
        except UnboundLocalError as u:
            print(u)
nested_handlers()
def ret_in_with():
    class M:
        def __enter__(s): return s
        def __exit__(s, *a): print("exit", a[0]); return True
    with M() as m:
        for k in range(3):
            with M():
                if k: break
                raise ValueError
        return k
print(ret_in_with())
print(f"{1:{2}{3}}|{'a' 'b'!r:>{5}}|{{}}{3!s}", f'{(lambda x: x)(1)}', f"{'' if 1 else 2}")
def f_many():
    a = b = c = 0
    for a in range(3):
        if a == 1: b = a
        else:
            for c in range(a):
                if c: break
            else: b += 10
    return a, b, c
print(f_many())
assert (1, "always true tuple") if False else True
def yields_in_try():
    for n in range(3):
        try:
            x = yield n
        except GeneratorExit:
            print("exit"); raise
        except Exception as e:
            print("caught", e); yield -n
        else:
            print("else", x)
y = yields_in_try(); next(y); print(y.throw(RuntimeError("r"))); print(y.send(1)); print(y.send(2)); y.close()
print((lambda *, k=1: k)(), (lambda a, /, b, *c, d=4, **e: (a, b, c, d, e))(1, 2, 3, f=5))
global_in = 1
class G:
    global global_in
    global_in = 2
    def global_in(self): return 3
print(type(global_in).__name__, "global_in" in vars(G))
exec("z1 = [q for q in range(3)]"); print(z1)
try:
    [][0]
except (IndexError, *(KeyError,)) as e: print(e)
def t():
    try: pass
    finally:
        try: return 1
        finally: print("inner")
print(t())
def infinite():
    n = 0
    while True:
        try:
            n += 1
            if n < 3: continue
            if n == 5: return n
        except: pass
print(infinite())
