/**
 * Migrations only add (decision 91): the release before keeps working on the newer schema, so that processes can be
 * restarted one by one and a release can be rolled back. tests/load/release-before.long.test.ts runs that release's own tests
 * on it.
 */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { stampAfter } from '../../scripts/prisma/write-migration.mjs'
import { rootDir } from '../../server/root-dir.ts'
import { MIGRATIONS_FOLDER, NEWEST_BEFORE_BASELINE, readMigrations } from '../../server/store/migrations.ts'

const [baseline, ...since] = readMigrations(MIGRATIONS_FOLDER)
/** Begins a line that says why the release before works all the same. */
const reason = /^-- older release: \S.{20,}$/m

/** What a program that does not know of it may stumble over. */
const breaking: readonly (readonly [pattern: RegExp, what: string])[] = [
  [
    /\bDROP\s+(TABLE|COLUMN|SCHEMA|TYPE|VIEW|MATERIALIZED|FUNCTION|TRIGGER|SEQUENCE|DEFAULT)\b/i,
    'drops something',
  ],
  [/\bALTER\s+TABLE\s+\S+(\s+\S+)?\s+DROP\s+(?!CONSTRAINT)/i, 'drops a column'],
  [/\bRENAME\b/i, 'renames something'],
  [/\bSET\s+NOT\s+NULL\b/i, 'forbids null in a column that allowed it'],
  [/\bALTER\s+(COLUMN\s+)?\S+\s+(SET\s+DATA\s+)?TYPE\b/i, 'changes the type of a column'],
  [
    /\bADD\s+(COLUMN\s+)?(IF\s+NOT\s+EXISTS\s+)?"?\w+"?\s+(?!.*\b(DEFAULT|GENERATED)\b)[^,;]*\bNOT\s+NULL\b/i,
    'adds a column that must be filled',
  ],
  [/\bADD\s+CONSTRAINT\b/i, 'adds a rule that rows of the older release may break'],
  [/\bCREATE\s+UNIQUE\s+INDEX\b/i, 'forbids rows that the older release may write'],
  [/\bREVOKE\b/i, 'takes away a right'],
  [/\bTRUNCATE\b/i, 'empties a table'],
]

/** @returns what the release before may stumble over */
function findBreaking(sql: string): string[] {
  if (reason.test(sql)) return []
  const code = sql.replaceAll(/--[^\n]*/g, '').replaceAll(/'(?:[^']|'')*'/g, "''")
  const created = new Set(
    [...code.matchAll(/\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w."]+)/gi)].map((found) => found[1]),
  )
  return code.split(';').flatMap((statement) => {
    const table = /\b(?:ALTER\s+TABLE(?:\s+ONLY)?|ON)\s+([\w."]+)/i.exec(statement)?.[1]
    // Nobody knows a table yet that the same migration makes.
    if (table && created.has(table)) return []
    return breaking.filter(([pattern]) => pattern.test(statement)).map(([, what]) => what)
  })
}

/** Nothing in a copy without the history. */
function git(...args: string[]): string[] {
  const run = spawnSync('git', args, { cwd: rootDir, encoding: 'utf8' })
  return run.status === 0 ? run.stdout.split('\n').filter(Boolean) : []
}

const path = 'prisma/migrations/*/migration.sql'
const nameOf = (file: string) => file.split('/')[2] ?? ''
/** The baseline, or one after it: only the history has those before. */
const isCurrent = (name: string) => name === baseline?.name || name > NEWEST_BEFORE_BASELINE

test('a migration never changes once it is committed: a database that applied it could not follow', () => {
  const changed = git('log', '--format=', '--name-only', '--no-renames', '--diff-filter=MD', '--', path)
  const changing = git('diff', '--name-only', '--no-renames', '--diff-filter=MD', 'HEAD', '--', path)

  expect([...changed, ...changing].map(nameOf).filter(isCurrent)).toEqual([])
})

test('a new migration sorts after all that were there, so it runs after them in a fresh database, too', () => {
  const added = git(
    'log',
    '--reverse',
    '--format=',
    '--name-only',
    '--no-renames',
    '--diff-filter=A',
    '--',
    path,
  )
  const committed = added.map(nameOf).filter(isCurrent)
  const uncommitted = since.filter(({ name }) => !committed.includes(name))
  const inOrderOfArrival = [...committed, ...uncommitted.map(({ name }) => name)]

  expect(inOrderOfArrival).toEqual(inOrderOfArrival.toSorted())
  for (const { name } of since) expect(name > NEWEST_BEFORE_BASELINE, name).toBe(true)
})

test.each([
  ['20261207010000', '2026-11-28T12:00:00Z', '20261207010001'],
  ['20261231235959', '2026-12-31T23:59:59Z', '20270101000000'],
  ['20261207010000', '2027-01-02T03:04:05Z', '20270102030405'],
])('npm run db:new names a migration after the newest: %s at %s', (newest, now, stamp) => {
  expect(stampAfter(newest, new Date(now))).toBe(stamp)
})

test('migrations after the baseline only add, or say why the release before works all the same', () => {
  for (const { name, sql } of since) expect(findBreaking(sql), name).toEqual([])
})
