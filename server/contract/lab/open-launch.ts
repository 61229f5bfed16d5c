/**
 * Launches that anybody makes without an account, at the demonstration practice: what a link holds, and the bounds.
 * A link is a bookmark: it holds what was chosen, and nothing that is secret or that expires.
 */
import { z } from 'zod'
import { isProblem } from '../http/problems.ts'
import { formatScopes, parseScopes } from '../smart/scopes.ts'
import { launchKindRow } from './launch-lab.ts'
import { sandboxSignIns } from './sandbox-sign-ins.ts'

export const openLaunchKinds = ['standalone-patient', 'portal', 'ehr', 'standalone-clinician'] as const
export type OpenLaunchKind = (typeof openLaunchKinds)[number]

export const openLaunchLimits = {
  /** Launches an hour: of one network, and of everybody. */
  networkPerHour: 60,
  everybodyPerHour: 3_000,
  redirectUrisMax: 5,
  urlCharactersMax: 500,
  scopeCharactersMax: 1_000,
  /** How long the log of a launch can be read. */
  logMinutes: 60,
} as const

interface Person {
  id: string
  name: string
  purpose: string
}

/** Each signs in to their own record. */
export const openLaunchPatients: readonly Person[] = sandboxSignIns.flatMap((signIn) => {
  const own = signIn.realm === 'patient' && signIn.actsFor.find(({ relationship }) => relationship === 'self')
  return own ? [{ id: own.patientId, name: signIn.name, purpose: signIn.purpose }] : []
})

export const openLaunchClinicians: readonly Person[] = sandboxSignIns.flatMap((signIn) =>
  signIn.realm === 'practice' && signIn.practitionerId !== undefined
    ? [{ id: signIn.practitionerId, name: signIn.name, purpose: signIn.purpose }]
    : [],
)

/** The most that an unregistered app is ever granted. */
export const openLaunchScopes = {
  patient: 'openid fhirUser launch launch/patient launch/encounter offline_access patient/*.rs',
  clinician: 'openid fhirUser launch launch/patient launch/encounter offline_access patient/*.rs user/*.rs',
} as const

export const openLaunchAudience = (kind: OpenLaunchKind): 'patient' | 'clinician' =>
  launchKindRow(kind).audience === 'clinician' ? 'clinician' : 'patient'

/** The word in place of an encounter's id. */
export const latestVisit = 'latest'

const lines = (text: string) => text.split(/\s+/).filter((line) => line !== '')

const address = z
  .string({ error: 'Enter the launch URL.' })
  .trim()
  .min(1, 'Enter the launch URL.')
  .max(openLaunchLimits.urlCharactersMax, `Use at most ${openLaunchLimits.urlCharactersMax} characters.`)

const redirects = z
  .string({ error: 'Enter a redirect URI.' })
  .transform(lines)
  .pipe(
    z
      .array(
        z
          .string()
          .max(
            openLaunchLimits.urlCharactersMax,
            `A redirect URI has at most ${openLaunchLimits.urlCharactersMax} characters.`,
          ),
      )
      .min(1, 'Enter a redirect URI.')
      .max(
        openLaunchLimits.redirectUrisMax,
        `Enter at most ${openLaunchLimits.redirectUrisMax} redirect URIs.`,
      ),
  )

const personOf = (people: readonly Person[], message: string) =>
  z.string({ error: message }).refine((id) => people.some((person) => person.id === id), { error: message })

const encounter = z
  .union([
    z.literal(''),
    z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9.-]{1,64}$/, 'Enter “latest” or a visit ID.'),
  ])
  .optional()
  .transform((text) => (text === undefined || text === '' ? null : text))

const scope = z
  .string({ error: 'Enter the scopes.' })
  .trim()
  .min(1, 'Enter the scopes.')
  .max(openLaunchLimits.scopeCharactersMax, `Use at most ${openLaunchLimits.scopeCharactersMax} characters.`)
  .transform((text, context) => {
    const fault = faultOfScopes(text)
    if (fault !== null) context.addIssue({ code: 'custom', message: fault })
    return fault === null ? formatScopes(parseScopes(text).scopes) : text
  })

/** @returns what is wrong, as a sentence; null when all of it can be granted here */
function faultOfScopes(text: string): string | null {
  try {
    const { scopes, refused } = parseScopes(text)
    const [first] = refused
    if (first) return `${first.text.slice(0, 100)}: ${first.reason}`
    if (scopes.some((each) => each.kind === 'resource' && each.context === 'system'))
      return 'system/ scopes are for backend systems, which can’t be launched.'
    return scopes.some((each) => each.kind === 'launch' && each.name === 'online_access')
      ? 'online_access needs a sign-in session, and a launch has none. Use offline_access.'
      : null
  } catch (thrown) {
    if (!isProblem(thrown)) throw thrown
    return thrown.message
  }
}

/** The form of the page and the parameters of the link. */
export const openLaunchForm = z.object({
  kind: z.enum(openLaunchKinds, { error: 'Choose a launch.' }),
  url: address,
  redirect: redirects,
  patient: personOf(openLaunchPatients, 'Choose a patient.'),
  clinician: personOf(openLaunchClinicians, 'Choose a clinician.').optional(),
  encounter,
  scope,
})

export type OpenLaunch = z.output<typeof openLaunchForm>

/** The parameters of a link, in the order people read them. */
export function linkQuery({
  kind,
  url,
  redirect,
  patient,
  clinician,
  encounter: visit,
  scope: most,
}: OpenLaunch) {
  return new URLSearchParams([
    ['kind', kind],
    ['url', url],
    ...redirect.map((each) => ['redirect', each]),
    ['patient', patient],
    ...(clinician !== undefined && openLaunchAudience(kind) === 'clinician'
      ? [['clinician', clinician]]
      : []),
    ...(visit !== null && launchKindRow(kind).launched ? [['encounter', visit]] : []),
    ['scope', most],
  ])
}

/** What a link's parameters are to the form. Several of one name are one only for `redirect`. */
export function formOfLink(query: URLSearchParams): Record<string, string> {
  const names = Object.keys(openLaunchForm.shape)
  return Object.fromEntries(
    names.filter((name) => query.has(name)).map((name) => [name, query.getAll(name).join('\n')]),
  )
}
