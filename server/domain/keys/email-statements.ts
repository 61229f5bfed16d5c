/** What an email that asks for a key states in a line of its own: the technical contact, and acceptance of the terms. */
import { emailAddress } from '../../contract/text/email-address.ts'

type EmailStatements = Readonly<{ technicalContact: string | null; termsVersion: string | null }>

const contactLine = /^[ \t*-]*technical contact(?: e-?mail| address)?\s*[:=–-]\s*(.{1,300})$/im
const angleAddress = /<([^<>\s]{3,254})>/
const plainAddress = /[^\s<>()",;]+@[^\s<>()",;]+/
const termsLine =
  /^[ \t*-]*(?:i|we)\s+(?:hereby\s+)?accept\s+the\s+sandbox\s+terms\b[\s,(]*(?:version|v\.?)\s*(\d{1,3}(?:\.\d{1,3}){0,2})\b/im

/** @param text without quoted lines: what somebody else wrote is no statement of the sender */
export function readStatements(text: string): EmailStatements {
  const contact = contactLine.exec(text)?.[1] ?? ''
  const address = angleAddress.exec(contact)?.[1] ?? plainAddress.exec(contact)?.[0]?.replace(/[.!?]+$/, '')
  const parsed = emailAddress.safeParse(address)
  return {
    technicalContact: parsed.success ? parsed.data : null,
    termsVersion: termsLine.exec(text)?.[1] ?? null,
  }
}
