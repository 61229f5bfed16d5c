/**
 * The server's part of the FHIR builder: its choices, and a call with a token that stays on this server. URLs are built
 * from the practice's own CapabilityStatement (fhir-request.ts). A field with another URL is logged.
 */
import type { FhirOperationName } from '../../../server/contract/fhir/operations.ts'
import { isFhirType, registryRow } from '../../../server/contract/fhir/registry.ts'
import { isProblem, Problem } from '../../../server/contract/http/problems.ts'
import { askedPath } from '../../../server/contract/lab/explorer-links.ts'
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { type PageArgs, visitorOf } from '../../services.server.ts'
import {
  callHere,
  findDeveloper,
  findStoredCall,
  type HereAnswer,
  readCommon,
} from '../calls/caller.server.ts'
import { fieldsOfCall } from '../calls/last-call.ts'
import { peopleOf } from '../choices.server.ts'
import type { ExplorerPage } from '../page.ts'
import { askedValues } from './asked-values.ts'
import { type CapabilityType, readCapability } from './capability.ts'
import { showFhirAnswer } from './fhir-answer.server.ts'
import {
  builderFields,
  idField,
  isInstance,
  operationFields,
  operationsOf,
  searchFields,
  tokenFields,
  withOneMore,
} from './fhir-fields.ts'
import { buildFhirRequest } from './fhir-request.ts'
import { type FhirRequest, textOf } from './fhir-request-parts.ts'
import { type BuilderPerson, formatPerson, parsePerson, scopeChoices, scopeText } from './fhir-token.ts'

const defaultType = 'MedicationRequest'
export async function loadBuilder(args: PageArgs) {
  const { services } = args.context
  const query = new URL(args.request.url).searchParams
  const session = await findDeveloper(args)
  const practices = await services.explorerKeys.listPractices(session)
  const { practice, base, capability } = await openPractice(args, query.get('practice'))
  const clinicians = await services.explorerChoices.clinicians(practice)
  const call = await findStoredCall(args, session, 'fhir')
  // A stored call has the kind of person it was for, but not the person.
  const [first] = call?.level === 'clinician' && !query.has('as') ? clinicians : []
  const person = first
    ? { kind: 'clinician' as const, id: first.id }
    : parsePerson(query.get('as'), query.get('other'))
  const shown = shownTypes(capability)
  const type =
    shown.find((each) => each.type === query.get('type')) ??
    shown.find((each) => each.type === defaultType) ??
    shown[0]
  if (!type || !isFhirType(type.type)) throw new Problem('unavailable', { detail: 'no type to show' })
  const as = formatPerson(person)
  const about = chartOf(person, query.get('about'))
  const asked = askedValues(query.get(askedPath), builderFields(type))
  const interaction = interactionOf(type, query.get('interaction') ?? askedInteraction(asked))
  const form = { kind: person.kind, about, types: shown.map((each) => each.type) }
  const codes = await services.explorerChoices.listCodes(practice.datasetId, type.type)
  const suggested = peopleOf(type.type, person)
  const choices: ExplorerPage['choices'] = { ...codes, ...suggested, id: suggested._id ?? [] }
  const kept = call && { id: call.id, ...fieldsOfCall(call) }
  const usualId = type.type === 'Patient' ? about : ''
  const people = sandboxPeople.map(({ id, name }) => ({ value: `patient:${id}`, display: name }))
  const staff = clinicians.map(({ id, name }) => ({ value: `clinician:${id}`, display: name }))
  const isListed = [...people, ...staff].some(({ value }) => value === as)
  const setUp = { practice: practice.slug, as, ...(person.kind === 'clinician' && { about }) }
  const at = (more: Record<string, string>) => `?${new URLSearchParams({ ...setUp, ...more })}`
  const page: ExplorerPage = {
    ...(await readCommon(args)),
    api: 'FHIR',
    title: titleOf(type.type, interaction),
    description: 'Sent with a real access token of a synthetic person, which stays on our server.',
    reference: { to: paths.typeReference(type.type), label: `${type.type} in the reference` },
    source: { label: 'CapabilityStatement', version: 'FHIR 4.0.1', to: `${base}/metadata` },
    operations: [
      {
        title: type.type,
        rows: interactionsOf(type).map((name) => ({
          to: at({ type: type.type, interaction: name }),
          method: 'GET',
          label: pathOf(type.type, name),
          isCurrent: name === interaction,
        })),
      },
      {
        title: 'Resource types',
        rows: shown.map((each) => ({
          to: at({ type: each.type }),
          method: 'GET',
          label: each.type,
          isCurrent: false,
        })),
      },
    ],
    request: {
      key: JSON.stringify([type.type, interaction, person.kind, about, kept?.id, asked]),
      action: at({ type: type.type, interaction }),
      method: 'GET',
      base: `${base}/`,
      path: pathOf(type.type, interaction),
      fields: [
        ...(hasId(interaction) ? [idField(usualId)] : []),
        ...(interaction === 'search'
          ? searchFields(type, form)
          : interaction === 'read'
            ? []
            : operationFields(interaction, form)),
        ...tokenFields(type.type, person.kind, isListed || person.kind === 'clinician' ? '' : person.id),
      ],
      hidden: {
        type: type.type,
        ...(isOperation(interaction) ? { operation: interaction } : { interaction }),
      },
    },
    values: kept?.values ?? asked,
    choices,
    practices: practices.map(({ slug, name }) => ({ value: slug, display: name })),
    practice: practice.slug,
    credential: {
      name: 'as',
      label: 'Token for',
      groups: [
        { title: 'Patients', choices: people },
        { title: 'Clinicians', choices: staff },
      ],
      value: isListed ? as : (people[0]?.value ?? ''),
      reloads: true,
    },
    suggestions:
      person.kind === 'clinician'
        ? [
            {
              title: 'Fill in a test patient',
              list: sandboxPeople.slice(0, 8).map(({ id, name }) => ({
                label: name,
                search: at({ type: type.type, interaction, about: id }),
              })),
            },
          ]
        : [],
    note: kept && noteOf(kept.empty),
    idle: {
      title: 'Response',
      text: `The resources as a table and as JSON.${combinationsOf(type, interaction)}`,
      example: null,
    },
  }
  return { ...page, kept }
}

