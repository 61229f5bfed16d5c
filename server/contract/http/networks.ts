/**
 * Networks as people write them, IPv4 and IPv6, brought into one form: `203.0.113.0/24`, `2001:db8::/32`. Safe in a
 * browser. https://www.rfc-editor.org/rfc/rfc4632 and https://www.rfc-editor.org/rfc/rfc5952
 */

/** A wider network wouldn't protect anything. */
const widest = { ipv4: 8, ipv6: 16 } as const

/** Networks of one key at most. */
export const networksMax = 20

type NetworkFault = 'malformed' | 'host_bits' | 'too_wide'

/** The network in canonical form, or the reason it is invalid. A single address is a network of size one. */
export function parseNetwork(text: string): { network: string } | { fault: NetworkFault; meant?: string } {
  const [, address = '', bits] = /^([0-9a-fA-F:.]{2,45})(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? []
  const groups = address.includes(':') ? parseIpv6(address) : parseIpv4(address)
  if (groups === null) return { fault: 'malformed' }
  const size = groups.length === 4 ? 8 : 16
  const length = bits === undefined ? groups.length * size : Number(bits)
  if (length > groups.length * size) return { fault: 'malformed' }
  if (length < (size === 8 ? widest.ipv4 : widest.ipv6)) return { fault: 'too_wide' }
  const masked = groups.map((group, place) => group & maskOf(length - place * size, size))
  const network = `${size === 8 ? masked.join('.') : formatIpv6(masked)}/${length}`
  const hasHostBits = masked.some((group, place) => group !== groups[place])
  return hasHostBits ? { fault: 'host_bits', meant: network } : { network }
}

function maskOf(bits: number, size: number): number {
  const ones = Math.min(Math.max(bits, 0), size)
  return ((1 << size) - 1) & ~((1 << (size - ones)) - 1)
}

function parseIpv4(text: string): number[] | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return null
  const numbers = parts.map(Number)
  return numbers.every((number) => number <= 255) ? numbers : null
}

/** Refuses IPv4-mapped IPv6 addresses, because we see those callers by their IPv4 address. */
function parseIpv6(text: string): number[] | null {
  if (text.includes('.') || /^::ffff:/i.test(text)) return null
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - left.length - right.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right]
  return groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : null
}

/** The longest run of two or more zero groups, the first of equals, becomes `::`. */
function formatIpv6(groups: readonly number[]): string {
  let best = { start: 0, length: 1 }
  for (let start = 0; start < 8; start++) {
    let length = 0
    while (start + length < 8 && groups[start + length] === 0) length++
    if (length > best.length) best = { start, length }
  }
  const hex = groups.map((group) => group.toString(16))
  if (best.length < 2) return hex.join(':')
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`
}
