/** A page for each FHIR type, from the registry and the profiles of US Core. */
import { type ProfileFacts, profiles } from '../../../server/contract/fhir/must-support.ts'
import { bulkOperations, fhirOperations } from '../../../server/contract/fhir/operations.ts'
import { type FhirType, fhirRegistry } from '../../../server/contract/fhir/registry.ts'
import {
  comparators,
  type FhirTypeRow,
  modifiersOf,
  type SearchParameterRow,
  searchTypeOf,
} from '../../../server/contract/fhir/type-row.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { typeLabel } from '../../../server/contract/smart/scope-labels.ts'
import { fhirIssues, fhirOperationsTable } from '../guides/facts-fhir.server.ts'
import { code, heading, type ReferenceBlock, type ReferencePage, table, text } from './reference-page.ts'

export const fhirPages = (): readonly ReferencePage[] => [
  ...(Object.keys(fhirRegistry) as FhirType[]).sort().map((type) => typePage(type, fhirRegistry[type])),
  {
    path: paths.typeReference('operations'),
    title: 'FHIR operations',
    summary: 'Operations beside read and search: $everything, $docref, $ccda, $attachment and $export.',
    group: 'FHIR API',
    blocks: [
      text(
        'Beside `read` and `search-type` the FHIR API has these operations. Each needs the scopes of what it returns.',
      ),
      ...table(fhirOperationsTable()),
      heading('Errors'),
      text('Errors are OperationOutcome resources. `issue.code` is one of these.'),
      ...table(fhirIssues()),
    ],
  },
]

function typePage(type: FhirType, row: FhirTypeRow): ReferencePage {
  const offered = row.parameters.filter((parameter) => parameter.offered !== false)
  const explorer = `${paths.explorerFhir}?type=${type}`
  const who = row.audience === 'backend' ? ' Only tokens of backend systems reach it.' : ''
  return {
    path: paths.typeReference(type),
    title: type,
    summary: `${typeLabel(type)}: search parameters, must-support elements, scopes and a sample.`,
    group: 'FHIR API',
    blocks: [
      text(`${typeLabel(type)}.${who} [Search it in the explorer](${explorer}).`),
      heading('Interactions'),
      ...table(interactionsOf(type)),
      heading('Search parameters'),
      ...table(parametersTable(offered)),
      text(
        'Every search also takes `_count`, `_sort` and `_lastUpdated` as [the FHIR API](/docs/fhir#searching) describes.',
      ),
      ...table(combinationsOf(row)),
      ...includesOf(row),
      heading('Scopes'),
      text(scopesOf(type, row)),
      ...mustSupportOf(type),
      heading('Sample'),
      { kind: 'command', command: commandOf(type, offered), stage: 'fhir', status: 200 },
      text('Errors are [OperationOutcome resources](/docs/errors#fhir).'),
    ],
  }
}

function interactionsOf(type: FhirType) {
  const offered = Object.values({ ...fhirOperations, ...bulkOperations }).filter((row) => row.type === type)
  return {
    label: 'Interactions',
    heads: ['Request', 'What it does'],
    rows: [
      [code(`GET ${type}/{id}`), 'reads one resource'],
      [code(`GET ${type}?…`), 'searches'],
      [code(`POST ${type}/_search`), 'searches, with the parameters in the body'],
      ...offered.map(({ level, name, documentation }) => [
        code(`GET ${type}/${level === 'instance' ? '{id}/' : ''}$${name}`),
        documentation,
      ]),
    ],
  }
}

const prefixes = (row: SearchParameterRow) =>
  searchTypeOf[row.kind] === 'date' ? (row.comparators ?? comparators).map(code).join(', ') : ''

const parametersTable = (rows: readonly SearchParameterRow[]) => ({
  label: 'Search parameters',
  heads: ['Parameter', 'Type', 'Modifiers and prefixes', 'US Core'],
  rows: rows.map((row) => [
    code(row.name),
    searchTypeOf[row.kind],
    [...modifiersOf[row.kind].map((modifier) => code(`:${modifier}`)), prefixes(row)]
      .filter(Boolean)
      .join(', ') || 'none',
    row.expectation ?? '',
  ]),
})

const combinationsOf = ({ combinations: { shall, should } }: FhirTypeRow) => ({
  label: 'Combinations',
  heads: ['Together', 'US Core'],
  rows: [
    ...shall.map((names) => [names.split('+').map(code).join(' and '), 'SHALL']),
    ...should.map((names) => [names.split('+').map(code).join(' and '), 'SHOULD']),
  ],
})

function includesOf({ includes, revIncludes }: FhirTypeRow): readonly ReferenceBlock[] {
  const words = [
    ...(includes.length > 0 ? [`\`_include\`: ${includes.map(code).join(', ')}.`] : []),
    ...(revIncludes.length > 0 ? [`\`_revinclude\`: ${revIncludes.map(code).join(', ')}.`] : []),
  ]
  return words.map(text)
}

function scopesOf(type: FhirType, { parameters, audience }: FhirTypeRow): string {
  const contexts = audience === 'backend' ? ['system'] : ['patient', 'user', 'system']
  const filters = parameters.flatMap(({ name, scopable }) => (scopable ? [code(name)] : []))
  const narrowed =
    filters.length > 0 ? ` Narrow it by ${filters.join(' or ')}, as in ${code(`patient/${type}.rs?…`)}.` : ''
  return `${contexts.map((context) => code(`${context}/${type}.rs`)).join(', ')}: \`r\` reads, \`s\` searches.${narrowed} [More about scopes](/docs/scopes).`
}

function mustSupportOf(type: FhirType): readonly ReferenceBlock[] {
  const typeProfiles = profiles.filter(({ resource }) => resource === type)
  if (typeProfiles.length === 0) return []
  return [
    heading('Must-support elements'),
    text(
      'What the profiles of US Core 6.1.0 require or mark as must-support. The sandbox has a value for each.',
    ),
    ...table({
      label: 'Must-support elements',
      heads: ['Profile', 'Mandatory', 'Must-support'],
      rows: typeProfiles.map((row) => [code(row.profile), listed(row.mandatory), listed(supportedBy(row))]),
    }),
  ]
}

const listed = (names: readonly string[]) => [...new Set(names)].map(code).join(', ') || 'none'

const supportedBy = ({ elements, slices, extensions }: ProfileFacts) => [
  ...elements.map(({ path }) => path),
  ...slices.map(({ path, name }) => `${path}:${name}`),
  ...extensions.map(({ name }) => `extension:${name}`),
]

/** People whose charts have the types that the chart of the samples' person lacks. */
const otherPeople: Readonly<Partial<Record<FhirType, string>>> = {
  Device: 'pt-otis-samplewood',
  QuestionnaireResponse: 'pt-quinn-draftworth',
  RelatedPerson: 'pt-juno-testwell',
}

function commandOf(type: FhirType, offered: readonly SearchParameterRow[]): string {
  const one = type === 'Patient' ? '_id=pt-wren-testwell' : '_count=1'
  const isInChart = offered.some(({ name }) => name === 'patient')
  const patientQuery = isInChart ? `patient=${otherPeople[type] ?? 'pt-wren-testwell'}&` : ''
  return `curl "SANDBOX_BASE/${type}?${patientQuery}${one}" -H "Authorization: Bearer $TOKEN"`
}
