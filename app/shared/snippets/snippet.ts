/** Code for one call, as a page shows it. */
export interface Snippet {
  readonly language: SnippetLanguage
  /** For people. */
  readonly label: string
  readonly code: string
}

export const snippetLanguages = [
  'curl',
  'typescript',
  'fhirclient',
  'python',
  'csharp',
  'java',
  'go',
  'ruby',
  'php',
] as const

export type SnippetLanguage = (typeof snippetLanguages)[number]

/** A snippet with its colors, from highlight.server.ts. */
export interface ShownSnippet {
  readonly language: string
  readonly label: string
  readonly html: string
}

/** A call as code is written for it. */
export interface SnippetCall {
  readonly method: string
  /** Absolute. */
  readonly url: string
  /** A value may name an environment variable, `Bearer $SVC_KEY`; the credential has to. */
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly body?: string | undefined
  /** Of a FHIR call: the base of its practice. Then there is code with `fhirclient`, too. */
  readonly fhirBase?: string | undefined
}
