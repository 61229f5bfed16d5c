/** The search index of the documentation, built once per process from the contract and the bundled guides. */
import { createHash } from 'node:crypto'
import MiniSearch from 'minisearch'
import { bulkOperations, fhirOperations } from '../../../server/contract/fhir/operations.ts'
import { fhirRegistry } from '../../../server/contract/fhir/registry.ts'
import { problems } from '../../../server/contract/http/problems.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { errorCodes, errorPage, isErrorCode, statusOf } from '../../../server/contract/rest/error-codes.ts'
import { operations } from '../../../server/contract/rest/operations.ts'
import { oauthRefusals } from '../../../server/contract/smart/oauth-errors.ts'
import type { OAuthRefusalRow } from '../../../server/contract/smart/oauth-fixes.ts'
import { typeLabel } from '../../../server/contract/smart/scope-labels.ts'
import { components } from '../../../server/contract/status/components.ts'
import { glossary } from '../../../server/contract/text/glossary.ts'
import { docsHome, guidePath } from '../../shared/guides/guide-path.ts'
import { portalPages } from '../../shared/search/portal-pages.ts'
import { type SearchEntry, searchOptions } from '../../shared/search/search.ts'
import type { Addresses } from './addresses.ts'
import { launchScopesTable } from './facts-smart.server.ts'
import { sectionsOf } from './guide-text.server.ts'
import { type DocsPage, docsPages } from './pages.server.ts'
import { sectionKeywords } from './section-keywords.ts'

interface DocsIndex {
  readonly index: MiniSearch<SearchEntry>
  /** The index as JSON. */
  readonly text: string
  /** Hash of `text`, for the ETag. */
  readonly hash: string
}

let cached: { portal: string; docs: DocsIndex } | undefined

export function docsIndex(addresses: Addresses): DocsIndex {
  if (cached?.portal !== addresses.portal) cached = { portal: addresses.portal, docs: makeIndex(addresses) }
  return cached.docs
}

function makeIndex(addresses: Addresses): DocsIndex {
  const index = new MiniSearch<SearchEntry>(searchOptions)
  index.addAll(searchEntries(addresses).map((entry, index) => ({ ...entry, place: index })))
  const text = JSON.stringify(index)
  return { index, text, hash: createHash('sha256').update(text).digest('base64url').slice(0, 22) }
}

export function searchEntries(addresses: Addresses): readonly SearchEntry[] {
  return [
    ...textEntries(addresses),
    ...operationEntries(),
    ...fhirEntries(),
    ...scopeEntries(),
    ...oauthEntries(),
    ...glossary.map(
      ({ term, meaning }): SearchEntry => ({
        kind: 'term',
        to: guidePath('glossary'),
        label: term,
        section: 'Glossary',
        text: meaning,
      }),
    ),
    ...portalPages.map(
      ({ to, label, where, keywords }): SearchEntry => ({
        kind: 'page',
        to,
        label,
        section: where,
        text: '',
        keywords,
      }),
    ),
    ...Object.values(components).map(
      ({ name }): SearchEntry => ({
        kind: 'component',
        to: paths.status,
        label: name,
        section: 'Status',
        text: `Whether ${name} is up, and its last 90 days.`,
        keywords: 'component uptime state',
      }),
    ),
  ]
}

/** Entries of guides, error pages and the changelog. */
function textEntries(addresses: Addresses): readonly SearchEntry[] {
  return docsPages(addresses).flatMap(({ path, title, summary, markdown }) => {
    // The rows of reference tables have entries of their own.
    if (path.startsWith(paths.reference)) return referenceEntry({ path, title, summary })
    const code = path.startsWith(`${errorPage()}/`) && isErrorCode(title) ? title : null
    const sections = sectionsOf(markdown)
    if (code !== null)
      return [
        {
          kind: 'error',
          to: path,
          label: code,
          section: 'Errors of the REST API',
          text: sections.map(({ text }) => text).join(' '),
          keywords: `${statusOf(code)} ${errorCodes[code].retry}`,
        } satisfies SearchEntry,
      ]
    const kind = path.endsWith('/changelog') ? 'change' : 'guide'
    return sections.map(({ heading, anchor, text }): SearchEntry => {
      const to = anchor === '' ? path : `${path}#${anchor}`
      return {
        kind,
        to,
        label: heading || title,
        section: heading === '' ? '' : title,
        text: heading === '' ? `${summary} ${text}` : text,
        keywords: sectionKeywords[to.slice(docsHome.length + 1)],
      }
    })
  })
}

