/** The page of a REST operation: its form, the call that it makes, and the response. */

import { data } from '@remix-run/server-runtime'
import { parseBoundedJson } from '../../../server/contract/http/json-bounds.ts'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { askedBody } from '../../../server/contract/lab/explorer-links.ts'
import {
  type ExplorerCall,
  explorerCallSchema,
  type RequestRefusal,
} from '../../../server/contract/lab/explorer-request.ts'
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { basePaths } from '../../../server/contract/rest/openapi.ts'
import type { ExplorerResult } from '../../../server/lab/explorer/explorer-calls.ts'
import { sandboxBase } from '../../lib/api-base.server.ts'
import type { PageArgs } from '../../services.server.ts'
import type { OperationPage } from '../../shared/operations/describe-operation.server.ts'
import {
  describeOperation,
  openApi,
  operationList,
  refusalPage,
} from '../../shared/operations/describe-operation.server.ts'
import type { RequestField } from '../../shared/operations/operation.ts'
import { withColors } from '../../shared/snippets/highlight.server.ts'
import { snippetsFor } from '../../shared/snippets/snippets.server.ts'
import { activityOf, explorerCaller, practiceChoices, readCommon } from '../calls/caller.server.ts'
import { peopleChoices } from '../choices.server.ts'
import type { ExplorerPage, OperationGroup } from '../page.ts'

const firstOperation = 'listPatients'

/** @param document the OpenAPI document that the form is built from */
export async function loadRest(args: PageArgs, document = openApi('sandbox')): Promise<ExplorerPage> {
  const operation = getOperation(args, document)
  const { operationId, method, path, summary, description, bodyExample, tag } = operation
  const query = new URL(args.request.url).searchParams
  const { practices, practice, level } = await practiceChoices(args, { writes: operation.writes })
  const setUp = [...query].filter(([name]) => name === 'practice' || name === 'level')
  const mayWrite = practices.some(({ levels }) => levels.includes('full'))
  const levels = [{ value: 'read_only', display: 'Read-only key' }, ...(mayWrite ? [fullLevel] : [])]
  const [person] = sandboxPeople
  return {
    ...(await readCommon(args)),
    api: 'REST',
    title: summary,
    description,
    // The reference has no page of the MCP server.
    reference:
      tag === 'MCP' ? null : { to: paths.operationReference(operationId), label: 'Fields and errors' },
    source: {
      label: 'openapi.json',
      version: `version ${(document.info as { version: string }).version}`,
      to: `${basePaths.sandbox}/openapi.json`,
    },
    operations: groupsOf(operationId, setUp),
    request: {
      key: `${operationId} ${[...query].filter((pair) => !setUp.some(([name]) => name === pair[0]))}`,
      action: '',
      method,
      base: sandboxBase(args.context),
      path,
      fields: bodyExample === null ? operation.fields : [...operation.fields, bodyField],
      hidden: {},
    },
    values: fill(operation, query, person?.id ?? ''),
    choices: peopleChoices,
    practices: practices.map(({ slug, name, organizationId }) => ({
      value: slug,
      display: organizationId === null ? `${name} (shared, read-only)` : name,
    })),
    practice: practice.slug,
    credential: {
      name: 'level',
      label: 'Key level',
      groups: [{ title: '', choices: levels }],
      value: level,
      reloads: false,
    },
    suggestions: suggestionsFor(operation, setUp),
    note: null,
    idle: {
      title: `Response, ${operation.success}`,
      text: operation.answers,
      example: operation.example,
    },
  }
}

const fullLevel = { value: 'full', display: 'Full key: read and write' }

const bodyField: RequestField = {
  input: 'body',
  name: 'Body',
  place: 'body',
  type: 'JSON',
  required: true,
  description: '',
  kind: 'json',
  choices: [],
}

function getOperation({ params }: PageArgs, document = openApi('sandbox')): OperationPage {
  const operation = describeOperation(params.operation ?? firstOperation, document)
  if (operation === null) throw data(null, { status: 404 })
  return operation
}

function groupsOf(current: string, setUp: string[][]): OperationGroup[] {
  const search = setUp.length === 0 ? '' : `?${new URLSearchParams(setUp)}`
  const tags = [...new Set(operationList.map(({ tag }) => tag))]
  return tags.map((title) => ({
    title,
    rows: operationList
      .filter(({ tag }) => tag === title)
      .map(({ operationId, method, path, writes }) => ({
        to: paths.explorerOperation(operationId) + search,
        method,
        label: path,
        isCurrent: operationId === current,
        writes,
      })),
  }))
}

