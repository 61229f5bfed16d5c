/** The sweep of every page knows every page: a new one needs a row when its address names something. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'
import { hasRows, pagePatterns, sweptElsewhere } from '../support/portal-pages.ts'

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
