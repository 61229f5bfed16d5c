import { expect, test } from 'vitest'
import { agreementWorkflow } from './agreement-workflow.ts'
import {
  awaitedSteps,
  isWorkflowKind,
  rolesByActor,
  rolesOf,
  type WorkflowKind,
  workflowKinds,
} from './inbox.ts'
import { waitingOn, workflowRows } from './waiting-on.ts'

test.each(awaitedSteps)('$kind $state: $step.event is a step of the table that somebody may make', (of) => {
  const { kind, state, step } = of
  const rows = isWorkflowKind(kind) ? workflowRows[kind] : null
  const row = rows?.find(({ from, event }) => from === state && event === step.event)

  if (rows) expect(row).toBeDefined()
  else expect(step.by).toBeDefined()
  expect(rolesOf(kind, state, step)).not.toEqual([])
  expect(step.title).toMatch(/^[A-Z].*\{name\}.*\.$/)
})

test('the inbox and the table of who has the next step agree', () => {
  const sides = { developer: 'developer', practice: 'practice', staff: 'us' } as const
  for (const { kind, state, step } of awaitedSteps) {
    if (!isWorkflowKind(kind)) continue
    const holder = waitingOn(kind, state as never)
    // A fact of one row may ask for more than its state says of all rows.
    if (step.fact === 'return_owed') continue
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

/** They read no inbox: jobs, other workflows, and people who may only look. */
const readers = {
  without: ['system', 'visitor', 'viewer', 'documents'],
  with: Object.keys(rolesByActor),
}

/**
 * Steps that some people may make and nobody waits for, so that their inbox does not ask for them: to end something,
 * to begin something new, or to do early what comes anyway.
 */
const choices: Readonly<Record<WorkflowKind, Readonly<Record<string, string>>>> = {
  registration: {
    save: 'a draft may lie',
    verify_authenticity: 'reviewers may do it before and while they have the request',
    withdraw: 'ends it',
    appeal: 'a rejection may stand',
    change: 'begins anew',
    request_change: 'begins anew',
    reopen: 'begins anew',
    suspend: 'ends it',
    reinstate: 'who suspended it decides when',
    retire: 'ends it',
  },
  production_key_request: {
    withdraw: 'ends it',
    not_us: 'an alarm that signatories may raise, too',
    end_sponsorship: 'ends it',
    appeal: 'a rejection may stand',
    rotate: 'begins anew',
    re_sponsor: 'begins anew',
    suspend: 'ends it',
    clear: 'who suspended it decides when',
    reinstate: 'who suspended it decides when',
    revoke: 'ends it',
  },
  agreement: {
    withdraw: 'ends it',
    amend: 'begins anew',
    renew: 'begins anew',
    give_notice: 'ends it',
    terminate: 'ends it',
  },
  sandbox_key_request: { reissue: 'a new request takes as long' },
  system_authorization: {
    revoke: 'ends it',
    stop: 'ends it',
    request: 'begins anew',
    allow: 'who asks also owns the practice, which is a sandbox',
  },
}

const rowsOfPeople = workflowKinds.flatMap((kind) =>
  workflowRows[kind].flatMap(({ from, event, actors }) =>
    from === null ? [] : actors.map((actor) => ({ kind, from, event, actor })),
  ),
)

test('who may make a step of any row sees something to do in that state, or the step is a choice', () => {
  const unlisted = rowsOfPeople.filter(({ kind, from, event, actor }) => {
    const role = rolesByActor[actor]
    if (!role || Object.hasOwn(choices[kind], event)) return false
    const seen = awaitedSteps.filter((each) => each.kind === kind && each.state === from)
    return !seen.some(({ step }) =>
      rolesOf(kind, from, step).some((each) => each.realm === role.realm && each.role === role.role),
    )
  })

  expect(unlisted).toEqual([])
  expect(rowsOfPeople.length).toBeGreaterThan(150)
})

test('every party of the tables is a reader of an inbox, or known to be none; every choice is a step', () => {
  for (const { kind, event, actor } of rowsOfPeople)
    expect([...readers.with, ...readers.without], `${kind} ${event}`).toContain(actor)
  for (const kind of workflowKinds)
    expect(
      Object.keys(choices[kind]).filter((event) => !workflowRows[kind].some((row) => row.event === event)),
    ).toEqual([])
})