/** Pages of operations and types get no entry here, because others describe them better. */
function referenceEntry({
  path,
  title,
  summary,
}: Pick<DocsPage, 'path' | 'title' | 'summary'>): SearchEntry[] {
  const isListed = /\/(?:rest|fhir)\/(?!operations$)/.test(path)
  return isListed ? [] : [{ kind: 'guide', to: path, label: title, section: 'Reference', text: summary }]
}

function operationEntries(): readonly SearchEntry[] {
  return [
    ...Object.entries(operations).map(
      ([id, { method, path, summary, description }]): SearchEntry => ({
        kind: 'operation',
        to: paths.operationReference(id),
        label: summary,
        section: 'REST API',
        text: `${method} ${path} ${description}`,
        keywords: id,
      }),
    ),
    ...Object.values({ ...fhirOperations, ...bulkOperations }).map(
      ({ name, type, documentation }): SearchEntry => ({
        kind: 'operation',
        to: `${guidePath('fhir')}#operations`,
        label: `$${name}`,
        section: 'FHIR API',
        text: documentation,
        keywords: `${type} operation`,
      }),
    ),
  ]
}

function fhirEntries(): readonly SearchEntry[] {
  const typesOf = new Map<string, string[]>()
  for (const [type, { parameters }] of Object.entries(fhirRegistry))
    for (const { name, offered } of parameters)
      if (offered !== false) typesOf.set(name, [...(typesOf.get(name) ?? []), type])
  return [
    ...Object.entries(fhirRegistry).map(
      ([type, { parameters, includes, revIncludes }]): SearchEntry => ({
        kind: 'type',
        to: paths.typeReference(type),
        label: type,
        section: 'FHIR API',
        text: [
          `Searched by ${parameters.flatMap(({ name, offered }) => (offered === false ? [] : [name])).join(', ')}.`,
          ...(includes.length > 0 ? [`_include: ${includes.join(', ')}.`] : []),
          ...(revIncludes.length > 0 ? [`_revinclude: ${revIncludes.join(', ')}.`] : []),
        ].join(' '),
      }),
    ),
    ...[...typesOf].map(
      ([name, types]): SearchEntry => ({
        kind: 'parameter',
        to: `${guidePath('fhir')}#searching`,
        label: name,
        section: 'FHIR search parameter',
        text: `Searches ${types.join(', ')}.`,
      }),
    ),
  ]
}

function scopeEntries(): readonly SearchEntry[] {
  return [
    ...launchScopesTable().rows.map(
      ([name = '', meaning = '']): SearchEntry => ({
        kind: 'scope',
        to: `${guidePath('scopes')}#launch-scopes`,
        label: name.replaceAll('`', ''),
        section: 'Launch scope',
        text: meaning,
      }),
    ),
    ...(Object.keys(fhirRegistry) as (keyof typeof fhirRegistry)[]).map(
      (type): SearchEntry => ({
        kind: 'scope',
        to: `${guidePath('scopes')}#syntax`,
        label: `patient/${type}.rs`,
        section: 'Scope',
        text: `Read and search ${type}: ${typeLabel(type)}. user/${type}.rs and system/${type}.rs in other kinds of apps.`,
      }),
    ),
  ]
}

/** One entry for each `error` of the authorization server. */
function oauthEntries(): readonly SearchEntry[] {
  const rows = Object.values<OAuthRefusalRow>(oauthRefusals)
  return [...new Set(rows.map(({ error }) => error))].map((error) => {
    const causes = rows.filter((row) => row.error === error)
    return {
      kind: 'error',
      to: `${guidePath('smart')}#errors`,
      label: error,
      section: 'Errors of the authorization server',
      text: [...new Set(causes.map(({ description }) => description))].join(' '),
      keywords: [...new Set(causes.map(({ problem }) => `${problems[problem].status}`))].join(' '),
    }
  })
}
