/** Creates registrations in each state, with their organizations and reviewers. */
import { randomUUID } from 'node:crypto'
import { createApp } from '../../server/app.ts'
import { configurationChecks } from '../../server/contract/workflows/registration-checks.ts'
import { type RegistrationForm, registrationForm } from '../../server/contract/workflows/registration-form.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { Outbound } from '../../server/outbound/outbound.ts'
import { addAccount, addSession, signedIn } from './people.ts'
import { type TestServices, type TestServicesOptions, testServices } from './services.ts'
import { createTeams } from './team.ts'

/** Answers every request with an empty page, without using the network. */
const everyPageAnswers: Outbound = {
  get: async () => ({ status: 200, contentType: 'text/html', headers: {}, body: new Uint8Array() }),
}

export async function registrationServices(options: TestServicesOptions = {}): Promise<TestServices> {
  let app: ReturnType<typeof createApp> | null = null
  const services = await testServices({
    outbound: everyPageAnswers,
    send: async (url, init) => {
      app ??= createApp(services)
      return app.fetch(new Request(url, init), { incoming: { socket: { remoteAddress: '127.0.0.1' } } })
    },
    ...options,
  })
  return services
}

/** A form without errors. */
export function completeForm(
  changes: Partial<Record<keyof RegistrationForm, unknown>> = {},
): RegistrationForm {
  return registrationForm.parse({
    name: 'Tidepath Health',
    description: 'Shows people the lab results of their own chart, with words that explain them.',
    website: 'https://tidepath.example/',
    privacyUrl: 'https://tidepath.example/privacy',
    termsUrl: 'https://tidepath.example/terms',
    technicalContact: 'tech@tidepath.example',
    securityContact: 'security@tidepath.example',
    audience: 'patient',
    clientType: 'none',
    redirectUris: ['https://app.tidepath.example/callback'],
    scope: 'openid fhirUser launch/patient patient/Patient.rs patient/Observation.rs',
    attestAuthority: true,
    attestPatients: true,
    attestSecrets: true,
    attestChanges: true,
    ...changes,
  })
}

/** `fresh` returns the person as the actor of a request, with a password entered just now. */
export type Staff = { accountId: string; email: string; fresh: () => Actor }

/** @param services a function, because tests create their services only when they run */
export function registrationSupport(services: () => TestServices) {
  const teams = createTeams(services)

  /** Signed in with password and second step. */
  async function makeStaff(staffRole: 'reviewer' | 'ops', email = `${randomUUID()}@sandpiper.example`) {
    const { id: accountId } = await addAccount(services(), 'staff', {
      staffRole,
      email,
      name: `Rae ${staffRole}`,
    })
    const { id: sessionId } = await addSession(services(), { id: accountId, realm: 'staff' })
    const fresh = signedIn(services, accountId, sessionId)
    return { accountId, email, fresh }
  }

  /** The hidden fields that a page would send with a step now. */
  async function target(registrationId: string) {
    const { version } = await services().prisma.registration.findUniqueOrThrow({
      where: { id: registrationId },
    })
    return { registrationId, version, idempotencyKey: randomUUID() }
  }

  const acceptedTerms = () => {
    const { version, sha256 } = services().registrationTexts.terms()
    return { version, sha256 }
  }

  async function makeDraft(form: RegistrationForm = completeForm()) {
    const team = await teams.makeTeam()
    const saved = await services().registrations.saveDraft(
      {
        registrationId: null,
        organizationId: team.organizationId,
        form,
        version: null,
        idempotencyKey: randomUUID(),
      },
      team.owner.actor,
    )
    return { ...team, ...saved }
  }

  async function makeSubmitted(form?: RegistrationForm) {
    const registration = await makeDraft(form)
    const outcome = await services().registrations.submit(
      { ...(await target(registration.registrationId)), terms: acceptedTerms() },
      registration.owner.actor,
    )
    if (outcome.kind !== 'submitted') throw new Error(JSON.stringify(outcome.report.findings))
    return registration
  }

  const stateOf = async (id: string) =>
    (await services().prisma.registration.findUniqueOrThrow({ where: { id } })).state

  const reviews = () => services().registrations.reviews

  /** Two reviewers and one person of operations. All other staff is disabled. */
  async function makeReviewTeam() {
    const { prisma, clock } = services()
    await prisma.account.updateMany({ where: { realm: 'staff' }, data: { disabledAt: clock() } })
    return {
      rae: await makeStaff('reviewer'),
      kit: await makeStaff('reviewer'),
      ops: await makeStaff('ops'),
    }
  }

  async function makeClaimed(by: Staff, form?: RegistrationForm) {
    const registration = await makeSubmitted(form)
    await reviews().claim(await target(registration.registrationId), by.fresh())
    return registration
  }

  async function approve(registrationId: string, by: Staff) {
    const { authenticity } = await services().prisma.registration.findUniqueOrThrow({
      where: { id: registrationId },
    })
    if (authenticity !== 'verified')
      await reviews().verifyAuthenticity(
        { ...(await target(registrationId)), evidence: 'The domain is confirmed.' },
        by.fresh(),
      )
    await reviews().validateConfiguration(
      { ...(await target(registrationId)), checked: [...configurationChecks] },
      by.fresh(),
    )
    await reviews().approve(await target(registrationId), by.fresh())
  }

  return {
    ...teams,
    makeStaff,
    makeReviewTeam,
    target,
    acceptedTerms,
    makeDraft,
    makeSubmitted,
    makeClaimed,
    approve,
    stateOf,
    reviews,
  }
}
