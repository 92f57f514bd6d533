# f-strings in all forms.
class F:
    def __format__(self, spec):
        return f"<{spec}>"

    def __repr__(self):
        return "F()"

    def __str__(self):
        return "str"


x, width, prec, name = 3.14159, 10, 2, "né"
print(f"", f"plain", f"{x}", f"{x!r:>12}", f"{x:{width}.{prec}f}|", f"{x:>{width}}", f"{F():spec} {F()!s:4} {F()!r} {F()!a}")
print(f"{name!a} {name!r} {{literal}} {x=} {x = :.1f} {name=!s}", f"{'nested ' + f'{x:.1f}'}", f"{x:{'>' + str(width)}}")
print("implicit " f"{x:.2f}" " joined " f"{name}", f"{{}}", f"{[i for i in range(3)]}", f"{(lambda: 5)()}", rf"\n{x:.0f}\t")
print(f"{1 if x else 2}{x}{name}", f"""multi
{x
 :.1f}
line""")
try:
    f"{'a':d}"
except ValueError as e:
    print(e)
order = []
f"{order.append(1)}{order.append(2):{order.append(3) or ''}}{order.append(4)}"
print(order)
