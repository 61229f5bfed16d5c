/** Every block of code of a guide as its page shows it: in colors, in other languages, with the response to it. */

import type { GuideSlug } from '../../shared/guides/list.ts'
import { highlight, withColors } from '../../shared/snippets/highlight.server.ts'
import type { ShownSnippet } from '../../shared/snippets/snippet.ts'
import { type Addresses, placeAddresses } from './addresses.ts'
import { commandSnippets } from './guide-snippets.server.ts'
import { guideSource } from './guide-text.server.ts'
import { findResponse, type ShownResponse, showResponse } from './responses.server.ts'

export interface ShownCode {
  readonly html: string
  /** The same in other languages, of a command. */
  readonly others: readonly ShownSnippet[]
  readonly response: ShownResponse | null
}

/** As vite.config.ts counts them: blocks that begin at the beginning of a line. */
const fence = /^```(\w*)(.*)\n([\s\S]*?)^```$/gm
/** Of a command whose other languages say the same. */
const translated = /^ (rest|write|fhir|open|status) /

/** In the order of the guide. */
export function guideCodes(slug: GuideSlug, addresses: Addresses): readonly ShownCode[] {
  return [...guideSource(slug).matchAll(fence)].map(([, language = '', meta = '', code = '']) => {
    const command = code.trimEnd()
    const shown = placeAddresses(command, addresses)
    const response = language === 'sh' ? findResponse(slug, command) : null
    return {
      html: highlight(shown, language),
      others: language === 'sh' && translated.test(meta) ? otherLanguages(shown, addresses) : [],
      response: response && showResponse(response, command, addresses),
    }
  })
}

function otherLanguages(shown: string, addresses: Addresses): readonly ShownSnippet[] {
  return withColors(commandSnippets(shown, addresses)).map(({ language, label, html }) => ({
    language,
    label,
    html,
  }))
}
