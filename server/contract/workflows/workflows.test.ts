import { describe, expect, test } from 'vitest'
import { registry } from '../../../emails/registry.ts'
import { isProblem } from '../http/problems.ts'
import { agreementWorkflow, executedStates, openAgreementStates } from './agreement-workflow.ts'
import { productionKeyWorkflow } from './production-key-workflow.ts'
import { registrationWorkflow } from './registration-workflow.ts'
import { sandboxKeyWorkflow } from './sandbox-key-workflow.ts'
import { systemAuthorizationWorkflow } from './system-authorization-workflow.ts'
import {
  accountWorkflow,
  invitationWorkflow,
  keyDraftWorkflow,
  keyWorkflow,
  type Transition,
  type Workflow,
} from './workflows.ts'

const workflows = [
  accountWorkflow,
  invitationWorkflow,
  keyWorkflow,
  keyDraftWorkflow,
  sandboxKeyWorkflow,
  systemAuthorizationWorkflow,
  registrationWorkflow,
  agreementWorkflow,
  productionKeyWorkflow,
] as unknown as Workflow<Transition>[]

describe.each(workflows.map((workflow) => [workflow.name, workflow] as const))(
  'the %s workflow',
  (_, workflow) => {
    const { rows, states } = workflow
    const events = [...new Set(rows.map((row) => row.event))]
    const actors = [...new Set(rows.flatMap((row) => row.actors))]

    test('has one row at most for a state and an event', () => {
      const keys = rows.map((row) => `${row.from} ${row.event}`)

      expect(new Set(keys).size).toBe(keys.length)
    })

    test('refuses with a conflict every step that the table does not list', () => {
      for (const from of [null, ...states]) {
        for (const event of events) {
          for (const actor of actors) {
            const row = rows.find(
              (one) => one.from === from && one.event === event && one.actors.includes(actor),
            )
            const step = () => workflow.next(from, event, actor)
            if (row && row.to !== null) expect(step()).toBe(row.to)
            else expect(kindOf(step), `${from} ${event} ${actor}`).toBe('conflict')
          }
        }
      }
    })

    test('names mails that exist', () => {
      const named = rows.flatMap(({ mails = [], emails = {} }) => [...mails, ...Object.keys(emails)])
      for (const name of named) expect(Object.keys(registry)).toContain(name)
    })

    test('leaves no state that cannot be reached', () => {
      for (const state of states)
        expect(rows.some((row) => row.to === state && row.from !== state)).toBe(true)
    })
  },
)

test('an agreement: what is executed never becomes unsigned again, and only people of the two sides sign', () => {
  const open: readonly string[] = openAgreementStates
  const executed: readonly string[] = executedStates
  for (const { from, to, event, actors, ...row } of agreementWorkflow.rows) {
    if (from !== null && executed.includes(from)) expect(open).not.toContain(to)
    if (event === 'sign' || event === 'sign_last')
      expect([...actors]).toEqual(['owner', 'practice_admin', 'practice_signatory'])
    if (['sign', 'sign_last', 'counter_sign', 'terminate', 'give_notice', 'attest_return'].includes(event))
      expect('stepUp' in row && row.stepUp).toBe(true)
  }
})

function kindOf(step: () => unknown): string {
  try {
    return `went to ${String(step())}`
  } catch (error) {
    return isProblem(error) ? error.kind : String(error)
  }
}
