/** Whether an address is in one of the networks that a key may be used from. */
import { BlockList, isIP } from 'node:net'

const known = new WeakMap<readonly string[], BlockList>()

/** @param networks CIDR of IPv4 and IPv6; an empty list allows every address */
export function isInNetworks(ip: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true
  const address = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(ip)?.[1] ?? ip
  const version = isIP(address)
  // An invalid address, such as that of a closed connection, is in no network.
  return version !== 0 && listOf(networks).check(address, version === 6 ? 'ipv6' : 'ipv4')
}

function listOf(networks: readonly string[]): BlockList {
  const cached = known.get(networks)
  if (cached !== undefined) return cached
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  known.set(networks, list)
  return list
}
