# SPDX-License-Identifier: Apache-2.0
"""Reads protobuf messages of ONNX and of structured views; Python's standard library alone.

A message becomes a Message: message.get("name") gives a field's value or its default, and
message.has("name") tells whether the field was on the wire. What only the wire shows is
collected as findings: (rule, severity).
"""

import struct

MAX_DEPTH = 1000

# name: kind, in a form that is short to write: "int64", "bytes", or a message's name;
# "*" marks a repeated field, "|oneof" the oneof that it belongs to.
_TEXT = """
AttributeProto: 1 name string, 21 ref_attr_name string, 13 doc_string string, 20 type int32, 2 f float, 3 i int64,
  4 s bytes, 5 t TensorProto, 6 g GraphProto, 22 sparse_tensor SparseTensorProto, 14 tp TypeProto, 7 floats float*,
  8 ints int64*, 9 strings bytes*, 10 tensors TensorProto*, 11 graphs GraphProto*, 23 sparse_tensors SparseTensorProto*,
  15 type_protos TypeProto*
ValueInfoProto: 1 name string, 2 type TypeProto, 3 doc_string string, 4 metadata_props StringStringEntryProto*
NodeProto: 1 input string*, 2 output string*, 3 name string, 4 op_type string, 7 domain string, 8 overload string,
  5 attribute AttributeProto*, 6 doc_string string, 9 metadata_props StringStringEntryProto*
TrainingInfoProto: 1 initialization GraphProto, 2 algorithm GraphProto, 3 initialization_binding StringStringEntryProto*,
  4 update_binding StringStringEntryProto*
ModelProto: 1 ir_version int64, 8 opset_import OperatorSetIdProto*, 2 producer_name string, 3 producer_version string,
  4 domain string, 5 model_version int64, 6 doc_string string, 7 graph GraphProto, 14 metadata_props StringStringEntryProto*,
  20 training_info TrainingInfoProto*, 25 functions FunctionProto*, 1100 struct_types StructTypeProto*
StringStringEntryProto: 1 key string, 2 value string
OperatorSetIdProto: 1 domain string, 2 version int64
GraphProto: 1 node NodeProto*, 2 name string, 5 initializer TensorProto*, 15 sparse_initializer SparseTensorProto*,
  10 doc_string string, 11 input ValueInfoProto*, 12 output ValueInfoProto*, 13 value_info ValueInfoProto*,
  16 metadata_props StringStringEntryProto*, 1100 struct_initializer StructProto*
Segment: 1 begin int64, 2 end int64
TensorProto: 1 dims int64*, 2 data_type int32, 3 segment Segment, 4 float_data float*, 5 int32_data int32*,
  6 string_data bytes*, 7 int64_data int64*, 8 name string, 12 doc_string string, 9 raw_data bytes,
  13 external_data StringStringEntryProto*, 14 data_location int32, 10 double_data double*, 11 uint64_data uint64*,
  16 metadata_props StringStringEntryProto*
SparseTensorProto: 1 values TensorProto, 2 indices TensorProto, 3 dims int64*
Dimension: 1 dim_value int64|value, 2 dim_param string|value, 3 denotation string
TensorShapeProto: 1 dim Dimension*
Tensor: 1 elem_type int32, 2 shape TensorShapeProto
Sequence: 1 elem_type TypeProto
Map: 1 key_type int32, 2 value_type TypeProto
Optional: 1 elem_type TypeProto
SparseTensor: 1 elem_type int32, 2 shape TensorShapeProto
Opaque: 1 domain string, 2 name string
TypeProto: 1 tensor_type Tensor|value, 4 sequence_type Sequence|value, 5 map_type Map|value, 9 optional_type Optional|value,
  8 sparse_tensor_type SparseTensor|value, 7 opaque_type Opaque|value, 1100 struct_type StructTypeProto|value,
  6 denotation string
FunctionProto: 1 name string, 4 input string*, 5 output string*, 6 attribute string*, 11 attribute_proto AttributeProto*,
  7 node NodeProto*, 8 doc_string string, 9 opset_import OperatorSetIdProto*, 10 domain string, 13 overload string,
  12 value_info ValueInfoProto*, 14 metadata_props StringStringEntryProto*
Component: 1 name string, 2 bit_width uint32
BitPacking: 1 component Component*, 2 dimension uint64
Array: 1 element_type TypeProto, 2 dimension uint64
Field: 1 name string, 2 type TypeProto|content, 4 constant TensorProto|content, 3 doc_string string
Structure: 1 field Field*
StructTypeProto: 1 array Array|kind, 2 structure Structure|kind, 3 bit_packing BitPacking|kind, 5 type_index int32|kind,
  6 decoder FunctionProto, 7 encoder FunctionProto, 8 name string, 9 doc_string string,
  10 metadata_props StringStringEntryProto*
StructProto: 1 type int32, 2 struct_type StructTypeProto, 3 raw_data bytes, 4 external_data StringStringEntryProto*,
  5 name string, 6 doc_string string
"""

VARINT, FIXED64, BYTES, GROUP, END_GROUP, FIXED32 = range(6)
_WIRE = {"int32": VARINT, "int64": VARINT, "uint32": VARINT, "uint64": VARINT, "float": FIXED32, "double": FIXED64}
_DEFAULT = {"string": "", "bytes": b"", "float": 0.0, "double": 0.0}


