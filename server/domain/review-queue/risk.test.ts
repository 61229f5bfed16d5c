import { expect, test } from 'vitest'
import { completeForm } from '../../../tests/support/registrations.ts'
import { type RiskFactId, riskFacts } from '../../contract/workflows/review-risk.ts'
import { type OrganizationFacts, riskOfProductionKey, riskOfRegistration, riskOfSandboxKey } from './risk.ts'

const now = new Date('2026-11-23T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
/** Nothing is known against it. */
const trusted: OrganizationFacts = {
  createdAt: daysAgo(31),
  verifiedDomains: ['tidepath.example'],
  leaked: false,
  rejectedIds: [],
}
const ofForm = (changes: object, facts = trusted) =>
  riskOfRegistration({ id: 'one', form: completeForm(changes) }, facts, now).facts
const key = { id: 'one', level: 'read_only', state: 'baa_executed', dataClasses: ['visits'] } as const
const ofKey = (changes: object, facts = trusted) =>
  riskOfProductionKey({ ...key, dataClasses: [...key.dataClasses], ...changes }, facts, now).facts

/** For each fact of the table: a request of which it holds, and the like of which it does not. */
const examples: Readonly<Record<RiskFactId, readonly [holds: () => unknown, not: () => unknown]>> = {
  writes: [() => ofKey({ level: 'full' }), () => ofKey({})],
  no_person: [
    () => ofForm({ audience: 'backend', scope: 'system/Patient.rs' }),
    () => ofForm({ scope: 'user/Patient.rs' }),
  ],
  flagged: [
    () => riskOfSandboxKey({ id: 'one', flags: ['real_data'] }, trusted, now).facts,
    () => riskOfSandboxKey({ id: 'one', flags: [] }, trusted, now).facts,
  ],
  held: [() => ofKey({ state: 'security_hold' }), () => ofKey({ state: 'in_review' })],
  leaked_before: [() => ofForm({}, { ...trusted, leaked: true }), () => ofForm({})],
  whole_record: [() => ofForm({ scope: 'patient/*.rs' }), () => ofForm({ scope: 'patient/Patient.rs' })],
  confidential_data: [
    () => ofForm({ scope: 'patient/DocumentReference.rs' }),
    () => ofForm({ scope: 'patient/Goal.rs' }),
  ],
  new_organization: [() => ofForm({}, { ...trusted, createdAt: daysAgo(29) }), () => ofForm({})],
  unverified_domain: [
    () => ofForm({ website: 'https://nottidepath.example/' }, { ...trusted }),
    () => ofForm({ website: 'https://www.tidepath.example/' }),
  ],
  foreign_redirect: [
    () => ofForm({ redirectUris: ['https://callback.elsewhere.example/'] }),
    () => ofForm({ redirectUris: ['http://localhost:5173/', 'com.tidepath.app:/callback'] }),
  ],
  rejected_before: [
    () => ofForm({}, { ...trusted, rejectedIds: ['two'] }),
    () => ofForm({}, { ...trusted, rejectedIds: ['one'] }),
  ],
}

test.each(Object.keys(riskFacts) as RiskFactId[])(
  'the fact %s is found where it holds, and only there',
  (id) => {
    const [holds, not] = examples[id]

    expect(holds()).toContain(id)
    expect(not()).not.toContain(id)
  },
)

test('a request about which nothing is known has a low risk', () => {
  expect(ofForm({})).toEqual([])
  expect(ofKey({})).toEqual([])
  expect(riskOfRegistration({ id: 'one', form: null }, trusted, now).level).toBe('low')
})
