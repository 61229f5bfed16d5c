import { expect, test } from 'vitest'
import { isInNetworks } from '../../auth/network-list.ts'
import { parseNetwork } from './networks.ts'

test.each([
  ['203.0.113.7', '203.0.113.7/32'],
  [' 203.0.113.0/24 ', '203.0.113.0/24'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['2001:DB8::/32', '2001:db8::/32'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1/128'],
  ['2001:db8:0:1::/64', '2001:db8:0:1::/64'],
  ['fe80::', 'fe80::/128'],
])('%s is the network %s', (text, network) => {
  expect(parseNetwork(text)).toEqual({ network })
})

test.each([
  ['203.0.113.7/24', 'host_bits', '203.0.113.0/24'],
  ['2001:db8::1/64', 'host_bits', '2001:db8::/64'],
  ['0.0.0.0/0', 'too_wide', undefined],
  ['::/0', 'too_wide', undefined],
  ['203.0.113.0/33', 'malformed', undefined],
  ['203.0.113.256', 'malformed', undefined],
  ['203.0.113', 'malformed', undefined],
  ['0203.0.113.1', 'malformed', undefined],
  ['2001:db8', 'malformed', undefined],
  ['1::2::3', 'malformed', undefined],
  ['1:2:3:4:5:6:7:8::', 'malformed', undefined],
  ['::ffff:203.0.113.7', 'malformed', undefined],
  ['fe80::1%eth0', 'malformed', undefined],
  ['example.org', 'malformed', undefined],
  ['', 'malformed', undefined],
])('“%s” is refused: %s', (text, fault, meant) => {
  expect(parseNetwork(text)).toEqual(meant === undefined ? { fault } : { fault, meant })
})

test('an address is in a list by its bits, whichever way it is written', () => {
  const networks = ['203.0.113.0/24', '2001:db8::/32']

  expect(isInNetworks('203.0.113.200', networks)).toBe(true)
  expect(isInNetworks('::ffff:203.0.113.200', networks)).toBe(true)
  expect(isInNetworks('2001:db8:ffff::1', networks)).toBe(true)
  expect(isInNetworks('203.0.114.1', networks)).toBe(false)
  expect(isInNetworks('2001:db9::1', networks)).toBe(false)
  expect(isInNetworks('unknown', networks)).toBe(false)
  expect(isInNetworks('unknown', [])).toBe(true)
})
