/** The page of the explorer that sends a command of the documentation, with its values filled in. */

import { isFhirType, registryRow } from '../../../server/contract/fhir/registry.ts'
import { askedArgs, askedBody, askedPath } from '../../../server/contract/lab/explorer-links.ts'
import {
  explorerOperations,
  findOperation,
  headersOf,
} from '../../../server/contract/lab/explorer-request.ts'
import { faultHeader } from '../../../server/contract/lab/faults.ts'
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { parseCurl } from '../../shared/snippets/parse-curl.ts'

const base = 'https://base.invalid'
const restBase = `${base}/rest`
const fhirBase = `${base}/fhir`

/** @returns null for a command that the explorer cannot send */
export function explorerLink(command: string): string | null {
  if (/\$(STATUS_URL|FILE_URL)/.test(command)) return null
  const placed = command
    .replaceAll('SANDBOX_BASE', fhirBase)
    .replaceAll('REST_ORIGIN/sandbox/api/v1', restBase)
    .replace(/(?:PUBLIC|REST|FHIR)_ORIGIN/g, base)
  const { method, url, headers, body } = parseCurl(placed, { BASE: restBase, SVC_KEY: 'key', TOKEN: 'token' })
  if (!URL.canParse(url)) return null
  const { pathname, searchParams } = new URL(url)
  // A command with a fault header shows its effect, and the explorer doesn't send that header.
  if (headers.has(faultHeader)) return null
  if (url.startsWith(`${restBase}/mcp`)) return toolLink(body)
  if (url.startsWith(`${restBase}/`))
    return operationLink({ method, path: pathname.slice('/rest'.length), query: searchParams, headers, body })
  if (!url.startsWith(`${fhirBase}/`)) return null
  const path = pathname.slice('/fhir/'.length)
  // A search may be sent as a form.
  if (method === 'POST' && path.endsWith('/_search'))
    return fhirLink(path.replace('/_search', ''), body ?? '')
  return method === 'GET' ? fhirLink(path, searchParams.toString()) : null
}

interface RestCall {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: string | undefined
}

function operationLink({ method, path, query, headers, body }: RestCall): string | null {
  for (const [id, row] of Object.entries(explorerOperations)) {
    const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const found = new RegExp(`^${row.path.replace(/\{\w+\}/g, '([^/]+)').replaceAll('.', '\\.')}$`).exec(path)
    if (row.method !== method || !found || findOperation(id) === null) continue
    const sent = Object.entries(headersOf(row)).flatMap(([name, check]) => {
      const value = headers.get(name) ?? ''
      // The form makes a key of its own for each visit.
      return name !== 'Idempotency-Key' && check(value) ? [[`h.${name}`, value]] : []
    })
    return withQuery(paths.explorerOperation(id), [
      ...names.map((name, index) => [`p.${name}`, decodeURIComponent(found[index + 1] ?? '')]),
      ...[...query].map(([name, value]) => [`q.${name}`, value]),
      ...sent,
      ...(body === undefined ? [] : [[askedBody, compactJson(body)]]),
    ])
  }
  return null
}

const compactJson = (text: string): string => JSON.stringify(JSON.parse(text))

function toolLink(body: string | undefined): string | null {
  const { method, params } = JSON.parse(body ?? '{}') as {
    method?: string
    params?: { name?: string; arguments?: object }
  }
  if (method !== 'tools/call' || !params?.name) return null
  return withQuery(paths.explorerMcp, [
    ['tool', params.name],
    ...(params.arguments ? [[askedArgs, JSON.stringify(params.arguments)]] : []),
  ])
}

/** The query builder with a token for the request's patient; null for types outside of charts. */
function fhirLink(path: string, query: string): string | null {
  const [type = '', id] = path.split('/')
  if (!isFhirType(type) || registryRow(type).audience !== undefined) return null
  const pairs = new URLSearchParams(query)
  const named = type === 'Patient' ? (id ?? pairs.get('_id')) : pairs.get('patient')?.replace('Patient/', '')
  const isPerson = sandboxPeople.some((person) => person.id === named)
  return withQuery(paths.explorerFhir, [
    ['type', type],
    ...(isPerson ? [['as', `patient:${named}`]] : []),
    [askedPath, pairs.size === 0 ? path : `${path}?${pairs}`],
  ])
}

function withQuery(path: string, pairs: readonly (readonly string[])[]): string {
  const query = new URLSearchParams(pairs.map(([name = '', value = '']) => [name, value]))
  return query.size === 0 ? path : `${path}?${query}`
}
