/** The code for each step of an app, where a guide says `<Steps of="…" />`: at the reader's own sandbox. */
import type { SnippetApp } from '../../../server/contract/lab/smart-snippets.ts'
import { type SmartStepCode, smartSnippets } from '../../shared/snippets/smart/smart-snippets.server.ts'
import { type Addresses, placeAddresses } from './addresses.ts'

const kinds: Readonly<Record<string, Pick<SnippetApp, 'audience' | 'authentication' | 'scope'>>> = {
  public: {
    audience: 'patient',
    authentication: 'none',
    scope: 'openid fhirUser launch/patient offline_access patient/*.rs',
  },
  backend: { audience: 'backend', authentication: 'private_key_jwt', scope: 'system/*.rs' },
}

/** @throws when no app is of this kind: a guide with a typo is never published */
export function stepsFor(kind: string, addresses: Addresses): readonly SmartStepCode[] {
  const app = kinds[kind]
  if (!app) throw new Error(`no app of the guides is ${kind}`)
  // The demonstration practice refuses other apps.
  const base = placeAddresses('SANDBOX_BASE', addresses)
  const practice = base.slice(base.lastIndexOf('/') + 1)
  return smartSnippets({
    ...app,
    clientId: placeAddresses('APP_CLIENT_ID', addresses),
    redirectUri: app.audience === 'backend' ? null : placeAddresses('APP_REDIRECT_URI', addresses),
    addresses: {
      fhirBase: base,
      authorize: `${addresses.portal}/r4/${practice}/authorize`,
      token: `${base}/token`,
      introspect: `${base}/introspect`,
      revoke: `${base}/revoke`,
    },
  })
}

/** With the code of the first language only: the page has all of them. */
export function stepsAsMarkdown(steps: readonly SmartStepCode[]): string {
  return steps
    .map(({ title, about, snippets }, place) =>
      [`**${place + 1}. ${title}.** ${about}`, `\`\`\`sh\n${snippets[0]?.code ?? ''}\n\`\`\``].join('\n\n'),
    )
    .join('\n\n')
}
