import { expect, it } from 'vitest'
import { chooseFormat, requireReadable } from './choose-format.ts'
import type { Manifest } from './manifest.ts'

const both = (major: number) => ({ pgDump: major, pgRestore: major })
const none = { pgDump: null, pgRestore: null }

it('PostgreSQL’s own format is taken when its programs are there and not older than the database', () => {
  expect(chooseFormat(both(15), 15, null)).toBe('custom')
  expect(chooseFormat(both(18), 15, null)).toBe('custom')
})

it.each([
  ['no programs', none, 15],
  ['pg_dump alone', { pgDump: 15, pgRestore: null }, 15],
  ['programs older than the database', both(15), 18],
  ['a pg_restore older than the pg_dump', { pgDump: 18, pgRestore: 15 }, 18],
])(
  'with %s the portable format is taken, and the custom one refused by its reason',
  (_, programs, server) => {
    expect(chooseFormat(programs, server, null)).toBe('portable')
    expect(() => chooseFormat(programs, server, 'custom')).toThrow(/--format custom: pg_/)
  },
)

it('the portable format can be asked for in any case', () => {
  expect(chooseFormat(both(15), 15, 'portable')).toBe('portable')
})

it('a dump is restored by programs and on servers that are not older than it', () => {
  const dump = { format: 'custom', pgDump: 17, postgresql: 16 } as Manifest

  expect(() => requireReadable(dump, both(17), 17)).not.toThrow()
  expect(() => requireReadable(dump, both(18), 18)).not.toThrow()
  expect(() => requireReadable(dump, none, 17)).toThrow(/pg_restore 17 or newer is needed/)
  expect(() => requireReadable(dump, both(16), 17)).toThrow(/pg_restore 16 cannot read/)
  expect(() => requireReadable(dump, both(17), 16)).toThrow(/portable/)
  expect(() => requireReadable({ ...dump, format: 'portable' }, none, 15)).not.toThrow()
})
