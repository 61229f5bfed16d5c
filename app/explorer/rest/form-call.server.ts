/** From the fields of an operation's form to the call it describes. What was left empty is not sent. */

import { parseBoundedJson } from '../../../server/contract/http/json-bounds.ts'
import {
  type ExplorerCall,
  explorerCallSchema,
  type RequestRefusal,
} from '../../../server/contract/lab/explorer-request.ts'
import type { Filled } from '../../shared/operations/operation.ts'

const places = { p: 'params', q: 'query', h: 'headers' } as const

type FormCall =
  | { kind: 'call'; call: ExplorerCall; filled: Filled }
  | { kind: 'refused'; refusal: RequestRefusal; filled: Filled }

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
