/** The steps of an app's registration, one function for each. */
import { demonstrationJwksText } from '../../server/contract/lab/demonstration-sites.ts'
import {
  configurationChecks,
  type InfoReason,
  type RejectionReason,
} from '../../server/contract/workflows/registration-checks.ts'
import { type RegistrationForm, registrationForm } from '../../server/contract/workflows/registration-form.ts'
import { type OrganizationId, organizations, type Who } from './people.ts'
import type { Scene, Step } from './scene.ts'

export type App = Readonly<{
  of: OrganizationId
  name: string
  description: string
  /** Of the form, where it differs. */
  form?: Partial<Record<keyof RegistrationForm, unknown>>
}>

const patientScope = 'openid fhirUser launch/patient offline_access patient/Patient.rs patient/Observation.rs'

export const clinician = {
  audience: 'clinician',
  clientType: 'client_secret_basic',
  scope: 'openid fhirUser launch launch/patient user/Patient.rs user/Observation.rs',
}

export const backend = {
  audience: 'backend',
  clientType: 'private_key_jwt',
  redirectUris: [],
  jwks: demonstrationJwksText,
  scope: 'system/Patient.rs system/Observation.rs system/Condition.rs',
}

function formOf({ of, name, description, form = {} }: App): RegistrationForm {
  const site = `https://${organizations[of].domain}`
  const slug = name.toLowerCase().replaceAll(' ', '-')
  const launch = form.audience === 'clinician' ? { launchUrl: `${site}/${slug}/launch` } : {}
  return registrationForm.parse({
    name,
    description,
    website: `${site}/`,
    privacyUrl: `${site}/privacy`,
    termsUrl: `${site}/terms`,
    technicalContact: `support@${organizations[of].domain}`,
    securityContact: `security@${organizations[of].domain}`,
    audience: 'patient',
    clientType: 'none',
    redirectUris: [`${site}/${slug}/callback`],
    scope: patientScope,
    attestAuthority: true,
    attestPatients: true,
    attestSecrets: true,
    attestChanges: true,
    ...launch,
    ...form,
  })
}

/** One step of an app. */
export type Told = (app: App) => Readonly<{ at: Date; event: string; act: Step['act'] }>

export function story(app: App, ...told: readonly Told[]): Step[] {
  return told.map((each, index) => {
    const { at, event, act } = each(app)
    return { at, name: `${app.name} ${event} ${index}`, act }
  })
}

async function targetOf(scene: Scene, { name }: App) {
  const { row: _, ...target } = await scene.registration(name)
  return target
}

const reviews = ({ registrations }: Scene) => registrations.reviews

export const draft =
  (at: Date, by?: Who): Told =>
  (app) => ({
    at,
    event: 'draft',
    act: async (scene) =>
      scene.registrations.saveDraft(
        {
          registrationId: null,
          organizationId: await scene.organizationId(app.of),
          form: formOf(app),
          version: null,
          idempotencyKey: scene.key(),
        },
        await scene.actor(by ?? organizations[app.of].owner),
      ),
  })

export const submit =
  (at: Date): Told =>
  (app) => ({
    at,
    event: 'submit',
    act: async (scene) => {
      const { version, sha256 } = scene.registrationTexts.terms()
      const outcome = await scene.registrations.submit(
        { ...(await targetOf(scene, app)), terms: { version, sha256 } },
        await scene.actor(organizations[app.of].owner),
      )
      if (outcome.kind !== 'submitted')
        throw new Error(`${app.name}: ${outcome.report.findings.map(({ reason }) => reason).join(' ')}`)
    },
  })

export const withdraw =
  (at: Date): Told =>
  (app) => ({
    at,
    event: 'withdraw',
    act: async (scene) =>
      scene.registrations.withdraw(
        await targetOf(scene, app),
        await scene.actor(organizations[app.of].owner),
      ),
  })

export const claim =
  (at: Date, by: Who): Told =>
  (app) => ({
    at,
    event: 'claim',
    act: async (scene) => reviews(scene).claim(await targetOf(scene, app), await scene.actor(by)),
  })

