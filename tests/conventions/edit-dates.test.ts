/** The date at the end of a guide is that of its last edit, or it is not there. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEditDates } from '../../scripts/docs/edit-dates.ts'

const today = new Date('2026-11-20T12:00:00Z')
let folder: string
const datesIn = (name: string) => readEditDates(place(name), today)
const place = (...parts: string[]) => join(folder, ...parts)

function git(cwd: string, ...args: string[]) {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
  execFileSync('git', [...who, ...args], { cwd, stdio: 'ignore' })
}

function commit(name: string, day: string) {
  writeFileSync(place('whole', name), `${name} on ${day}\n`)
  git(place('whole'), 'add', name)
  git(place('whole'), 'commit', '-m', 'edit', '--date', `${day}T12:00:00Z`)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'edit-dates-'))
  execFileSync('git', ['init', '-q', place('whole')])
  commit('old.mdx', '2026-10-01')
  commit('edited.mdx', '2026-10-02')
  commit('edited.mdx', '2026-11-03')
  commit('other.mdx', '2026-11-09')
  writeFileSync(place('plain.mdx'), 'x')
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${place('whole')}`, place('shallow')])
})

afterAll(() => rmSync(folder, { recursive: true }))

test('a guide has the day of its own last commit', () => {
  expect(datesIn('whole').get(place('whole', 'old.mdx'))).toBe('2026-10-01')
  expect(datesIn('whole').get(place('whole', 'edited.mdx'))).toBe('2026-11-03')
})

test('a guide with changes that are not committed was edited today', () => {
  writeFileSync(place('whole', 'other.mdx'), 'more\n')

  expect(datesIn('whole').get(place('whole', 'other.mdx'))).toBe('2026-11-20')
})

test('where the history cannot tell there is no date', () => {
  writeFileSync(place('whole', 'new.mdx'), 'x')

  expect(datesIn('shallow').get(place('shallow', 'old.mdx'))).toBeUndefined()
  expect(readEditDates(folder, today).get(place('plain.mdx'))).toBeUndefined()
  expect(datesIn('whole').get(place('whole', 'new.mdx'))).toBeUndefined()
})
