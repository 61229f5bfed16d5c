import { expect, test } from 'vitest'
import {
  completeForm,
  registrationServices,
  registrationSupport,
} from '../../../tests/support/registrations.ts'
import { registrationFields } from '../../contract/workflows/registration-form.ts'

const support = registrationSupport(() => services)

const services = await registrationServices({ template: 'schema' })

const minute = 60_000

/** A registration that was asked something at each of these versions; the last one is submitted and not asked yet. */
async function withVersions(...forms: readonly Readonly<Record<string, unknown>>[]) {
  const { prisma } = services
  const { organizationId, owner } = await support.makeTeam()
  const now = services.clock().getTime()
  const made = { createdAt: new Date(now), updatedAt: new Date(now) }
  const last = completeForm(forms.at(-1))
  const { id } = await prisma.registration.create({
    data: {
      ...{
        kind: 'app',
        organizationId,
        createdById: owner.accountId,
        name: 'Tidepath',
        state: 'resubmitted',
      },
      ...{ form: last, submittedNumber: forms.length, ...made },
    },
  })
  for (const [place, changes] of forms.entries()) {
    const at = (after: number) => new Date(now + (2 * place + after) * minute)
    await prisma.registrationVersion.create({
      data: {
        ...{ registrationId: id, number: place + 1, form: completeForm(changes) },
        ...{ byId: owner.accountId, at: at(0) },
      },
    })
    if (place < forms.length - 1)
      await prisma.registrationItem.create({
        data: {
          ...{ registrationId: id, round: place + 1, code: 'scope_unexplained', text: 'Purpose' },
          ...{ askedAt: at(1), askedById: owner.accountId },
        },
      })
  }
  return id
}

const read = async (id: string) => {
  const { rae } = await support.makeReviewTeam()
  return services.registrations.reviews.get(id, rae, { withReport: false })
}

test('a version is compared, field by field, with the one at the last questions', async () => {
  const view = await read(
    await withVersions(
      { name: 'Tide' },
      { scope: 'openid patient/Patient.rs' },
      { scope: 'openid patient/Goal.rs', website: 'https://tidepath.example/new' },
    ),
  )

  expect(view.comparedWith).toMatchObject({ kind: 'asked', number: 2 })
  expect(view.changes.map(({ field, before, after }) => [field, before, after])).toEqual([
    ['website', 'https://tidepath.example/', 'https://tidepath.example/new'],
    ['scope', 'openid patient/Patient.rs', 'openid patient/Goal.rs'],
  ])
  expect(view.fieldsCompared).toBe(registrationFields.length)
})
