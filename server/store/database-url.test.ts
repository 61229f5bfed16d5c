import { describe, expect, test } from 'vitest'
import { describeServers, parseDatabaseUrl } from './database-url.ts'

const servers = (url: string) => describeServers(parseDatabaseUrl(url))

describe('an address', () => {
  test('names one server, and 5432 is its port unless it says otherwise', () => {
    expect(parseDatabaseUrl('postgresql://kim:s%40fe@db.example/sandpiper')).toEqual({
      servers: [{ host: 'db.example', port: 5432 }],
      user: 'kim',
      password: 's@fe',
      database: 'sandpiper',
      options: undefined,
      applicationName: undefined,
      tls: { mode: 'disable', direct: false },
      pooled: false,
    })
  })

  test.each([
    ['postgres://db1,db2:5433/x', 'db1:5432, db2:5433'],
    ['postgresql://u@[2001:db8::1]:6432,db2/x', '[2001:db8::1]:6432, db2:5432'],
    ['postgresql:///x?host=db1,db2&port=5433', 'db1:5433, db2:5433'],
    ['postgresql://u@localhost/x?host=%2Frun%2Fpg&port=5433', '/run/pg/.s.PGSQL.5433'],
    ['postgresql://%2Frun%2Fpg/x', '/run/pg/.s.PGSQL.5432'],
    ['postgresql://u:p@a@db1/x?target_session_attrs=read-write', 'db1:5432'],
  ])('%s leads to %s', (url, expected) => {
    expect(servers(url)).toBe(expected)
  })

  test.each([
    ['verify-full', 'verify-full'],
    ['require', 'verify-full'],
    ['verify-ca&sslrootcert=ca.pem', 'verify-ca'],
    ['no-verify', 'no-verify'],
    ['disable', 'disable'],
  ])('with sslmode=%s is reached as %s', (given, mode) => {
    expect(parseDatabaseUrl(`postgresql://db/x?sslmode=${given}`).tls.mode).toBe(mode)
  })

  test('with certificates means them, without a word about sslmode', () => {
    expect(parseDatabaseUrl('postgresql://db/x?sslrootcert=/etc/ca.pem').tls).toEqual({
      mode: 'verify-full',
      direct: false,
      rootCertificate: '/etc/ca.pem',
    })
  })
})

test.each([
  ['mysql://db/x', 'is not a postgresql:// URL'],
  ['postgresql://db1,db2,db3/x?port=1,2', 'names 3 hosts and 2 ports'],
  ['postgresql://db:99999/x', 'port'],
  ['postgresql://db%zz/x', 'hexadecimal'],
  ['postgresql://db/x?target_session_attrs=any', 'target_session_attrs=any'],
  ['postgresql://db/x?target_session_attrs=prefer-standby', 'target_session_attrs=prefer-standby'],
  ['postgresql://db/x?sslmode=prefer', 'may end without TLS'],
  ['postgresql://db/x?sslmode=verify-ca', 'without sslrootcert'],
  ['postgresql://db/x?sslmode=disable&sslrootcert=ca.pem', 'together with sslmode=disable'],
  ['postgresql://db/x?sslcert=c.pem', 'only one of sslcert and sslkey'],
  ['postgresql://db/x?sslnegotiation=maybe', 'sslnegotiation'],
  ['postgresql://db/x?pgbouncer=true', 'the parameter pgbouncer'],
  ['postgresql://db/x?sslcrl=crl.pem', 'the parameter sslcrl'],
])('%s is refused with the reason', (url, reason) => {
  expect(() => parseDatabaseUrl(url)).toThrow(reason)
})

test('what is wrong is said without user and password', () => {
  let message = ''
  try {
    parseDatabaseUrl('postgresql://kim:secret@db/x?nonsense=1')
  } catch (error) {
    message = String(error)
  }

  expect(message).toContain('nonsense')
  expect(message).not.toMatch(/kim|secret/)
})
