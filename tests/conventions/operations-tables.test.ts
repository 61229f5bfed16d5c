/**
 * Tables of the operators' pages follow from the tables of the code. `UPDATE_TABLES=1 npx vitest run
 * tests/conventions/operations-tables.test.ts` writes them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { retention, retentionWords } from '../../server/contract/portal/retention.ts'
import { settings } from '../../server/env-variables.ts'
import { rootDir } from '../../server/root-dir.ts'

const update = process.env.UPDATE_TABLES === '1'

function settingsTable(group: keyof typeof settings): string {
  const rows = Object.entries(settings[group]).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined)
    const value =
      group === 'required'
        ? 'required'
        : fallback.data === undefined || typeof fallback.data === 'object'
          ? ''
          : `\`${shown(fallback.data)}\``
    return `| \`${name}\` | ${value} | ${schema.description} |`
  })
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

const shown = (value: unknown) => (typeof value === 'boolean' ? Number(value) : String(value))

function checkBlock(page: string, name: string, table: string): void {
  const file = join(rootDir, 'docs/operations', page)
  const text = readFileSync(file, 'utf8')
  const block = new RegExp(`(<!-- ${name} -->\\n)([\\s\\S]*?)(\\n?<!-- /${name} -->)`)
  expect(text).toMatch(block)
  if (update)
    writeFileSync(
      file,
      text.replace(block, (_all, open, _old, close) => `${open}${table}\n${close.trimStart()}`),
    )
  const found = block.exec(readFileSync(file, 'utf8'))?.[2]?.trim()
  expect(found).toBe(table.trim())
}

function retentionTable(): string {
  const rows = Object.values(retention).map(
    (row) => `| ${row.what} | ${retentionWords(row)} | ${row.from} | ${row.why} |`,
  )
  return ['| What | How long | Counted from | Why |', '|---|---|---|---|', ...rows].join('\n')
}

test('the retention page states the table of the contract', () => {
  checkBlock('retention.md', 'retention', retentionTable())
})

test.each(['required', 'usual', 'rare'] as const)(
  'the settings page lists the settings that are %s, with their defaults',
  (group) => checkBlock('settings.md', group, settingsTable(group)),
)
