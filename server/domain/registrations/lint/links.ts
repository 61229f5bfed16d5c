/** Website, privacy policy and terms of use: there for everybody to read. */
import { fieldLabels, type RegistrationForm } from '../../../contract/workflows/registration-form.ts'
import type { Outbound } from '../../../outbound/outbound.ts'
import { type Fault, type LintRule, parseHttps, shorten } from './lint-rule.ts'

const fields = ['website', 'privacyUrl', 'termsUrl'] as const

/** What servers say to programs that they would not say to a browser. */
const shyStatuses = new Set([401, 403, 405, 406, 429])

export const links: LintRule = {
  id: 'links',
  check: 'links',
  passed: (_, opened) =>
    opened
      ? 'Website, privacy policy and terms of use opened successfully.'
      : 'Website, privacy policy and terms of use are https URLs. We have not opened them yet.',
  find: (form) =>
    fields.flatMap((field): Fault[] => {
      if (form[field] === '')
        return [
          {
            field,
            reason: `Add the ${fieldLabels[field].toLowerCase()}.`,
            fix: 'Enter its complete https URL.',
          },
        ]
      return parseHttps(form[field])
        ? []
        : [
            {
              field,
              reason: `${fieldLabels[field]}: this isn’t an https URL.`,
              fix: 'Enter the complete URL, starting with https:// and without credentials.',
            },
          ]
    }),
  fetch: {
    fields: addressesOf,
    find: async (form, outbound) => {
      const found = await Promise.all(
        addressesOf(form).map(async (field) =>
          faultOfStatus(form, field, await statusOf(form[field], outbound)),
        ),
      )
      return found.filter((fault) => fault !== null)
    },
  },
}

function addressesOf(form: RegistrationForm): readonly (typeof fields)[number][] {
  return fields.filter((field) => parseHttps(form[field]))
}

function faultOfStatus(
  form: RegistrationForm,
  field: (typeof fields)[number],
  status: number | null,
): Fault | null {
  if (status !== null && status < 400) return null
  const what = `${fieldLabels[field]}: ${shorten(form[field])}`
  if (status !== null && shyStatuses.has(status))
    return {
      field,
      severity: 'hint',
      reason: `${what} responded with ${status}.`,
      fix: 'Make sure it opens in a browser without signing in. A reviewer opens it that way.',
    }
  return {
    field,
    reason: status === null ? `${what} could not be reached.` : `${what} responded with ${status}.`,
    fix: 'Publish the page at a public https URL on port 443, or correct the URL.',
  }
}

/** Null: nobody answers there. */
async function statusOf(address: string, outbound: Outbound): Promise<number | null> {
  try {
    return (await outbound.get(address, { accept: 'text/html, */*;q=0.1', readsBody: false })).status
  } catch {
    return null
  }
}
