/** What a language of the snippets knows: how it writes each kind of step. */
import {
  type SnippetAssertion,
  type SnippetAuthorize,
  type SnippetRequest,
  type SnippetVariable,
  type SnippetWork,
  snippetVariables,
  variablesOf,
} from '../../../../server/contract/lab/smart-snippets.ts'

export const smartLanguages = ['curl', 'javascript', 'python', 'java'] as const

export type SmartLanguage = (typeof smartLanguages)[number]

export interface SnippetWriter {
  readonly label: string
  /** What runs the code. */
  readonly platform: string
  readonly comment: '#' | '//'
  /** The library that the code needs, as one installs it; missing: the standard library is enough. */
  readonly library?: (work: SnippetWork) => string | null
  readonly authorize: (work: SnippetAuthorize) => string
  readonly assertion: (work: SnippetAssertion) => string
  readonly request: (work: SnippetRequest) => string
}

/** The code of a step, under the variables that it reads. */
export function writeStep(writer: SnippetWriter, work: SnippetWork): string {
  const library = writer.library?.(work)
  const lines = [
    ...(library ? [library] : []),
    ...variablesOf(work).map((name: SnippetVariable) => `${name}: ${snippetVariables[name]}`),
  ].map((line) => `${writer.comment} ${line}`)
  return [...lines, writeCode(writer, work)].join('\n')
}

function writeCode(writer: SnippetWriter, work: SnippetWork): string {
  if (work.kind === 'authorize') return writer.authorize(work)
  return work.kind === 'assertion' ? writer.assertion(work) : writer.request(work)
}

/** A string literal of Java and Python. */
export const quoted = (text: string): string => JSON.stringify(text)
