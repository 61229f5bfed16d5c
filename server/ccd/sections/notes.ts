/** Note Activity (22.4.202) for every current document; its words are told where it has words. */
import type * as fhir from 'fhir/r4.js'
import { loincSystem } from '../../contract/fhir/ccda-values.ts'
import { author, findPractitioner, unknownAuthor } from '../authors.ts'
import { resourceId } from '../identifiers.ts'
import { actEvent, newTemplate, oneRow, refOf, type Section, status } from '../section.ts'
import { shownTime, time } from '../times.ts'
import { concept, displayText, textOf } from '../values.ts'
import { el } from '../xml.ts'

export const notes: Section = {
  columns: ['Document', 'Date', 'By', 'Text'],
  nothing: 'No notes on record.',
  async *items(chart) {
    for await (const document of chart.read<fhir.DocumentReference>('DocumentReference')) {
      if (document.status !== 'current') continue
      const ref = refOf('notes', document)
      const by = await findPractitioner(chart, document.author?.[0])
      const when = document.date ?? document.context?.period?.start
      yield {
        rows: oneRow(ref, [
          document.description ?? displayText(document.type),
          shownTime(when),
          by?.name?.[0]?.text ?? '',
          (document.content ?? []).map(wordsOf).join('\n\n'),
        ]),
        entry: () =>
          actEvent(
            newTemplate('4.202', '2016-11-01'),
            resourceId(chart, document),
            el(
              'code',
              {
                code: '34109-9',
                codeSystem: loincSystem.oid,
                codeSystemName: loincSystem.name,
                displayName: 'Note',
              },
              concept('translation', { coding: document.type?.coding ?? [] }, { prefer: [loincSystem] }),
            ),
            textOf(ref),
            status('completed'),
            time('effectiveTime', when),
            author(chart, by, when) ?? unknownAuthor(when),
          ),
      }
    }
  },
}

/** A text in the document itself; of anything else, what it is. */
function wordsOf({ attachment }: fhir.DocumentReferenceContent): string {
  const { contentType = '', data, size, title } = attachment
  if (data !== undefined && /^text\/plain\b/i.test(contentType)) {
    return Buffer.from(data, 'base64').toString('utf8')
  }
  const bytes = size === undefined ? '' : `, ${size} bytes`
  return `${title === undefined ? 'A document' : title} (${contentType || 'unknown type'}${bytes}) is stored separately.`
}
