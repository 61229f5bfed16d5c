import { describe, expect, test } from 'vitest'
import { clientIp, ipSubject, trustedProxies, wasForwarded } from './client-ip.ts'

describe('the caller’s address', () => {
  const at = (
    remoteAddress: string | undefined,
    forwarded: string | null,
    proxies: string,
    hopsMax?: number,
  ) =>
    clientIp({
      remoteAddress,
      headers: new Headers(forwarded === null ? {} : { 'x-forwarded-for': forwarded }),
      proxies: trustedProxies(proxies === '' ? [] : proxies.split(','), hopsMax),
    })
  const two = '10.0.0.0/24,2001:db8:ffff::/48'

  test.each([
    ['a spoofed header changes nothing without proxies', '192.0.2.1', '203.0.113.9', '', '192.0.2.1'],
    [
      'a spoofed header changes nothing from a peer that is not listed',
      '192.0.2.1',
      '203.0.113.9',
      two,
      '192.0.2.1',
    ],
    ['nor does one of many entries', '192.0.2.1', '203.0.113.9, 10.0.0.1, 10.0.0.2', two, '192.0.2.1'],
    [
      'a listed proxy is believed about whom it saw',
      '10.0.0.1',
      '198.51.100.1, 203.0.113.9',
      two,
      '203.0.113.9',
    ],
    [
      'two listed proxies are believed two steps',
      '10.0.0.1',
      '198.51.100.1, 203.0.113.9, 10.0.0.2',
      two,
      '203.0.113.9',
    ],
    [
      'a caller who names a proxy is not believed',
      '10.0.0.1',
      '198.51.100.1, 10.0.0.9, 203.0.113.9',
      two,
      '203.0.113.9',
    ],
    ['a header shorter than the chain ends at its beginning', '10.0.0.1', '10.0.0.7', two, '10.0.0.7'],
    ['a header that is no address falls back to the proxy', '10.0.0.1', 'unknown', two, '10.0.0.1'],
    ['a missing header falls back to the connection', '10.0.0.1', null, two, '10.0.0.1'],
    ['ports are dropped', '10.0.0.1', '203.0.113.9:4711', two, '203.0.113.9'],
    ['IPv6 in brackets is read', '10.0.0.1', '[2001:DB8::1]:4711', two, '2001:db8::1'],
    ['a proxy may speak IPv6', '2001:db8:ffff::7', '203.0.113.9', two, '203.0.113.9'],
    [
      'an IPv4 proxy on an IPv6 socket is listed as IPv4',
      '::ffff:10.0.0.1',
      '203.0.113.9',
      two,
      '203.0.113.9',
    ],
    ['IPv4 inside IPv6 is IPv4', '::ffff:192.0.2.1', null, '', '192.0.2.1'],
    ['a zone is dropped', 'fe80::1%eth0', null, '', 'fe80::1'],
    [
      'a connection without an address is nobody, and not this machine',
      undefined,
      '127.0.0.1',
      two,
      '0.0.0.0',
    ],
  ])('%s', (_title, remote, forwarded, proxies, expected) => {
    expect(at(remote, forwarded, proxies)).toBe(expected)
  })

  test('no more entries are believed than there are hops', () => {
    const forwarded = '203.0.113.9, 10.0.0.3, 10.0.0.2'

    expect([0, 1, 2, 3].map((hops) => at('10.0.0.1', forwarded, two, hops))).toEqual([
      '10.0.0.1',
      '10.0.0.2',
      '10.0.0.3',
      '203.0.113.9',
    ])
  })

  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ])('%s counts as %s', (ip, subject) => {
    expect(ipSubject(ip)).toBe(subject)
  })

  test('anything between the caller and us is noticed', () => {
    expect(wasForwarded(new Headers({ Forwarded: 'for=192.0.2.1' }))).toBe(true)
    expect(wasForwarded(new Headers({ Accept: '*/*' }))).toBe(false)
  })
})