class Field:
    def __init__(self, name, kind):
        kind, _, self.oneof = kind.partition("|")
        self.name, self.repeated, self.kind = name, kind.endswith("*"), kind.rstrip("*")
        self.wire = _WIRE.get(self.kind, BYTES)
        self.message = self.kind not in _WIRE and self.kind not in ("string", "bytes")


def _schema():
    schema = {}
    for line in _TEXT.replace("\n  ", " ").strip().splitlines():
        message, _, fields = line.partition(": ")
        schema[message] = {}
        for field in fields.split(", "):
            number, name, kind = field.split(" ")
            schema[message][int(number)] = Field(name, kind)
    return schema


SCHEMA = _schema()
_BY_NAME = {message: {f.name: f for f in fields.values()} for message, fields in SCHEMA.items()}


class Malformed(Exception):
    """The bytes are not the message that they should be."""


class Message:
    __slots__ = ("kind", "fields")

    def __init__(self, kind):
        self.kind, self.fields = kind, {}

    def has(self, name):
        return name in self.fields

    def get(self, name):
        """The value of a field; None for an absent message, [] for an absent list."""
        if name in self.fields:
            return self.fields[name]
        field = _BY_NAME[self.kind][name]
        if field.repeated:
            return []
        return None if field.message else _DEFAULT.get(field.kind, 0)

    def which(self, oneof):
        """The name of the member of a oneof that is set, None if none is."""
        for name in self.fields:
            if _BY_NAME[self.kind][name].oneof == oneof:
                return name
        return None


class Reader:
    def __init__(self, data):
        self.data, self.findings = data, []

    def varint(self, at, end):
        value = shift = 0
        while True:
            if at >= end:
                raise Malformed("a number does not end")
            byte = self.data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                if value >= 1 << 64:
                    raise Malformed("a number of more than 64 bits")
                return value, at
            if shift == 70:
                raise Malformed("a number of more than 64 bits")

    def tag(self, at, end):
        tag, at = self.varint(at, end)
        if not 1 <= tag >> 3 < 1 << 29:
            raise Malformed("field number %d" % (tag >> 3))
        return tag >> 3, tag & 7, at

    def value(self, number, wire, at, end, depth):
        """The value's first byte, and the byte behind it."""
        if wire == VARINT:
            return at, self.varint(at, end)[1]
        if wire == BYTES:
            length, at = self.varint(at, end)
        elif wire in (FIXED32, FIXED64):
            length = 4 if wire == FIXED32 else 8
        elif wire == GROUP:
            return at, self.group(number, at, end, depth + 1)
        else:
            raise Malformed("wire type %d" % wire)
        if length > end - at:
            raise Malformed("a value reaches beyond its message")
        return at, at + length

    def group(self, number, at, end, depth):
        if depth > MAX_DEPTH:
            raise Malformed("messages nest too deep")
        while at < end:
            inner, wire, at = self.tag(at, end)
            if wire == END_GROUP:
                if inner != number:
                    raise Malformed("another group ends")
                return at
            at = self.value(inner, wire, at, end, depth)[1]
        raise Malformed("a group does not end")

    def message(self, message, at, end, depth=0):
        if depth > MAX_DEPTH:
            raise Malformed("messages nest too deep")
        schema = SCHEMA[message.kind]
        while at < end:
            number, wire, at = self.tag(at, end)
            begin, after = self.value(number, wire, at, end, depth)
            field = schema.get(number)
            if field is None:
                if number == 1000 and message.kind in ("ModelProto", "GraphProto", "TypeProto"):
                    self.findings.append(("SV056", "error"))
            elif wire == field.wire:
                self.put(message, field, begin, after, at, depth)
            elif wire == BYTES and field.repeated and field.wire != BYTES:
                self.packed(message, field, begin, after)
            else:
                raise Malformed("field %s has wire type %d" % (field.name, wire))
            at = after
        return message

    def put(self, message, field, begin, end, at, depth):
        if field.oneof:
            before = message.which(field.oneof)
            if before is not None and before != field.name:
                self.findings.append(("SV000", "warning"))
                del message.fields[before]
        if field.message:
            inner = None if field.repeated else message.fields.get(field.name)
            value = self.message(inner or Message(field.kind), begin, end, depth + 1)
        elif field.wire == VARINT:
            value = _integer(field.kind, self.varint(at, end)[0])
        else:
            value = _scalar(field.kind, self.data[begin:end])
        if field.repeated:
            message.fields.setdefault(field.name, []).append(value)
        else:
            message.fields[field.name] = value

    def packed(self, message, field, at, end):
        values = message.fields.setdefault(field.name, [])
        while at < end:
            if field.wire == VARINT:
                value, at = self.varint(at, end)
                values.append(_integer(field.kind, value))
                continue
            size = 4 if field.wire == FIXED32 else 8
            if size > end - at:
                raise Malformed("a packed number does not end")
            values.append(_scalar(field.kind, self.data[at:at + size]))
            at += size


def _integer(kind, value):
    bits = 32 if kind.endswith("32") else 64
    value &= (1 << bits) - 1
    if kind.startswith("int") and value >> (bits - 1):
        value -= 1 << bits
    return value


def _scalar(kind, data):
    if kind == "string":
        return bytes(data).decode("utf-8", "surrogateescape")
    if kind == "bytes":
        return bytes(data)
    # Floats stay as their bits: a NaN keeps its payload.
    return int.from_bytes(data, "little")


def read(data, kind="ModelProto"):
    """Returns the message and the findings of the wire."""
    reader = Reader(data)
    message = reader.message(Message(kind), 0, len(data))
    return message, reader.findings
