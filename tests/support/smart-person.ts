/** A patient, two apps for patients (one with a secret, one without), and the way from one to the other. */
import { demonstration } from './smart.ts'
import { basic, smartStack } from './smart-http.ts'

/** All that conformance suites want tokens for. */
const allTypes =
  'Patient AllergyIntolerance CarePlan CareTeam Condition Coverage Device DiagnosticReport DocumentReference Encounter Goal Immunization Location Medication MedicationDispense MedicationRequest Observation Organization Practitioner PractitionerRole Procedure Provenance QuestionnaireResponse RelatedPerson ServiceRequest Specimen'.split(
    ' ',
  )
export const standalone = `openid fhirUser launch/patient offline_access ${allTypes.map((type) => `patient/${type}.rs`).join(' ')}`
const patientApp = `${standalone} online_access patient/*.rs patient/*.read`

/** Over the parameters of an app that names itself otherwise. */
export const noClientId = { client_id: undefined }

export async function personStack() {
  const stack = await smartStack()
  // Two RSA keys take their time; whoever signs first would wait for them.
  await stack.services.signingKeys.ensure()
  const { id: practiceId } = await stack.services.prisma.practice.findUniqueOrThrow({
    where: { slug: demonstration },
  })
  const wren = await stack.createPatientPerson(practiceId, 'pt-wren-testwell')
  const made = await stack.createClient({ scope: patientApp, authentication: 'client_secret_basic' })
  const { client } = made
  const secret = made.secret ?? ''
  const { client: publicApp } = await stack.createClient({ scope: patientApp })

  const withSecret = () => ({ headers: { authorization: basic(client.clientId, secret) } })

  const codeFor = (app = client, scope = standalone) =>
    stack.obtainCode({ client: app, scope, actor: wren, patientId: 'pt-wren-testwell' })

  /** By the app with the secret. */
  const redeem = (code: string) => stack.exchange(code, client, { change: noClientId, ...withSecret() })

  /** Wren lets the app with the secret in. */
  const launch = async (scope = standalone) => redeem(await codeFor(client, scope))

  const refresh = (token: string, change: Record<string, string> = {}) =>
    stack.post('token', { grant_type: 'refresh_token', refresh_token: token, ...change }, withSecret())

  async function isGood(accessToken: string) {
    return (
      (await stack.services.smartTokens.authenticate(`Bearer ${accessToken}`, { anew: true })).kind ===
      'principal'
    )
  }

  return {
    stack,
    practiceId,
    wren,
    client,
    secret,
    publicApp,
    patientApp,
    withSecret,
    codeFor,
    redeem,
    launch,
    refresh,
    isGood,
  }
}

export type PersonStack = Awaited<ReturnType<typeof personStack>>
