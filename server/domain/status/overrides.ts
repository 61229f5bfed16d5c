/** States set by hand, by operations only: what holds over a component's checks, until when, and who said so. */
import { Problem } from '../../contract/http/problems.ts'
import {
  type ComponentId,
  type ComponentState,
  isComponentId,
  overrideDaysMax,
  overrideReasonMax,
  overrideSummaryMax,
  settableStates,
} from '../../contract/status/components.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'
import { checkTexts } from '../text-scan/check-text.ts'
import * as history from './status-history.ts'

type OverrideInput = {
  component: string
  state: string
  /** For everybody. */
  summary: string
  /** For our own people. */
  reason: string
  until: Date
  /** The override that the person saw on the component, if any; left out: whichever there is. */
  replaces?: string | null
}

const dayMs = 86_400_000

/**
 * Takes the place of an earlier one of the component, from the next answer on.
 * @throws Problem `forbidden`, `validation`; `conflict` when another person has set or ended one meanwhile
 */
export async function setOverride(core: Core, input: OverrideInput, actor: Actor): Promise<void> {
  const { prisma, clock, portalAudit } = core
  await requireStaff(prisma, actor, ['ops'])
  const { component, state, summary, reason, until } = check(core, input)
  checkTexts({ summary, reason }, actor)
  requireStepUp(actor, clock())
  await prisma.$transaction(async (tx) => {
    await history.begin(tx)
    const now = clock()
    const current = await tx.statusOverride.findFirst({
      where: { component, endedAt: null, until: { gt: now } },
      orderBy: [{ setAt: 'desc' }, { id: 'desc' }],
      select: { id: true },
    })
    if (input.replaces !== undefined && input.replaces !== (current?.id ?? null)) throw changedMeanwhile()
    await tx.statusOverride.updateMany({ where: { component, endedAt: null }, data: { endedAt: now } })
    await tx.statusOverride.create({
      data: { component, state, summary, reason, until, setById: actor.accountId, setAt: now },
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      action: 'status_override.set',
      subject: { kind: 'component', id: component },
      detail: { state, summary, reason, until: until.toISOString() },
    })
    await history.record(core, tx, now)
  })
}

/** Back to what the checks find. Ending what is not set changes nothing. @throws Problem `forbidden`, `validation` */
export async function endOverride(
  core: Core,
  { component, reason }: { component: string; reason: string },
  actor: Actor,
): Promise<void> {
  const { prisma, clock, portalAudit } = core
  await requireStaff(prisma, actor, ['ops'])
  if (!isComponentId(component)) throw wrong('component', 'Unknown component.')
  const why = line('reason', reason, 10, overrideReasonMax)
  checkTexts({ reason: why }, actor)
  requireStepUp(actor, clock())
  await prisma.$transaction(async (tx) => {
    await history.begin(tx)
    const now = clock()
    const ended = await tx.statusOverride.updateMany({
      where: { component, endedAt: null, until: { gt: now } },
      data: { endedAt: now },
    })
    if (ended.count === 0) return
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      action: 'status_override.ended',
      subject: { kind: 'component', id: component },
      detail: { reason: why },
    })
    await history.record(core, tx, now)
  })
}

/** Tick: ends expired overrides and writes that into the history. */
export async function endOverdue(core: Core, now: Date): Promise<number> {
  const { prisma, portalAudit } = core
  return prisma.$transaction(async (tx) => {
    await history.begin(tx)
    const due = await tx.statusOverride.findMany({
      where: { endedAt: null, until: { lte: now } },
      orderBy: [{ until: 'asc' }, { id: 'asc' }],
    })
    for (const { id, component, until } of due) {
      await tx.statusOverride.update({ where: { id }, data: { endedAt: until } })
      await portalAudit.append(tx, {
        ...portalAudit.system(),
        action: 'status_override.ended',
        subject: { kind: 'component', id: component },
        detail: { reason: 'It expired.' },
      })
    }
    if (due.length > 0) await history.record(core, tx, now)
    return due.length
  })
}

/** Those that hold now. @throws Problem `forbidden` */
export async function listOverrides({ prisma, clock }: Core, actor: { accountId: string }) {
  await requireStaff(prisma, actor, ['ops'])
  const rows = await prisma.statusOverride.findMany({
    where: { endedAt: null, until: { gt: clock() } },
    include: { setBy: { select: { name: true } } },
    orderBy: [{ setAt: 'asc' }, { id: 'asc' }],
  })
  const newest = new Map(rows.map((row) => [row.component, row]))
  return [...newest.values()].map(({ setBy, component, state, ...row }) => ({
    id: row.id,
    component: component as ComponentId,
    state: state as ComponentState,
    summary: row.summary,
    reason: row.reason,
    until: row.until,
    setAt: row.setAt,
    setBy: setBy.name,
  }))
}

function check({ clock }: Core, { component, state, summary, reason, until }: OverrideInput) {
  if (!isComponentId(component)) throw wrong('component', 'Unknown component.')
  const settable = settableStates.find((each) => each === state)
  if (settable === undefined) {
    throw wrong('state', `The state must be one of ${settableStates.join(', ')}.`)
  }
  const texts = {
    summary: line('summary', summary, 1, overrideSummaryMax),
    reason: line('reason', reason, 10, overrideReasonMax),
  }
  const waitMs = until.getTime() - clock().getTime()
  // Not a number either: no one would remember to end an override without an end.
  if (!(waitMs > 0 && waitMs <= overrideDaysMax * dayMs)) {
    throw wrong('until', `It must end in the future, within ${overrideDaysMax} days.`)
  }
  return { component, state: settable, ...texts, until }
}

function line(field: 'summary' | 'reason', typed: string, least: number, most: number): string {
  const text = typed.trim()
  const { length } = [...text]
  if (length < least || length > most || /\p{Cc}/u.test(text))
    throw wrong(field, `The ${field} must be one line of ${least} to ${most} characters.`)
  return text
}

function changedMeanwhile(): Problem {
  return new Problem('conflict', {
    message:
      'Someone else changed or ended this component’s state in the meantime. Review it, then submit again.',
  })
}

function wrong(field: keyof OverrideInput, message: string): Problem {
  return new Problem('validation', { field, message })
}
