import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../setup/folders.mjs'
import { runStage } from './stage.mjs'

/**
 * Tests that passed and failed.
 * @typedef {{ passed: number, failed: number }} Count
 */

const stageNames = {
  all: 'unit tests and promises',
  unit: 'unit tests',
  machine: 'tests of files and processes',
}

/**
 * Unit tests and promises in one run (decision 0087), or a part of the unit tests.
 * @param {keyof typeof stageNames} [project]
 * @returns {Promise<Count>}
 */
export async function runVitest(project = 'all') {
  const report = freshReport('vitest.json')
  const { ok } = await runStage(
    stageNames[project],
    [
      'vitest/vitest.mjs',
      'run',
      `--project=${project}`,
      '--passWithNoTests',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { environment: { NODE_ENV: 'test' } },
  )
  return settle(ok, readReport(report, countVitest))
}

/** @returns {Promise<Count>} */
export async function runJourneys() {
  const report = freshReport('journeys.json')
  const { ok } = await runStage('journeys', ['@playwright/test/cli.js', 'test', '--pass-with-no-tests'], {
    environment: { NODE_ENV: 'test' },
  })
  for (const reason of readReport(report, reasonsForSkipping) ?? []) console.log(`! skipped: ${reason}`)
  return settle(ok, readReport(report, countPlaywright))
}

/**
 * Counts a file that could not even be loaded as one failure, as its tests do not show up.
 * @param {{ numPassedTests: number, testResults: { status: string, assertionResults: { status: string }[] }[] }} report
 * @returns {Count}
 */
export function countVitest({ numPassedTests, testResults }) {
  const failures = testResults.map(({ status, assertionResults }) => {
    const failed = assertionResults.filter((each) => each.status === 'failed').length
    return status === 'failed' ? Math.max(1, failed) : failed
  })
  return { passed: numPassedTests, failed: failures.reduce((sum, each) => sum + each, 0) }
}

/**
 * @param {{ stats: { expected: number, unexpected: number } }} report
 * @returns {Count}
 */
export function countPlaywright({ stats }) {
  return { passed: stats.expected, failed: stats.unexpected }
}

/**
 * Why journeys did not run, each reason once with how many: the count of those that passed does not show it.
 * @typedef {{ specs?: { title: string, tests: { status: string, annotations: { type: string, description?: string }[] }[] }[],
 *   suites?: Suite[] }} Suite
 * @param {{ suites: Suite[] }} report
 * @returns {string[]}
 */
export function reasonsForSkipping({ suites }) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  /** @param {Suite} suite */
  const visit = ({ specs = [], suites: inner = [] }) => {
    for (const { status, annotations } of specs.flatMap(({ tests }) => tests)) {
      if (status !== 'skipped') continue
      const reason = annotations.find(({ type }) => type === 'skip')?.description ?? 'no reason given'
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
    inner.forEach(visit)
  }
  suites.forEach(visit)
  return [...counts].map(([reason, count]) => `${count} of the journeys: ${reason}`)
}

/**
 * A run that fails without a failed test (an unhandled error, a crash, no report) is a failure, too.
 * @param {boolean} ok
 * @param {Count | null} count
 * @returns {Count}
 */
function settle(ok, count) {
  const { passed, failed } = count ?? { passed: 0, failed: 0 }
  return { passed, failed: ok ? failed : Math.max(1, failed) }
}

/** @param {string} name */
function freshReport(name) {
  const file = path.join(ROOT, 'test-results', name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.rmSync(file, { force: true })
  return file
}

/**
 * @template T
 * @param {string} file
 * @param {(report: any) => T} count
 * @returns {T | null}
 */
function readReport(file, count) {
  return fs.existsSync(file) ? count(JSON.parse(fs.readFileSync(file, 'utf8'))) : null
}
