import { crc32 } from 'node:zlib'

/**
 * A grey PNG that stands for a scan: https://www.w3.org/TR/png-3/. Its data is stored and not compressed, because
 * compressors differ between versions and the bytes must not.
 */
export function scanPng(width: number, height: number): Uint8Array {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const border = x < 4 || y < 4 || x >= width - 4 || y >= height - 4
      const line = y % 18 < 2 && x > 24 && x < width - 24 - ((y * 37) % 90)
      rows[y * (width + 1) + 1 + x] = border ? 90 : line ? 60 : 245 - ((x * 3 + y * 5) % 7)
    }
  }
  const header = Buffer.concat([number32(width), number32(height), Buffer.of(8, 0, 0, 0, 0)])
  return Buffer.concat([
    Buffer.of(137, 80, 78, 71, 13, 10, 26, 10),
    chunk('IHDR', header),
    chunk('IDAT', stored(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([number32(data.length), named, number32(crc32(named))])
}

/** zlib with stored blocks, RFC 1950 and RFC 1951. */
function stored(data: Buffer): Buffer {
  const blocks: Buffer[] = [Buffer.of(0x78, 0x01)]
  for (let at = 0; at < data.length; at += 65_535) {
    const part = data.subarray(at, at + 65_535)
    const head = Buffer.alloc(5, at + part.length >= data.length ? 1 : 0)
    head.writeUInt16LE(part.length, 1)
    head.writeUInt16LE(~part.length & 0xffff, 3)
    blocks.push(head, part)
  }
  let a = 1
  let b = 0
  for (const byte of data) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  return Buffer.concat([...blocks, number32(((b << 16) | a) >>> 0)])
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
