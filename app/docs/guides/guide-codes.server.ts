/** A guide's command with what its page shows: colors, other languages and the response. */
import { highlight, withColors } from '../../shared/snippets/highlight.server.ts'
import { parseCurl } from '../../shared/snippets/parse-curl.ts'
import type { ShownSnippet, Snippet } from '../../shared/snippets/snippet.ts'
import { snippetsFor } from '../../shared/snippets/snippets.server.ts'
import { type Addresses, placeAddresses } from './addresses.ts'
import { explorerLink } from './explorer-link.ts'
import { findResponse, showResponse } from './responses.server.ts'

export type ShownCode = ReturnType<typeof commandCode>

/** Stages whose commands are also shown in other languages. */
export const translatedStages = ['rest', 'write', 'fhir', 'open', 'status']

/** @param file a file in docs/responses/, without its extension */
export function commandCode(
  command: string,
  { stage, file }: { stage: string; file: string },
  addresses: Addresses,
) {
  const shown = placeAddresses(command, addresses)
  const response = findResponse(file, command)
  const isTranslated = translatedStages.includes(stage)
  return {
    html: highlight(shown, 'sh'),
    /** The same call in other languages. */
    others: isTranslated ? otherLanguages(shown, addresses) : [],
    /** The explorer's page for the command. */
    explorer: isTranslated ? explorerLink(command) : null,
    response: response && showResponse(response, command, addresses),
  }
}

function otherLanguages(shown: string, addresses: Addresses): readonly ShownSnippet[] {
  return withColors(commandSnippets(shown, addresses)).map(({ language, label, html }) => ({
    language,
    label,
    html,
  }))
}

/** Snippets in languages other than curl. A command whose URL comes from another response has none. */
export function commandSnippets(shown: string, { rest }: Addresses): readonly Snippet[] {
  const [fhirBase] = /https?:\/\/[^\s"]+\/r4\/[\w-]+(?=\/)/.exec(shown) ?? []
  // Credentials remain variables.
  const variables = {
    BASE: `${rest}/sandbox/api/v1`,
    SVC_KEY: '$SVC_KEY',
    TOKEN: '$TOKEN',
  }
  if (/\$(STATUS_URL|FILE_URL)/.test(shown)) return []
  const { method, url, headers, body } = parseCurl(shown, variables)
  return snippetsFor({
    method,
    url,
    headers: [...headers].map(([name, value]) => ({ name: titled(name), value })),
    body,
    fhirBase,
  }).filter(({ language }) => language !== 'curl')
}

/** `content-type` → `Content-Type`. */
const titled = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
