/** Files that pages and comments name are there: a path that has moved sends the reader astray. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'
import { listTrackedFiles } from '../support/tracked-files.ts'

const files = listTrackedFiles()
/** A path may begin at the top, in server/ or in app/. */
const starts = ['', 'server/', 'app/']
const folders = new Set(
  starts.flatMap((start) =>
    files
      .filter((file) => file.startsWith(start))
      .map((file) => file.slice(start.length).split('/'))
      .filter((parts) => parts.length > 1)
      .map(([folder]) => folder),
  ),
)
const path = new RegExp(
  `(?<![\\w./@…-])(?:${[...folders].join('|').replaceAll('.', '\\.')})/[\\w./-]*[\\w-]\\.(?:tsx?|mjs|mdx?|sql|json)(?!\\w)`,
  'g',
)

const isPage = (file: string) => file.endsWith('.md') && !file.endsWith('CHANGELOG.md')
const isCode = (file: string) => /\.(tsx?|mjs|cjs|prisma)$/.test(file)
const isComment = (line: string) => /^\s*(\*|\/\*|\/\/)/.test(line)

test('every file that a page or a comment names exists', () => {
  const named = files
    .filter((file) => (isPage(file) || isCode(file)) && !file.startsWith('clients/'))
    .flatMap((file) =>
      readFileSync(join(rootDir, file), 'utf8')
        .split('\n')
        .filter((line) => isPage(file) || isComment(line))
        .flatMap((line) => [...line.matchAll(path)].map(([name]) => ({ file, name }))),
    )

  const missing = named.filter(({ name }) => !starts.some((start) => existsSync(join(rootDir, start, name))))

  expect(named.length).toBeGreaterThan(150)
  expect(missing).toEqual([])
})
