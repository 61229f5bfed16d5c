/**
 * Migrations only add (decision 91): the release before keeps working on the newer schema, so that processes can be
 * restarted one by one and a release can be rolled back. tests/load/release-before.long.test.ts runs that release's own tests
 * on it.
 */
import { describe, expect, test } from 'vitest'
import { MIGRATIONS_FOLDER, readMigrations } from '../../server/store/migrations.ts'

/** Written before the rule, and part of the first release. */
const ruleSince = '20261125'
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

test('migrations since the first release only add, or say why the release before works all the same', () => {
  const since = readMigrations(MIGRATIONS_FOLDER).filter(({ name }) => name >= ruleSince)

  expect(since.length).toBeGreaterThan(0)
  for (const { name, sql } of since) expect(findBreaking(sql), name).toEqual([])
})

describe('the rule', () => {
  test.each([
    ['DROP TABLE portal.bird', 'drops something'],
    ['ALTER TABLE portal.bird DROP COLUMN name', 'drops'],
    ['ALTER TABLE portal.bird DROP name', 'drops a column'],
    ['ALTER TABLE portal.bird RENAME COLUMN a TO b', 'renames'],
    ['ALTER TABLE portal.bird ALTER COLUMN a SET NOT NULL', 'forbids null'],
    ['ALTER TABLE portal.bird ALTER COLUMN a TYPE text', 'changes the type'],
    ['ALTER TABLE portal.bird ADD COLUMN "a" TEXT NOT NULL', 'must be filled'],
    ['ALTER TABLE portal.bird ADD CONSTRAINT c CHECK (a > 1)', 'adds a rule'],
    ['CREATE UNIQUE INDEX i ON portal.bird (name)', 'forbids rows'],
  ])('finds what breaks the release before: %s', (sql, what) => {
    expect(findBreaking(sql).join()).toContain(what)
  })

  test.each([
    'ALTER TABLE portal.bird ADD COLUMN a TEXT',
    "ALTER TABLE portal.bird ADD COLUMN a TEXT NOT NULL DEFAULT 'x'",
    'CREATE TABLE portal.nest (id int NOT NULL); CREATE UNIQUE INDEX i ON portal.nest (id)',
    'CREATE INDEX i ON portal.bird (name)',
    '-- DROP TABLE is not said here\nCREATE TABLE portal.nest (id int)',
    '-- older release: it reads the column only when the practice is closed\nDROP TABLE portal.bird',
  ])('lets pass what only adds: %s', (sql) => {
    expect(findBreaking(sql)).toEqual([])
  })
})
