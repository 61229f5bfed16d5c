import { z } from 'zod'
import { line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const accessAlerts = defineMail({
  props: z.object({
    name: line,
    practiceName: line,
    practiceSlug: line,
    total: z.number().int().min(1),
    alerts: z
      .array(
        z.object({
          keyName: line,
          organizationName: line,
          rule: line,
          /** Of the figures, in UTC. */
          day: line,
          explanation: z.string().min(1).max(1_000),
        }),
      )
      .min(1),
  }),
  links: [],
  subject: ({ total, alerts: [first], practiceName }) =>
    total === 1 && first
      ? `${practiceName}: unusual use of “${first.keyName}”`
      : `${practiceName}: ${total} alerts about keys and apps`,
  letter: ({ name, practiceName, practiceSlug, total, alerts }, { page }) => ({
    preview: alerts[0]?.explanation ?? '',
    heading: total === 1 ? 'Unusual use of a key or app' : 'Unusual use of keys and apps',
    happened: `Hello ${name}. Keys or apps with access to ${practiceName} were used differently than in the 30 days before.`,
    means: 'It can be harmless, such as a new feature. It can also be a stolen key.',
    todo: 'Check each alert. If you can’t explain it, stop the access and ask the organization.',
    byWhen: null,
    otherwise: 'The access continues. The alert stays in your inbox.',
    action: {
      label: 'Check alerts',
      url: page(`/practice/alerts?${new URLSearchParams({ practice: practiceSlug })}`),
    },
    facts: [
      ...alerts.map(({ keyName, organizationName, rule, day, explanation }): [string, string] => [
        rule,
        `“${keyName}” of ${organizationName}, ${day} (UTC). ${explanation}`,
      ]),
      ...(total > alerts.length
        ? ([['More', `${total - alerts.length} more alerts are in the portal.`]] as [string, string][])
        : []),
    ],
  }),
  example: {
    name: 'Theo Placeholder',
    practiceName: 'Old Quay Family Practice',
    practiceSlug: 'old-quay',
    total: 1,
    alerts: [
      {
        keyName: 'Nightly import',
        organizationName: 'Samplewood Health Apps',
        rule: 'More calls than usual',
        day: '2026-11-20',
        explanation:
          '4,200 calls. Usual: 810, the median of the 21 days with calls in the 30 days before. The limit is 3 times that.',
      },
    ],
  },
})
