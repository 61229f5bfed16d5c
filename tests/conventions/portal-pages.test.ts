/** The sweep of every page knows every page: a new one needs a row when its address names something. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findMoved, moved } from '../../server/contract/portal/moved.ts'
import { rootDir } from '../../server/root-dir.ts'
import { filePatterns, hasRows, pagePatterns, sweptElsewhere } from '../support/portal-pages.ts'
import before from './pages-before.json' with { type: 'json' }

const addresses = [...pagePatterns, ...filePatterns]

test('every page whose address names something has records for the sweep, or a journey of its own', () => {
  expect(pagePatterns.length).toBeGreaterThan(100)
  expect(
    pagePatterns.filter((pattern) => pattern.replace(':organization', '').includes(':') && !hasRows(pattern)),
  ).toEqual([])
})

test('a page that is swept elsewhere exists, and the journey looks at its pages with axe', () => {
  for (const [pattern, file] of Object.entries(sweptElsewhere)) {
    expect(pagePatterns, pattern).toContain(pattern)
    expect(readFileSync(join(rootDir, 'tests/journeys', file), 'utf8'), pattern).toMatch(/sweep|findFaults/)
  }
})

test('an old address leads to a page that there is, with its parameters and its query', () => {
  for (const [from, to] of Object.entries(moved)) {
    expect(pagePatterns).not.toContain(from)
    expect(addresses).toContain(to.replace(/[?#].*/, ''))
    const filled = from.replace(/:(\w+)/g, 'the-$1')
    const { pathname, searchParams } = new URL(
      findMoved(new URL(`${filled}?practice=harbor-family`, 'https://portal.example')) ?? '',
      'https://portal.example',
    )
    expect(pathname).toBe(to.replace(/[?#].*/, '').replace(/:(\w+)/g, 'the-$1'))
    expect(searchParams.get('practice')).toBe('harbor-family')
  }
})

test('every address of the release before is there, or leads to one that is', () => {
  const dead = (before as string[]).filter(
    (pattern) => !addresses.includes((moved[pattern] ?? pattern).replace(/[?#].*/, '')),
  )
  expect(dead).toEqual([])
})
