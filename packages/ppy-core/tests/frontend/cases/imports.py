# Import statements: names bound, errors, star, inside functions and classes.
import collections.abc
import os.path as p
import xml.dom.minidom as dom, json
from math import floor as fl, pi
from os import path

print(collections.abc.Mapping.__name__, p is path, dom.__name__, json.__name__, fl(pi))


def local():
    import math
    from math import sqrt as root

    return math.pi, root(4)


class Holder:
    import string

    from string import digits


print(local(), Holder.string.digits == Holder.digits)
try:
    from math import nothing_here
except ImportError as e:
    print(e)
try:
    import no_such_module_at_all.inner
except ModuleNotFoundError as e:
    print(e, e.name)
try:
    import math.inner
except ModuleNotFoundError as e:
    print(e)
try:
    from . import sibling
except ImportError as e:
    print(e)
from string import *

print(digits, "capwords" in globals())
