/** Registrations for journeys that are about their decision: handed in already, with the promise running. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { registrationForm } from '../../server/contract/workflows/registration-form.ts'
import { createOfficeCalendar, startClock } from '../../server/domain/business-days/business-days.ts'

const promiseDays = 5
/** As the servers of journeys are configured. */
const calendar = createOfficeCalendar('America/New_York')

/** Handed in today, with the promise running. @returns its id */
export async function addSubmitted(
  owner: pg.Pool,
  { organization, name }: { organization: string; name: string },
): Promise<string> {
  const id = randomUUID()
  const form = registrationForm.parse({
    name,
    description: 'Shows people the goals they agreed on with their practice.',
    website: 'https://tidepath.example/',
    technicalContact: 'tech@tidepath.example',
    audience: 'patient',
    clientType: 'none',
    redirectUris: ['https://app.tidepath.example/callback'],
    scope: 'openid fhirUser launch/patient patient/Patient.rs',
  })
  await owner.query(
    `INSERT INTO portal.registration (id, kind, organization_id, created_by_id, name, state, form, received_at,
       submitted_number, created_at, updated_at)
     SELECT $1, 'app', o.id, m.account_id, $3, 'submitted', $4, now(), 1, now(), now()
       FROM portal.organization o JOIN portal.membership m ON m.organization_id = o.id WHERE o.slug = $2`,
    [id, organization.split('/').at(-1), name, JSON.stringify(form)],
  )
  await owner.query(
    `INSERT INTO portal.registration_version (registration_id, number, form, by_id, at)
     SELECT id, 1, form, created_by_id, now() FROM portal.registration WHERE id = $1`,
    [id],
  )
  const today = calendar.dateOf(new Date())
  const { receivedOn, dueOn } = startClock(today, promiseDays)
  await owner.query(
    `INSERT INTO portal.registration_clock (id, registration_id, kind, days, received_on, due_on, due_at, started_at)
     VALUES (gen_random_uuid(), $1, 'promise', $2, $3, $4, $5, now())`,
    [id, promiseDays, receivedOn, dueOn, calendar.endOf(dueOn)],
  )
  return id
}
