import os
from a.b import c as d
X = 3
class A(B):
    y: int = 2
    def f(self, a, b=1, *args, k: int = 2, **kw) -> int:
        """doc"""
        if a < b <= 3 and not k or a not in [1, 2]:
            return self.x[a:b:-1]
        elif a is None:
            pass
        else:
            a += 1
        for i, j in enumerate(xs):
            x, y = y, x
            z = foo(1, *u, k=3, **w).bar if a else -b
        while True:
            break
        with open(p) as f, g: pass
        try:
            raise E("x") from e
        except (V, W) as e:
            continue
        finally:
            del q
        return [x for x in xs if x > 1], {1: 2, **q}, {3}, (yield 5), lambda t: t + 1, f"a{b!r:>3}c", "s" "t"
    assert x, "y"
    global t
    (n := 10)
    print(*a, sep="")
    x[1] = 2; x.y = 3
    match p:
        case 1: pass
    async def g(): await z
    @dec
    def h(): nonlocal n
