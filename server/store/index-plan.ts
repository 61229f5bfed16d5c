/** What the registry says of a type, sorted once by what the indexing of a resource asks for. */
import {
  type FhirType,
  fhirRegistry,
  type SearchParameterRow,
  searchParameterNumbers,
} from '../contract/fhir/registry.ts'
import { type Steps, stepsOf } from './elements.ts'

export interface IndexedParameter {
  readonly number: number
  readonly steps: readonly Steps[]
  /** Of a plain `code` element. */
  readonly system: string
}

interface IndexPlan {
  /** Null outside the compartment. */
  readonly compartment: 'self' | readonly Steps[] | null
  readonly compartmentThrough: readonly Steps[]
  /** The date that orders the type's pages. */
  readonly sort: IndexedParameter | null
  readonly of: Readonly<Record<SearchParameterRow['kind'], readonly IndexedParameter[]>>
}

const plans = Object.fromEntries(
  (Object.keys(fhirRegistry) as FhirType[]).map((type) => [type, planOf(type)]),
) as Readonly<Record<FhirType, IndexPlan>>

export function indexPlan(type: FhirType): IndexPlan {
  return plans[type]
}

function planOf(type: FhirType): IndexPlan {
  const { compartment, compartmentThrough, parameters } = fhirRegistry[type]
  const sort = parameters.find(({ sorts }) => sorts)
  const of = (kind: SearchParameterRow['kind']) =>
    parameters.filter((parameter) => parameter.kind === kind && !parameter.sorts).map(indexed)
  return {
    compartment: compartment === 'self' ? 'self' : (compartment?.map(stepsOf) ?? null),
    compartmentThrough: (compartmentThrough ?? []).map(stepsOf),
    sort: sort ? indexed(sort) : null,
    of: {
      id: of('id'),
      updated: of('updated'),
      patient: of('patient'),
      string: of('string'),
      identifier: of('identifier'),
      token: of('token'),
      date: of('date'),
      reference: of('reference'),
      canonical: of('canonical'),
    },
  }
}

function indexed({ name, paths, system = '' }: SearchParameterRow): IndexedParameter {
  return { number: searchParameterNumbers[name], steps: paths.map(stepsOf), system }
}
