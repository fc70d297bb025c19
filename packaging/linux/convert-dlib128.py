#!/usr/bin/env python3
"""Converts face-api's face recognition weights (dlib's ResNet) to ONNX.

usage: convert-dlib128.py MANIFEST.json WEIGHTS.bin OUT.onnx

Needs only the standard library. The output depends on nothing but the two inputs: the same bytes on every machine, so its SHA-256
can be pinned in pack.yaml.

Weights: the manifest lists tensors in the order of the .bin file; a quantised one is bytes q with value q * scale + min, any other one
is little-endian float32. Filters are stored height, width, in, out; ONNX wants out, in, height, width.
Topology (not in the manifest; follows face-api.js src/faceRecognitionNet): 7x7/2 convolution, 3x3/2 max pool, residual blocks of
32, 64, 128 and 256 channels, global mean, 256 -> 128. Each convolution is followed by a per-channel scale, folded into it here.
"""

import json
import struct
import sys

INPUT_SIZE = 150
STAGES = [  # (name in the manifest, "down" halves the picture)
    ("conv32_1", False), ("conv32_2", False), ("conv32_3", False),
    ("conv64_down", True), ("conv64_1", False), ("conv64_2", False), ("conv64_3", False),
    ("conv128_down", True), ("conv128_1", False), ("conv128_2", False),
    ("conv256_down", True), ("conv256_1", False), ("conv256_2", False),
    ("conv256_down_out", True),
]


# --- protocol buffers: only what onnx.proto3 needs here -----------------------------------------------------------------------

