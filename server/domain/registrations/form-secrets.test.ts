/** What must never be typed into a registration is nowhere afterwards: no table holds it, and no line of the log. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { completeForm, registrationServices } from '../../../tests/support/registrations.ts'
import { createTeams } from '../../../tests/support/team.ts'
import { isProblem } from '../../contract/http/problems.ts'
import type { RegistrationField } from '../../contract/workflows/registration-form.ts'

const logLines: string[] = []
const services = await registrationServices({ logLines })
const { makeTeam } = createTeams(() => services)
const { organizationId, owner } = await makeTeam()

/** In all of them, in one place or another; what is looked for afterwards. */
const needle = 'Qz7NeverStored'
const planted: readonly (readonly [RegistrationField, string])[] = [
  ['description', `-----BEGIN PRIVATE KEY-----\n${needle}`],
  ['description', `our key is svc_t${needle}${'a'.repeat(32)}`],
  ['description', `client_secret=${needle}`],
  ['description', `eyJ${needle}.eyJ${needle}.${needle}`],
  ['description', `${needle} is 123-45-6789 in Ohio`],
  ['name', `MRN: 0044812 ${needle}`],
  ['website', `https://tidepath.example/?key=svc_l${needle}${'b'.repeat(32)}`],
  ['technicalContact', `svc_t${needle}${'c'.repeat(32)}@tidepath.example`],
  ['redirectUris', `https://tidepath.example/cb?token=eyJ${needle}.${needle}.${needle}`],
  ['jwks', `{"keys":[{"kty":"EC","crv":"P-384","kid":"one","x":"x","y":"y","d":"${needle}"}]}`],
  ['jwks', `{"keys":[{"kty":"RSA","n":"n","e":"AQAB", "d" : "${needle}", "kid":`],
  ['scope', `patient/Patient.rs sps_${needle}${'d'.repeat(30)}`],
]

async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await services.pool.query<{ name: string }>(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
      WHERE table_schema IN ('portal', 'log', 'graphile_worker') AND table_type = 'BASE TABLE'
        AND has_table_privilege(format('%I.%I', table_schema, table_name), 'SELECT')`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: hits } = await services.pool.query(
      `SELECT 1 FROM ${name} AS t WHERE t::text LIKE $1 LIMIT 1`,
      [`%${text}%`],
    )
    if (hits.length > 0) found.push(name)
  }
  expect(rows.length).toBeGreaterThan(20)
  return found
}

function save(
  registrationId: string | null,
  version: number | null,
  changes: Partial<Record<string, unknown>>,
) {
  const form = completeForm()
  return services.registrations.saveDraft(
    { registrationId, organizationId, form: { ...form, ...changes }, version, idempotencyKey: randomUUID() },
    owner.actor,
  )
}

test('a key, a secret, a token or somebody’s data in any field is refused, and stored nowhere', async () => {
  const draft = await save(null, null, { description: 'A description with Qz7KeptOnPurpose that stays.' })

  for (const [field, text] of planted)
    for (const target of [null, draft]) {
      const error = await save(target?.registrationId ?? null, target?.version ?? null, {
        [field]: text,
      }).catch((thrown: unknown) => thrown)
      if (!isProblem(error)) throw new Error(`${field} was stored`)
      expect({ status: error.status, field: error.field }, text).toEqual({ status: 400, field })
      expect(`${error.message} ${error.detail}`).not.toContain(needle)
    }

  expect(await tablesWith(needle)).toEqual([])
  expect(logLines.filter((line) => line.includes(needle))).toEqual([])
  // The search finds what is there.
  expect(await tablesWith('Qz7KeptOnPurpose')).toContain('portal.registration')
})
