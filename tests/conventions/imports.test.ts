import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'

// `npm run check` holds the sources to the rules; each rule is tried here on a small tree that breaks it.

const FORBIDDEN = [
  ['server/rest/api.ts', 'server/fhir/api.ts', 'an interface never imports another interface'],
  ['server/contract/row.ts', 'server/store/rows.ts', 'server/contract knows zod and nothing else'],
  ['server/store/rows.ts', 'server/domain/noun.ts', 'server/store imports only what lies beneath it'],
  ['server/domain/noun.ts', 'server/http/edge.ts', 'server/domain imports only what lies beneath it'],
  ['server/rest/read.ts', 'server/store/search.ts', 'server/rest imports only what lies beneath it'],
  [
    'server/fhir/read.ts',
    'server/lab/mistake.ts',
    'the laboratory is known to the composition root and to jobs alone',
  ],
  ['server/app.ts', 'app/root.ts', 'the server never imports the portal from source'],
  ['app/screen.ts', 'server/domain/noun.ts', 'the portal takes values only from server/contract'],
  ['app/review/page.ts', 'app/ops/part.ts', 'an area of the portal never imports another area'],
  ['app/shared/part.ts', 'app/ops/part.ts', 'what the areas share imports no area'],
  ['app/components/ui/part.ts', 'app/shared/part.ts', 'components and lib know no domain'],
  ['app/lib/date.ts', 'app/components/ui/part.ts', 'lib imports no component'],
  [
    'app/review/page.ts',
    'emails/letter.ts',
    'mail templates are imported by server/mail and by the preview page',
  ],
  ['emails/letter.ts', 'server/contract/words.ts', 'mail templates know nothing of the server'],
  [
    'examples/backend/start.ts',
    'server/store/rows.ts',
    'a sample app stands alone, so that it can be copied',
  ],
  ['bench/row.ts', 'examples/shared/options.ts', 'only tests import a sample app'],
  ['seed/load.ts', 'server/rest/read.ts', 'the seed writes through contract, store and domain services'],
  ['server/limits/one.ts', 'server/limits/other.ts', 'no circles'],
  ['app/first.ts', 'node_modules/remix/index.js', 'the package remix throws when it is imported'],
] as const

/** A value among types, in every way to write it. */
const MIXED = [
  ['app/one-import.ts', ["import { type Noun, value } from '../server/domain/noun.ts'"]],
  [
    'app/type-first.ts',
    [
      "import type { Noun } from '../server/domain/noun.ts'",
      "import { value } from '../server/domain/noun.ts'",
    ],
  ],
  [
    'app/value-first.ts',
    [
      "import { value } from '../server/domain/noun.ts'",
      "import type { Noun } from '../server/domain/noun.ts'",
    ],
  ],
] as const

let folder: string
let violations: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-imports-'))
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
    symlinkSync(join(rootDir, name), join(folder, name))
  write('node_modules/remix/index.js', 'throw new Error()')
  write('node_modules/remix/package.json', '{"name":"remix","version":"2.0.0","main":"index.js"}')
  const imports = new Map<string, string[]>()
  for (const [from, to] of FORBIDDEN) {
    imports.set(from, [...(imports.get(from) ?? []), importOf(from, to)])
    if (!imports.has(to)) imports.set(to, [])
  }
  imports.set('server/limits/other.ts', [importOf('server/limits/other.ts', 'server/limits/one.ts')])
  imports.set('app/typed.ts', [
    "import type { Noun } from '../server/domain/noun.ts'",
    'export type Mine = Noun',
  ])
  for (const [file, lines] of MIXED)
    imports.set(file, [...lines, 'export const both = (noun: Noun) => [noun, value]'])
  for (const [file, other] of [
    ['left', 'right'],
    ['right', 'left'],
  ] as const) {
    const typeOf = `import type { Noun as Other } from './${other}.ts'`
    imports.set(`server/http/${file}.ts`, [typeOf, 'export type Mine = Other'])
  }
  for (const [file, lines] of imports) {
    if (file.startsWith('node_modules')) continue
    const own = lines.some((line) => line.includes('{ Noun }') || line.includes('type Noun,'))
      ? []
      : ['export type Noun = 1', 'export const value = 1']
    write(file, [...lines, ...own].join('\n'))
  }
  violations = cruise()
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true }))

it.each(FORBIDDEN)('%s may not import %s', (from, to, rule) => {
  expect(violations).toContain(`error ${rule}: ${from} → ${rule === 'no circles' ? '' : to}`)
})

it('a type may be imported from anywhere', () => {
  expect(violations).not.toContain('app/typed.ts')
})

it.each(MIXED)('%s imports a value among types, which is no exception', (file) => {
  expect(violations).toContain(`error the portal takes values only from server/contract: ${file} → `)
})

it('a circle of types is a circle', () => {
  expect(violations).toMatch(/error no circles: server\/http\/(left|right)\.ts → /)
})

function write(file: string, text: string): void {
  mkdirSync(join(folder, dirname(file)), { recursive: true })
  writeFileSync(join(folder, file), `${text}\n`)
}

let count = 0

function importOf(from: string, to: string): string {
  const target = to.startsWith('node_modules') ? 'remix' : `${'../'.repeat(from.split('/').length - 1)}${to}`
  const name = `value${++count}`
  return `import { value as ${name} } from '${target}'\nexport const mine${count} = () => ${name}`
}

function cruise(): string {
  const program = join(rootDir, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const cruising = [
    program,
    '--config',
    '.dependency-cruiser.cjs',
    'server',
    'app',
    'bench',
    'emails',
    'examples',
    'seed',
  ]
  try {
    return execFileSync(process.execPath, cruising, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
  }
}
