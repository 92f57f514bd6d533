from ppy_pjrt import Buffer, Client, CompileOptions, InMemoryStore

client = Client("cpu", kv_store=InMemoryStore())
exe = client.compile("module {}", CompileOptions(num_replicas=2))
out: Buffer = exe(1.0)[0]
text: str = out.dtype
