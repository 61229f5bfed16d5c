/** What is ordered and not done yet: Planned Observation (22.4.44), Planned Procedure (22.4.41), Planned Act (22.4.39). */
import type * as fhir from 'fhir/r4.js'
import { loincSystem, snomedSystem } from '../../contract/fhir/ccda-values.ts'
import { author, findPractitioner } from '../authors.ts'
import type { Chart } from '../chart.ts'
import { resourceId } from '../identifiers.ts'
import { type Item, oneRow, refOf, type Section, status, template } from '../section.ts'
import { interval, type Span, shownSpan, shownTime, spanOf, time } from '../times.ts'
import { codeIn, concept, displayText, foundValue, textOf } from '../values.ts'
import { el, type Xml } from '../xml.ts'

type Request = fhir.ServiceRequest & { id: string }
type Plan = fhir.CarePlan & { id: string }
type Who = Parameters<typeof author>[1]

const open = ['active', 'draft', 'on-hold']

export const planOfTreatment: Section = {
  columns: ['Plan', 'Details', 'Status', 'Date'],
  nothing: 'No information on planned treatment.',
  async *items(chart) {
    for await (const plan of chart.read<fhir.CarePlan>('CarePlan')) {
      if (open.includes(plan.status)) yield planned(chart, plan, await findPractitioner(chart, plan.author))
    }
    for await (const request of chart.read<fhir.ServiceRequest>('ServiceRequest')) {
      if (!open.includes(request.status)) continue
      yield ordered(chart, request, await findPractitioner(chart, request.requester))
    }
  },
}

function planned(chart: Chart, plan: Plan, who: Who): Item {
  const ref = refOf('planOfTreatment', plan, '-cp')
  const title: fhir.CodeableConcept = { text: plan.title ?? displayText(plan.category?.[0]) }
  const details = [plan.description ?? '', plainText(plan.text?.div ?? '')].filter((line) => line !== '')
  return {
    rows: oneRow(ref, [displayText(title), details.join('\n'), plan.status, shownSpan(plan.period ?? {})]),
    entry: () =>
      el(
        'act',
        { classCode: 'ACT', moodCode: 'INT' },
        template('4.39', '2014-06-09'),
        resourceId(chart, plan),
        concept('code', title, { ref }),
        textOf(ref),
        status('active'),
        interval('effectiveTime', plan.period ?? {}),
        author(chart, who, plan.created),
      ),
  }
}

/** The kinds of orders by the SNOMED CT code of their category; all others are acts. */
const kinds: Readonly<Record<string, { name: string; classCode: string; template: string }>> = {
  '108252007': { name: 'observation', classCode: 'OBS', template: '4.44' },
  '363679005': { name: 'observation', classCode: 'OBS', template: '4.44' },
  '387713003': { name: 'procedure', classCode: 'PROC', template: '4.41' },
}

const act = { name: 'act', classCode: 'ACT', template: '4.39' }

function ordered(chart: Chart, request: Request, who: Who): Item {
  const ref = refOf('planOfTreatment', request, '-sr')
  const span = spanOf(request)
  const reasons = (request.reasonCode ?? []).map(displayText)
  const category = request.category?.map((each) => codeIn(each, 'http://snomed.info/sct')).find(Boolean)
  const kind = kinds[category ?? ''] ?? act
  return {
    rows: oneRow(ref, [
      displayText(request.code),
      reasons.join('\n'),
      request.status,
      shownSpan(dates(span)),
    ]),
    entry: () =>
      el(
        kind.name,
        { classCode: kind.classCode, moodCode: 'RQO' },
        template(kind.template, '2014-06-09'),
        resourceId(chart, request),
        concept('code', request.code, {
          ref,
          prefer: kind.name === 'observation' ? [loincSystem, snomedSystem] : [snomedSystem, loincSystem],
        }),
        textOf(ref),
        status('active'),
        effective(span, request),
        author(chart, who, request.authoredOn),
      ),
  }
}

function effective(span: Span, { authoredOn }: Request): Xml {
  if (span.start === undefined && span.end === undefined) return time('effectiveTime', authoredOn)
  return span.start === span.end ? time('effectiveTime', span.start) : interval('effectiveTime', span)
}

function dates({ start, end }: Span): Span {
  return start === end ? { start } : { start, end }
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
}

/** The words of a narrative; whatever it holds is escaped again where it is written. */
function plainText(div: string): string {
  return div
    .replace(/<\/(p|li|div|tr|h\d)>|<br\s*\/?>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|apos|#39|nbsp|amp);/g, (entity) => entities[entity] ?? entity)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

// Goal Observation (22.4.121).

export const goals: Section = {
  columns: ['Goal', 'Status', 'From', 'Due'],
  nothing: 'No goals on record.',
  async *items(chart) {
    for await (const goal of chart.read<fhir.Goal>('Goal')) {
      const ref = refOf('goals', goal)
      const [target] = goal.target ?? []
      const by = await findPractitioner(chart, goal.expressedBy)
      yield {
        rows: oneRow(ref, [
          displayText(goal.description),
          goal.lifecycleStatus,
          shownTime(goal.startDate),
          shownTime(target?.dueDate),
        ]),
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

/** `description` states the goal; `target` states what is measured. */
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
