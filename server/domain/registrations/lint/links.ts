/** Website, privacy policy and terms of use: there for everybody to read. */
import { fieldLabels } from '../../../contract/workflows/registration-form.ts'
import type { Outbound } from '../../../outbound/outbound.ts'
import { type Fault, type LintRule, parseHttps, shorten } from './lint-rule.ts'

const fields = ['website', 'privacyUrl', 'termsUrl'] as const

/** What servers say to programs that they would not say to a browser. */
const shyStatuses = new Set([401, 403, 405, 406, 429])

export const links: LintRule = {
  id: 'links',
  check: 'links',
  passed: 'Website, privacy policy and terms open.',
  passedUnasked: 'Website, privacy policy and terms are https addresses. They were not opened yet.',
  find: (form) =>
    fields.flatMap((field): Fault[] => {
      if (form[field] === '')
        return [
          { field, reason: `${fieldLabels[field]}: no address.`, fix: 'Give its complete https address.' },
        ]
      return parseHttps(form[field])
        ? []
        : [
            {
              field,
              reason: `${fieldLabels[field]}: this is no https address.`,
              fix: 'Give the complete address, beginning with https:// and without credentials.',
            },
          ]
    }),
  fetch: async (form, outbound) => {
    const addresses = fields.filter((field) => parseHttps(form[field]))
    const found = await Promise.all(
      addresses.map(async (field): Promise<Fault | null> => {
        const status = await statusOf(form[field], outbound)
        if (status !== null && status < 400) return null
        const what = `${fieldLabels[field]}: ${shorten(form[field])}`
        if (status !== null && shyStatuses.has(status))
          return {
            field,
            severity: 'hint',
            reason: `${what} answered ${status} to us.`,
            fix: 'Make sure that it opens in a browser without signing in: a reviewer opens it so.',
          }
        return {
          field,
          reason: status === null ? `${what} could not be reached.` : `${what} answered ${status}.`,
          fix: 'Publish the page at a public https address on port 443, or give the address where it is.',
        }
      }),
    )
    return found.filter((fault) => fault !== null)
  },
}

/** Null: nobody answers there. */
async function statusOf(address: string, outbound: Outbound): Promise<number | null> {
  try {
    return (await outbound.get(address, { accept: 'text/html, */*;q=0.1', readsBody: false })).status
  } catch {
    return null
  }
}
