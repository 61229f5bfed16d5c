/** The form of a request for a production key in steps: which fields each asks for, and what a draft still lacks. */
import { type ProductionDraft, type ProductionPartial, productionDraft } from '../forms/production-keys.ts'

export type ProductionField = keyof ProductionDraft

export const productionFieldLabels: Readonly<Record<ProductionField, string>> = {
  practiceSlug: 'Practice',
  name: 'Key name',
  level: 'Access level',
  justification: 'What do you need the key for, and why at this level?',
  purposes: 'Purposes of use',
  dataClasses: 'Data classes',
  termDays: 'Key lifetime in days',
  signatoryId: 'Who signs for your organization',
  signatoryName: 'Their legal name',
  signatoryTitle: 'Their title',
}
export const productionFields = Object.keys(productionFieldLabels) as readonly ProductionField[]

export const productionSteps = {
  practice: { title: 'Practice', fields: ['practiceSlug'] },
  use: {
    title: 'Key and use',
    fields: ['name', 'level', 'justification', 'purposes', 'dataClasses', 'termDays'],
  },
  signing: { title: 'Sign and send', fields: ['signatoryId', 'signatoryName', 'signatoryTitle'] },
} as const satisfies Record<string, { title: string; fields: readonly ProductionField[] }>

export type ProductionStep = keyof typeof productionSteps
export const productionStepNames = Object.keys(productionSteps) as ProductionStep[]

export const isProductionStep = (name: unknown): name is ProductionStep =>
  typeof name === 'string' && Object.hasOwn(productionSteps, name)

export const fieldsOfProductionStep = (step: ProductionStep): readonly ProductionField[] =>
  productionSteps[step].fields

export const stepOfProductionField = (field: ProductionField): ProductionStep =>
  productionStepNames.find((step) => fieldsOfProductionStep(step).includes(field)) ?? 'practice'

export type ProductionLacks = Readonly<Partial<Record<ProductionField, string>>>

/** What has to be added or put right before it can be sent: by field, in the order of the steps. */
export function findProductionLacks(draft: Partial<Record<ProductionField, unknown>>): ProductionLacks {
  const read = productionDraft.safeParse(draft)
  if (read.success) return {}
  const found = new Map<string, string>()
  for (const { path, message } of read.error.issues)
    if (!found.has(String(path[0]))) found.set(String(path[0]), message)
  return Object.fromEntries(
    productionFields.flatMap((field) => {
      const message = found.get(field)
      return message === undefined ? [] : [[field, message]]
    }),
  )
}

/** Where to go on: the first step that lacks something, else the last, where it is sent. */
export function firstOpenProductionStep(lacks: ProductionLacks): ProductionStep {
  const open = (Object.keys(lacks) as ProductionField[]).map(stepOfProductionField)
  return productionStepNames.find((step) => open.includes(step)) ?? 'signing'
}

/** Null after the last. */
export const productionStepAfter = (step: ProductionStep): ProductionStep | null =>
  productionStepNames[productionStepNames.indexOf(step) + 1] ?? null

/** The fields in which two drafts differ. */
export function diffProductionDrafts(
  one: ProductionPartial,
  other: ProductionPartial,
): readonly ProductionField[] {
  return productionFields.filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]))
}
