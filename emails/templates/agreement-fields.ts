/** What every mail about an agreement knows of it. */
import { z } from 'zod'
import { line } from '../fields.ts'
import type { LetterContext } from '../letter.ts'

export const aboutAgreement = {
  name: line,
  documentName: line,
  organizationName: line,
  /** Of a BAA. */
  practiceName: line.nullable(),
  /** The reader's own page of it. */
  page: z
    .string()
    .regex(
      /^\/(staff\/agreements|practice\/agreements\/[0-9a-f-]{36}|organizations\/[a-z0-9-]{1,120}\/agreements\/[0-9a-f-]{36})$/,
    ),
  agreementId: line,
}

export const exampleAgreement = {
  name: 'Robin Testwell',
  documentName: 'Business associate agreement',
  organizationName: 'Samplewood Health Apps',
  practiceName: 'Old Quay Family Practice',
  page: '/practice/agreements/01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  agreementId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
}

type About = {
  documentName: string
  organizationName: string
  practiceName: string | null
  page: string
  agreementId: string
}

/** The document and its parties, in one sentence's words. */
export function between({ documentName, organizationName, practiceName }: About): string {
  const document = `the ${documentName.charAt(0).toLowerCase()}${documentName.slice(1)}`
  return practiceName === null
    ? `${document} with ${organizationName}`
    : `${document} between ${organizationName} and ${practiceName}`
}

export function openAgreement({ page: path }: About, label: string, { page }: LetterContext<never>) {
  return { label, url: page(path) }
}

export function agreementFacts({
  documentName,
  organizationName,
  practiceName,
  agreementId,
}: About): [string, string][] {
  return [
    ['Document', documentName],
    ['Developer', organizationName],
    ...(practiceName === null ? [] : ([['Practice', practiceName]] as [string, string][])),
    ['Document ID', agreementId],
  ]
}
