/**
 * The FHIR builder behind its page: what it offers, and one call with a token that stays on this server. Addresses are
 * made from the practice's own CapabilityStatement (fhir-request.ts); a field that holds another one is logged.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { isFhirType, registryRow } from '../../../server/contract/fhir/registry.ts'
import { isProblem, Problem } from '../../../server/contract/http/problems.ts'
import { askedPath } from '../../../server/contract/lab/explorer-links.ts'
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import { readFields } from '../../lib/submission.server.ts'
import { visitorOf } from '../../services.server.ts'
import { callHere, findDeveloper, type HereAnswer } from '../calls/caller.server.ts'
import { fieldsOfKept } from '../calls/kept-call.ts'
import { choicesOf } from '../choices.server.ts'
import { askedValues } from './asked-values.ts'
import { type CapabilityType, readCapability } from './capability.ts'
import { showFhirAnswer } from './fhir-answer.server.ts'
import { builderFields, withOneMore } from './fhir-fields.ts'
import { builderOperations } from './fhir-operation-request.ts'
import { buildFhirRequest, type FhirRequest, sortsOf } from './fhir-request.ts'
import {
  type BuilderPerson,
  formatPerson,
  parsePerson,
  type ScopeChoice,
  scopeChoices,
  scopeText,
} from './fhir-token.ts'

type Args = LoaderFunctionArgs | ActionFunctionArgs

const defaultType = 'MedicationRequest'
/** A type has about twenty parameters with two fields each, and some of them repeat. */
const fieldsMax = 240

export async function loadBuilder(args: Args) {
  const { services } = args.context
  const query = new URL(args.request.url).searchParams
  const session = await findDeveloper(args)
  const practices = await services.explorerKeys.listPractices(session)
  const { practice, base, capability } = await openPractice(args)
  const { explorerChoices } = services
  const clinicians = await explorerChoices.listClinicians(practice.datasetId)
  const token = await findKept(args, session)
  // Of a kept call it is known what kind of person it was for, and not who.
  const [first] = token?.level === 'clinician' && !query.has('as') ? clinicians : []
  const person = first
    ? { kind: 'clinician' as const, id: first.id }
    : parsePerson(query.get('as'), query.get('other'))
  const shown = shownTypes(capability)
  const type =
    shown.find((each) => each.type === query.get('type')) ??
    shown.find((each) => each.type === defaultType) ??
    shown[0]
  if (!type || !isFhirType(type.type)) throw new Problem('unavailable', { detail: 'no type to show' })
  const about = chartOf(person, query.get('about'))
  return {
    signedIn: session !== null,
    practices: practices.map(({ slug, name }) => ({ slug, name })),
    practice: { slug: practice.slug, name: practice.name, isShared: practice.organizationId === null },
    base,
    person,
    as: formatPerson(person),
    about,
    people: sandboxPeople.map(({ id, name }) => ({ id, name })),
    clinicians,
    kept: token && { id: token.id, ...fieldsOfKept(token) },
    /** From a link of the documentation. */
    asked: askedValues(query.get(askedPath), builderFields(type)),
    types: shown.map((each) => each.type),
    type: {
      ...type,
      sorts: sortsFor(type),
      fields: builderFields(type),
      operations: builderOperations(type),
    },
    choices: await choicesOf(services, {
      practice,
      type: type.type,
      person,
      about,
      reader: { accountId: session?.accountId ?? null, correlationId: args.context.correlationId },
    }),
  }
}

/** The line of the history that an address names, if it is a call of this builder and the reader's own. */
async function findKept({ context, request }: Args, session: Awaited<ReturnType<typeof findDeveloper>>) {
  const id = new URL(request.url).searchParams.get('call')
  if (id === null || session === null) return null
  const call = await context.services.explorerHistory.find(session.accountId, id)
  return call?.interface === 'fhir' ? call : null
}

