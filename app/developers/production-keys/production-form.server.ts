/** Handles the form of a production key request: chooses a practice, saves a step, or sends the request. */

import { data } from '@remix-run/server-runtime'
import {
  type ProductionPartial,
  productionPartial,
  productionStepForms,
} from '../../../server/contract/forms/production-keys.ts'
import { toStepInput } from '../../../server/contract/forms/step-forms.ts'
import { isProblem, Problem } from '../../../server/contract/http/problems.ts'
import { pageOf, readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  diffProductionDrafts,
  fieldsOfProductionStep,
  findProductionLacks,
  firstOpenProductionStep,
  isProductionStep,
  type ProductionField,
  type ProductionLacks,
  type ProductionStep,
  productionStepAfter,
} from '../../../server/contract/workflows/production-key-steps.ts'
import type { Refused } from '../../lib/form-answer.ts'
import { readFields, runAction, typedOf } from '../../lib/submission.server.ts'
import { getOrganization, type PageArgs } from '../../services.server.ts'

export interface StepAnswer {
  kind: 'saved' | 'wrong'
  /** The draft's current version. */
  version: number | null
  wrong?: Refused
  /** The wrong fields; the others of the step are saved. */
  faults: ProductionLacks
  /** What the input still lacks before it can be sent. */
  lacks?: ProductionLacks
  /** Fields that another person saved with other values meanwhile. */
  stale: readonly ProductionField[]
}

/** The draft in the URL; null on the page of a new one. @throws a 404 page for a draft of another organization */
export async function findDraft(args: PageArgs) {
  const { organization, actor } = await getOrganization(args)
  const id = args.params.productionKey
  const view = id === undefined ? null : await args.context.services.productionKeys.get(id, actor)
  if (view && view.organization.id !== organization.id) throw data(null, { status: 404 })
  return { organization, actor, view }
}

type Found = Awaited<ReturnType<typeof findDraft>>

export const pathOfProductionStep = (slug: string, id: string, step: ProductionStep) =>
  `${paths.productionKeyForm(slug, id)}?step=${step}`

export async function saveProductionStep(args: PageArgs) {
  const found = await findDraft(args)
  const { slug } = found.organization
  const fields = await readFields(args.request, 80)
  // A button that leads to another step sends no intent.
  if (!fields.has('intent')) fields.set('intent', 'save')
  let to = { path: paths.organizationKeys(slug), done: 'production_saved' as const as Done }
  const step = (send: boolean) => async (input: Target) => {
    const answer = await saveStep(args, found, fields, input, send)
    if (answer.kind === 'wrong' || fields.get('intent') === 'autosave')
      return data(
        { ...answer, lacks: findProductionLacks(toStepInput(fields)) },
        { status: answer.kind === 'wrong' ? (answer.stale.length > 0 ? 409 : 400) : 200 },
      )
    const id = found.view?.id ?? ''
    const next = nextStep(fields)
    to =
      send || next === null
        ? { path: paths.productionKey(slug, id), done: send ? 'production_submitted' : 'production_saved' }
        : { path: pathOfProductionStep(slug, id, next), done: 'production_saved' }
  }
  return runAction(
    args,
    productionStepForms,
    {
      choose: async (input) => {
        to = { path: await choose(args, found, input), done: 'production_saved' }
      },
      save: step(false),
      autosave: step(false),
      send: step(true),
    },
    { fields, to: () => to },
  )
}

type Done = 'production_saved' | 'production_submitted'
type Target = { version: number; idempotencyKey: string }

