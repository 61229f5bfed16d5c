import { expect, it } from 'vitest'
import { countPlaywright, countVitest, reasonsForSkipping } from './tests.mjs'

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
  expect(countPlaywright({ stats: { expected: 3, unexpected: 1 } })).toEqual({ passed: 3, failed: 1 })
})

it('a test file that could not be loaded counts as one failure', () => {
  const report = { numPassedTests: 0, testResults: [{ status: 'failed', assertionResults: [] }] }

  expect(countVitest(report)).toEqual({ passed: 0, failed: 1 })
})

it('a journey that was skipped is named with its reason', () => {
  const skipped = {
    status: 'skipped',
    annotations: [{ type: 'skip', description: 'nginx is not installed' }],
  }
  const passed = { status: 'expected', annotations: [] }
  const suites = [
    {
      specs: [{ title: '', tests: [passed] }],
      suites: [
        {
          specs: [
            { title: '', tests: [skipped] },
            { title: '', tests: [skipped] },
          ],
        },
      ],
    },
  ]

  expect(reasonsForSkipping({ suites })).toEqual(['2 of the journeys: nginx is not installed'])
  expect(reasonsForSkipping({ suites: [{ specs: [{ title: '', tests: [passed] }] }] })).toEqual([])
})
