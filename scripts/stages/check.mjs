import fs from 'node:fs'
import path from 'node:path'
import { checkSize } from '../commands/size.mjs'
import { ROOT } from '../setup/folders.mjs'
import { runStage, runWork } from './stage.mjs'

const CONVENTIONS = ['tests/conventions/migrations.test.ts']
const CONFIGURATIONS = ['playwright.config.ts', 'prisma.config.ts', 'vite.config.ts', 'vitest.config.ts']
const FOLDERS = ['app', 'bench', 'bin', 'deploy', 'emails', 'examples', 'scripts', 'seed', 'server', 'tests']

/**
 * Format and lint, types with unawaited promises, import rules, unused exports, wording: two at a time.
 * @param {(() => Promise<import('./stage.mjs').StageResult>)[]} beside what needs none of them, and runs meanwhile
 * @returns {Promise<import('./stage.mjs').StageResult[]>}
 */
export async function runChecks(beside = []) {
  const folders = FOLDERS.filter((folder) => fs.existsSync(path.join(ROOT, folder)))
  const format = () =>
    runStage('format and lint', ['@biomejs/biome/bin/biome', 'check', '--max-diagnostics=50', '.'])
  const imports = () =>
    runStage('import rules', [
      'dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      ...folders,
    ])
  const types = () =>
    runStage('types, awaited promises', [
      'oxlint/bin/oxlint',
      '--type-aware',
      '--type-check',
      '--deny-warnings',
      ...folders,
      ...CONFIGURATIONS,
    ])
  const unused = () => runStage('unused exports', ['knip/bin/knip.js', '--no-progress'])
  const wording = () =>
    runStage('wording, migrations', ['vitest/vitest.mjs', 'run', ...CONVENTIONS], {
      environment: { NODE_ENV: 'test', WITHOUT_DATABASE: '1' },
    })
  const size = () => runWork('size', checkSize)
  // Import rules take about as long as all the others.
  const lanes =
    beside.length === 0
      ? [
          [types, wording, size],
          [imports, format, unused],
        ]
      : [
          [types, unused, wording, size, ...beside],
          [imports, format],
        ]
  const results = await Promise.all(lanes.map(inTurn))
  return results.flat()
}

/**
 * @template T
 * @param {(() => Promise<T>)[]} steps
 */
async function inTurn(steps) {
  /** @type {T[]} */
  const results = []
  for (const step of steps) results.push(await step())
  return results
}
