import { describe, expect, test } from 'vitest'
import { parseRedisUrl } from './redis-client.ts'

const parts = {
  username: undefined,
  password: undefined,
  database: 0,
  primary: undefined,
  sentinelUsername: undefined,
  sentinelPassword: undefined,
  tls: null,
}

describe('REDIS_URL', () => {
  test('names one server', () => {
    expect(parseRedisUrl('redis://127.0.0.1')).toEqual({
      ...parts,
      kind: 'single',
      nodes: [{ host: '127.0.0.1', port: 6379 }],
    })
    expect(parseRedisUrl('rediss://limits:s%40fe@[::1]:6380/2?sslrootcert=/etc/ca.pem')).toEqual({
      ...parts,
      kind: 'single',
      nodes: [{ host: '::1', port: 6380 }],
      username: 'limits',
      password: 's@fe',
      database: 2,
      tls: { rootCertificate: '/etc/ca.pem' },
    })
  })

  test('names Sentinels and what they call the primary', () => {
    expect(
      parseRedisUrl(
        'redis+sentinel://:secret@s1,s2:26380/limits/3?sentinel_username=kim&sentinel_password=p',
      ),
    ).toEqual({
      ...parts,
      kind: 'sentinel',
      nodes: [
        { host: 's1', port: 26379 },
        { host: 's2', port: 26380 },
      ],
      password: 'secret',
      database: 3,
      primary: 'limits',
      sentinelUsername: 'kim',
      sentinelPassword: 'p',
    })
  })

  test('names some nodes of a Cluster', () => {
    expect(parseRedisUrl('rediss+cluster://c1:7001,c2')).toEqual({
      ...parts,
      kind: 'cluster',
      nodes: [
        { host: 'c1', port: 7001 },
        { host: 'c2', port: 6379 },
      ],
      tls: {},
    })
  })
})

test.each([
  ['http://host', 'must be a redis:// URL'],
  ['redis://a,b', 'say redis+sentinel:// or redis+cluster://'],
  ['redis+sentinel://a,b', 'does not name the primary'],
  ['redis+cluster://a/1', 'a Cluster has only one'],
  ['redis://a/one', 'names a database that is no number'],
  ['redis://a:0', 'names a port that is none'],
  ['redis://a:99999', 'names a port that is none'],
  ['redis://a/1/2', 'has too many parts'],
  ['redis://a?sslrootcert=/x', 'say rediss://'],
  ['rediss://a?sslcert=/x', 'only one of sslcert and sslkey'],
  ['redis://a?family=6', 'the parameter family'],
  ['redis://u:%zz@a', 'hexadecimal'],
])('%s is refused with the reason', (url, reason) => {
  expect(() => parseRedisUrl(url)).toThrow(reason)
})
