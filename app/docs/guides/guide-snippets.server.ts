/** The commands of a guide in the other languages. They are made from the command itself, so that both say the same. */

import type { GuideSlug } from '../../shared/guides/list.ts'
import { parseCurl } from '../../shared/snippets/parse-curl.ts'
import type { Snippet } from '../../shared/snippets/snippet.ts'
import { snippetsFor } from '../../shared/snippets/snippets.server.ts'
import { type Addresses, placeAddresses } from './addresses.ts'
import { guideSource } from './guide-text.server.ts'

const command = /^```sh (rest|write|fhir|open|status) .*\n([\s\S]*?)^```$/gm

/** By the command as it is shown. One whose address only another answer tells has none. */
export function guideSnippets(slug: GuideSlug, addresses: Addresses): Record<string, readonly Snippet[]> {
  const found = [...guideSource(slug).matchAll(command)].map(([, , code = '']) => {
    const shown = placeAddresses(code.trimEnd(), addresses)
    return [shown, commandSnippets(shown, addresses)] as const
  })
  return Object.fromEntries(found.filter(([, snippets]) => snippets.length > 0))
}

/** Without curl: that is the command. */
export function commandSnippets(shown: string, { rest }: Addresses): readonly Snippet[] {
  const [fhirBase] = /https?:\/\/[^\s"]+\/r4\/[\w-]+(?=\/)/.exec(shown) ?? []
  // Credentials stay the names of variables.
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
function titled(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}
