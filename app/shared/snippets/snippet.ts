/** Code for one call, as a page shows it. */
export interface Snippet {
  readonly language: SnippetLanguage
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

/** The call that snippets make. */
export interface SnippetCall {
  readonly method: string
  /** The absolute URL. */
  readonly url: string
  /** A value may name an environment variable, `Bearer $SVC_KEY`. A credential must. */
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly body?: string | undefined
  /** The practice's base, for a FHIR call, which also gets code with `fhirclient`. */
  readonly fhirBase?: string | undefined
}
