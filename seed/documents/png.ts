/**
 * A grey PNG that stands for a scan: https://www.w3.org/TR/png-3/. Its data is stored and not compressed, because
 * compressors differ between versions and the bytes must not.
 */
export function scanPng(width: number, height: number): Uint8Array {
  const rows = new Uint8Array((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const border = x < 4 || y < 4 || x >= width - 4 || y >= height - 4
      const line = y % 18 < 2 && x > 24 && x < width - 24 - ((y * 37) % 90)
      rows[y * (width + 1) + 1 + x] = border ? 90 : line ? 60 : 245 - ((x * 3 + y * 5) % 7)
    }
  }
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header.set([8, 0, 0, 0, 0], 8)
  return concat([
    Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10),
    chunk('IHDR', header),
    chunk('IDAT', stored(rows)),
    chunk('IEND', new Uint8Array()),
  ])
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const named = concat([Uint8Array.from(name, (letter) => letter.charCodeAt(0)), data])
  return concat([number32(data.length), named, number32(crc32(named))])
}

/** zlib with stored blocks, RFC 1950 and RFC 1951. */
function stored(data: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [Uint8Array.of(0x78, 0x01)]
  for (let at = 0; at < data.length; at += 65_535) {
    const part = data.subarray(at, at + 65_535)
    const last = at + part.length >= data.length ? 1 : 0
    blocks.push(
      Uint8Array.of(last, part.length & 255, part.length >> 8, ~part.length & 255, (~part.length >> 8) & 255),
      part,
    )
  }
  let a = 1
  let b = 0
  for (const byte of data) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  return concat([...blocks, number32(((b << 16) | a) >>> 0)])
}

function crc32(data: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of data) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

function number32(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255)
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
