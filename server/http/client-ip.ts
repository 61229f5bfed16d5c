/**
 * Finds the client's IP address. `X-Forwarded-For` only counts from the proxies in TRUSTED_PROXY_CIDRS: each proxy appends
 * the address that it saw, so an entry is only as trustworthy as the proxy that wrote it.
 */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/**
 * The address of a closed connection or a Unix socket. It must not be a loopback address, which may see pages that only
 * this machine may see. https://www.rfc-editor.org/rfc/rfc6890#section-2.2.2
 */
const unknownAddress = '0.0.0.0'

/** Limits the cache, because clients can forge any number of addresses. */
const addressesMax = 10_000

export type TrustedProxies = {
  /** Whether the address is one of our proxies. */
  isTrusted: (ip: string) => boolean
  /** The most entries that count; undefined for no limit. */
  hopsMax?: number | undefined
}

type ClientIpOptions = {
  /** The address of the connection; undefined for a Unix socket and after the client has disconnected. */
  remoteAddress: string | undefined
  headers: Headers
  proxies: TrustedProxies
}

/**
 * @returns the client's address, an IPv6 address without its zone. Entries are read from the right: each one was written by
 * the address to its right, and the first address that is not one of our proxies is the client.
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

/** @param networks TRUSTED_PROXY_CIDRS @param hopsMax TRUSTED_PROXY_HOPS */
export function trustedProxies(networks: readonly string[], hopsMax: number | undefined): TrustedProxies {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  // Nearly all requests come through a few proxies, and checking the list is slow, so results are cached.
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

/** Trusts no proxy. */
export const noProxies: TrustedProxies = { isTrusted: () => false }

/** The subject of rate limits: an IPv4 address, or the /64 network of an IPv6 address, which one household has. */
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

/** Whether a proxy forwarded the request. Development pages refuse such requests. */
export const wasForwarded = (headers: Headers): boolean => forwardingHeaders.some((name) => headers.has(name))

/** Accepts `1.2.3.4:567`, `[2001:db8::1]:567`, `fe80::1%eth0` and `::ffff:1.2.3.4`; null if there is no address. */
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