function noteOf(empty: readonly string[]): string {
  const left = `Values that could name a person were not stored. Fill in ${empty.join(', ')} again.`
  return empty.length === 0 ? 'From your history.' : `From your history. ${left}`
}

type Interaction = 'search' | 'read' | FhirOperationName

const isOperation = (interaction: Interaction): interaction is FhirOperationName =>
  interaction !== 'search' && interaction !== 'read'

const hasId = (interaction: Interaction) =>
  interaction === 'read' || (isOperation(interaction) && isInstance(interaction))

const interactionsOf = (type: CapabilityType): readonly Interaction[] => [
  'search',
  'read',
  ...operationsOf(type),
]

const interactionOf = (type: CapabilityType, name: string): Interaction =>
  interactionsOf(type).find((interaction) => interaction === name) ?? 'search'

/** The interaction of a documentation's link, which names only a path: with an ID it is a read. */
const askedInteraction = (values: ReturnType<typeof askedValues>): string =>
  values.operation?.[0] ?? (values.id ? 'read' : 'search')

const pathOf = (type: string, interaction: Interaction): string =>
  `${type}${hasId(interaction) ? '/{id}' : ''}${isOperation(interaction) ? `/$${interaction}` : ''}`

function titleOf(type: string, interaction: Interaction): string {
  if (isOperation(interaction)) return `${type} $${interaction}`
  return interaction === 'read' ? `Read one ${type}` : `Search ${type}`
}

function combinationsOf({ combinations }: CapabilityType, interaction: Interaction): string {
  if (interaction !== 'search' || combinations.length === 0) return ''
  return ` Parameters often sent together: ${combinations.map((names) => names.join(' + ')).join(', ')}.`
}

