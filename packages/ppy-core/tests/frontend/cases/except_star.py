# except*
def run(*errors, extra=None):
    try:
        try:
            raise ExceptionGroup("group", list(errors))
        except* ValueError as e:
            print("value", e.exceptions)
            if extra:
                raise extra
        except* (KeyError, TypeError) as e:
            print("key or type", e.exceptions)
        except* OSError:
            print("os")
        else:
            print("else")
        finally:
            print("finally")
    except BaseException as e:
        print("left", repr(e), repr(e.__context__))


run(ValueError(1), KeyError(2))
run(ValueError(1), RuntimeError(3), ExceptionGroup("inner", [TypeError(4), ValueError(5)]))
run(ValueError(1), extra=IndexError("raised inside"))
run(ValueError(1), OSError(2), RuntimeError(3), extra=IndexError("raised inside"))


def naked():
    try:
        raise ValueError("naked")
    except* ValueError as e:
        print(repr(e))
    try:
        print("nothing")
    except* ValueError:
        print("no")
    else:
        print("else")
    try:
        print(e)
    except UnboundLocalError as error:
        print(error)


naked()
