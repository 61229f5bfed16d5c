/** A page of the API reference, generated from the contract and shown as HTML and as Markdown. */
import type { Facts } from '../guides/facts.ts'

export type ReferenceBlock =
  /** May contain `code` and [links](/path). */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: Facts }
  | ({ readonly kind: 'command' } & ReferenceCommand)

/** A request that tests send, with its sample response in docs/responses. */
export interface ReferenceCommand {
  /** Has placeholders such as `SANDBOX_BASE` in place of base URLs. */
  readonly command: string
  readonly stage: 'rest' | 'write' | 'fhir' | 'status'
  readonly status: number
}

export interface ReferencePage {
  readonly path: string
  readonly title: string
  readonly summary: string
  /** Its heading in the index. */
  readonly group: (typeof referenceGroups)[number]
  readonly blocks: readonly ReferenceBlock[]
}

export const referenceGroups = ['REST API', 'Status API', 'FHIR API', 'Errors'] as const

/** File of docs/responses/ that holds the responses of a page's commands. */
export const responsesFileOf = ({ group }: Pick<ReferencePage, 'group'>): string =>
  `reference/${group.toLowerCase().replace(' ', '-')}`

export const heading = (text: string): ReferenceBlock => ({ kind: 'heading', text })
export const text = (words: string): ReferenceBlock => ({ kind: 'text', text: words })
/** Empty if the table has no rows. */
export const table = (facts: Facts): readonly ReferenceBlock[] =>
  facts.rows.length === 0 ? [] : [{ kind: 'facts', facts }]
export const code = (words: string) => `\`${words}\``
