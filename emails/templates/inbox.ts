/** The inbox of the morning. */
import { z } from 'zod'
import { defineMail, instant, line } from '../letter.ts'

export const inboxEmails = {
  'inbox-digest': defineMail({
    props: z.object({
      name: line,
      total: z.number().int().min(1),
      overdue: z.number().int().min(0),
      first: z.array(z.object({ title: line, dueAt: instant.nullable() })).max(10),
      page: z.enum(['/inbox', '/practice/inbox', '/staff/inbox']),
      requestId: line,
    }),
    links: ['manageUrl'],
    subject: ({ total, overdue }) =>
      `Your inbox: ${todos(total)}${overdue > 0 ? `, ${overdue} overdue` : ''}`,
    letter: ({ name, total, overdue, first, page: path }, { links, page, instant: when }) => ({
      preview: first[0]?.title ?? '',
      heading: `You have ${todos(total)}`,
      happened: `Hello ${name}. You have ${total === 1 ? 'one open to-do' : `${total} open to-dos`}.${overdue > 0 ? ` Overdue: ${overdue}.` : ''}`,
      means:
        total > first.length
          ? `The first ${first.length} are listed below, earliest deadline first.`
          : 'They are listed below, earliest deadline first.',
      todo: 'Open your inbox. Each to-do has a button for its next step.',
      byWhen: first[0]?.dueAt ? when(first[0].dueAt) : null,
      otherwise: 'Each to-do stays in your inbox until it is done or its deadline passes.',
      action: { label: 'Open your inbox', url: page(path) },
      facts: [
        ...first.map(({ title, dueAt }) => [dueAt ? when(dueAt) : 'No deadline', title] as const),
        ['Unsubscribe', links.manageUrl],
      ],
    }),
    example: {
      name: 'Robin Testwell',
      total: 2,
      overdue: 0,
      first: [
        { title: 'Answer the reviewer’s questions about “Tidepath”.', dueAt: '2026-12-01T04:59:59.000Z' },
        { title: 'Claim the key “Nightly import”.', dueAt: null },
      ],
      page: '/inbox',
      requestId: '2026-11-20',
    },
  }),
}

const todos = (count: number) => `${count} to-do${count === 1 ? '' : 's'}`