def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def chunk(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def ints_attribute(name, values):  # AttributeProto: name 1, ints 8, type 20 (INTS = 7)
    return chunk(1, name) + b"".join(number(8, v) for v in values) + number(20, 7)


def int_attribute(name, value):  # i 3, type INT = 2
    return chunk(1, name) + number(3, value) + number(20, 2)


def text_attribute(name, value):  # s 4, type STRING = 3
    return chunk(1, name) + chunk(4, value) + number(20, 3)


def node(operator, inputs, output, *attributes):  # NodeProto: input 1, output 2, name 3, op_type 4, attribute 5
    return (b"".join(chunk(1, name) for name in inputs) + chunk(2, output) + chunk(3, output) + chunk(4, operator) +
            b"".join(chunk(5, attribute) for attribute in attributes))


def tensor(name, shape, raw):  # TensorProto: dims 1, data_type 2 (FLOAT = 1), name 8, raw_data 9
    return b"".join(number(1, side) for side in shape) + number(2, 1) + chunk(8, name) + chunk(9, raw)


def value_info(name, shape):  # ValueInfoProto: name 1, type 2 > tensor_type 1 > (elem_type 1, shape 2 > dim 1 > dim_value 1)
    dims = b"".join(chunk(1, number(1, side)) for side in shape)
    return chunk(1, name) + chunk(2, chunk(1, number(1, 1) + chunk(2, dims)))


# --- weights ------------------------------------------------------------------------------------------------------------------

class Tensor:
    """One stored tensor: `items[i]` is a byte to be looked up in `table`, or already a value."""

    def __init__(self, shape, items, table):
        self.shape, self.items, self.table = shape, items, table

    def values(self):
        return [self.table[q] for q in self.items] if self.table else list(self.items)


def read_weights(manifest_file, weights_file):
    with open(manifest_file, encoding="utf-8") as stream:
        groups = json.load(stream)
    with open(weights_file, "rb") as stream:
        data = stream.read()
    tensors, at = {}, 0
    for weight in (weight for group in groups for weight in group["weights"]):
        count = 1
        for side in weight["shape"]:
            count *= side
        quantised = weight.get("quantization")
        if quantised:
            if quantised["dtype"] != "uint8":
                raise ValueError(f"{weight['name']}: unknown quantisation {quantised['dtype']}")
            table = [q * quantised["scale"] + quantised["min"] for q in range(256)]
            items, size = data[at:at + count], count
        else:
            table, size = None, 4 * count
            items = struct.unpack_from(f"<{count}f", data, at)
        tensors[weight["name"]] = Tensor(weight["shape"], items, table)
        at += size
    if at != len(data):
        raise ValueError(f"{weights_file}: {len(data)} bytes, the manifest describes {at}")
    return tensors


def folded(tensors, name):
    """Filters (raw float32, out-in-height-width), biases and filter shape of a convolution with its per-channel scale folded in."""
    filters = tensors[f"{name}/conv/filters"]
    scale = tensors[f"{name}/scale/weights"].values()
    height, width, channels_in, channels_out = filters.shape
    parts = []
    for o in range(channels_out):
        if filters.table:
            packed = [struct.pack("<f", value * scale[o]) for value in filters.table]
        for i in range(channels_in):
            taps = filters.items[i * channels_out + o::channels_in * channels_out]
            if filters.table:
                parts.extend(packed[q] for q in taps)
            else:
                parts.append(struct.pack(f"<{len(taps)}f", *(value * scale[o] for value in taps)))
    biases = [bias * scale[o] + offset for o, (bias, offset) in
              enumerate(zip(tensors[f"{name}/conv/bias"].values(), tensors[f"{name}/scale/biases"].values()))]
    return b"".join(parts), struct.pack(f"<{len(biases)}f", *biases), [channels_out, channels_in, height, width]


# --- graph --------------------------------------------------------------------------------------------------------------------

class Graph:
    def __init__(self, tensors):
        self.tensors, self.nodes, self.initializers = tensors, [], []

    def add(self, operator, inputs, output, *attributes):
        self.nodes.append(node(operator, inputs, output, *attributes))
        return output

    def conv(self, source, name, stride, pad, relu):
        filters, biases, shape = folded(self.tensors, name)
        self.initializers.append(tensor(f"{name}/w", shape, filters))
        self.initializers.append(tensor(f"{name}/b", shape[:1], biases))
        out = self.add("Conv", [source, f"{name}/w", f"{name}/b"], name, ints_attribute("kernel_shape", shape[2:]),
                       ints_attribute("strides", [stride, stride]), ints_attribute("pads", [pad] * 4))
        return self.add("Relu", [out], f"{name}/relu") if relu else out

    def padded(self, source, name, pads):  # pads: n, c, h, w at the start, then at the end
        return self.add("Pad", [source], name, text_attribute("mode", "constant"), ints_attribute("pads", pads))

    def residual(self, source, name):
        out = self.conv(source, f"{name}/conv1", 1, 1, relu=True)
        out = self.conv(out, f"{name}/conv2", 1, 1, relu=False)
        return self.add("Relu", [self.add("Add", [source, out], f"{name}/sum")], f"{name}/out")

    def residual_down(self, source, name, side):
        """`side`: height and width of `source`. The short cut is averaged and its missing channels are zero; the convolutions lose a
        row and a column more than the average does when `side` is even, which zeros at the bottom and right replace."""
        channels_in, channels_out = self.tensors[f"{name}/conv1/conv/filters"].shape[2:]
        conv_side, pooled_side = (side - 3) // 2 + 1, side // 2
        out = self.conv(source, f"{name}/conv1", 2, 0, relu=True)
        out = self.conv(out, f"{name}/conv2", 1, 1, relu=False)
        if conv_side != pooled_side:
            out = self.padded(out, f"{name}/grown", [0] * 6 + [pooled_side - conv_side] * 2)
        short = self.add("AveragePool", [source], f"{name}/pool", ints_attribute("kernel_shape", [2, 2]),
                         ints_attribute("strides", [2, 2]))
        if channels_in != channels_out:
            short = self.padded(short, f"{name}/widened", [0] * 5 + [channels_out - channels_in, 0, 0])
        return self.add("Relu", [self.add("Add", [short, out], f"{name}/sum")], f"{name}/out"), pooled_side


def build(tensors):
    graph = Graph(tensors)
    out = graph.conv("input", "conv32_down", 2, 0, relu=True)
    out = graph.add("MaxPool", [out], "pool", ints_attribute("kernel_shape", [3, 3]), ints_attribute("strides", [2, 2]))
    side = ((INPUT_SIZE - 7) // 2 + 1 - 3) // 2 + 1
    for name, down in STAGES:
        if down:
            out, side = graph.residual_down(out, name, side)
        else:
            out = graph.residual(out, name)
    out = graph.add("GlobalAveragePool", [out], "mean")
    out = graph.add("Flatten", [out], "flat", int_attribute("axis", 1))
    dense = tensors["fc"]
    inputs, outputs = dense.shape
    values = dense.values()
    transposed = [values[i * outputs + o] for o in range(outputs) for i in range(inputs)]
    graph.initializers.append(tensor("fc/w", [outputs, inputs], struct.pack(f"<{len(transposed)}f", *transposed)))
    graph.initializers.append(tensor("fc/b", [outputs], bytes(4 * outputs)))
    # transB=1: OpenCV 4.6 refuses a Gemm whose second operand is not transposed.
    graph.add("Gemm", [out, "fc/w", "fc/b"], "output", int_attribute("transB", 1))
    # GraphProto: node 1, name 2, initializer 5, input 11, output 12
    return (b"".join(chunk(1, n) for n in graph.nodes) + chunk(2, "dlib128") + b"".join(chunk(5, t) for t in graph.initializers) +
            chunk(11, value_info("input", [1, 3, INPUT_SIZE, INPUT_SIZE])) + chunk(12, value_info("output", [1, outputs])))


def main(arguments):
    if len(arguments) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    graph = build(read_weights(arguments[1], arguments[2]))
    # ModelProto: ir_version 1, producer_name 2, graph 7, opset_import 8 (version 2)
    model = number(1, 6) + chunk(2, "fremis-n") + chunk(7, graph) + chunk(8, number(2, 9))
    with open(arguments[3], "wb") as stream:
        stream.write(model)


if __name__ == "__main__":
    main(sys.argv)
