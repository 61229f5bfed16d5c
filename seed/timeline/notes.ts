/** Notes and reports in words: a document each, and a report beside it where the profile wants one. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import { documentFormats, noteTypes, reportCategories } from '../codes/codes.ts'
import { issuedAt } from '../people/calendar.ts'
import type { Chart, Visit } from './chart.ts'

interface NotePlan {
  readonly type: keyof typeof noteTypes
  readonly title: string
  readonly text: string
  /** Kind of stored file; the text stands in the resource without one. */
  readonly file?: 'pdf' | 'png' | 'ccda' | 'text' | 'large'
  readonly sensitive?: boolean
  readonly status?: 'current' | 'superseded'
}

const contentTypes = {
  pdf: 'application/pdf',
  png: 'image/png',
  ccda: 'application/xml',
  text: 'text/plain',
  large: 'text/plain',
} as const

/** @returns the document's key */
export function writeNote(chart: Chart, visit: Visit, plan: NotePlan): string {
  return chart.add({
    kind: 'document',
    at: visit.at,
    until: visit.end,
    visit: visit.key,
    type: noteTypes[plan.type],
    title: plan.title,
    contentType: plan.file ? contentTypes[plan.file] : 'text/plain',
    format: plan.file === 'ccda' ? documentFormats.ccda : documentFormats.mime,
    text: plan.text,
    ...(plan.file ? { file: plan.file } : {}),
    ...(plan.sensitive ? { sensitive: true } : {}),
    ...(plan.status ? { status: plan.status } : {}),
  })
}

interface StudyPlan extends NotePlan {
  readonly category: keyof typeof reportCategories
  readonly code: Coding
  readonly results?: readonly string[]
  readonly conclusion: string
}

/** A study and the document that holds it as written. */
export function writeStudy(chart: Chart, visit: Visit, plan: StudyPlan): string {
  const document = writeNote(chart, visit, plan)
  chart.add({
    kind: 'report',
    at: visit.at,
    visit: visit.key,
    profile: 'note',
    category: reportCategories[plan.category],
    code: plan.code,
    text: plan.title,
    results: plan.results ?? [],
    conclusion: plan.conclusion,
    document,
    issued: issuedAt(visit.at),
  })
  return document
}
