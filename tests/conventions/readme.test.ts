/**
 * README tables are made from the tables they speak of. `UPDATE_README=1 npx vitest run tests/conventions/readme.test.ts`
 * writes them anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { limits, windowTable } from '../../server/contract/http/limits.ts'
import { retention, retentionWords } from '../../server/contract/portal/retention.ts'
import { variables } from '../../server/env-variables.ts'
import { rootDir } from '../../server/root-dir.ts'

const file = join(rootDir, 'README.md')
const update = process.env.UPDATE_README === '1'

/** Optional in the table because the embedded mode fills them; parseEnv asks for them otherwise. */
const requiredOutsideEmbedded = new Set(['PUBLIC_ORIGIN', 'SMTP_URL', 'MAIL_FROM'])

const number = (value: number) => value.toLocaleString('en-US')

function limitsTable(): string {
  const rows = Object.values(windowTable).map(({ title, windows: [burst, sustained], ...row }) => {
    const chosen = 'ours' in row ? ' (our choice)' : ''
    return `| ${title}${chosen} | ${number(burst.requests)} a second | ${number(sustained.requests)} a minute |`
  })
  const more = [
    `Request bodies: ${number(limits.bodyBytesMax)} bytes at most. \`GET /patients\`: ${limits.pageSizeDefault} records a page, ${limits.pageSizeMax} at most.`,
    `FHIR searches: pages of ${limits.fhirPageSizeDefault} matches, ${limits.fhirPageSizeMax} at most; links \`next\` are good for a day.`,
    `Keys last ${limits.keyDays} days, claim links ${limits.claimLinkHours} hours. An organization has ${limits.sandboxKeysPerOrganization} sandbox keys at a time.`,
  ]
  return ['| Counted per | Burst | Sustained |', '|---|---|---|', ...rows, '', more.join('\n')].join('\n')
}

function configurationTable(): string {
  const rows = Object.entries(variables)
    .filter(([name]) => name !== 'NODE_ENV' && !name.startsWith('SANDPIPER_'))
    .map(([name, schema]) => {
      const fallback = schema.safeParse(undefined)
      const value =
        !fallback.success || requiredOutsideEmbedded.has(name)
          ? 'required'
          : fallback.data === undefined
            ? ''
            : `\`${shown(fallback.data)}\``
      return `| \`${name}\` | ${value} | ${schema.description} |`
    })
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

const shown = (value: unknown) => (typeof value === 'boolean' ? Number(value) : String(value))

function checkBlock(name: string, table: string): void {
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

test('the README states how long what is kept', () => {
  checkBlock('retention', retentionTable())
})

test('the README states the limits of the contract', () => {
  checkBlock('limits', limitsTable())
})

test('the README lists every variable of the environment with its default', () => {
  checkBlock('configuration', configurationTable())
})