export const verify =
  (at: Date, by: Who): Told =>
  (app) => ({
    at,
    event: 'verify',
    act: async (scene) =>
      reviews(scene).verifyAuthenticity(
        {
          ...(await targetOf(scene, app)),
          evidence: `A mailbox at ${organizations[app.of].domain} was confirmed.`,
        },
        await scene.actor(by),
      ),
  })

export const note =
  (at: Date, by: Who, text: string): Told =>
  (app) => ({
    at,
    event: 'note',
    act: async (scene) => {
      const { registrationId } = await targetOf(scene, app)
      await reviews(scene).note({ registrationId, text }, await scene.actor(by))
    },
  })

export const ask =
  (at: Date, by: Who, code: InfoReason, text: string): Told =>
  (app) => ({
    at,
    event: 'ask',
    act: async (scene) =>
      reviews(scene).requestInfo(
        { ...(await targetOf(scene, app)), items: [{ code, text }] },
        await scene.actor(by),
      ),
  })

export const answer =
  (at: Date, text: string): Told =>
  (app) => ({
    at,
    event: 'answer',
    act: async (scene) => {
      const { registrationId } = await targetOf(scene, app)
      const open = await scene.prisma.registrationItem.findMany({
        where: { registrationId, answeredAt: null },
      })
      if (open.length > 0)
        await scene.registrations.answer(
          { ...(await targetOf(scene, app)), answers: open.map(({ id: itemId }) => ({ itemId, text })) },
          await scene.actor(organizations[app.of].owner),
        )
      const target = { ...(await targetOf(scene, app)), idempotencyKey: scene.key('-again') }
      await scene.registrations.resubmit(target, await scene.actor(organizations[app.of].owner))
    },
  })

export const approve =
  (at: Date, by: Who): Told =>
  (app) => ({
    at,
    event: 'approve',
    act: async (scene) => {
      const checked = { ...(await targetOf(scene, app)), checked: [...configurationChecks] }
      await reviews(scene).validateConfiguration(checked, await scene.actor(by))
      const target = { ...(await targetOf(scene, app)), idempotencyKey: scene.key('-approve') }
      await reviews(scene).approve(target, await scene.actor(by))
    },
  })

export const enable =
  (at: Date): Told =>
  (app) => ({
    at,
    event: 'enable',
    act: async (scene) => {
      const { registrationId } = await targetOf(scene, app)
      const outcome = await scene.registrations.enable(registrationId)
      const { probeFailure } = (await scene.registration(app.name)).row
      if (outcome === 'failed') throw new Error(`${app.name}: ${probeFailure}`)
    },
  })

export const reject =
  (at: Date, by: Who, second: Who, code: RejectionReason, text: string): Told =>
  (app) => ({
    at,
    event: 'reject',
    act: async (scene) => {
      await reviews(scene).proposeRejection(
        { ...(await targetOf(scene, app)), codes: [code], text },
        await scene.actor(by),
      )
      const target = { ...(await targetOf(scene, app)), idempotencyKey: scene.key('-second') }
      await reviews(scene).reject(target, await scene.actor(second))
    },
  })

export const suspend =
  (at: Date, reason: string, evidence: string): Told =>
  (app) => ({
    at,
    event: 'suspend',
    act: async (scene) =>
      reviews(scene).suspend({ ...(await targetOf(scene, app)), reason, evidence }, await scene.actor('olu')),
  })

export const retire =
  (at: Date, reason: string): Told =>
  (app) => ({
    at,
    event: 'retire',
    act: async (scene) =>
      reviews(scene).retire({ ...(await targetOf(scene, app)), reason }, await scene.actor('olu')),
  })

/** One attempt while the sign-in service does not answer. After the last one operations have to try again. */
export const failToEnable =
  (at: Date): Told =>
  (app) => ({
    at,
    event: 'fail to enable',
    act: async (scene) => {
      const { registrationId } = await targetOf(scene, app)
      await scene.withoutServer(() => scene.registrations.enable(registrationId))
    },
  })
