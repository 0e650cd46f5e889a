"""AES-GCM on NumPy, for encrypted record files: all blocks of a message are worked on at once.

The cipher is that of FIPS 197, the mode that of NIST SP 800-38D. A message is framed as MindSpore does it: magic
number, 16 bytes tag, length of the rest, length of the initial value and the value, length of the cipher text and the
text (numbers are 4 bytes, little endian).
"""

import os
import struct

import numpy as np

_MAGIC = 0x7F3A5ED8
_IV, _USED = 16, 12  # the initial value in the frame, and how much of it the mode takes
_HEAD = struct.Struct("<I16sII")
_CHUNK = 1 << 15  # blocks at a time: keeps the working set in the cache
_LANES = 1024  # parts of a message that are hashed side by side


def _sbox():
    """The substitution table: inverse in GF(2^8), then an affine map."""
    power, value = [0] * 255, 1
    for i in range(255):
        power[i] = value
        value ^= value << 1 ^ (0x11B if value & 0x80 else 0)  # times 3, a generator
    log = {value: i for i, value in enumerate(power)}
    table = np.empty(256, np.uint8)
    for byte in range(256):
        inverse = power[-log[byte] % 255] if byte else 0
        mixed = inverse
        for turn in range(1, 5):
            mixed ^= (inverse << turn | inverse >> 8 - turn) & 0xFF
        table[byte] = mixed ^ 0x63
    return table


_SBOX = _sbox()
_DOUBLE = np.array([b << 1 ^ (0x11B if b & 0x80 else 0) for b in range(256)], np.int64).astype(np.uint8)
# Byte i of the state (column i // 4, row i % 4) comes from the column that lies `row` further on.
_SHIFT = np.array([(i + 4 * (i % 4)) % 16 for i in range(16)])


def _round_keys(key):
    """Round keys of a key of 16, 24 or 32 bytes: uint8 of shape (rounds + 1, 16)."""
    words = [list(key[i : i + 4]) for i in range(0, len(key), 4)]
    size, constant = len(words), 1
    for i in range(size, 4 * (size + 7)):
        word = words[-1]
        if i % size == 0:
            word = [int(_SBOX[b]) for b in word[1:] + word[:1]]
            word[0] ^= constant
            constant = int(_DOUBLE[constant])
        elif size == 8 and i % size == 4:
            word = [int(_SBOX[b]) for b in word]
        words.append([a ^ b for a, b in zip(word, words[i - size])])
    return np.array(words, np.uint8).reshape(-1, 16)


def _encrypt_blocks(blocks, keys):
    """Cipher text of blocks, uint8 of shape (n, 16)."""
    state = blocks ^ keys[0]
    for key in keys[1:-1]:
        columns = _SBOX[state][:, _SHIFT].reshape(-1, 4, 4)
        turned = np.roll(columns, -1, axis=2)
        total = np.bitwise_xor.reduce(columns, axis=2, keepdims=True)
        state = (columns ^ total ^ _DOUBLE[columns ^ turned]).reshape(-1, 16) ^ key
    return _SBOX[state][:, _SHIFT] ^ keys[-1]


def _times(a, b):
    """Product in GF(2^128) of two numbers whose highest bit is the constant term."""
    result = 0
    for bit in range(127, -1, -1):
        if a >> bit & 1:
            result ^= b
        b = b >> 1 ^ (0xE1 << 120 if b & 1 else 0)
    return result


def _tables(factor):
    """Products of `factor` with every byte at every place: uint64 of shape (16, 256, 2)."""
    basis = np.empty((128, 2), np.uint64)
    for bit in range(128):
        basis[bit] = factor >> 64, factor & (1 << 64) - 1
        factor = factor >> 1 ^ (0xE1 << 120 if factor & 1 else 0)
    tables = np.zeros((16, 256, 2), np.uint64)
    bytes_ = np.arange(256)
    for place in range(16):
        for bit in range(8):
            chosen = bytes_ >> 7 - bit & 1 == 1
            tables[place, chosen] ^= basis[8 * place + bit]
    return tables


