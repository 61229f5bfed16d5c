/** Goal Observation (22.4.121). */
import type * as fhir from 'fhir/r4.js'
import { loincSystem } from '../../contract/fhir/ccda-values.ts'
import { author, findPractitioner } from '../authors.ts'
import { resourceId } from '../identifiers.ts'
import { refOf, type Section } from '../section.ts'
import { status, template } from '../templates.ts'
import { interval, shownTime } from '../times.ts'
import { concept, displayText, foundValue, textOf } from '../values.ts'
import { el, type Xml } from '../xml.ts'

export const goals: Section = {
  columns: ['Goal', 'Status', 'From', 'Due'],
  nothing: 'No goals on record.',
  async *items(chart) {
    for await (const goal of chart.read<fhir.Goal>('Goal')) {
      const ref = refOf('goals', goal)
      const [target] = goal.target ?? []
      const by = await findPractitioner(chart, goal.expressedBy)
      yield {
        rows: [
          {
            ref,
            cells: [
              displayText(goal.description),
              goal.lifecycleStatus,
              shownTime(goal.startDate),
              shownTime(target?.dueDate),
            ],
          },
        ],
        entry: () =>
          el(
            'observation',
            { classCode: 'OBS', moodCode: 'GOL' },
            template('4.121'),
            resourceId(chart, goal),
            concept('code', measured(goal), { ref, prefer: [loincSystem] }),
            textOf(ref),
            status('active'),
            interval('effectiveTime', { start: goal.startDate, end: target?.dueDate }),
            target && valueOfTarget(target),
            author(chart, by, goal.startDate),
          ),
      }
    }
  },
}

/** What is to be reached is told by the description, what is measured by the target. */
function measured({ description, target }: fhir.Goal): fhir.CodeableConcept {
  const measure = target?.[0]?.measure
  return description.coding || measure?.coding === undefined
    ? description
    : { ...measure, text: displayText(description) }
}

function valueOfTarget(target: fhir.GoalTarget): Xml | null {
  const { detailQuantity, detailCodeableConcept, detailString, detailBoolean, detailInteger } = target
  const value = {
    ...(detailQuantity && { valueQuantity: detailQuantity }),
    ...(detailCodeableConcept && { valueCodeableConcept: detailCodeableConcept }),
    ...(detailString !== undefined && { valueString: detailString }),
    ...(detailBoolean !== undefined && { valueBoolean: detailBoolean }),
    ...(detailInteger !== undefined && { valueInteger: detailInteger }),
  }
  return Object.keys(value).length === 0 ? null : foundValue(value)
}
