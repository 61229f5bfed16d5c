/** Allows connections only to addresses of the public Internet. */
import { BlockList, isIP } from 'node:net'

/** https://www.iana.org/assignments/iana-ipv4-special-registry and the registry for IPv6. */
const blocked = new BlockList()
const ranges: readonly (readonly [address: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
for (const [address, prefix] of ranges) blocked.addSubnet(address, prefix, 'ipv4')

/** For IPv6 only global unicast is allowed, without tunnels to IPv4 and documentation addresses. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')
const tunnels: readonly (readonly [address: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]
for (const [address, prefix] of tunnels) blocked.addSubnet(address, prefix, 'ipv6')

/** False for loopback, private, link-local, multicast, reserved, mapped and tunnelled addresses. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !blocked.check(address, 'ipv4')
    case 6:
      return global.check(address, 'ipv6') && !blocked.check(address, 'ipv6')
    default:
      return false
  }
}
