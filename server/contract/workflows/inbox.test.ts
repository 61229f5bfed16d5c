import { expect, test } from 'vitest'
import { agreementWorkflow } from './agreement-workflow.ts'
import { awaitedSteps, isWorkflowKind, rolesOf, workflowRows } from './inbox.ts'
import { doneWords } from './inbox-done.ts'
import { waitingOn } from './waiting-on.ts'

test.each(awaitedSteps)('$kind $state: $step.event is a step of the table that somebody may make', (of) => {
  const { kind, state, step } = of
  const rows = isWorkflowKind(kind) ? workflowRows[kind] : null
  const row = rows?.find(({ from, event }) => from === state && event === step.event)

  if (rows) expect(row).toBeDefined()
  else expect(step.by).toBeDefined()
  if (!step.begins) expect(Object.keys(doneWords)).toContain(doneAs[step.event] ?? step.event)
  expect(rolesOf(kind, state, step)).not.toEqual([])
  expect(step.title).toMatch(/^[A-Z].*\{name\}.*\.$/)
})

/** What ends an entry under another name than its step's. */
const doneAs: Readonly<Record<string, string>> = { approve_staff_role: 'role_approved', update: 'resolve' }

test('the inbox and the table of who has the next step agree', () => {
  const sides = { developer: 'developer', practice: 'practice', staff: 'us' } as const
  for (const { kind, state, step } of awaitedSteps) {
    if (!isWorkflowKind(kind)) continue
    const holder = waitingOn(kind, state as never)
    // A fact of one row may ask for more than its state says of all rows.
    if (step.fact === 'return_owed' || step.fact === 'service_unsigned') continue
    const allowed = holder === 'both' ? ['developer', 'practice'] : [holder]
    const awaited = new Set(rolesOf(kind, state, step).map(({ realm }) => sides[realm]))
    expect(allowed, `${kind} ${state}`).toEqual(expect.arrayContaining([...awaited]))
  }
})

test('an admin of a practice may make every step of its signatories, so one person may be both', () => {
  for (const { from, event, actors } of agreementWorkflow.rows) {
    const who: readonly string[] = actors
    if (who.includes('practice_signatory')) expect(who, `${from} ${event}`).toContain('practice_admin')
  }
})
