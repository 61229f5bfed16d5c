/**
 * Who is calling, by address. `X-Forwarded-For` is believed only from proxies that TRUSTED_PROXY_CIDRS lists: each
 * appends the address it saw, so an entry is worth as much as the address that wrote it.
 */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/**
 * A connection that is gone already, or a Unix socket. Never an address of this machine: that would open what only
 * this machine may see. https://www.rfc-editor.org/rfc/rfc6890#section-2.2.2
 */
const unknownAddress = '0.0.0.0'

/** Callers make up as many addresses as they like. */
const addressesMax = 10_000

export type TrustedProxies = {
  /** Whether an address is a proxy of ours. */
  isTrusted: (ip: string) => boolean
  /** How many entries are believed at most; undefined for no bound. */
  hopsMax?: number | undefined
}

type ClientIpOptions = {
  /** Of the connection; undefined on a Unix socket, and once the caller has left. */
  remoteAddress: string | undefined
  headers: Headers
  proxies: TrustedProxies
}

/**
 * The caller's address: IPv4 dotted, IPv6 without zone. Each entry is believed because the address to its right, which
 * wrote it, is a proxy of ours; the first one that is not is the caller.
 */
export function clientIp({ remoteAddress, headers, proxies }: ClientIpOptions): string {
  const { isTrusted, hopsMax = Number.POSITIVE_INFINITY } = proxies
  let caller = normalize(remoteAddress ?? '') ?? unknownAddress
  const forwarded = headers.get('x-forwarded-for')?.split(',') ?? []
  for (let hops = 0; hops < hopsMax && isTrusted(caller); hops++) {
    const claimed = normalize(forwarded.pop()?.trim() ?? '')
    if (claimed === null) return caller
    caller = claimed
  }
  return caller
}

/** What TRUSTED_PROXY_CIDRS and TRUSTED_PROXY_HOPS say. */
export function trustedProxies(networks: readonly string[], hopsMax: number | undefined): TrustedProxies {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  // Nearly every request comes through the same few, and a look into the list costs more than the rest of the address.
  const known = new Map<string, boolean>()
  const isTrusted = (ip: string): boolean => {
    const seen = known.get(ip)
    if (seen !== undefined) return seen
    const found = list.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
    if (known.size >= addressesMax) known.clear()
    known.set(ip, found)
    return found
  }
  return { hopsMax, isTrusted }
}

/** Believes no one. */
export const noProxies: TrustedProxies = { isTrusted: () => false }

/** What is counted as one caller: an IPv4 address, or the /64 of an IPv6 address, which one household owns. */
export function ipSubject(ip: string): string {
  if (isIPv4(ip) || !isIPv6(ip)) return ip
  return `${expand(ip).slice(0, 4).join(':')}::/64`
}

const forwardingHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

/** True when something stands between the caller and us. Pages for development refuse such requests. */
export const wasForwarded = (headers: Headers): boolean => forwardingHeaders.some((name) => headers.has(name))

/** Takes `1.2.3.4:567`, `[2001:db8::1]:567`, `fe80::1%eth0` and `::ffff:1.2.3.4`; null for anything else. */
function normalize(text: string): string | null {
  if (isIPv4(text)) return text
  const bare = text
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i, '$1')
  return isIP(bare) === 0 ? null : bare.toLowerCase()
}

/** The eight groups of an IPv6 address, without leading zeros. */
function expand(ip: string): string[] {
  const hex = ip.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a, b, c, d] = bytes.slice(0, 4).map(Number) as [number, number, number, number]
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [left = '', right] = hex.split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === undefined || right === '' ? [] : right.split(':')
  const zeros = right === undefined ? [] : Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16).toString(16))
}
