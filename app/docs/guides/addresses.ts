/** This installation's origins and the reader's own values. Guides name both by words in capitals. */
export interface Addresses {
  readonly portal: string
  readonly rest: string
  readonly fhir: string
  /** A signed-in reader's values: their organization's sandbox, and the app they chose. */
  readonly own?: OwnValues | undefined
}

/** A value is null if the organization has none yet. */
export interface OwnValues {
  readonly base: string | null
  readonly clientId: string | null
  readonly redirectUri: string | null
}

/** Placeholders for values that readers fill in. */
export const placeholders = { sandbox: 'YOUR-SANDBOX', clientId: 'YOUR-CLIENT-ID' } as const
const exampleRedirectUri = 'http://localhost:8080/callback'

const shownPractice = 'sandpiper-demonstration'
const fence = /^```[\s\S]*?^```$/gm

/** The reader's own values that a guide names. */
export function ownValuesIn(source: string): { base: boolean; app: boolean } {
  return { base: /\bSANDBOX_BASE\b/.test(source), app: /\bAPP_(CLIENT_ID|REDIRECT_URI)\b/.test(source) }
}

/** The placeholders that a visitor must replace. */
export function placeholdersIn(shown: string): { base: boolean; app: boolean } {
  return { base: shown.includes(placeholders.sandbox), app: shown.includes(placeholders.clientId) }
}

/** Replaces the capitalized words with URLs and values, in a guide or in one of its commands. */
export function placeAddresses(text: string, addresses: Addresses): string {
  return placeIn(
    text.replace(fence, (block) => placeIn(block, addresses)),
    addresses,
  )
}

function placeIn(text: string, addresses: Addresses): string {
  const { portal, rest, fhir, own } = addresses
  const values: Readonly<Record<string, string>> = {
    PUBLIC_ORIGIN: portal,
    REST_ORIGIN: rest,
    FHIR_ORIGIN: fhir,
    SANDBOX_BASE: own?.base ?? `${fhir}/r4/${isPublicCommand(text) ? shownPractice : placeholders.sandbox}`,
    APP_CLIENT_ID: own?.clientId ?? placeholders.clientId,
    APP_REDIRECT_URI: own?.redirectUri ?? exampleRedirectUri,
  }
  return text.replace(
    /\b(?:(?:PUBLIC|REST|FHIR)_ORIGIN|SANDBOX_BASE|APP_CLIENT_ID|APP_REDIRECT_URI)\b/g,
    (word) => values[word] ?? word,
  )
}

/** A command without an app or a token works for everyone at the demonstration practice. */
const isPublicCommand = (text: string): boolean =>
  /^(?:```sh.*\n)?curl "SANDBOX_BASE\/(?:metadata|\.well-known\/smart-configuration)"/.test(text)

/** The anchor of a heading: its words in lower case, joined by hyphens. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[`’']/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
}
