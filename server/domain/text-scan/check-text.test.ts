/** What becomes of a text that was warned about: kept with a reason, left out, or refused. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { completeForm, registrationServices } from '../../../tests/support/registrations.ts'
import { createTeams, type Person } from '../../../tests/support/team.ts'
import { isProblem } from '../../contract/http/problems.ts'
import { newTextReview, type TextReview } from '../../contract/text/text-warnings.ts'
import type { Actor } from '../actor.ts'
import { checkText, isCleanText } from './check-text.ts'

const planted = 'Reads the sample of our manual, where the client secret is Kx7pQ9vTz2Lm4.'
const reason = 'A sample value of our public manual.'
const { makeTeam } = createTeams(() => services)

const services = await registrationServices()

function problemOf(work: () => void) {
  try {
    work()
    return null
  } catch (thrown) {
    if (!isProblem(thrown)) throw thrown
    return thrown
  }
}

const override = (keepText: string[], keepReason = reason): TextReview =>
  newTextReview({ keepText, keepReason })

test.each([
  ['short', 'Enter a reason of at least 10 characters.'],
  ['x'.repeat(301), 'Use at most 300 characters.'],
  ['It is a sample: the password is Kx7pQ9vTz2.', 'Explain it without the value.'],
  [`It is a sample: svc_t${'A'.repeat(46)} is public.`, 'Remove secrets from the reason.'],
])('the reason %j keeps nothing', (keepReason, reasonFault) => {
  const textReview = override(['description'], keepReason)

  const problem = problemOf(() => checkText('description', planted, { textReview }))

  expect(problem?.kind).toBe('text_warning')
  expect(textReview.warned).toMatchObject({ reasonFault })
  expect(textReview.overridden.size).toBe(0)
})

test('a text is clean when nothing is seen in it', () => {
  expect(isCleanText('An import of visits, every night.')).toBe(true)
  expect(isCleanText(planted)).toBe(false)
  expect(isCleanText('born 14 March 1958, MRN 0044812')).toBe(false)
  expect(isCleanText(`svc_t${'A'.repeat(46)}`)).toBe(false)
})

const save = (
  { organizationId, owner }: { organizationId: string; owner: Person },
  { textReview, ...more }: { textReview?: TextReview; registrationId?: string; version?: number },
  form = completeForm({ description: planted }),
) => {
  const actor: Actor = { ...owner.actor, ...(textReview ? { textReview } : {}) }
  const target = { registrationId: null, version: null, ...more }
  return services.registrations.saveDraft(
    { ...target, organizationId, form, idempotencyKey: randomUUID() },
    actor,
  )
}

const auditDetails = async (subjectId: string) => {
  const rows = await services.prisma.auditEvent.findMany({ where: { subjectId }, orderBy: { id: 'asc' } })
  return rows.map(({ action, detail }) => [action, (detail as { textOverride?: unknown }).textOverride])
}

test('the audit row of the act holds the reason and what was seen, and not the text', async () => {
  const team = await makeTeam()

  const { registrationId } = await save(team, { textReview: override(['description']) })

  expect(await auditDetails(registrationId)).toEqual([
    ['registration.create', { reason, seen: { description: 'secret_value' } }],
  ])
})

test('a reason that was not needed is not recorded', async () => {
  const team = await makeTeam()

  const { registrationId } = await save(
    team,
    { textReview: override(['description']) },
    completeForm({ description: 'Shows people the lab results of their own chart.' }),
  )

  expect(await auditDetails(registrationId)).toEqual([['registration.create', undefined]])
})

test('a text that was kept is not asked about again while it stays as it is', async () => {
  const team = await makeTeam()
  const { registrationId, version } = await save(team, { textReview: override(['description']) })

  const again = await save(
    team,
    { registrationId, version },
    completeForm({ description: planted, website: 'https://tidepath.example/app' }),
  )
  const changed = save(
    team,
    { registrationId, version: again.version },
    completeForm({ description: `${planted} And more.` }),
  )

  await expect(changed).rejects.toMatchObject({ kind: 'text_warning', field: 'description' })
})
