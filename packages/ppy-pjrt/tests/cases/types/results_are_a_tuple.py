from ppy_pjrt import Buffer, Client

out: Buffer = Client("cpu").compile("module {}")(1.0)
