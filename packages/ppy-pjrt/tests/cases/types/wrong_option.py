from ppy_pjrt import CompileOptions

CompileOptions(num_replicas="2")
