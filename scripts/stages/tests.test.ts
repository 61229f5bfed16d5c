import { expect, it } from 'vitest'
import { countPlaywright, countVitest } from './tests.mjs'

it('passed and failed tests are counted', () => {
  const report = {
    numPassedTests: 7,
    testResults: [
      {
        status: 'failed',
        assertionResults: [{ status: 'failed' }, { status: 'failed' }, { status: 'passed' }],
      },
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
    ],
  }

  expect(countVitest(report)).toEqual({ passed: 7, failed: 2 })
})

it('a test file that could not be loaded counts as one failure', () => {
  const report = { numPassedTests: 0, testResults: [{ status: 'failed', assertionResults: [] }] }

  expect(countVitest(report)).toEqual({ passed: 0, failed: 1 })
})

it('a journey that passes only at the second try is a failure', () => {
  expect(countPlaywright({ stats: { expected: 3, unexpected: 1, flaky: 1 } })).toEqual({
    passed: 3,
    failed: 2,
  })
})
