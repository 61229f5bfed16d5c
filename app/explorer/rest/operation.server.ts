/** Behind the page of an operation: what its form begins with, the call that it makes, and the answer that it shows. */
import type { ActionFunctionArgs } from '@remix-run/server-runtime'
import { parseBoundedJson } from '../../../server/contract/http/json-bounds.ts'
import { askedBody } from '../../../server/contract/lab/explorer-links.ts'
import {
  type ExplorerCall,
  explorerCallSchema,
  type RequestRefusal,
} from '../../../server/contract/lab/explorer-request.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { basePaths } from '../../../server/contract/rest/openapi.ts'
import type { ExplorerResult } from '../../../server/lab/explorer/explorer-calls.ts'
import { refusalPage } from '../../shared/operations/describe-operation.server.ts'
import type { Filled, OperationPage } from '../../shared/operations/operation.ts'
import { withColors } from '../../shared/snippets/highlight.server.ts'
import type { ShownSnippet } from '../../shared/snippets/snippet.ts'
import { snippetsFor } from '../../shared/snippets/snippets.server.ts'
import { practiceChoices } from '../calls/caller.server.ts'

/** An answer with what its page adds: code for the call, and where a refusal is explained. */
export async function showAnswer(args: ActionFunctionArgs, result: ExplorerResult): Promise<ShownAnswer> {
  const { practices } = await practiceChoices(args)
  const slug = practices.find((each) => each.slug === result.key.practice.slug)?.organizationSlug ?? null
  return {
    ...result,
    snippets: withColors(snippetsFor(result.request)),
    production: withColors(
      snippetsFor({
        ...result.request,
        // The first is the base: nothing before it is a path.
        url: result.request.url.replace(basePaths.sandbox, basePaths.production),
      }),
    ),
    refusal: refusalOf(result),
    // Page with the activity of a minted key. The key that visitors share has none.
    activityAt:
      slug === null || result.key.shared ? null : paths.logs(slug, { caller: `key:${result.key.keyId}` }),
  }
}

function refusalOf({ answer: { status, text } }: ExplorerResult): ShownAnswer['refusal'] {
  if (status < 400) return null
  const [, code] = /"code":"([a-z_]{1,40})"/.exec(text) ?? []
  return code === undefined ? null : { code, to: refusalPage(code) }
}

/** A call and its answer, as pages show it. */
export interface ShownAnswer extends ExplorerResult {
  readonly snippets: readonly ShownSnippet[]
  /** The same call to the production base, which the explorer never sends. */
  readonly production: readonly ShownSnippet[]
  /** The page that explains the code of a refusal. */
  readonly refusal: { readonly code: string; readonly to: string } | null
  /** The activity of its key; null for the shared one. */
  readonly activityAt: string | null
}

const places = { p: 'params', q: 'query', h: 'headers' } as const

type FormCall =
  | { kind: 'call'; call: ExplorerCall; filled: Filled }
  | { kind: 'refused'; refusal: RequestRefusal; filled: Filled }

/** From the fields of an operation's form to the call it describes. What was left empty is not sent. */
export function readFormCall(operation: string, form: FormData): FormCall {
  const call = {
    operation,
    practice: text(form, 'practice') || undefined,
    level: text(form, 'level') || undefined,
    params: {} as Record<string, string>,
    query: {} as Record<string, string>,
    headers: {} as Record<string, string>,
    body: undefined as unknown,
  }
  const filled: Record<string, string> = {}
  for (const [input, value] of form) {
    if (typeof value !== 'string') return { kind: 'refused', refusal: 'malformed', filled }
    const [, place, name] = /^([pqh])\.([\w-]{1,64})$/.exec(input) ?? []
    if (place === undefined || name === undefined) continue
    filled[input] = value
    if (value !== '') call[places[place as keyof typeof places]][name] = value
  }
  const body = text(form, 'body')
  filled.body = body
  if (body.trim() !== '') {
    try {
      call.body = parseBoundedJson(body)
    } catch {
      return { kind: 'refused', refusal: 'body_not_json', filled }
    }
  }
  const parsed = explorerCallSchema.safeParse(call)
  return parsed.success
    ? { kind: 'call', call: parsed.data, filled }
    : { kind: 'refused', refusal: 'malformed', filled }
}

function text(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

const valueMax = 2_000
const bodyMax = 4_000

/** Values from the URL, and values with which a first call succeeds: an existing person, an accepted body. */
export function fill(operation: OperationPage, query: URLSearchParams, personId: string): Filled {
  const filled: Record<string, string> = {
    body: readableJson(query.get(askedBody)) ?? operation.bodyExample ?? '',
  }
  for (const { input, place, placeholder } of operation.fields) {
    const first = place === 'path' ? (operation.path.startsWith('/patients/') ? personId : placeholder) : ''
    filled[input] = (query.get(input) ?? first ?? '').slice(0, valueMax)
  }
  return filled
}

/** In lines, as people write it; what is no JSON is left for the form to refuse. */
function readableJson(body: string | null): string | null {
  const text = body?.slice(0, bodyMax) ?? null
  if (text === null) return null
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

interface Person {
  readonly id: string
  readonly mrn: string
  readonly name: string
}

interface SuggestionGroup {
  readonly title: string
  readonly list: readonly { readonly label: string; readonly search: string }[]
}

/** Values to try, each a link: people of the sandbox, and what goes wrong. */
export function suggestionsFor(operation: OperationPage, people: readonly Person[]): SuggestionGroup[] {
  const has = (input: string) => operation.fields.some((field) => field.input === input)
  const isPatient = operation.path.startsWith('/patients/')
  const who = people.flatMap(({ id, mrn, name }) => {
    if (isPatient && has('p.id')) return [{ label: name, search: to({ 'p.id': id }) }]
    return has('q.mrn') ? [{ label: name, search: to({ 'q.mrn': mrn }) }] : []
  })
  const wrong = [
    ...(has('p.id') ? [{ label: '404: unknown ID', search: to({ 'p.id': 'nobody-here' }) }] : []),
    ...(has('q.limit') ? [{ label: '400: page size too large', search: to({ 'q.limit': '1000' }) }] : []),
    ...(has('q.dob') ? [{ label: '400: invalid date', search: to({ 'q.dob': '1971-02-30' }) }] : []),
  ]
  return [
    { title: 'Fill in a test patient', list: who },
    { title: 'Try an error', list: wrong },
  ].filter(({ list }) => list.length > 0)
}

function to(values: Record<string, string>): string {
  return `?${new URLSearchParams(values)}`
}
