/** Notes and reports in words: a document each, and a report beside it where the profile wants one. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import { terms } from '../codes/codes.ts'
import { issuedAt } from '../people/calendar.ts'
import type { Visit } from './chart.ts'
import type { EventOf } from './events.ts'

/** The text stands in the resource when there is no file. */
interface NotePlan extends Pick<EventOf<'document'>, 'title' | 'text' | 'file' | 'sensitive' | 'status'> {
  readonly type: keyof typeof terms.noteTypes
}

const contentTypes = {
  pdf: 'application/pdf',
  png: 'image/png',
  ccda: 'application/xml',
  text: 'text/plain',
  large: 'text/plain',
} as const

/** @returns the document's key */
export function writeNote(visit: Visit, { type, title, text, file, sensitive, status }: NotePlan): string {
  return visit.add({
    kind: 'document',
    until: visit.end,
    type: terms.noteTypes[type],
    contentType: contentTypes[file ?? 'text'],
    format: file === 'ccda' ? terms.documentFormats.ccda : terms.documentFormats.mime,
    ...{ title, text, file, sensitive, status },
  })
}

interface StudyPlan extends NotePlan {
  readonly category: keyof typeof terms.reportCategories
  readonly code: Coding
  readonly results?: readonly string[]
  readonly conclusion: string
}

/** A study and the document that holds it as written. */
export function writeStudy(visit: Visit, plan: StudyPlan): void {
  const document = writeNote(visit, plan)
  const { title: text, category, code, results = [], conclusion } = plan
  visit.add({
    kind: 'report',
    profile: 'note',
    category: terms.reportCategories[category],
    ...{ code, text, results, conclusion, document },
    issued: issuedAt(visit.at),
  })
}