/** Creates a draft for the practice, or changes the practice of an existing draft. @returns the next page's path */
async function choose(
  { context }: PageArgs,
  { organization, actor, view }: Found,
  { practice, from, ...target }: Target & { practice: string; from?: string | undefined },
): Promise<string> {
  const { productionKeys } = context.services
  const { id: organizationId, slug } = organization
  try {
    if (view === null) {
      const { idempotencyKey } = target
      const input = { organizationId, practiceSlug: practice, copyOf: from ?? null, idempotencyKey }
      const { requestId } = await productionKeys.begin(input, actor)
      return pathOfProductionStep(slug, requestId, 'use')
    }
    const requestId = view.id
    await productionKeys.save({ requestId, ...target, changes: { practiceSlug: practice } }, actor)
    const lacks = findProductionLacks({ ...view.draft, practiceSlug: practice })
    return pathOfProductionStep(slug, requestId, firstOpenProductionStep(lacks))
  } catch (thrown) {
    // On this page, the field is called `practice`.
    if (isProblem(thrown) && thrown.field === 'practiceSlug')
      throw new Problem(thrown.kind, { field: 'practice', message: thrown.message })
    throw thrown
  }
}

/** Saves the valid fields of a step, even if others are wrong. */
async function saveStep(
  { context }: PageArgs,
  { actor, view }: Found,
  fields: FormData,
  target: Target,
  send: boolean,
): Promise<StepAnswer> {
  const { productionKeys } = context.services
  const step = fields.get('step')
  if (view === null || !isProductionStep(step)) throw new Problem('not_found')
  const { changes, faults } = readStep(fields, step)
  const wrong = (message: string, version: number, stale: readonly ProductionField[] = []): StepAnswer => ({
    ...{ kind: 'wrong', version, faults, stale },
    wrong: { message, fields: {}, typed: typedOf(fields) },
  })
  let version: number
  try {
    version = (await productionKeys.save({ requestId: view.id, ...target, changes }, actor)).version
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.status !== 409) throw thrown
    const now = await productionKeys.get(view.id, actor)
    if (now.version === target.version || now.state !== 'draft') throw thrown
    const stale = diffProductionDrafts(now.draft, { ...now.draft, ...changes })
    return wrong(
      'Someone else saved this draft in the meantime. Your changes are below, not saved yet.',
      now.version,
      stale,
    )
  }
  if (Object.keys(faults).length > 0) return wrong('Some of it needs a change. The rest is saved.', version)
  if (!send) return { kind: 'saved', version, faults, stale: [] }
  try {
    const idempotencyKey = `${target.idempotencyKey}-send`.slice(-64)
    await productionKeys.submit({ requestId: view.id, version, idempotencyKey }, actor)
    return { kind: 'saved', version, faults, stale: [] }
  } catch (thrown) {
    // The draft stays saved even if it can't be sent.
    if (!isProblem(thrown) || ![400, 403, 409].includes(thrown.status)) throw thrown
    return wrong(thrown.message, version)
  }
}

function readStep(fields: FormData, step: ProductionStep) {
  const input = toStepInput(fields)
  const changes: Partial<Record<ProductionField, unknown>> = {}
  const faults: Partial<Record<ProductionField, string>> = {}
  for (const field of fieldsOfProductionStep(step)) {
    const read = productionPartial.shape[field].safeParse(input[field])
    if (read.success) changes[field] = read.data
    else faults[field] = read.error.issues[0]?.message ?? 'This cannot be kept.'
  }
  return { changes: changes as Partial<ProductionPartial>, faults }
}

/** The next step; null for the summary. */
function nextStep(fields: FormData): ProductionStep | null {
  const [step, next] = [fields.get('step'), fields.get('next')]
  if (!isProductionStep(step) || next === 'summary') return null
  return isProductionStep(next) ? next : productionStepAfter(step)
}

/** Practices to choose from, with only what the public directory says. */
export async function listPractices({ context, request }: PageArgs) {
  const ask = readPageAsk(new URL(request.url).searchParams)
  const listed = pageOf(ask, await context.services.directory.search('production', ask.q))
  const rows = listed.rows.map(({ slug, name, npi, address }) => ({
    slug,
    name,
    npi,
    place: address && `${address.city}, ${address.state} ${address.postalCode}`,
  }))
  return { ...listed, q: ask.q, rows }
}