export async function runBuilder(args: ActionFunctionArgs) {
  const { services, correlationId } = args.context
  const fields = await readFields(args.request, fieldsMax)
  const query = new URL(args.request.url).searchParams
  const person = parsePerson(query.get('as'), query.get('other'))
  const session = await findDeveloper(args)
  const { practice, base, capability } = await openPractice(args)
  const values = Object.fromEntries(
    [...new Set(fields.keys())].map((name) => [name, fields.getAll(name).map(String)]),
  )
  if (fields.get('interaction') === 'more') {
    const chosen = capability.find(({ type }) => type === textOf(fields, 'type'))
    return { kind: 'fields' as const, values: (chosen && withOneMore(values, chosen)) ?? values }
  }
  const built = buildFhirRequest(fields, capability, base)
  if (built.kind === 'refused') {
    const { field, message, address } = built
    if (address)
      services.log.warn(
        { correlationId, practice: practice.slug, field, ip: args.context.clientIp },
        'the explorer refused an address',
      )
    return { kind: 'refused' as const, field, message, values }
  }
  const { request } = built
  const choice = readChoice(fields)
  const types = shownTypes(capability).map(({ type }) => type)
  const wanted = scopeText(choice, {
    kind: person.kind,
    request,
    types,
    own: textOf(fields, 'scope'),
  })
  try {
    const token = await services.explorerTokens.use(
      { session, practiceSlug: practice.slug, person, scope: wanted },
      visitorOf(args),
    )
    const url = `${base}/${request.path}`
    const accept = request.operation?.accept ?? 'application/fhir+json'
    const answer = readableText(await callHere(args, url, { accept, authorization: token.authorization() }))
    const { action, path, query: asked } = shapeOf(request)
    const traces = await services.traceExplorerCall(
      {
        interface: 'fhir',
        operation: `${request.type} ${action}`,
        practiceSlug: practice.slug,
        level: person.kind,
        status: answer.status,
        durationMs: answer.durationMs,
        correlationId: answer.correlationId,
        request: {
          method: 'GET',
          path,
          query: asked,
          headers: ['Accept'],
          body: false,
        },
      },
      {
        session,
        owner: { clientId: token.clientId },
        practiceId: practice.id,
        principalId: token.principalId,
      },
    )
    return {
      kind: 'answer' as const,
      values,
      traces,
      url,
      token: {
        name: token.clientId,
        about: `${token.principalId} at ${practice.name}`,
        expiresAt: token.expiresAt,
      },
      ...showFhirAnswer(answer, { request, person, granted: token.scope, types, base, practice }, services),
    }
  } catch (thrown) {
    // What the page can say beside its form; a practice that is not this person's is no page at all.
    const shown = isProblem(thrown) && [400, 403, 429].includes(thrown.status)
    if (!shown) throw thrown
    return { kind: 'refused' as const, field: thrown.field ?? 'form', message: thrown.message, values }
  }
}

/** The chart that references are looked for in: the patient's own, and for a clinician one of their choice. */
function chartOf({ kind, id }: BuilderPerson, about: string | null): string {
  const patient = about?.trim().slice(0, 64) || (sandboxPeople[0]?.id ?? '')
  return kind === 'patient' ? id : patient
}

async function openPractice(args: Args) {
  const slug = new URL(args.request.url).searchParams.get('practice')
  const session = await findDeveloper(args)
  const { services } = args.context
  const practice = await services.explorerTokens.openPractice(session, slug === '' ? null : slug)
  const base = services.addresses.fhirBase(practice.slug)
  const statement = await callHere(args, `${base}/metadata`, { accept: 'application/fhir+json' })
  if (statement.status !== 200) throw new Problem('unavailable', { detail: 'no CapabilityStatement' })
  return { practice, base, capability: readCapability(JSON.parse(statement.text)) }
}

/** A list of people is for backend systems, and in no one's chart. */
function shownTypes(capability: readonly CapabilityType[]): readonly CapabilityType[] {
  return capability.filter(({ type }) => isFhirType(type) && registryRow(type).audience === undefined)
}

/** The statement says which dates there are, the registry which of them orders the pages. */
function sortsFor({ type, parameters }: CapabilityType): readonly string[] {
  if (!isFhirType(type)) return []
  const sorting = registryRow(type).parameters.filter(({ sorts, kind }) => sorts || kind === 'updated')
  return sortsOf(parameters).filter((each) => sorting.some(({ name }) => name === each.replace('-', '')))
}

function readChoice(fields: FormData): ScopeChoice {
  const said = textOf(fields, 'scopes')
  return scopeChoices.find((each) => each === said) ?? 'all'
}

function textOf(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** A request as the history keeps it, which leaves out what may name a person. */
function shapeOf({ interaction, type, path, operation }: FhirRequest) {
  const [, query = ''] = path.split('?')
  const named = `${type}${interaction === 'read' || operation?.isInstance ? '/{id}' : ''}`
  return {
    action: operation?.name ?? (interaction === 'read' ? 'read' : 'search'),
    path: operation ? `${named}/${operation.name}` : named,
    // A link to a next page holds a cursor and nothing besides.
    query: interaction === 'next' ? {} : queryOf(query),
  }
}

/** A parameter that is given several times is kept as the list of its values. */
function queryOf(query: string): Record<string, readonly string[]> {
  const pairs = new URLSearchParams(query)
  return Object.fromEntries([...new Set(pairs.keys())].map((name) => [name, pairs.getAll(name)]))
}

/** An answer as a page can show it: of what is no text, as a PDF or a picture, its kind alone. */
function readableText(answer: HereAnswer): HereAnswer {
  const { mediaType, text } = answer
  if (/^(text\/|application\/([\w.-]+\+)?(json|xml))/i.test(mediaType)) return answer
  return {
    ...answer,
    text: text === '' ? '' : `${mediaType || 'Bytes of an unknown type'}: not shown as text.`,
  }
}