def _multiply(values, tables):
    """Products of uint8 rows of shape (n, 16) with the factor of `tables`."""
    product = np.zeros((len(values), 2), np.uint64)
    for place in range(16):
        product ^= tables[place, values[:, place]]
    return product.astype(">u8").view(np.uint8).reshape(-1, 16)


def _hash(blocks, factor):
    """GHASH of uint8 blocks of shape (n, 16) under the number `factor`, as an int."""
    lanes = min(_LANES, len(blocks))
    rows = -(-len(blocks) // lanes)
    padded = np.zeros((rows * lanes, 16), np.uint8)  # zeros in front change nothing
    padded[rows * lanes - len(blocks) :] = blocks
    jump = factor
    for _ in range(lanes - 1):
        jump = _times(jump, factor)
    tables = _tables(jump)
    lane = np.zeros((lanes, 16), np.uint8)
    for row in padded.reshape(rows, lanes, 16):
        lane = _multiply(lane, tables) ^ row
    total, small = np.zeros((1, 16), np.uint8), _tables(factor)
    for value in lane:
        total = _multiply(total ^ value, small)
    return int.from_bytes(total.tobytes(), "big")


def _blocks(data):
    padded = np.zeros(-(-len(data) // 16) * 16, np.uint8)
    padded[: len(data)] = np.frombuffer(data, np.uint8)
    return padded.reshape(-1, 16)


class _Gcm:
    def __init__(self, key, initial):
        self.keys = _round_keys(key)
        self.factor = int.from_bytes(_encrypt_blocks(np.zeros((1, 16), np.uint8), self.keys).tobytes(), "big")
        self.counter = int.from_bytes(initial[:_USED] + b"\0\0\0\1", "big")

    def _stream(self, start, count):
        """Key stream of `count` blocks; only the last 4 bytes of the counter count."""
        counters = np.empty((count, 16), np.uint8)
        counters[:] = np.frombuffer(self.counter.to_bytes(16, "big"), np.uint8)
        low = (self.counter & 0xFFFFFFFF) + start + np.arange(count, dtype=np.int64)
        counters[:, 12:] = (low & 0xFFFFFFFF).astype(">u4").view(np.uint8).reshape(-1, 4)
        return _encrypt_blocks(counters, self.keys)

    def crypt(self, data):
        """Encrypt or decrypt `data` (the same operation)."""
        blocks = _blocks(data)
        for at in range(0, len(blocks), _CHUNK):
            part = blocks[at : at + _CHUNK]
            part ^= self._stream(1 + at, len(part))
        return blocks.tobytes()[: len(data)]

    def tag(self, cipher):
        digest = _hash(np.concatenate([_blocks(cipher), _blocks(struct.pack(">QQ", 0, 8 * len(cipher)))]), self.factor)
        first = int.from_bytes(self._stream(0, 1).tobytes(), "big")
        return (digest ^ first).to_bytes(16, "big")


def encrypt(data, key):
    """Framed cipher text of `data` under `key` (16, 24 or 32 bytes)."""
    initial = os.urandom(_IV)
    gcm = _Gcm(key, initial)
    cipher = gcm.crypt(data)
    size = 4 + _IV + 4 + len(cipher)
    return _HEAD.pack(_MAGIC, gcm.tag(cipher), size, _IV) + initial + struct.pack("<I", len(cipher)) + cipher


def decrypt(data, key):
    """Inverse of `encrypt`; None where the frame is damaged or the key is another one."""
    if len(data) < _HEAD.size + _IV + 4:
        return None
    magic, tag, _, iv_size = _HEAD.unpack_from(data)
    at = _HEAD.size + iv_size
    if magic != _MAGIC or at + 4 > len(data):
        return None
    initial, cipher = data[_HEAD.size : at], data[at + 4 :]
    if struct.unpack_from("<I", data, at)[0] != len(cipher):
        return None
    gcm = _Gcm(key, initial)
    return gcm.crypt(cipher) if gcm.tag(cipher) == tag else None
