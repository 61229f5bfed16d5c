import { expect, test } from 'vitest'
import { parseEnv } from '../../server/env.ts'
import { developmentAddresses, newDevelopmentKey } from './development-addresses.mjs'

const origin = 'http://localhost:3000'
const server = { origin, key: 'k', embedded: true, environment: {} }

test('every start has a key of its own, which the server takes', () => {
  const keys = Array.from({ length: 20 }, newDevelopmentKey)

  expect(new Set(keys).size).toBe(20)
  const environment = {
    DATABASE_URL: 'postgresql://embedded/sandpiper',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    SANDPIPER_EMBEDDED: '1',
  }
  for (const key of keys)
    expect(parseEnv({ ...environment, SANDPIPER_DEV_KEY: key }).SANDPIPER_DEV_KEY).toBe(key)
})

test('the printed links hold the key', () => {
  expect(developmentAddresses(server)).toEqual({
    mailbox: `${origin}/dev/mail?key=k`,
    tour: `${origin}/tour?key=k`,
  })
})

test('no link is printed to a page that the server does not have', () => {
  const none = { mailbox: null, tour: null }

  expect(developmentAddresses({ ...server, embedded: false })).toEqual(none)
  expect(developmentAddresses({ ...server, origin: 'https://portal.example' })).toEqual(none)
  expect(developmentAddresses({ ...server, environment: { TRUSTED_PROXY_CIDRS: '127.0.0.1/32' } })).toEqual(
    none,
  )
  expect(developmentAddresses({ ...server, environment: { SMTP_URL: 'smtp://mail.example' } })).toEqual({
    mailbox: null,
    tour: `${origin}/tour?key=k`,
  })
})
