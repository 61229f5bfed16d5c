/** The page of the explorer that sends a command of the documentation, with its values filled in. */

import { isFhirType } from '../../../server/contract/fhir/registry.ts'
import { explorerOperations, findOperation } from '../../../server/contract/lab/explorer-request.ts'
import { faultHeader } from '../../../server/contract/lab/faults.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { parseCurl } from '../../shared/snippets/parse-curl.ts'

const base = 'https://base.invalid'
const restBase = `${base}/rest`
const fhirBase = `${base}/fhir`

/** @returns null for what the explorer cannot send */
export function explorerLink(command: string): string | null {
  if (/\$(STATUS_URL|FILE_URL)/.test(command)) return null
  const placed = command.replaceAll('SANDBOX_BASE', fhirBase).replace(/(?:PUBLIC|REST|FHIR)_ORIGIN/g, base)
  const { method, url, headers, body } = parseCurl(placed, { BASE: restBase, SVC_KEY: 'key', TOKEN: 'token' })
  if (!URL.canParse(url)) return null
  const { pathname, searchParams } = new URL(url)
  // A header of its own means that the response is about the header, and the explorer would send another.
  if (headers.has(faultHeader)) return null
  if (url.startsWith(`${restBase}/mcp`)) return toolLink(body)
  if (url.startsWith(`${restBase}/`))
    return operationLink(method, pathname.slice('/rest'.length), searchParams)
  if (url.startsWith(`${fhirBase}/`) && method === 'GET')
    return searchLink(pathname.slice('/fhir/'.length), searchParams)
  return null
}

function operationLink(method: string, path: string, query: URLSearchParams): string | null {
  for (const [id, row] of Object.entries(explorerOperations)) {
    const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const found = new RegExp(`^${row.path.replace(/\{\w+\}/g, '([^/]+)').replaceAll('.', '\\.')}$`).exec(path)
    if (row.method !== method || !found || findOperation(id) === null) continue
    const filled = [
      ...names.map((name, place) => [`p.${name}`, decodeURIComponent(found[place + 1] ?? '')]),
      ...[...query].map(([name, value]) => [`q.${name}`, value]),
    ]
    return withQuery(paths.explorerOperation(id), filled)
  }
  return null
}

function toolLink(body: string | undefined): string | null {
  const { method, params } = JSON.parse(body ?? '{}') as { method?: string; params?: { name?: string } }
  return method === 'tools/call' && params?.name
    ? withQuery(paths.explorerMcp, [['tool', params.name]])
    : null
}

/** The builder's type; it has no address for a search with its values. */
function searchLink(path: string, _query: URLSearchParams): string | null {
  const [type = ''] = path.split('/')
  return isFhirType(type) ? withQuery(paths.explorerFhir, [['type', type]]) : null
}

function withQuery(path: string, pairs: readonly (readonly string[])[]): string {
  const query = new URLSearchParams(pairs.map(([name = '', value = '']) => [name, value]))
  return query.size === 0 ? path : `${path}?${query}`
}
