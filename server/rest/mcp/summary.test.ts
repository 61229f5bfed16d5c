import { expect, test } from 'vitest'
import type { KeyAccess } from '../../contract/keys/key-access.ts'
import { estimateTokens, summarize } from './summary.ts'

const medications = Array.from({ length: 60 }, (_, at) => ({
  reference: `MedicationRequest/${at}`,
  what: { text: { text: `Medication ${at}` }, code: `${at}`, system: 'urn:x' },
}))
const parts = {
  patient: { resourceType: 'Patient', id: 'pt-wren-testwell', name: [{ family: 'Testwell' }] },
  problems: Array.from({ length: 60 }, (_, at) => ({
    resourceType: 'Condition',
    id: `c${at}`,
    subject: { reference: 'Patient/pt-wren-testwell' },
    code: { text: `Problem ${at}` },
  })),
  allergies: [],
  medications,
  vitals: [],
  labs: [],
} as unknown as Parameters<typeof summarize>[0]
const budget = { maxTokens: 900, overhead: 0 }

test('tokens of sections that the key may not read go to those that it may', () => {
  const access: KeyAccess = { classes: ['demographics', 'medications'], purposes: ['operations'] }

  const narrowed = summarize(parts, { access, ...budget })

  expect(narrowed).not.toHaveProperty('problems')
  expect(estimateTokens(JSON.stringify(narrowed))).toBeGreaterThan(700)
  expect(narrowed.medications.length).toBeGreaterThan(
    summarize(parts, { access: null, ...budget }).medications.length,
  )
})
