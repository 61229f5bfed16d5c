/** The commands of a guide in the other languages. They are made from the command itself, so that both say the same. */
import { parseCurl } from '../../shared/snippets/parse-curl.ts'
import type { Snippet } from '../../shared/snippets/snippet.ts'
import { snippetsFor } from '../../shared/snippets/snippets.server.ts'
import type { Addresses } from './addresses.ts'

/** Without curl: that is the command. One whose address only another response tells has none. */
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