export async function runRest(args: PageArgs, form: FormData) {
  const { operationId } = getOperation(args)
  const { explorerCalls } = args.context.services
  const caller = await explorerCaller(args)
  const read = readFormCall(operationId, form)
  const sent = { values: read.filled, practice: text(form, 'practice'), credential: text(form, 'level') }
  const refuse = (field: string | null, message: string, thrown = { status: 400, headers: {} }) => ({
    kind: 'refused' as const,
    ...sent,
    field,
    message: field === null ? message : `${field}: ${message}`,
    status: thrown.status,
    headers: thrown.headers,
  })
  if (read.kind === 'refused') {
    const { message } = explorerCalls.refuse({ refusal: read.refusal, field: null }, caller, operationId)
    return refuse(null, message)
  }
  try {
    const result = await explorerCalls.call(read.call, caller)
    if (result.kind === 'refused') return refuse(result.field, result.message)
    return { ...sent, ...(await showAnswer(args, result)), kind: 'answer' as const, api: 'REST' as const }
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.status >= 500) throw thrown
    return refuse(null, thrown.message, thrown)
  }
}

/** A response with what the page adds: code for the call, and the page that explains a refusal. */
async function showAnswer(args: PageArgs, result: ExplorerResult) {
  const { practices } = await practiceChoices(args)
  const { key, request, operation, answer } = result
  const { method } = request
  return {
    ...answer,
    logs: activityOf(key, practices),
    call: `${method} ${operation}`,
    snippets: withColors(snippetsFor(request)),
    refusal: refusalOf(answer),
  }
}

function refusalOf({ status, text: body }: ExplorerResult['answer']): { code: string; to: string } | null {
  if (status < 400) return null
  const [, code] = /"code":"([a-z_]{1,40})"/.exec(body) ?? []
  return code === undefined ? null : { code, to: refusalPage(code) }
}

const places = { p: 'params', q: 'query', h: 'headers' } as const

type FormCall =
  | { kind: 'call'; call: ExplorerCall; filled: Record<string, string> }
  | { kind: 'refused'; refusal: RequestRefusal; filled: Record<string, string> }

/** Reads the call from the fields of an operation's form. Empty fields are not sent. */
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

/** The values from the URL, or else values with which a first call succeeds: an existing person and a valid body. */
export function fill(
  operation: OperationPage,
  query: URLSearchParams,
  personId: string,
): Record<string, string> {
  const filled: Record<string, string> = {
    body: readableJson(query.get(askedBody)) ?? operation.bodyExample ?? '',
  }
  for (const { input, place, placeholder } of operation.fields) {
    const first = place === 'path' ? (operation.path.startsWith('/patients/') ? personId : placeholder) : ''
    filled[input] = (query.get(input) ?? first ?? '').slice(0, valueMax)
  }
  return filled
}

/** Formats JSON in lines. Other text stays as it is, and the form refuses it. */
function readableJson(body: string | null): string | null {
  const text = body?.slice(0, bodyMax) ?? null
  if (text === null) return null
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Links that fill in values to try: people of the sandbox, and errors. */
function suggestionsFor(operation: OperationPage, setUp: string[][]): ExplorerPage['suggestions'] {
  const has = (input: string) => operation.fields.some((field) => field.input === input)
  const to = (input: string, value: string) => `?${new URLSearchParams([...setUp, [input, value]])}`
  const isPatient = operation.path.startsWith('/patients/')
  const people = sandboxPeople.slice(0, 8).flatMap(({ id, mrn, name }) => {
    if (isPatient && has('p.id')) return [{ label: name, search: to('p.id', id) }]
    return has('q.mrn') ? [{ label: name, search: to('q.mrn', mrn) }] : []
  })
  const errors = [
    ...(has('p.id') ? [{ label: '404: unknown ID', search: to('p.id', 'nobody-here') }] : []),
    ...(has('q.limit') ? [{ label: '400: page size too large', search: to('q.limit', '1000') }] : []),
    ...(has('q.dob') ? [{ label: '400: invalid date', search: to('q.dob', '1971-02-30') }] : []),
  ]
  return [
    { title: 'Fill in a test patient', list: people },
    { title: 'Try an error', list: errors },
  ].filter(({ list }) => list.length > 0)
}
