from ppy_pjrt import Client

Client("cpu").put(b"", device=0)
