/** Two texts next to each other, line by line. */
interface PairedLine {
  left: string | null
  right: string | null
}

/** The largest table to compute. For longer texts, only equal lines at the start and the end are paired. */
const cellsMax = 1_000_000

/** A line of both texts is one row. Beside a line of only one text is its replacement, or null. */
export function pairLines(left: string, right: string): PairedLine[] {
  const [one, other] = [left.split('\n'), right.split('\n')]
  const same = commonLines(one, other)
  const rows: PairedLine[] = []
  let [i, j] = [0, 0]
  for (const [nextI, nextJ] of [...same, [one.length, other.length] as const]) {
    const count = Math.max(nextI - i, nextJ - j)
    for (let k = 0; k < count; k += 1)
      rows.push({
        left: i + k < nextI ? (one[i + k] ?? '') : null,
        right: j + k < nextJ ? (other[j + k] ?? '') : null,
      })
    if (nextI < one.length) rows.push({ left: one[nextI] ?? '', right: other[nextJ] ?? '' })
    ;[i, j] = [nextI + 1, nextJ + 1]
  }
  return rows
}

/** Indexes of a longest common subsequence of lines. */
function commonLines(one: readonly string[], other: readonly string[]): (readonly [number, number])[] {
  if (one.length * other.length > cellsMax) return equalEnds(one, other)
  const width = other.length + 1
  const lengths = new Uint32Array((one.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = one.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const found: (readonly [number, number])[] = []
  for (let [i, j] = [0, 0]; i < one.length && j < other.length; ) {
    if (one[i] === other[j]) found.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return found
}

function equalEnds(one: readonly string[], other: readonly string[]): (readonly [number, number])[] {
  const shorter = Math.min(one.length, other.length)
  let head = 0
  while (head < shorter && one[head] === other[head]) head += 1
  let tail = 0
  while (tail < shorter - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1
  const ends = Array.from(
    { length: tail },
    (_, k) => [one.length - tail + k, other.length - tail + k] as const,
  )
  return [...Array.from({ length: head }, (_, k) => [k, k] as const), ...ends]
}
