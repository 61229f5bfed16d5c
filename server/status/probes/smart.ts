/** Sign-in of backend systems and the chart behind it: a token by signed assertion, and a read with that token. */

import { paths } from '../../contract/portal/paths.ts'
import { realms } from '../../contract/portal/realms.ts'
import type { Core } from '../../domain/core.ts'
import { type Canary, findCanaryPatient } from '../../domain/status/canary.ts'
import { type ProbeAssertion, signProbeAssertion } from '../../domain/status/probe-client.ts'
import { type Finding, found, httpProbe, inTime, reached, worstOf } from './probe.ts'

export type SmartProbes = Readonly<{ smart: Finding; fhir: Finding }>

/** https://www.rfc-editor.org/rfc/rfc7523#section-2.2 */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

export async function lookAtSmart(core: Core, canary: Canary): Promise<SmartProbes> {
  if (!canary.fhir) return { smart: closed, fhir: closed }
  const practice = `${reached(core, core.env.FHIR_ORIGIN)}/r4/${canary.slug}`
  const { token, smart } = await askToken(core, practice, await signProbeAssertion(core, canary))
  const fhir =
    token === null
      ? await withoutToken(core, practice)
      : await read(core, practice, token, await findCanaryPatient(core, canary))
  return { smart, fhir }
}

async function askToken(core: Core, practice: string, { clientId, scope, assertion }: ProbeAssertion) {
  const answer = await httpProbe(core, `${practice}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: `${new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_assertion_type: assertionType,
      client_assertion: assertion,
      scope,
    })}`,
  })
  const { access_token: token } = (answer.body ?? {}) as { access_token?: unknown }
  if (answer.status !== 200 || typeof token !== 'string')
    return { token: null, smart: found('down', 'Apps can’t get tokens.') }
  return { token, smart: inTime(answer, 'Apps can get tokens.', 'Apps get tokens slowly.') }
}

async function read(core: Core, practice: string, token: string, patientId: string | null): Promise<Finding> {
  if (patientId === null) return found('not_available', 'Not checked: the canary practice has no patient.')
  const answer = await httpProbe(core, `${practice}/Patient/${patientId}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/fhir+json' },
  })
  const { resourceType, id } = (answer.body ?? {}) as { resourceType?: unknown; id?: unknown }
  if (answer.status !== 200 || resourceType !== 'Patient' || id !== patientId)
    return found('down', 'Records cannot be read.')
  return inTime(answer, 'Records can be read.', 'Reading records is slow.')
}

/** A token must still work for reading; that the interface responds does not prove it. */
async function withoutToken(core: Core, practice: string): Promise<Finding> {
  const { status } = await httpProbe(core, `${practice}/metadata`)
  return status === 200
    ? found('not_available', 'Not checked: the check got no token.')
    : found('down', 'The interface is not responding.')
}

const closed = found('not_available', 'Not checked: the canary practice allows no backend system.')

/** A well-formed session token that does not exist: the page has to look it up in the database. */
const unknownSession = 'a'.repeat(52)
const mailMs = 5_000

export async function lookAtSignIn(core: Core): Promise<Finding> {
  return worstOf(...(await Promise.all([page(core), links(core)])))
}

async function page(core: Core): Promise<Finding> {
  const { cookie } = realms.practice
  const url = `${reached(core, core.env.PUBLIC_ORIGIN)}${paths.practiceSignIn}`
  const session = `__Host-${cookie}=${unknownSession}; ${cookie}=${unknownSession}`
  const answer = await httpProbe(core, url, { headers: { accept: 'text/html', cookie: session } })
  if (answer.status !== 200) return found('down', 'Sign-in is not responding.')
  return inTime(answer, 'Sign-in works.', 'Sign-in is slow.')
}

async function links({ mail }: Core): Promise<Finding> {
  try {
    await Promise.race([mail.check(), late()])
    return found('operational', 'Emails are sent.')
  } catch {
    return found(
      'degraded',
      'Sign-in works. Emails are delayed, so links for passwords and keys arrive late.',
    )
  }
}

function late(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('late')), mailMs).unref())
}
