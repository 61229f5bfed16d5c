/** Observations by their categories, and in groups of what was found at the same time. */
import type * as fhir from 'fhir/r4.js'
import { searchParameterNumbers } from '../contract/fhir/registry.ts'
import type { Criterion } from '../search/plan.ts'
import type { Chart } from './chart.ts'
import { spanOf } from './times.ts'

export type Observation = fhir.Observation & { id: string }

const categories = 'http://terminology.hl7.org/CodeSystem/observation-category'
const usCore = 'http://hl7.org/fhir/us/core/CodeSystem/us-core-category'

const category = (system: string) => (code: string) => ({ system, code })

export const vital = ['vital-signs'].map(category(categories))
export const social = [category(categories)('social-history'), category(usCore)('sdoh')]
export const functional = [
  category(categories)('survey'),
  ...['functional-status', 'disability-status', 'cognitive-status'].map(category(usCore)),
]

type Category = { readonly system: string; readonly code: string }

export function of(values: readonly Category[], { negated = false } = {}): Criterion {
  return { kind: 'tokens', parameter: searchParameterNumbers.category, values, negated, exact: false }
}

/** Of one group, so that no group is too long to be held. */
const groupMax = 200

/** Neighbours that were found at the same time in the same encounter. */
export async function* together(
  chart: Chart,
  criteria: readonly Criterion[],
): AsyncGenerator<readonly [Observation, ...Observation[]], void> {
  let group: [Observation, ...Observation[]] | null = null
  for await (const page of chart.readPages<fhir.Observation>('Observation', criteria)) {
    for (const observation of page) {
      if (group !== null && group.length < groupMax && isTogether(group[0], observation)) {
        group.push(observation)
        continue
      }
      if (group !== null) yield group
      group = [observation]
    }
  }
  if (group !== null) yield group
}

function isTogether(one: Observation, other: Observation): boolean {
  if (one.encounter?.reference !== other.encounter?.reference) return false
  const [a, b] = [spanOf(one), spanOf(other)]
  return a.start === b.start && a.end === b.end
}
