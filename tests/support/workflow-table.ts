/** Every step of every party from every state, held against the table of a workflow. */
import { expect } from 'vitest'
import { type MailName, registry } from '../../emails/registry.ts'
import type { Transition } from '../../server/contract/workflows/workflows.ts'
import type { TestServices } from './services.ts'
import { kindOfProblem } from './visitor.ts'

type Row = Transition & Readonly<{ to: string }>

type Checked<Who> = Readonly<{
  services: TestServices
  noun: Readonly<{
    kind: string
    audit: string
    rows: readonly Transition[]
    next: (from: string, event: string, actor: string) => string
  }>
  states: readonly string[]
  events: readonly string[]
  /** Each kind of party, as somebody who makes a step. */
  who: Readonly<Record<string, Who>>
  /** Those who have no part in it: to them it does not exist. */
  strangers: readonly string[]
  /** A stored row in that state. */
  rowIn: (state: string) => Promise<string>
  step: (id: string, event: string, who: Who) => Promise<unknown>
  find: (id: string) => Promise<{ state: string; version: number }>
  practiceId: string | null
  sideOf?: (kind: string) => string | null
  auditDetail: object
  /** By what the table calls recipients: their addresses. */
  readers: Readonly<Record<string, readonly string[]>>
  /** What this table has besides. */
  besides?: (id: string, row: Row) => void | Promise<void>
}>

/** @returns how many steps were made, and how many are refused */
export async function checkEveryStep<Who>(of: Checked<Who>): Promise<{ done: number; refused: number }> {
  const { noun, states, events, who, strangers, rowIn, step, find } = of
  const still = new Map<string, string>()
  for (const state of states) still.set(state, await rowIn(state))

  let refused = 0
  for (const state of states)
    for (const [kind, initiator] of Object.entries(who)) {
      const unlisted = events.filter(
        (event) =>
          !noun.rows.some((row) => row.from === state && row.event === event && row.actors.includes(kind)),
      )
      for (const event of unlisted)
        expect(() => noun.next(state, event, kind), `${state} ${event} ${kind}`).toThrow()
      refused += unlisted.length
      // Of what the table does not list, one step of each party is tried at a stored row.
      const event = unlisted[refused % unlisted.length] ?? ''
      const outcome = await kindOfProblem(step(still.get(state) ?? '', event, initiator))
      expect(outcome, `${state} ${event} ${kind}`).toBe(strangers.includes(kind) ? 'not_found' : 'conflict')
    }

  const made: string[] = []
  for (const row of noun.rows as readonly Row[])
    for (const kind of row.from === null ? [] : row.actors) {
      if (strangers.includes(kind)) continue
      const id = await rowIn(row.from ?? '')
      const what = `${row.from} ${row.event} ${kind}`
      expect(await kindOfProblem(step(id, row.event, who[kind] as Who)), what).toBe('none')
      expect(await find(id), what).toMatchObject({ state: row.to, version: 1 })
      expect(await tracesOf(of, id), what).toEqual(expectedOf(of, row, kind))
      await of.besides?.(id, row)
      made.push(id)
    }

  const ids = [...still.values()]
  for (const id of ids) expect((await find(id)).version).toBe(0)
  const of_ = { subjectKind: noun.kind, subjectId: { in: [...made, ...ids] } }
  // Of what was done each left one event and one audit row; of what was refused, nothing did.
  expect(await of.services.prisma.workflowEvent.count({ where: of_ })).toBe(made.length)
  expect(await of.services.prisma.auditEvent.count({ where: of_ })).toBe(made.length)
  return { done: made.length, refused }
}

/** What a step left behind. */
async function tracesOf<Who>({ services: { prisma } }: Checked<Who>, id: string) {
  const [events, audit, emails] = await Promise.all([
    prisma.workflowEvent.findMany({
      where: { subjectId: id },
      select: { from: true, event: true, to: true, actorKind: true, side: true },
    }),
    prisma.auditEvent.findMany({
      where: { subjectId: id },
      select: { action: true, practiceId: true, detail: true },
    }),
    prisma.outboxMail.findMany({ where: { threadId: id } }),
  ])
  return { events, audit, emails: emails.map(({ template, toAddress }) => `${template} ${toAddress}`).sort() }
}

function expectedOf<Who>(of: Checked<Who>, row: Row, kind: string) {
  const { noun, practiceId, sideOf, auditDetail, readers } = of
  const { from, event, to, emails = {} } = row
  return {
    events: [{ from, event, to, actorKind: kind, side: sideOf?.(kind) ?? null }],
    audit: [
      { action: `${noun.audit}.${row.audit ?? event}`, practiceId, detail: { from, to, ...auditDetail } },
    ],
    emails: Object.entries(emails)
      .flatMap(([template, recipients]) =>
        (readers[recipients] ?? [`nobody is called ${recipients}`]).map(
          (address) => `${template} ${address}`,
        ),
      )
      .sort(),
  }
}

/**
 * Holds every guard, and has something to say in every email there is: what is sent is what the table lists.
 * @param about what all emails about the subject say
 */
export function anyWork(about: readonly string[]) {
  const contents = Object.fromEntries(
    (Object.keys(registry) as MailName[]).map((name) => {
      const { example, links } = registry[name]
      const own = Object.entries(example).filter(([key]) => !about.includes(key))
      const made = links.length === 0 ? {} : { links: Object.fromEntries(links.map((link) => [link, '/x'])) }
      return [name, { ...Object.fromEntries(own), ...made }]
    }),
  )
  return {
    guards: new Proxy({}, { get: () => () => {} }),
    effects: () => ({ emails: () => contents }),
  }
}
