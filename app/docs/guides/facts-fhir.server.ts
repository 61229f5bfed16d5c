/** Tables about the FHIR interface, from its registry. */
import { bulkOperations, fhirOperations } from '../../../server/contract/fhir/operations.ts'
import { fhirRegistry, isFhirType } from '../../../server/contract/fhir/registry.ts'
import type { FhirTypeRow } from '../../../server/contract/fhir/type-row.ts'
import { type Deprecation, deprecationSentence } from '../../../server/contract/http/deprecation.ts'
import { type ProblemRow, problems } from '../../../server/contract/http/problems.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { Facts } from './facts.ts'

const rows = Object.entries(fhirRegistry).sort(([a], [b]) => a.localeCompare(b))

const offered = ({ parameters }: FhirTypeRow) => parameters.filter((parameter) => parameter.offered !== false)
const code = (text: string) => `\`${text}\``

export const fhirTypes = (): Facts => ({
  label: 'Resource types',
  heads: ['Type', 'Search parameters', '_include', '_revinclude'],
  rows: rows.map(([type, row]) => [
    `[${code(type)}](${paths.typeReference(type)})${row.members === undefined ? '' : ' (backend tokens only)'}`,
    offered(row)
      .map(({ name }) => code(name))
      .join(', '),
    row.includes.map(code).join(', ') || 'none',
    row.revIncludes.map(code).join(', ') || 'none',
  ]),
})

export const fhirOperationsTable = (): Facts => ({
  label: 'Operations',
  heads: ['Request', 'Response'],
  rows: Object.values({ ...fhirOperations, ...bulkOperations }).map(
    ({ name, type, level, documentation, deprecation }) => [
      code(`GET ${type}/${level === 'instance' ? '{id}/' : ''}$${name}`),
      `${endOf(deprecation)}${documentation}`,
    ],
  ),
})

function endOf(deprecation: Deprecation | undefined): string {
  if (deprecation === undefined) return ''
  const { successor } = deprecation
  return `${deprecationSentence(deprecation, successor === undefined ? null : code(`$${successor}`))} `
}

export const scopeFilters = (): Facts => ({
  label: 'Types whose scopes can be narrowed',
  heads: ['Type', 'By'],
  rows: rows.flatMap(([type, { parameters }]) => {
    const names = parameters.flatMap(({ name, scopable }) => (scopable ? [code(name)] : []))
    return isFhirType(type) && names.length > 0 ? [[code(type), names.join(' or ')]] : []
  }),
})

export const fhirIssues = (): Facts => ({
  label: 'Issues of the FHIR API',
  heads: ['Status', 'issue.code', 'Default message'],
  rows: Object.values<ProblemRow>(problems)
    .filter(({ restCode, only }) => restCode !== 'malformed_json' && only !== 'portal')
    .filter(({ message }) => !message.includes('API key'))
    .sort((a, b) => a.status - b.status)
    .map(({ status, fhirIssue, message }) => [`${status}`, code(fhirIssue), message]),
})
