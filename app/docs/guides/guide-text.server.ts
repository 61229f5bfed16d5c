/** The guides as text: what their pages, their Markdown and the search are made of. */

import type { SnippetApp } from '../../../server/contract/lab/smart-snippets.ts'
import type { GuideSlug } from '../../shared/guides/list.ts'
import {
  type SmartStepCode,
  shownSteps,
  smartSnippets,
} from '../../shared/snippets/smart/smart-snippets.server.ts'
import type { ShownStep } from '../../shared/snippets/smart/step-tabs.tsx'
import { type Addresses, anchorOf, placeAddresses } from './addresses.ts'
import { factsOf } from './facts.server.ts'
import { type Facts, factsAsMarkdown } from './facts.ts'

const files = import.meta.glob<string>('../../../docs/**/*.mdx', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const factsMark = /^<Facts of="([a-z-]+)" \/>$/gm
const stepsMark = /^<Steps of="([a-z]+)" \/>$/gm

/** A guide as it was written. @throws when its file is missing */
export function guideSource(slug: GuideSlug): string {
  const text = files[`../../../docs/${slug}.mdx`]
  if (text === undefined) throw new Error(`docs/${slug}.mdx is missing`)
  return text
}

/** The tables a guide shows, by their names. */
export function guideFacts(slug: GuideSlug, addresses: Addresses): Record<string, Facts> {
  const names = [...guideSource(slug).matchAll(factsMark)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, factsOf(name, addresses)]))
}

/** The code for each step of an app of this kind. */
export function guideSteps(kind: string, addresses: Addresses): readonly ShownStep[] {
  return shownSteps(stepsFor(kind, addresses))
}

/** A guide as plain Markdown, its tables written out. */
export function guideMarkdown(slug: GuideSlug, addresses: Addresses): string {
  return placeAddresses(
    guideSource(slug)
      .replace(factsMark, (_mark, name: string) => factsAsMarkdown(factsOf(name, addresses)))
      .replace(stepsMark, (_mark, kind: string) => stepsAsMarkdown(stepsFor(kind, addresses)))
      // What a snippet is tested with is of no use to readers.
      .replace(/^(```\w+).*$/gm, '$1'),
    addresses,
  )
}

interface Section {
  readonly heading: string
  readonly anchor: string
  /** Without marks, for the search. */
  readonly text: string
}

/** The parts of a Markdown text by its second headings; what stands before the first is a part without a heading. */
export function sectionsOf(markdown: string): readonly Section[] {
  return markdown
    .replace(/^# .*$/m, '')
    .split(/^## /m)
    .map((part, place) => {
      const [first = '', ...rest] = part.split('\n')
      const heading = place === 0 ? '' : first.replaceAll('`', '').trim()
      return { heading, anchor: anchorOf(heading), text: plain(place === 0 ? part : rest.join('\n')) }
    })
    .filter(({ heading, text }) => heading !== '' || text !== '')
}

/** Programs of more lines than this are read on their page: every word of them would be found everywhere. */
const codeLinesMax = 20

function plain(markdown: string): string {
  return markdown
    .replace(/^```[^\n]*\n([\s\S]*?)^```$/gm, (_block, lines: string) =>
      lines.split('\n').length > codeLinesMax ? '' : lines,
    )
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/^\|[-| ]+\|$/gm, '')
    .replace(/[`*]/g, '')
    .replace(/[|>#]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The code for each step of an app, where a guide says `<Steps of="…" />`: at the reader's own sandbox. */
const kinds: Readonly<Record<string, Pick<SnippetApp, 'audience' | 'authentication' | 'scope'>>> = {
  public: {
    audience: 'patient',
    authentication: 'none',
    scope: 'openid fhirUser launch/patient offline_access patient/*.rs',
  },
  backend: { audience: 'backend', authentication: 'private_key_jwt', scope: 'system/*.rs' },
}

/** @throws when no app is of this kind: a guide with a typo is never published */
function stepsFor(kind: string, addresses: Addresses): readonly SmartStepCode[] {
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
function stepsAsMarkdown(steps: readonly SmartStepCode[]): string {
  return steps
    .map(({ title, about, snippets }, place) =>
      [`**${place + 1}. ${title}.** ${about}`, `\`\`\`sh\n${snippets[0]?.code ?? ''}\n\`\`\``].join('\n\n'),
    )
    .join('\n\n')
}
