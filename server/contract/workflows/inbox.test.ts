import { expect, test } from 'vitest'
import { awaitedSteps, rolesOf, workflowRows } from './inbox.ts'
import { waitingOn } from './waiting-on.ts'

test.each(awaitedSteps)('$kind $state: $step.event is a step of the table that somebody may make', (of) => {
  const { kind, state, step } = of
  const row = workflowRows[kind].find(({ from, event }) => from === state && event === step.event)

  expect(row).toBeDefined()
  expect(rolesOf(kind, state, step)).not.toEqual([])
  expect(step.title).toMatch(/^[A-Z].*\{name\}.*\.$/)
})

test('the inbox and the table of who has the next step agree', () => {
  const sides = { developer: 'developer', practice: 'practice', staff: 'us' } as const
  for (const { kind, state, step } of awaitedSteps) {
    const holder = waitingOn(kind, state as never)
    // A fact of one row may ask for more than its state says of all rows.
    if (step.fact === 'return_owed' || step.fact === 'service_unsigned') continue
    const allowed = holder === 'both' ? ['developer', 'practice'] : [holder]
    const awaited = new Set(rolesOf(kind, state, step).map(({ realm }) => sides[realm]))
    expect(allowed, `${kind} ${state}`).toEqual(expect.arrayContaining([...awaited]))
  }
})
