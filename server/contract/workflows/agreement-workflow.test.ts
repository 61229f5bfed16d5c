import { expect, test } from 'vitest'
import {
  agreementActors,
  agreementEvents,
  agreementStateNames,
  agreementWorkflow,
  executedStates,
  openAgreementStates,
} from './agreement-workflow.ts'

const { rows, states } = agreementWorkflow

test('every state but the last ones can be left, and every state can be reached', () => {
  const reached = new Set(['offered'])
  for (let before = 0; before !== reached.size; ) {
    before = reached.size
    for (const { from, to } of rows) if (from !== null && reached.has(from)) reached.add(to)
  }

  expect([...reached].sort()).toEqual([...states].sort())
  const left = new Set(rows.filter(({ from, to }) => from !== to).map(({ from }) => from))
  expect(states.filter((state) => !left.has(state as never)).sort()).toEqual(
    ['expired', 'superseded', 'terminated', 'void', 'withdrawn'].sort(),
  )
})

test('what is executed never becomes unsigned again, and what is not listed is a conflict', () => {
  const open: readonly string[] = openAgreementStates
  const executed: readonly string[] = executedStates
  for (const { from, to } of rows)
    if (from !== null && executed.includes(from)) expect(open).not.toContain(to)

  for (const from of [null, ...states]) {
    for (const event of agreementEvents) {
      for (const actor of agreementActors) {
        const row = rows.find(
          (each) =>
            each.from === from && each.event === event && (each.actors as readonly string[]).includes(actor),
        )
        const go = () => agreementWorkflow.next(from as never, event, actor as never)
        if (row) expect(go()).toBe(row.to)
        else expect(go).toThrow(expect.objectContaining({ kind: 'conflict' }))
      }
    }
  }
})

test('only people of the two sides sign, with their password fresh; we sign for nobody else', () => {
  for (const { event, actors, ...row } of rows) {
    if (event === 'sign' || event === 'sign_last')
      expect([...actors]).toEqual(['owner', 'practice_admin', 'practice_signatory'])
    if (['sign', 'sign_last', 'counter_sign', 'terminate', 'give_notice', 'attest_return'].includes(event))
      expect('stepUp' in row && row.stepUp).toBe(true)
  }
  expect(Object.keys(agreementStateNames).sort()).toEqual([...states].sort())
})
