"""StableHLO programs the tests share."""

from __future__ import annotations

ADD = """module @add { func.func public @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.add %a, %b : tensor<2x3xf32>
  return %0 : tensor<2x3xf32> } }"""

STEP = """module @step { func.func public @main(%a: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<8xf32>)
    -> tensor<8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32> } }"""

COLUMN_MAJOR = """module @columns { func.func public @main(%a: tensor<2x3xf32>)
    -> (tensor<2x3xf32> {mhlo.layout_mode = "{0,1}"}) {
  %0 = stablehlo.add %a, %a : tensor<2x3xf32>
  return %0 : tensor<2x3xf32> } }"""

SLOW = """module @slow { func.func public @main(%a: tensor<600x600xf32>) -> tensor<600x600xf32> {
  %n = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %n, %x = %a) : tensor<i32>, tensor<600x600xf32>
   cond {
    %limit = stablehlo.constant dense<12> : tensor<i32>
    %c = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
   } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.dot %x, %x : (tensor<600x600xf32>, tensor<600x600xf32>) -> tensor<600x600xf32>
    %z = stablehlo.tanh %y : tensor<600x600xf32>
    stablehlo.return %j, %z : tensor<i32>, tensor<600x600xf32>
   }
  return %0#1 : tensor<600x600xf32> } }"""

ALL_REDUCE = """module @sum { func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%a) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32> } }"""

GSPMD = """module @sharded attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%a: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"})
      -> (tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
  %0 = stablehlo.multiply %a, %a : tensor<8xf32>
  return %0 : tensor<8xf32> } }"""

SHARDY = """module @sharded attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
      -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.multiply %a, %a : tensor<8xf32>
  return %0 : tensor<8xf32> } }"""


def identity(mlir: str, dims: str = "4x") -> str:
    """A program that gives its argument back."""
    kind = f"tensor<{dims}{mlir}>"
    return f"module {{ func.func public @main(%a: {kind}) -> {kind} {{ return %a : {kind} }} }}"


def custom_call(name: str, attributes: str = "", count: int = 4) -> str:
    """A program that is one call of an FFI handler."""
    kind = f"tensor<{count}xf32>"
    config = f", backend_config = {{{attributes}}}" if attributes else ""
    return f"""module {{ func.func public @main(%a: {kind}) -> {kind} {{
      %0 = stablehlo.custom_call @{name}(%a) {{api_version = 4 : i32{config}}} : ({kind}) -> {kind}
      return %0 : {kind} }} }}"""


def adds(arguments: int, size: int = 4) -> str:
    """A program that adds its arguments up."""
    kind = f"tensor<{size}xf32>"
    names = ", ".join(f"%a{i}: {kind}" for i in range(arguments))
    lines = [f"%s0 = stablehlo.add %a0, %a0 : {kind}"]
    lines += [f"%s{i} = stablehlo.add %s{i - 1}, %a{i} : {kind}" for i in range(1, arguments)]
    body = "\n".join(lines)
    return f"module {{ func.func public @main({names}) -> {kind} {{ {body}\n return %s{arguments - 1} : {kind} }} }}"
