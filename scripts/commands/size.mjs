import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../setup/folders.mjs'

export const help = `
npm run size

Prints how large the project is, and what it may be at most. npm run check fails above a maximum. Whoever makes the
project smaller lowers the maximum in the same commit.
`

const PRODUCTION = /^(server|app|seed|emails|prisma|scripts|bin)\/.*\.(ts|tsx|mjs|css|sql|prisma)$/
const SOURCES = /\.(ts|tsx|mjs|cjs)$/
/** Tables and generated code may be as long as what they list. */
const MAY_BE_LONG = /^(server\/contract|clients)\/|^app\/docs\/guides\/client-duties\.ts$/
const TESTS = /^tests\/.*\.(ts|tsx|mjs)$|\.(test|spec|suite)\.tsx?$/

/** Each figure with its maximum. */
const figures = {
  'production lines': {
    most: 149_820,
    of: (/** @type {string[]} */ files) => lines(files.filter(isProduction)),
  },
  'production files': {
    most: 1_281,
    of: (/** @type {string[]} */ files) => files.filter(isProduction).length,
  },
  'test lines': { most: 75_000, of: (/** @type {string[]} */ files) => lines(files.filter(isTest)) },
  'lines of the longest file': {
    most: 393,
    of: (/** @type {string[]} */ files) =>
      Math.max(
        ...files.filter((file) => SOURCES.test(file) && !MAY_BE_LONG.test(file)).map((file) => lines([file])),
      ),
  },
  migrations: {
    most: 1,
    of: (/** @type {string[]} */ files) => count(files, /^prisma\/migrations\/.*\.sql$/),
  },
  decisions: {
    most: 40,
    of: (/** @type {string[]} */ files) => count(files, /^server\/decisions\/\d+.*\.md$/),
  },
  'email templates': {
    most: 20,
    of: (/** @type {string[]} */ files) =>
      files
        .filter((file) => file.startsWith('emails/templates/'))
        .reduce((sum, file) => sum + (read(file).match(/= emailsAbout\(|: defineMail\(/g)?.length ?? 0), 0),
  },
  settings: {
    most: 39,
    of: () =>
      read('server/env-variables.ts')
        .split('const openTelemetry')[0]
        ?.match(/^ {2}[A-Z][A-Z0-9_]+: /gm)?.length ?? 0,
  },
  'README lines': { most: 150, of: () => lines(['README.md']) },
  'packages in the lockfile': {
    most: 992,
    of: () => Object.keys(JSON.parse(read('package-lock.json')).packages).length - 1,
  },
}

export async function run() {
  const rows = measureSize()
  for (const row of rows) console.log(`${row.size > row.most ? '✗' : '✓'} ${shown(row)}`)
  return rows.every(({ size, most }) => size <= most) ? 0 : 1
}

/** @throws Error that names each figure above its maximum */
export async function checkSize() {
  const over = measureSize().filter(({ size, most }) => size > most)
  if (over.length > 0) throw new Error(`larger than npm run size allows:\n${over.map(shown).join('\n')}`)
}

/** @param {{ name: string, size: number, most: number }} row */
const shown = ({ name, size, most }) => `${name.padEnd(26)} ${number(size)}  of at most ${number(most)}`

/** A copy without the history has no list of files, and is not measured. */
function measureSize() {
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  const files = (listed.stdout ?? '')
    .split('\n')
    .filter((file) => file && fs.existsSync(path.join(ROOT, file)))
  return Object.entries(figures).map(([name, { most, of }]) => ({ name, most, size: of(files) }))
}

const isTest = (/** @type {string} */ file) => TESTS.test(file)
const isProduction = (/** @type {string} */ file) => PRODUCTION.test(file) && !isTest(file)
const count = (/** @type {string[]} */ files, /** @type {RegExp} */ pattern) =>
  files.filter((file) => pattern.test(file)).length
const read = (/** @type {string} */ file) => fs.readFileSync(path.join(ROOT, file), 'utf8')
const lines = (/** @type {string[]} */ files) =>
  files.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0)
const number = (/** @type {number} */ value) => value.toLocaleString('en-US').padStart(8)
