import { expect, test } from 'vitest'
import { safeRedirect } from './safe-redirect.ts'

test('a path of this portal is kept with its query', () => {
  expect(safeRedirect('/developers/keys?x=1')).toBe('/developers/keys?x=1')
})

test.each([
  'https://elsewhere.example/',
  '//elsewhere.example/',
  '/\\elsewhere.example/',
  '/\t/elsewhere.example/',
  '/..//elsewhere.example/',
  '/.//elsewhere.example/',
  '/%2e%2e//elsewhere.example/',
  '/a/..//elsewhere.example/',
  'javascript:alert(1)',
  'developers',
  '',
])('an address that leads elsewhere (%j) becomes the fallback', (value) => {
  expect(safeRedirect(value, '/developers')).toBe('/developers')
})

test('a missing address becomes the fallback', () => {
  expect(safeRedirect(null)).toBe('/')
})
