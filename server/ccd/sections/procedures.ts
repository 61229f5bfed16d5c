/** Procedure Activity Procedure (22.4.14). */
import type * as fhir from 'fhir/r4.js'
import { codeSystemOids, loincSystem, snomedSystem } from '../../contract/fhir/ccda-values.ts'
import { findPractitioner, performer } from '../authors.ts'
import { resourceId } from '../identifiers.ts'
import { refOf, type Section } from '../section.ts'
import { status, template } from '../templates.ts'
import { interval, shownSpan, shownTime, spanOf, time } from '../times.ts'
import { concept, displayText, textOf } from '../values.ts'
import { el } from '../xml.ts'

const systems = [
  snomedSystem,
  ...['http://www.ama-assn.org/go/cpt', 'http://www.cms.gov/Medicare/Coding/ICD10'].flatMap(
    (each) => codeSystemOids[each] ?? [],
  ),
  loincSystem,
]

/** The words of CDA for these acts. */
const statuses: Readonly<Record<string, string>> = {
  completed: 'completed',
  'not-done': 'cancelled',
  stopped: 'aborted',
}

export const procedures: Section = {
  columns: ['Procedure', 'Status', 'Date', 'By'],
  nothing: 'No procedures on record.',
  async *items(chart) {
    for await (const procedure of chart.read<fhir.Procedure>('Procedure')) {
      const ref = refOf('procedures', procedure)
      const by = await findPractitioner(chart, procedure.performer?.[0]?.actor)
      const { start, end } = spanOf(procedure)
      const notDone = procedure.status === 'not-done'
      yield {
        rows: [
          {
            ref,
            cells: [
              displayText(procedure.code),
              procedure.status,
              start === end ? shownTime(start) : shownSpan({ start, end }),
              by?.name?.[0]?.text ?? '',
            ],
          },
        ],
        entry: () =>
          el(
            'procedure',
            { classCode: 'PROC', moodCode: 'EVN', negationInd: notDone ? true : undefined },
            template('4.14', '2014-06-09'),
            resourceId(chart, procedure),
            concept('code', procedure.code, { ref, prefer: systems }),
            textOf(ref),
            status(statuses[procedure.status] ?? 'active'),
            start === end ? time('effectiveTime', start) : interval('effectiveTime', { start, end }),
            (procedure.bodySite ?? []).map((site) => concept('targetSiteCode', site, { ref })),
            performer(chart, by),
          ),
      }
    }
  },
}