export async function runBuilder(args: PageArgs, fields: FormData) {
  const { services, correlationId } = args.context
  const query = new URL(args.request.url).searchParams
  const fieldOrQuery = (name: string) => textOf(fields, name) || query.get(name)
  const person = parsePerson(fieldOrQuery('as'), fieldOrQuery('other'))
  const session = await findDeveloper(args)
  const { practice, base, capability } = await openPractice(args, fieldOrQuery('practice'))
  const values = listValues(fields)
  const sent = { values, practice: practice.slug, credential: formatPerson(person) }
  if (fields.get('more')) {
    const chosen = capability.find(({ type }) => type === textOf(fields, 'type'))
    return { ...sent, kind: 'fields' as const, values: (chosen && withOneMore(values, chosen)) ?? values }
  }
  const built = buildFhirRequest(fields, capability, base)
  if (built.kind === 'refused') {
    const { field, message, address } = built
    if (address)
      services.log.warn(
        { correlationId, practice: practice.slug, field, ip: args.context.clientIp },
        'the explorer refused an address',
      )
    return { kind: 'refused' as const, field, message, ...sent }
  }
  const { request } = built
  const choice = scopeChoices.find((each) => each === textOf(fields, 'scopes')) ?? 'all'
  const types = shownTypes(capability).map(({ type }) => type)
  const scope = scopeText(choice, { kind: person.kind, request, types, own: textOf(fields, 'scope') })
  try {
    const token = await services.explorerTokens.use(
      { session, practiceSlug: practice.slug, person, scope },
      visitorOf(args),
    )
    const url = `${base}/${request.path}`
    const accept = request.operation?.accept ?? 'application/fhir+json'
    const answer = readableText(await callHere(args, url, { accept, authorization: token.authorization() }))
    const { action, path, query: asked } = shapeOf(request)
    await services.explorerHistory.keep(session, {
      interface: 'fhir',
      operation: `${request.type} ${action}`,
      practiceSlug: practice.slug,
      level: person.kind,
      status: answer.status,
      durationMs: answer.durationMs,
      correlationId: answer.correlationId,
      request: { method: 'GET', path, query: asked, headers: ['Accept'], body: false },
    })
    return {
      kind: 'answer' as const,
      api: 'FHIR' as const,
      ...sent,
      url,
      ...showFhirAnswer(answer, { request, person, granted: token.scope, base }),
    }
  } catch (thrown) {
    // These refusals are shown beside the form. Others, such as a 404 for another person's practice, are error pages.
    const shown = isProblem(thrown) && [400, 403, 429].includes(thrown.status)
    if (!shown) throw thrown
    return { kind: 'refused' as const, field: thrown.field ?? 'form', message: thrown.message, ...sent }
  }
}

/** The chart that is searched: a patient's own, or the one that a clinician chose. */
function chartOf({ kind, id }: BuilderPerson, about: string | null): string {
  const patient = about?.trim().slice(0, 64) || (sandboxPeople[0]?.id ?? '')
  return kind === 'patient' ? id : patient
}

async function openPractice(args: PageArgs, slug: string | null) {
  const session = await findDeveloper(args)
  const { services } = args.context
  const practice = await services.explorerTokens.openPractice(session, slug === '' ? null : slug)
  const base = services.addresses.fhirBase(practice.slug)
  const statement = await callHere(args, `${base}/metadata`, { accept: 'application/fhir+json' })
  if (statement.status !== 200) throw new Problem('unavailable', { detail: 'no CapabilityStatement' })
  return { practice, base, capability: readCapability(JSON.parse(statement.text)) }
}

/** Leaves out types for backend systems, which are in no chart. */
const shownTypes = (capability: readonly CapabilityType[]): readonly CapabilityType[] =>
  capability.filter(({ type }) => isFhirType(type) && registryRow(type).audience === undefined)

/** The request as the history stores it, without values that may name a person. */
function shapeOf({ interaction, type, path, operation }: FhirRequest) {
  const [, query = ''] = path.split('?')
  const named = `${type}${interaction === 'read' || operation?.isInstance ? '/{id}' : ''}`
  return {
    action: operation?.name ?? (interaction === 'read' ? 'read' : 'search'),
    path: operation ? `${named}/${operation.name}` : named,
    // A link to a next page has only a cursor.
    query: interaction === 'next' ? {} : listValues(new URLSearchParams(query)),
  }
}

/** The values of each field or parameter, as lists. */
const listValues = (pairs: FormData | URLSearchParams): Record<string, readonly string[]> =>
  Object.fromEntries([...new Set(pairs.keys())].map((name) => [name, pairs.getAll(name).map(String)]))

/** The response as a page can show it. Instead of binary content, such as a PDF, it has the media type. */
function readableText(answer: HereAnswer): HereAnswer {
  const { mediaType, text } = answer
  if (/^(text\/|application\/([\w.-]+\+)?(json|xml))/i.test(mediaType)) return answer
  return {
    ...answer,
    text: text === '' ? '' : `${mediaType || 'Bytes of an unknown type'}: not shown as text.`,
  }
}
