import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../setup/folders.mjs'
import { runStage } from './stage.mjs'

const FOLDERS = ['app', 'bench', 'emails', 'scripts', 'seed', 'server', 'tests']

/**
 * Format and lint, types, import rules, unawaited promises: two at a time.
 * @returns {Promise<import('./stage.mjs').StageResult[]>}
 */
export async function runChecks() {
  const folders = FOLDERS.filter((folder) => fs.existsSync(path.join(ROOT, folder)))
  const first = [
    () => runStage('format and lint', ['@biomejs/biome/bin/biome', 'check', '--max-diagnostics=50', '.']),
    () => runStage('types', ['typescript-native/bin/tsc', '--pretty', 'false']),
  ]
  const second = [
    () =>
      runStage('import rules', [
        'dependency-cruiser/bin/dependency-cruise.mjs',
        '--config',
        '.dependency-cruiser.cjs',
        ...folders,
      ]),
    () => runStage('awaited promises', ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...folders]),
  ]
  const results = await Promise.all([inTurn(first), inTurn(second)])
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
