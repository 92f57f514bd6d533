from ppy_pjrt import Client


class Store:
    def put(self, key: bytes, value: bytes) -> None: ...


Client("cpu", kv_store=Store())
