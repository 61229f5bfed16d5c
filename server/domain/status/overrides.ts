/** States set by hand, by operations only: what holds over a component's checks, until when, and who said so. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import type { Sessions } from '../../auth/sessions.ts'
import {
  type ComponentId,
  type ComponentState,
  isComponentId,
  overrideDaysMax,
  overrideReasonMax,
  overrideSummaryMax,
  settableStates,
} from '../../contract/components.ts'
import { Problem } from '../../contract/problems.ts'
import type { Actor } from '../actor.ts'
import { requireStaff } from '../keys/staff.ts'
import { refuseSecretText } from '../keys/tripwire.ts'

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  portalAudit: PortalAudit
  sessions: Pick<Sessions, 'isStepUpFresh'>
}

export type OverrideInput = {
  component: string
  state: string
  /** For everybody. */
  summary: string
  /** For our own people. */
  reason: string
  until: Date
}

/** `step_up_needed`: the password was given too long ago; nothing was done. */
export type OverrideAnswer = { kind: 'done' | 'step_up_needed' }

export type Override = {
  component: ComponentId
  state: ComponentState
  summary: string
  reason: string
  until: Date
  setAt: Date
  setBy: string
}

const dayMs = 86_400_000

export function createOverrides({ prisma, clock, portalAudit, sessions }: Dependencies) {
  /**
   * Takes the place of an earlier one of the component, from the next answer on.
   * @throws Problem `forbidden`, `validation`
   */
  async function setOverride(input: OverrideInput, actor: Actor): Promise<OverrideAnswer> {
    await requireStaff(prisma, actor, ['ops'])
    const { component, state, summary, reason, until } = check(input)
    if (!sessions.isStepUpFresh(actor)) return { kind: 'step_up_needed' }
    await prisma.$transaction(async (tx) => {
      const now = clock()
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
    })
    return { kind: 'done' }
  }

  /** Back to what the checks find. Ending what is not set changes nothing. @throws Problem `forbidden`, `validation` */
  async function endOverride({ component }: { component: string }, actor: Actor): Promise<OverrideAnswer> {
    await requireStaff(prisma, actor, ['ops'])
    if (!isComponentId(component)) throw wrong('component', 'There is no such component.')
    if (!sessions.isStepUpFresh(actor)) return { kind: 'step_up_needed' }
    await prisma.$transaction(async (tx) => {
      const ended = await tx.statusOverride.updateMany({
        where: { component, endedAt: null, until: { gt: clock() } },
        data: { endedAt: clock() },
      })
      if (ended.count === 0) return
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        action: 'status_override.ended',
        subject: { kind: 'component', id: component },
      })
    })
    return { kind: 'done' }
  }

  /** Those that hold now. @throws Problem `forbidden` */
  async function listOverrides(actor: { accountId: string }): Promise<Override[]> {
    await requireStaff(prisma, actor, ['ops'])
    const rows = await prisma.statusOverride.findMany({
      where: { endedAt: null, until: { gt: clock() } },
      include: { setBy: { select: { name: true } } },
      orderBy: [{ setAt: 'asc' }, { id: 'asc' }],
    })
    const newest = new Map(rows.map((row) => [row.component, row]))
    return [...newest.values()].map(({ setBy, component, state, ...row }) => ({
      component: component as ComponentId,
      state: state as ComponentState,
      summary: row.summary,
      reason: row.reason,
      until: row.until,
      setAt: row.setAt,
      setBy: setBy.name,
    }))
  }

  function check({ component, state, summary, reason, until }: OverrideInput) {
    if (!isComponentId(component)) throw wrong('component', 'There is no such component.')
    const settable = settableStates.find((each) => each === state)
    if (settable === undefined) {
      throw wrong('state', `The state must be one of ${settableStates.join(', ')}.`)
    }
    const texts = {
      summary: line('summary', summary, 1, overrideSummaryMax),
      reason: line('reason', reason, 10, overrideReasonMax),
    }
    const waitMs = until.getTime() - clock().getTime()
    // Not a number either: an override without an end would outlive whoever remembers it.
    if (!(waitMs > 0 && waitMs <= overrideDaysMax * dayMs)) {
      throw wrong('until', `It must end in the future, within ${overrideDaysMax} days.`)
    }
    return { component, state: settable, ...texts, until }
  }

  return { setOverride, endOverride, listOverrides }
}

function line(field: 'summary' | 'reason', given: string, least: number, most: number): string {
  const text = given.trim()
  const { length } = [...text]
  if (length < least || length > most || /\p{Cc}/u.test(text))
    throw wrong(field, `The ${field} must be one line of ${least} to ${most} characters.`)
  refuseSecretText(field, text)
  return text
}

function wrong(field: keyof OverrideInput, message: string): Problem {
  return new Problem('validation', { field, message })
}
