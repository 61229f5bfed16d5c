/**
 * The apps in `examples/`: what each is registered with at an organization's sandbox, and the command that starts it.
 * They run on the developer's machine, so their addresses are those of this machine.
 */

interface SampleApp {
  readonly title: string
  readonly does: string
  readonly audience: 'patient' | 'clinician' | 'backend'
  readonly scope: string
  /** Where it listens; a backend system does not. */
  readonly port?: number
  readonly redirect?: string
  readonly launch?: string
}

export const sampleApps = {
  patient: {
    title: 'Patient app',
    does: 'Runs in the browser. Signs in with PKCE, reads conditions, refreshes its token and signs out.',
    audience: 'patient',
    scope: 'openid fhirUser launch/patient offline_access patient/*.rs',
    port: 8001,
    redirect: '/',
  },
  clinician: {
    title: 'Clinician app',
    does: 'Runs on a server. Opens from a chart, signs its requests, and keeps its tokens on the server.',
    audience: 'clinician',
    scope: 'openid fhirUser launch launch/patient offline_access patient/*.rs user/*.rs',
    port: 8002,
    redirect: '/callback',
    launch: '/launch',
  },
  backend: {
    title: 'Backend system',
    does: 'Exports the practice. Each later run exports only what changed.',
    audience: 'backend',
    scope: 'system/*.rs',
  },
} as const satisfies Record<string, SampleApp>

export type SampleAppName = keyof typeof sampleApps

export const sampleAppNames = Object.keys(sampleApps) as SampleAppName[]

/** The others sign their requests: they need the developer's public keys. */
export const needsKeys = (name: SampleAppName) => name !== 'patient'

/** Known before the app is registered, and the same at a second press of the button. */
export const sampleClientId = (name: SampleAppName, organizationId: string) =>
  `sample-${name}-${organizationId}`

/** What an app is registered with, but for its keys. */
export function sampleApp(name: SampleAppName) {
  const { title, audience, scope, port, redirect, launch }: SampleApp = sampleApps[name]
  const origin = `http://127.0.0.1:${port}`
  return {
    audience,
    authentication: needsKeys(name) ? ('private_key_jwt' as const) : ('none' as const),
    name: `Sample: ${title}`,
    description: 'A sample app that runs on your machine, from the folder examples/.',
    scope,
    ...(redirect && { redirectUris: [`${origin}${redirect}`] }),
    ...(launch && { launchUrl: `${origin}${launch}` }),
  }
}

/** Starts it, in a checkout of the repository. */
export const sampleCommand = (name: SampleAppName, { base, clientId }: { base: string; clientId: string }) =>
  `npm run example:${name} -- --base ${base} --client-id ${clientId}`
