/**
 * The requests of the tutorials, sent one after the other as a reader sends them: at the sandbox of a fresh
 * organization, with an app of its own. The journeys run the same commands in a shell; here their responses are taken.
 */
import { expect, test } from 'vitest'
import { placeAddresses } from '../../app/docs/guides/addresses.ts'
import { restStack } from '../support/rest.ts'
import { type Answer, expectSample, runCommand, withoutTokens } from '../support/sample-responses.ts'
import { createLabs } from '../support/sandbox-lab.ts'
import { redirectUri, verifier } from '../support/smart.ts'
import { smartStack } from '../support/smart-http.ts'
import { tutorialRequests } from '../support/snippets.ts'

const origin = 'https://portal.example'
const wren = 'pt-wren-testwell'
const nell = 'pr-nell-testerby'

type Start = {
  clientId: string
  variables: Record<string, string>
  /** Ends the access, before the command that shows what follows. */
  end?: () => Promise<unknown>
}

const stack = await restStack()
const smart = await smartStack({ services: stack.services })
const lab = await createLabs(() => stack).makeLab()

/** What a reader has exported before the first request, by the guide. */
const starts: Readonly<Record<string, () => Promise<Start>>> = {
  'patient-app': async () => {
    const scope = 'openid fhirUser launch/patient offline_access patient/Patient.rs patient/Observation.rs'
    const { client } = await smart.createClient({ scope, ...owned() })
    const actor = await smart.createPatientPerson(lab.practiceId, wren)
    const code = await smart.obtainCode({ client, scope, practice: lab.slug, actor, patientId: wren })
    return { clientId: client.clientId, variables: { CODE: code, CODE_VERIFIER: verifier } }
  },
  'ehr-launch': async () => {
    const scope = 'openid fhirUser launch offline_access user/Patient.rs user/Observation.rs'
    const { client } = await smart.createClient({ scope, audience: 'clinician', ...owned() })
    const { clientId } = client
    const actor = await smart.createClinician(lab.practiceId, nell)
    const opened = {
      practiceId: lab.practiceId,
      clientId,
      patientId: wren,
      encounterId: null,
      practitionerId: nell,
    }
    const launch = await smart.createLaunch(opened)
    const code = await smart.obtainCode({ client, scope, practice: lab.slug, actor, change: { launch } })
    return { clientId, variables: { CODE: code, CODE_VERIFIER: verifier } }
  },
  backend: async () => {
    const { ownSandboxSystems } = stack.services
    const scope = 'system/*.rs'
    const { client } = await smart.createClient({ scope, organizationId: lab.organizationId })
    const { clientId } = client
    await ownSandboxSystems.allow(clientId, lab.owner.actor)
    const { access_token } = await smart.issueToken({ practice: lab.slug, scope, client })
    return {
      clientId,
      variables: { TOKEN: access_token, SINCE: '2026-01-01T00:00:00.000Z' },
      end: () => ownSandboxSystems.stop(clientId, lab.owner.actor),
    }
  },
}

const owned = () => ({ organizationId: lab.organizationId, everyPractice: false })

/** What the reader copies out of a response for the commands that follow. */
function readOut({ headers, text }: Answer): Record<string, string> {
  const status = headers.get('content-location')
  const { access_token, refresh_token, patient } = text.startsWith('{') ? JSON.parse(text) : {}
  return {
    ...(status && { STATUS_URL: status }),
    ...(access_token && { TOKEN: access_token }),
    ...(refresh_token && { REFRESH_TOKEN: refresh_token }),
    ...(patient && { PATIENT: patient }),
  }
}

test.each(Object.entries(starts))('%s', async (guide, begin) => {
  const commands = tutorialRequests(guide)
  const { clientId, variables: first, end } = await begin()
  let variables = first
  const own = { base: stack.services.addresses.fhirBase(lab.slug), clientId, redirectUri }
  const words = [
    [own.base, 'SANDBOX_BASE'],
    [clientId, 'APP_CLIENT_ID'],
    [origin, 'FHIR_ORIGIN'],
  ] as const

  for (const { code, expected } of commands) {
    if (expected === '401') await end?.()
    const command = placeAddresses(code, { portal: origin, rest: origin, fhir: origin, own })
    const answer = await runCommand(stack.app, command, variables)
    expect(`${answer.status} ${answer.text}`, code).toContain(expected)
    variables = { ...variables, ...readOut(answer) }
    expectSample(
      { file: guide, command: code, commands: commands.map((each) => each.code), words },
      { ...answer, text: withoutTokens(answer.text) },
    )
  }
  expect(commands.length).toBeGreaterThan(3)
})
