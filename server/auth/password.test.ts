import { expect, test } from 'vitest'
import { isProblem } from '../contract/http/problems.ts'
import { createPasswords, nobodysPassword } from './password.ts'

test('a password is kept as argon2id with the published parameters', async () => {
  const passwords = createPasswords()

  const stored = await passwords.hash('teal heron over marsh')

  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.verify(stored, 'teal heron over marsh')).toBe('right')
  expect(await passwords.verify(stored, 'teal heron over marsH')).toBe('wrong')
})

test('one password is right however its letters were composed', async () => {
  const passwords = createPasswords()
  const stored = await passwords.hash('über dem fluss steht ein reiher')

  expect(await passwords.verify(stored, 'u\u0308ber dem fluss steht ein reiher')).toBe('right')
})

test('without an account a dummy is compared and nothing is right', async () => {
  const passwords = createPasswords()

  expect(await passwords.verify(null, 'nobody has this password')).toBe('wrong')
  expect(await passwords.verify(null, '')).toBe('wrong')
  expect(await passwords.verify(nobodysPassword, nobodysPassword)).toBe('wrong')
})

test('the fifth at once is told to come back, and afterwards there is room again', async () => {
  const passwords = createPasswords()

  const verdicts = await Promise.all(Array.from({ length: 5 }, () => passwords.verify(null, 'x')))

  expect(verdicts.filter((verdict) => verdict === 'busy')).toHaveLength(1)
  expect(await passwords.verify(null, 'x')).toBe('wrong')
  const made = await Promise.allSettled(Array.from({ length: 5 }, () => passwords.hash('x')))
  const refused = made.filter((one) => one.status === 'rejected').map((one) => one.reason)
  expect(refused).toHaveLength(1)
  expect(isProblem(refused[0]) && refused[0].kind).toBe('unavailable')
  expect(refused[0].headers['Retry-After']).toBe('1')
})
